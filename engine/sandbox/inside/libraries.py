"""The standard library in the snapshot: a program can import what is there, and nothing else."""

import importlib
import pkgutil
import sys

# Not on this platform, or without use where there is no screen, network or second process; two act
# when they are imported. What is in the snapshot is written back after every run.
LEFT_OUT = (
    "_android_support _apple_support _ios_support antigravity ensurepip ftplib idlelib imaplib"
    " mailbox multiprocessing nt ntpath nturl2path poplib pydoc_data smtplib socketserver this"
    " tkinter turtle turtledemo venv winreg winsound wsgiref xmlrpc"
)
# Imported with all of their modules; of other packages, those that they import themselves.
WHOLE = (
    "asyncio collections compression encodings html importlib json logging pathlib re string"
    " sysconfig unittest urllib xml zipfile zoneinfo"
)


def import_all() -> None:
    """Import what there is on this platform."""
    for name in sorted(sys.stdlib_module_names.difference(LEFT_OUT.split())):
        if _has(name) and name in WHOLE.split():
            for found in pkgutil.walk_packages(sys.modules[name].__path__, f"{name}."):
                _has(found.name)


def _has(name: str) -> bool:
    if name.endswith("__main__") or "windows" in name or "win32" in name:
        return False
    try:
        importlib.import_module(name)
    except Exception:  # it needs what there is not: an operating system, a library in C
        return False
    return True
