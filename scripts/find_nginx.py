"""Find an nginx for the tests of `deploy/`.

    python -m scripts.find_nginx            print its path; exit 1 if there is none
    python -m scripts.find_nginx --install  the same, but try to install one first

The environment variable SEEGRAD_NGINX overrides the search.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from scripts.find_chromium import run
from scripts.finding import command, named_or

VARIABLE = "SEEGRAD_NGINX"
PACKAGE = "nginx-light"  # Debian package

# Locations outside the users' PATH on some systems.
PLACES = ("/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/local/nginx/sbin/nginx")
PLACES_OF_PACKAGES = ("/opt/homebrew/bin/nginx", "/usr/local/bin/nginx", "/opt/local/sbin/nginx")

# If it exists, installing the package would start and enable a web server.
SERVICES = Path("/run/systemd/system")

ADVICE = f"""\
No nginx was found, and none was installed. The tests of deploy/ need one. Do one of these:
  on Debian:  apt-get install {PACKAGE}  (it starts a web server: systemctl disable --now nginx)
  on macOS:   brew install nginx
  or set the path:  {VARIABLE}=/path/to/nginx make test"""


def advice() -> str:
    """Instructions for when `find` returns None."""
    return named_or(VARIABLE, ADVICE)


def candidates() -> Iterator[Path]:
    """Possible paths, in order of preference."""
    if named := os.environ.get(VARIABLE):
        yield Path(named)
        return
    if found := shutil.which("nginx"):
        yield Path(found)
    yield from map(Path, (*PLACES, *PLACES_OF_PACKAGES))


def find() -> Path | None:
    """The first existing nginx, or None."""
    return next((path for path in candidates() if path.is_file()), None)


def install() -> Path | None:
    """Install Debian's nginx as root unless that would start it; its path, or None."""
    if shutil.which("apt-get") and os.geteuid() == 0 and not SERVICES.exists():
        apt = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y")
        if run(*apt, "update"):
            run(*apt, "install", "--no-install-recommends", PACKAGE)
    return find()


def main() -> int:
    """The command line; returns the exit status."""
    return command("scripts.find_nginx", VARIABLE, find, install, advice)


if __name__ == "__main__":
    raise SystemExit(main())
