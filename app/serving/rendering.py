"""Rendering of Jinja templates: pages, fragments, and the addresses of assets.

A fragment is one block of a page. The address of an asset contains a hash of all assets, so that
browsers may cache it for ever and modules may import each other by relative address.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from app.serving.joined_scripts import joined_path, scripts

# An import at the start of a line; those in JSDoc types are not.
IMPORT = re.compile(r'^(?:import|export)\s(?:[^;"=(]*\sfrom\s)?"([^"]+)";', re.MULTILINE)
MACROS = {
    "icon": "icons.html",
    "controls": "train_controls.html",
    "expansion": "expansion.html",
    "judgement": "verdict.html",
    "whole_arrays": "arrays.html",
    "beside": "sections.html",
    "refusal": "refusal.html",
    "results": "output.html",
    "sabotage": "sabotage.html",
    "sharing": "share.html",
}


def find(name: str) -> Path:
    """The folder `name`, which lies beside `app` in a checkout and in the wheel."""
    return Path(__file__).resolve().parents[2] / name


class Renderer:
    """Renders the templates of one application, whose version and navigation its pages carry."""

    def __init__(self, version: str = "", pages: Sequence[object] = ()) -> None:
        self.static = find("static")
        self._modules: dict[str, list[str]] = {}
        self.environment = Environment(
            loader=FileSystemLoader(find("templates")),
            autoescape=select_autoescape(),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self.environment.filters["asset"] = self.asset
        self.environment.globals |= {
            "asset": self.asset,
            "modules": self.modules,
            "script": self.script,
            "version": version,
            "pages": pages,
        }
        for name, template in MACROS.items():  # globals, as fragments skip their page's imports
            self.environment.globals[name] = self.environment.get_template(template).module

    @cached_property
    def scripts(self) -> Mapping[str, bytes]:
        """The joined scripts of pages and their source maps, by path."""
        return scripts(self.static)

    @cached_property
    def version(self) -> str:
        """A hash of every asset's name and content."""
        digest = hashlib.sha256()
        for path in sorted(self.static.rglob("*")):
            if path.is_file():
                digest.update(path.relative_to(self.static).as_posix().encode())
                digest.update(path.read_bytes())
        for made in self.scripts.values():
            digest.update(made)
        return digest.hexdigest()[:12]

    def script(self, entry: str) -> str:
        """The address of the joined script of an entry module. Raises FileNotFoundError."""
        path = joined_path(entry)
        if path not in self.scripts:
            raise FileNotFoundError(path)
        return f"/static/{self.version}/{path}"

    def asset(self, path: str) -> str:
        """The address of an asset. Raises FileNotFoundError for one that does not exist."""
        if not (self.static / path).is_file():
            raise FileNotFoundError(path)
        return f"/static/{self.version}/{path}"

    def modules(self, main: str) -> list[str]:
        """The module `main` and all that it imports, at first or second hand, nearest first.

        A page names them all, as a browser would else find each only in the one that imports it.
        """
        if main not in self._modules:
            found = [main]
            for module in found:  # grows on the way
                code = (self.static / module).read_text(encoding="utf-8")
                folder = PurePosixPath(module).parent
                paths = (os.path.normpath(folder / path) for path in IMPORT.findall(code))
                found += [path for path in paths if path not in found]
            self._modules[main] = found
        return self._modules[main]

    def page(self, template: str, context: Mapping[str, Any]) -> str:
        """A whole page."""
        return self.environment.get_template(template).render(context)

    def fragment(self, template: str, block: str, context: Mapping[str, Any]) -> str:
        """One block of a page, alone."""
        source = self.environment.get_template(template)
        return "".join(source.blocks[block](source.new_context(dict(context))))
