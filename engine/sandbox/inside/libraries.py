"""The standard library in the snapshot: a program can import what is there, and nothing else."""

import importlib
import pkgutil
import sys

# Not on this platform, or without use where there is no screen; two act when they are imported.
LEFT_OUT = (
    "_android_support _apple_support _ios_support antigravity ensurepip idlelib nt ntpath"
    " nturl2path this tkinter turtle turtledemo venv winreg winsound"
)
# Imported with all of their modules; of other packages, those that they import themselves.
WHOLE = (
    "asyncio collections compression concurrent email encodings html http importlib json logging"
    " multiprocessing pathlib re string sysconfig unittest urllib wsgiref xml zipfile zoneinfo"
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
