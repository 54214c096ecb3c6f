"""What a program cannot have here is refused by exceptions that it may catch."""

import asyncio.selector_events
import builtins
import io
import os
import sys
from typing import Any

FILES = "A program here has no files: write the data into the program, or run it on your machine."
_open = builtins.open


def open(file: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:  # noqa: A001
    """Stands for the built-in function: the folder is empty and locked."""
    if isinstance(file, int):
        return _open(file, mode, *arguments, **options)
    name = os.fspath(file)
    error: OSError = FileNotFoundError(2, "No such file or directory", name)
    if set(mode) & set("wax+"):
        error = PermissionError(13, "Permission denied", name)
    error.add_note(FILES)
    raise error


def _nothing(self: Any) -> None:
    """Nobody wakes a loop from another thread."""


def set_up() -> None:
    """Refuse files; let an event loop do without its pair of sockets."""
    builtins.open = io.open = open
    loop: Any = asyncio.selector_events.BaseSelectorEventLoop
    loop._make_self_pipe = loop._close_self_pipe = loop._write_to_self = _nothing


def end_imports() -> None:
    """After this nothing more can be imported than is imported already."""
    sys.meta_path[:] = [it for it in sys.meta_path if getattr(it, "__name__", "") != "PathFinder"]
    sys.path[:] = []
    sys.path_importer_cache.clear()
