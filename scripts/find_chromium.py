"""Find a Chromium for the browser tests: Chromium, Chrome or Edge.

    python -m scripts.find_chromium            print its path; exit 1 if there is none
    python -m scripts.find_chromium --install  the same, but try to install one first

The environment variable SEEGRAD_CHROMIUM overrides the search. The tests prefer the headless
shell, which opens a page in a third of the processor time.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.finding import named_or

VARIABLE = "SEEGRAD_CHROMIUM"

COMMANDS = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    *("microsoft-edge", "microsoft-edge-stable", "msedge"),
)

SHELLS = ("chromium-headless-shell", "chrome-headless-shell")

# Debian packages. Playwright's driver needs libatomic, which minimal systems lack.
SHELL = "chromium-headless-shell"
PACKAGES = (SHELL, "fonts-dejavu-core", "libatomic1")

# Paths below the application folders; * matches any version.
PLACES = {
    "darwin": (
        "Chromium.app/Contents/MacOS/Chromium",
        "Google Chrome.app/Contents/MacOS/Google Chrome",
        "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    ),
    "win32": (
        "Chromium/Application/chrome.exe",
        "Google/Chrome/Application/chrome.exe",
        "Microsoft/Edge/Application/msedge.exe",
    ),
    "linux": (
        "usr/lib/chromium/chromium",
        "opt/google/chrome/chrome",
        "opt/microsoft/msedge/msedge",
    ),
}

# Paths below Playwright's download folder.
DOWNLOADED = {
    "darwin": (
        "chromium-*/chrome-mac*/Chromium.app/Contents/MacOS/Chromium",
        "chromium-*/chrome-mac*/Google Chrome for Testing.app/Contents/MacOS/*",
    ),
    "win32": ("chromium-*/chrome-win*/chrome.exe",),
    "linux": ("chromium-*/chrome-linux*/chrome",),
}
DOWNLOADED_SHELL = "chromium_headless_shell-*/*/chrome-headless-shell*"

ADVICE = f"""\
No Chromium was found, and none could be installed. The browser tests need one. Do one of these:
  install Chromium, Google Chrome or Microsoft Edge in its default location
  set the path:   {VARIABLE}=/path/to/chromium make test
  on Debian:      apt-get install {" ".join(PACKAGES)}
  by Playwright:  .venv/bin/python -m playwright install chromium"""


def advice() -> str:
    """Instructions for when `find` returns None."""
    return named_or(VARIABLE, ADVICE)


def application_folders() -> list[Path]:
    """The system's application folders, the user's first."""
    if sys.platform == "darwin":
        return [Path.home() / "Applications", Path("/Applications")]
    if sys.platform == "win32":
        names = ("LOCALAPPDATA", "PROGRAMFILES", "PROGRAMFILES(X86)")
        return [Path(os.environ[name]) for name in names if name in os.environ]
    return [Path("/")]


def download_folder() -> Path:
    """Playwright's download folder."""
    if "PLAYWRIGHT_BROWSERS_PATH" in os.environ:
        return Path(os.environ["PLAYWRIGHT_BROWSERS_PATH"])
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/ms-playwright"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "ms-playwright"
    return Path.home() / ".cache/ms-playwright"


def shells() -> Iterator[Path]:
    """Possible paths of headless shells, in order of preference."""
    yield from (Path(found) for name in SHELLS if (found := shutil.which(name)))
    for path in sorted(download_folder().glob(DOWNLOADED_SHELL), reverse=True):
        if path.stem in SHELLS:
            yield path


def candidates() -> Iterator[Path]:
    """Possible paths of full Chromiums, in order of preference."""
    yield from (Path(found) for name in COMMANDS if (found := shutil.which(name)))
    system = "linux" if sys.platform not in PLACES else sys.platform
    yield from (folder / place for folder in application_folders() for place in PLACES[system])
    for pattern in DOWNLOADED[system]:
        yield from sorted(download_folder().glob(pattern), reverse=True)


def find(*, light: bool = False) -> Path | None:
    """The configured or first existing Chromium, or None; prefers a headless shell if `light`."""
    if named := os.environ.get(VARIABLE):
        return Path(named) if Path(named).is_file() else None
    whole = (*shells(), *candidates()) if light else (*candidates(), *shells())
    return next((path for path in whole if path.is_file()), None)


def offered() -> bool:
    """Whether this machine's apt cache lists the headless shell."""
    command = ("apt-cache", "show", SHELL)
    return (
        shutil.which(command[0]) is not None
        and subprocess.run(command, capture_output=True, check=False).returncode == 0
    )


def run(*command: str) -> bool:
    """Run a command, echoed, with its output on stderr; returns whether it succeeded."""
    print("+ " + " ".join(command), file=sys.stderr, flush=True)
    return subprocess.run(command, stdout=sys.stderr, check=False).returncode == 0


def install_with_apt(*packages: str) -> bool:
    """Install Debian packages as root or by passwordless sudo; returns whether it succeeded."""
    if shutil.which("apt-get") is None:
        return False
    if os.geteuid() == 0:
        prefix = ["env"]
    elif shutil.which("sudo") and run("sudo", "-n", "true"):
        prefix = ["sudo", "-n", "env"]
    else:
        return False
    apt = (*prefix, "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y")
    return run(*apt, "update") and run(*apt, "install", "--no-install-recommends", *packages)


def install() -> Path | None:
    """Install a headless shell by the first method that works; the path of a Chromium, or None.

    Playwright's download is used only if there is no Chromium at all.
    """
    there = find(light=True)
    if (there is None or offered()) and install_with_apt(*PACKAGES):
        return find(light=True)
    if there is None:
        run(sys.executable, "-m", "playwright", "install", "chromium")
    return find(light=True)


def main() -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="scripts.find_chromium")
    parser.add_argument("--install", action="store_true", help="install one if there is none")
    arguments = parser.parse_args()
    found = find(light=True)
    if arguments.install and VARIABLE not in os.environ and found not in set(shells()):
        found = install()
    if found is None:
        print(advice(), file=sys.stderr)
        return 1
    print(found)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
