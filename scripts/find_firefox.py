"""Find a Firefox for the tests in Firefox.

    python -m scripts.find_firefox            print its path; exit 1 if there is none
    python -m scripts.find_firefox --install  the same, but try to install one first

The environment variable SEEGRAD_FIREFOX overrides the search.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.find_chromium import application_folders, install_with_apt
from scripts.finding import command, named_or

VARIABLE = "SEEGRAD_FIREFOX"
COMMANDS = ("firefox-esr", "firefox")
PACKAGE = "firefox-esr"  # Debian package

# Paths below the application folders.
PLACES = {
    "darwin": ("Firefox.app/Contents/MacOS/firefox",),
    "win32": ("Mozilla Firefox/firefox.exe",),
    "linux": ("usr/lib/firefox-esr/firefox-esr", "usr/lib/firefox/firefox", "opt/firefox/firefox"),
}

ADVICE = f"""\
No Firefox was found, and none could be installed. The tests in Firefox need one, of version 129 or
newer. Do one of these:
  install Firefox in its default location
  set the path:  {VARIABLE}=/path/to/firefox make test
  on Debian:     apt-get install {PACKAGE}"""


def advice() -> str:
    """Instructions for when `find` returns None."""
    return named_or(VARIABLE, ADVICE)


def candidates() -> Iterator[Path]:
    """Possible paths, in order of preference."""
    if named := os.environ.get(VARIABLE):
        yield Path(named)
        return
    yield from (Path(found) for name in COMMANDS if (found := shutil.which(name)))
    places = PLACES.get(sys.platform, PLACES["linux"])
    yield from (folder / place for folder in application_folders() for place in places)


def find() -> Path | None:
    """The first existing Firefox, or None."""
    return next((path for path in candidates() if path.is_file()), None)


def install() -> Path | None:
    """Install Debian's Firefox; its path, or None."""
    install_with_apt(PACKAGE)
    return find()


def main() -> int:
    """The command line; returns the exit status."""
    return command("scripts.find_firefox", VARIABLE, find, install, advice)


if __name__ == "__main__":
    raise SystemExit(main())
