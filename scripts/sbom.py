"""Complete the software bill of materials that cyclonedx-py generates for an environment.

    python -m scripts.sbom BILL REPORT OUTPUT      (`make sbom` runs it)

BILL, a CycloneDX document, lists the packages, their licences and dependencies. Added are the
version of Seegrad, the digest of each installed file, from pip's installation REPORT, and the
third-party files in static/vendor, from their manifest. The output is reproducible.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
from pathlib import Path
from typing import Any, TypeAlias

from engine import __version__

VENDOR = Path(__file__).resolve().parent.parent / "static/vendor"

Plain: TypeAlias = dict[str, Any]


def add_digests(bill: Plain, report: Plain) -> None:
    """Add the digest of its file to each package. Raises KeyError if the report lacks it."""
    found = {
        _purl(one["metadata"]): one["download_info"]["archive_info"]["hashes"]["sha256"]
        for one in report["install"]
    }
    for package in bill["components"]:
        package["hashes"] = [{"alg": "SHA-256", "content": found[package["purl"]]}]


def _purl(metadata: Plain) -> str:
    """The package URL of a package (https://github.com/package-url)."""
    name = re.sub(r"[-_.]+", "-", metadata["name"]).lower()
    return f"pkg:pypi/{name}@{metadata['version']}"


def add_vendored(bill: Plain, manifest: list[Plain]) -> None:
    """Add the vendored files as dependencies of the application."""
    files = [_vendored(entry) for entry in manifest]
    bill["components"] += files
    bill["components"] += _bundled(manifest)
    own = bill["metadata"]["component"]["bom-ref"]
    needs = next(one for one in bill["dependencies"] if one["ref"] == own)
    needs.setdefault("dependsOn", []).extend(one["bom-ref"] for one in files)


def _bundled(manifest: list[Plain]) -> list[Plain]:
    """The packages of which vendored files hold something, each once."""
    names = {name for entry in manifest for name in entry.get("bundles", ())}
    return [
        {
            "type": "library",
            "bom-ref": _npm(name),
            "name": name.rsplit(" ", 2)[0],
            "version": name.split(" ")[1],
            "licenses": [{"license": {"id": "MIT"}}],
            "purl": _npm(name),
        }
        for name in sorted(names)
    ]


def _npm(text: str) -> str:
    """The package URL of `name version (npm)`."""
    name, version = text.removesuffix(" (npm)").rsplit(" ", 1)
    return f"pkg:npm/{name.replace('@', '%40')}@{version}"


def _vendored(entry: Plain) -> Plain:
    version = entry["version"]
    purl = f"{_npm(entry['package'])}#{entry['path']}"
    digest = base64.b64decode(entry["sha384"].removeprefix("sha384-")).hex()
    return {
        "type": "file",
        "bom-ref": purl,
        "name": f"static/vendor/{entry['file']}",
        "version": version,
        "hashes": [{"alg": "SHA-384", "content": digest}],
        "licenses": [{"license": {"id": entry["licence"]}}],
        "purl": purl,
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="scripts.sbom", description="Complete a bill.")
    for name in ("bill", "report", "output"):
        parser.add_argument(name, type=Path)
    given = parser.parse_args()
    bill, report = (json.loads(path.read_text("utf-8")) for path in (given.bill, given.report))
    bill["metadata"]["component"]["version"] = __version__
    add_digests(bill, report)
    add_vendored(bill, json.loads((VENDOR / "manifest.json").read_text("utf-8")))
    given.output.parent.mkdir(parents=True, exist_ok=True)
    given.output.write_text(json.dumps(bill, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
