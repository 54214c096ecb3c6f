"""Run the tests under the Python of another Debian release, in a root of its own.

    python -m scripts.other_python                                  Debian 13, Python 3.13
    python -m scripts.other_python --suite forky --python python3.14
    python -m scripts.other_python -- tests/engine -k depth         arguments for pytest

Makes the root with debootstrap where it is missing, copies the checkout into it, installs
requirements/test.txt there and runs all tests but those that need a browser or nginx; exits with
pytest's status. Root and virtual environment are kept for the next time.

Needs root and Debian's packages debootstrap and util-linux. Whatever is mounted is mounted in a
namespace of its own, which ends with the command.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import ssl
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = {"debootstrap": "debootstrap", "unshare": "util-linux", "git": "git"}
"""Programs that are needed, with Debian's package of each."""
PACKAGES = ("libatomic1", "ca-certificates", "git", "make")
KNOWN_SUITES = Path("/usr/share/debootstrap/scripts")
NEWEST = "sid"  # debootstrap's script for any suite that is newer than debootstrap itself
BUNDLE = "/etc/ssl/certs/ca-certificates.crt"
COMPONENT = "build/sandbox/python.wasm"
SKIPPED = ("tests/browser", "tests/firefox", "tests/deploy")
HERE = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8"}
PASSED_ON = ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "http_proxy", "https_proxy", "no_proxy")
IN_NAMESPACE = ("unshare", "--mount", "--propagation", "private")
ENTER = """\
mount -t proc proc "$0/proc" && mkdir -p "$0/dev/shm" && mount -t tmpfs tmpfs "$0/dev/shm" &&
exec chroot "$0" "$@"
"""


class Refused(Exception):
    """Why the tests cannot be run; the message says what to do."""


def check_machine() -> None:
    """Raise Refused unless this machine can make a root and enter it."""
    missing = [f"{tool} (package {name})" for tool, name in TOOLS.items() if not shutil.which(tool)]
    if missing:
        raise Refused(f"Not found: {', '.join(missing)}. On Debian install them with apt-get.")
    if os.geteuid() != 0:
        raise Refused("Only root can make a Debian root and enter it: sudo make other-python")


def make_root(folder: Path, suite: str, python: str) -> None:
    """A minimal Debian in `folder`, which is there whole or not at all."""
    if folder.exists():
        return
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.parent.mkdir(parents=True, exist_ok=True)
    include = ",".join((python, f"{python}-venv", *PACKAGES))
    command = [*IN_NAMESPACE, "debootstrap", "--variant=minbase", f"--include={include}"]
    run([*command, suite, str(part), *_mirror(suite)], f"Debian {suite} could not be installed")
    part.rename(folder)


def _mirror(suite: str) -> tuple[str, ...]:
    """The mirror that apt uses here and, for a suite that debootstrap does not know, a script."""
    command = ("apt-get", "indextargets", "--format", "$(REPO_URI)", "Label: Debian")
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    mirrors = found.stdout.split()
    if (KNOWN_SUITES / suite).exists():
        return tuple(mirrors[:1])
    if not mirrors:
        raise Refused(f"debootstrap does not know {suite}, and apt names no mirror of Debian.")
    return mirrors[0], NEWEST


def connect(folder: Path) -> None:
    """Give the root this machine's name servers and certificates."""
    for path in ("/etc/resolv.conf", "/etc/hosts"):
        if Path(path).exists():
            shutil.copyfile(path, folder / path[1:])
    bundle = ssl.get_default_verify_paths().cafile
    if bundle:
        target = folder / BUNDLE[1:]
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(bundle, target)


def copy_checkout(folder: Path) -> None:
    """The files of this checkout that git knows or would add, in place of an older copy.

    With them goes the sandbox's component, which is the same on every machine.
    """
    listed = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    target = folder / "src"
    shutil.rmtree(target, ignore_errors=True)
    for name in filter(None, (*names.split("\0"), COMPONENT)):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)


def install(folder: Path, python: str) -> None:
    """A virtual environment in the root with exactly what the tests need."""
    wanted = (ROOT / "requirements/test.txt").read_bytes() + python.encode()
    digest, stamp = hashlib.sha256(wanted).hexdigest(), folder / "venv/.installed"
    if stamp.exists() and stamp.read_text("utf-8") == digest:
        return
    make = (python, "-m", "venv", "--clear", "/venv")
    run(inside(folder, *make), f"{python} could not make a virtual environment")
    pip = ("/venv/bin/python", "-m", "pip", "--disable-pip-version-check", "--quiet", "install")
    requirements = ("--require-hashes", "--requirement", "/src/requirements/test.txt")
    run(inside(folder, *pip, *requirements), "The tests' requirements could not be installed")
    stamp.write_text(digest, "utf-8")


def run_tests(folder: Path, arguments: Sequence[str]) -> int:
    """Pytest's exit status; in one process unless `arguments` ask for more."""
    ignored = [f"--ignore={name}" for name in SKIPPED]
    pytest = ("/venv/bin/python", "-m", "pytest", "--numprocesses", "0", *ignored, *arguments)
    started = ("sh", "-c", 'cd /src && exec "$@"', "sh", *pytest)
    return subprocess.run(inside(folder, *started), env=environment(), check=False).returncode


def inside(folder: Path, *command: str) -> list[str]:
    """The command line that runs `command` in the root."""
    return [*IN_NAMESPACE, "sh", "-c", ENTER, str(folder), *command]


def environment() -> dict[str, str]:
    """A plain environment, with the way to Python's packages that this machine has."""
    return {
        **HERE,
        **{name: os.environ[name] for name in PASSED_ON if name in os.environ},
        "PIP_CERT": BUNDLE,
    }


def run(command: Sequence[str], otherwise: str) -> None:
    """Run a command. Raises Refused, with the words `otherwise`, where it fails."""
    status = subprocess.run(command, env=environment(), check=False).returncode
    if status:
        raise Refused(f"{otherwise} (exit status {status}).")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    at = given.index("--") if "--" in given else len(given)
    parser = argparse.ArgumentParser(prog="scripts.other_python")
    parser.add_argument("--suite", default="trixie", help="Debian's release (default: trixie)")
    parser.add_argument("--python", default="python3", help="its package (default: python3)")
    parser.add_argument("--folder", type=Path, help="the root (default: below build/)")
    options = parser.parse_args(given[:at])
    folder = (options.folder or ROOT / f"build/root-{options.suite}-{options.python}").resolve()
    try:
        check_machine()
        make_root(folder, options.suite, options.python)
        connect(folder)
        copy_checkout(folder)
        install(folder, options.python)
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 2
    return run_tests(folder, given[at + 1 :])


if __name__ == "__main__":
    raise SystemExit(main())
