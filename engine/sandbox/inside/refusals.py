"""What a program cannot have here is refused by exceptions that it may catch."""

import builtins
import io
import sys
from typing import Any, NoReturn

FILES = "A program here has no files: write the data into the program, or run it on your machine."


def _refuse(error: OSError) -> NoReturn:
    error.add_note(FILES)
    raise error


def open(file: Any, mode: object = "r", *arguments: Any, **options: Any) -> NoReturn:  # noqa: A001
    """Stands for the built-in function; the folder is empty and locked."""
    if isinstance(mode, str) and set(mode) & set("wax+"):
        _refuse(PermissionError(13, "Permission denied", file))
    _refuse(FileNotFoundError(2, "No such file or directory", file))


def set_up() -> None:
    """After this nothing more can be imported than is imported already."""
    builtins.open = io.open = open
    sys.meta_path[:] = [it for it in sys.meta_path if getattr(it, "__name__", "") != "PathFinder"]
    sys.path[:] = []
    sys.path_importer_cache.clear()
