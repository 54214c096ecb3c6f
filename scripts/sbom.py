"""Write the software bill of materials: what is installed and served at run time, as CycloneDX.

    python -m scripts.sbom [--output FILE]      (standard output if no FILE is named)

Everything is read from two files of this checkout: requirements/run.txt, which pins every package
with the digests of the files that may be installed for it, and static/vendor/manifest.json, which
names the files that were taken from others. So the same checkout gives the same bytes. Packages are
components with the digests under `externalReferences` (one of these files is what is installed);
files are components with a digest of their own. `dependencies` says what asks for what.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from engine import __version__

ROOT = Path(__file__).resolve().parent.parent
RUN = "requirements/run.txt"
VENDOR = "static/vendor"
OWN = "gradlens"

Part: TypeAlias = dict[str, Any]

PIN = re.compile(r"(?P<name>[a-z0-9][a-z0-9.-]*)==(?P<version>[^\s;]+)\s*(?:;(?P<where>[^\\]*))?")
DIGEST = re.compile(r"--hash=sha256:([0-9a-f]{64})")
ASKED_BY = re.compile(r"^    #(?: via|  ) +([a-z0-9][a-z0-9.-]*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Pin:
    """One package of a requirements file."""

    name: str
    version: str
    where: str
    digests: tuple[str, ...]
    asked_by: tuple[str, ...]

    @property
    def purl(self) -> str:
        """Its address among all packages (https://github.com/package-url)."""
        return f"pkg:pypi/{self.name}@{self.version}"


def pins(text: str) -> Iterator[Pin]:
    """The packages that a compiled requirements file pins."""
    for entry in re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]:
        pin = PIN.match(entry)
        if pin is None:
            raise ValueError(f"not pinned: {entry.splitlines()[0]}")
        where = (pin["where"] or "").strip()
        digests, asked_by = DIGEST.findall(entry), ASKED_BY.findall(entry)
        yield Pin(pin["name"], pin["version"], where, tuple(digests), tuple(asked_by))


def package(pin: Pin) -> Part:
    """A package as a component; one that not every machine needs is optional."""
    files = [{"alg": "SHA-256", "content": digest} for digest in pin.digests]
    part: Part = {
        "type": "library",
        "bom-ref": pin.purl,
        "name": pin.name,
        "version": pin.version,
        "scope": "optional" if pin.where else "required",
        "purl": pin.purl,
        "externalReferences": [{"type": "distribution", "url": pin.purl, "hashes": files}],
    }
    if pin.where:
        part["properties"] = [{"name": f"{OWN}:where", "value": pin.where}]
    return part


def vendored(entry: dict[str, Any]) -> Part:
    """A file that was taken from others as a component."""
    name, version = entry["package"].removesuffix(" (npm)").rsplit(" ", 1)
    purl = f"pkg:npm/{name}@{version}"
    digest = base64.b64decode(entry["sha384"].removeprefix("sha384-")).hex()
    return {
        "type": "file",
        "bom-ref": f"{purl}#{entry['path']}",
        "name": f"{VENDOR}/{entry['file']}",
        "version": version,
        "scope": "required",
        "hashes": [{"alg": "SHA-384", "content": digest}],
        "licenses": [{"license": {"id": entry["licence"]}}],
        "purl": f"{purl}#{entry['path']}",
    }


def bill(root: Path = ROOT) -> dict[str, Any]:
    """The bill of materials of a checkout. Raises ValueError for a package without a version."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    packages = list(pins((root / RUN).read_text("utf-8")))
    manifest = json.loads((root / VENDOR / "manifest.json").read_text("utf-8"))
    files = [vendored(entry) for entry in manifest]
    own: Part = {
        "type": "application",
        "bom-ref": OWN,
        "name": project["name"],
        "version": __version__,
        "description": project["description"],
        "licenses": [{"license": {"id": project["license"]}}],
    }
    needs = {OWN: [part["bom-ref"] for part in files], **{pin.purl: [] for pin in packages}}
    refs = {pin.name: pin.purl for pin in packages} | {project["name"]: OWN}
    for pin in packages:
        for name in pin.asked_by:
            needs[refs[name]].append(pin.purl)
    body = {
        "metadata": {"component": own},
        "components": [*map(package, packages), *files],
        "dependencies": [{"ref": ref, "dependsOn": sorted(on)} for ref, on in needs.items()],
    }
    serial = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(body))
    head = {"bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": f"urn:uuid:{serial}"}
    return {**head, "version": 1, **body}


def main() -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="scripts.sbom", description="Write a bill of materials.")
    parser.add_argument("--output", type=Path, help="the file to write")
    output = parser.parse_args().output
    text = json.dumps(bill(), indent=2) + "\n"
    if output is None:
        sys.stdout.write(text)
    else:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
