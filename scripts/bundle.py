"""Bundle packages from npm into static/vendor, each bundle a row of `BUNDLES`.

    python -m scripts.bundle editor            (`make editor` runs it; it needs Node.js with npm)

Installs the exact versions in the bundle's package.json into a temporary folder, without their
install scripts, bundles the names that its entries export, collects the licences of what went in,
and enters files, versions and digests in the manifest. The same versions give the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

Plain: TypeAlias = dict[str, Any]

ROOT = Path(__file__).resolve().parent.parent
VENDOR = ROOT / "static/vendor"
INSTALL = ("npm", "install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund")
PACKAGE = re.compile(r"node_modules/((?:@[^/]+/)?[^/]+)/")


@dataclass(frozen=True)
class Bundle:
    """The parts of a bundle in `folder`, named for the version of its package `main`.

    `entries` are the modules that name its exports; with several, code that they share is in
    `shared`. `options` are further ones of esbuild.
    """

    name: str
    folder: str
    main: str
    licence: str
    entries: tuple[str, ...]
    shared: str | None = None
    options: tuple[str, ...] = ()

    @property
    def source(self) -> Path:
        """The folder with package.json and the entries."""
        return ROOT / self.folder

    @property
    def wanted(self) -> dict[str, str]:
        """The exact version of each package."""
        found: Plain = json.loads((self.source / "package.json").read_text("utf-8"))
        return dict(found["dependencies"])

    @property
    def version(self) -> str:
        """The version that names the files."""
        return self.wanted[self.main]

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of its files' parts."""
        return self.entries if self.shared is None else (*self.entries, self.shared)

    def stem(self, part: str) -> str:
        """The name of a part's file, without `.js`."""
        start = f"{self.name}-{self.version}"
        return f"{start}.min" if len(self.parts) == 1 else f"{start}.{part}.min"


BUNDLES = {
    "editor": Bundle(
        "codemirror", "scripts/editor_bundle", "@codemirror/view", "MIT", ("core", "more"), "shared"
    ),
    "zoom": Bundle(
        "d3-zoom", "scripts/zoom_bundle", "d3-zoom", "ISC", ("zoom",),
        options=("--alias:d3-transition=./transition.js",),
    ),
}  # fmt: skip


def build(one: Bundle, folder: Path) -> dict[str, Path]:
    """Install and bundle in `folder`; returns the file of each part, by name."""
    for path in one.source.iterdir():
        shutil.copy(path, folder)
    subprocess.run([*INSTALL, "--silent"], cwd=folder, check=True)
    target = folder / "out"
    command = [
        "node_modules/.bin/esbuild", *(f"{entry}.js" for entry in one.entries),
        "--bundle", "--splitting", "--minify",
        "--format=esm", "--target=es2022", "--legal-comments=none", "--charset=utf8",
        f"--outdir={target}", "--metafile=meta.json", "--log-level=warning",
        f"--entry-names={one.stem('[name]')}", f"--chunk-names={one.stem(one.shared or '[name]')}",
        *one.options,
    ]  # fmt: skip
    subprocess.run(command, cwd=folder, check=True)
    found = {part: target / f"{one.stem(part)}.js" for part in one.parts}
    if {path.name for path in target.iterdir()} != {path.name for path in found.values()}:
        sys.exit("The bundle has other files than expected: see BUNDLES.")
    return found


def packages(one: Bundle, folder: Path) -> list[Plain]:
    """Name, version and licence of each package of which something is in the bundle."""
    outputs = json.loads((folder / "meta.json").read_text("utf-8"))["outputs"].values()
    paths = {path for output in outputs for path in output["inputs"]}
    names = sorted({match[1] for path in paths if (match := PACKAGE.search(path))})
    about = [
        json.loads((folder / "node_modules" / name / "package.json").read_text("utf-8"))
        for name in names
    ]
    if any(one.wanted.get(each["name"]) != each["version"] for each in about):
        sys.exit("A package in the bundle has no exact version in package.json.")
    return [{key: each[key] for key in ("name", "version", "license")} for each in about]


def licences(folder: Path, found: list[Plain]) -> str:
    """The licence texts of the packages, each once, below the packages that it covers."""
    covered: dict[str, list[str]] = {}
    for one in found:
        text = (folder / "node_modules" / one["name"] / "LICENSE").read_text("utf-8").strip()
        covered.setdefault(text, []).append(f"{one['name']} {one['version']}")
    return "\n\n\n".join(f"{', '.join(names)}\n\n{text}" for text, names in covered.items()) + "\n"


def entry(one: Bundle, path: Path, part: str, found: list[Plain], licence: str) -> Plain:
    """The manifest's entry of a file of the bundle."""
    digest = base64.b64encode(hashlib.sha384(path.read_bytes()).digest()).decode("ascii")
    return {
        "name": one.name if part == one.entries[0] else f"{one.name}-{part}",
        "version": one.version,
        "licence": one.licence,
        "package": f"{one.main} {one.version} (npm)",
        "path": f"{one.folder}/{part}.js",
        "file": path.name,
        "licence_files": [licence],
        "sha384": f"sha384-{digest}",
        "bundles": [f"{each['name']} {each['version']} (npm)" for each in found],
    }


def main() -> None:
    """Replace the named bundle in static/vendor."""
    if len(sys.argv) != 2 or sys.argv[1] not in BUNDLES:
        sys.exit(f"Name one of the bundles: {', '.join(BUNDLES)}")
    one = BUNDLES[sys.argv[1]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = build(one, folder)
        found = packages(one, folder)
        if others := {each["license"] for each in found} - {one.licence}:
            sys.exit(f"Another licence than {one.licence}: {', '.join(sorted(others))}")
        for old in VENDOR.glob(f"{one.name}-*"):
            old.unlink()
        licence = f"{one.name}-{one.version}.LICENSE.txt"
        (VENDOR / licence).write_text(licences(folder, found), "utf-8")
        manifest: list[Plain] = json.loads((VENDOR / "manifest.json").read_text("utf-8"))
        own = [each["name"].startswith(one.name) for each in manifest]
        place = [*own, True].index(True)
        manifest = [each for each, is_own in zip(manifest, own, strict=True) if not is_own]
        for at, (part, path) in enumerate(files.items(), place):
            shutil.copyfile(path, VENDOR / path.name)
            manifest.insert(at, entry(one, VENDOR / path.name, part, found, licence))
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (VENDOR / "manifest.json").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
