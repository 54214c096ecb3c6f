"""Bundle the code editor, CodeMirror 6, into static/vendor.

    python -m scripts.bundle_editor            (`make editor` runs it; it needs Node.js with npm)

Installs the exact versions in scripts/editor_bundle/package.json into a temporary folder, without
their install scripts, bundles the names that `core.js` and `more.js` export, collects the licences
of what went in, and enters files, versions and digests in the manifest. The same versions give the
same bytes.
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
from pathlib import Path
from typing import Any, TypeAlias

Plain: TypeAlias = dict[str, Any]

ROOT = Path(__file__).resolve().parent.parent
PARTS = ROOT / "scripts/editor_bundle"
VENDOR = ROOT / "static/vendor"
NAME = "codemirror"
MAIN = "@codemirror/view"
"""The package whose version names the bundle."""
ENTRIES = ("core", "more", "shared")
"""The files of the bundle; `shared` holds the code that both entries need."""
INSTALL = ("npm", "install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund")
PACKAGE = re.compile(r"node_modules/((?:@[^/]+/)?[^/]+)/")


def bundle(folder: Path, version: str) -> dict[str, Path]:
    """Install and bundle in `folder`; returns the file of each part, by name."""
    for path in PARTS.iterdir():
        shutil.copy(path, folder)
    subprocess.run([*INSTALL, "--silent"], cwd=folder, check=True)
    target = folder / "out"
    command = [
        "node_modules/.bin/esbuild", "core.js", "more.js", "--bundle", "--splitting", "--minify",
        "--format=esm", "--target=es2022", "--legal-comments=none", "--charset=utf8",
        f"--outdir={target}", "--metafile=meta.json", "--log-level=warning",
        f"--entry-names={NAME}-{version}.[name].min", f"--chunk-names={NAME}-{version}.shared.min",
    ]  # fmt: skip
    subprocess.run(command, cwd=folder, check=True)
    found = {name: target / f"{NAME}-{version}.{name}.min.js" for name in ENTRIES}
    if {path.name for path in target.iterdir()} != {path.name for path in found.values()}:
        sys.exit("The bundle has other files than expected: see ENTRIES.")
    return found


def packages(folder: Path) -> list[Plain]:
    """Name, version and licence of each package of which something is in the bundle."""
    outputs = json.loads((folder / "meta.json").read_text("utf-8"))["outputs"].values()
    paths = {path for output in outputs for path in output["inputs"]}
    names = sorted({match[1] for path in paths if (match := PACKAGE.search(path))})
    about = [
        json.loads((folder / "node_modules" / name / "package.json").read_text("utf-8"))
        for name in names
    ]
    wanted = json.loads((PARTS / "package.json").read_text("utf-8"))["dependencies"]
    if any(wanted.get(one["name"]) != one["version"] for one in about):
        sys.exit("A package in the bundle has no exact version in package.json.")
    return [{key: one[key] for key in ("name", "version", "license")} for one in about]


def licences(folder: Path, found: list[Plain]) -> str:
    """The licence texts of the packages, each once, below the packages that it covers."""
    covered: dict[str, list[str]] = {}
    for one in found:
        text = (folder / "node_modules" / one["name"] / "LICENSE").read_text("utf-8").strip()
        covered.setdefault(text, []).append(f"{one['name']} {one['version']}")
    return "\n\n\n".join(f"{', '.join(names)}\n\n{text}" for text, names in covered.items()) + "\n"


def entry(path: Path, part: str, version: str, found: list[Plain], licence: str) -> Plain:
    """The manifest's entry of a file of the bundle."""
    digest = base64.b64encode(hashlib.sha384(path.read_bytes()).digest()).decode("ascii")
    return {
        "name": NAME if part == "core" else f"{NAME}-{part}",
        "version": version,
        "licence": "MIT",
        "package": f"{MAIN} {version} (npm)",
        "path": f"scripts/editor_bundle/{part}.js",
        "file": path.name,
        "licence_files": [licence],
        "sha384": f"sha384-{digest}",
        "bundles": [f"{one['name']} {one['version']} (npm)" for one in found],
    }


def main() -> None:
    """Replace the bundle in static/vendor."""
    version = json.loads((PARTS / "package.json").read_text("utf-8"))["dependencies"][MAIN]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = bundle(folder, version)
        found = packages(folder)
        if others := {one["license"] for one in found} - {"MIT"}:
            sys.exit(f"Another licence than MIT: {', '.join(sorted(others))}")
        for old in VENDOR.glob(f"{NAME}-*"):
            old.unlink()
        licence = f"{NAME}-{version}.LICENSE.txt"
        (VENDOR / licence).write_text(licences(folder, found), "utf-8")
        manifest = json.loads((VENDOR / "manifest.json").read_text("utf-8"))
        manifest = [one for one in manifest if not one["name"].startswith(NAME)]
        for part, path in files.items():
            shutil.copyfile(path, VENDOR / path.name)
            manifest.append(entry(VENDOR / path.name, part, version, found, licence))
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (VENDOR / "manifest.json").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
