"""The bill of materials: digests of what was installed, the vendored files, a pinned tool."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from engine import __version__
from scripts.sbom import add_digests, add_vendored
from tests.support.places import ROOT

BILL: dict[str, Any] = {
    "metadata": {"component": {"bom-ref": "root-component", "name": "seegrad"}},
    "components": [
        {"bom-ref": "Jinja2==3", "name": "Jinja2", "purl": "pkg:pypi/jinja2@3"},
        {"bom-ref": "a_b.c==1.0", "name": "a_b.c", "purl": "pkg:pypi/a-b-c@1.0"},
    ],
    "dependencies": [
        {"ref": "Jinja2==3", "dependsOn": ["a_b.c==1.0"]},
        {"ref": "root-component", "dependsOn": ["Jinja2==3"]},
    ],
}
"""As cyclonedx-py writes it, shortened."""


def installed(name: str, version: str, digest: str) -> dict[str, Any]:
    """An entry of pip's installation report."""
    archive = {"hashes": {"sha256": digest}}
    return {
        "metadata": {"name": name, "version": version},
        "download_info": {"archive_info": archive},
    }


REPORT = {"install": [installed("a_b.c", "1.0", "0c"), installed("Jinja2", "3", "0d")]}


def test_each_package_has_the_digest_of_its_file() -> None:
    bill = deepcopy(BILL)
    add_digests(bill, REPORT)
    digests = [package["hashes"] for package in bill["components"]]
    assert digests == [
        [{"alg": "SHA-256", "content": "0d"}],
        [{"alg": "SHA-256", "content": "0c"}],
    ]


def test_a_package_that_was_not_installed_is_an_error() -> None:
    with pytest.raises(KeyError, match="a-b-c"):
        add_digests(deepcopy(BILL), {"install": REPORT["install"][1:]})


def test_every_served_file_is_there_with_its_digest() -> None:
    vendor = ROOT / "static/vendor"
    bill = deepcopy(BILL)
    add_vendored(bill, json.loads((vendor / "manifest.json").read_text("utf-8")))
    files = [one for one in bill["components"] if one.get("type") == "file"]
    assert {file["name"] for file in files} == {
        f"static/vendor/{path.name}"
        for path in vendor.iterdir()
        if path.suffix != ".json" and "LICENSE" not in path.name
    }
    for file in files:
        (digest,) = file["hashes"]
        assert digest["alg"] == "SHA-384"
        assert hashlib.sha384((ROOT / file["name"]).read_bytes()).hexdigest() == digest["content"]
        assert file["licenses"][0]["license"]["id"]
    assert bill["dependencies"][0] == BILL["dependencies"][0]
    assert bill["dependencies"][1]["dependsOn"] == ["Jinja2==3", *(it["bom-ref"] for it in files)]


def test_every_package_in_a_bundle_is_there() -> None:
    bill = deepcopy(BILL)
    manifest = json.loads((ROOT / "static/vendor/manifest.json").read_text("utf-8"))
    add_vendored(bill, manifest)
    wanted = json.loads((ROOT / "scripts/editor_bundle/package.json").read_text("utf-8"))
    purls = {one["purl"] for one in bill["components"] if one.get("type") == "library"}
    assert purls >= {
        f"pkg:npm/{name.replace('@', '%40')}@{version}"
        for name, version in wanted["dependencies"].items()
    }


def test_the_command_writes_the_same_bytes_each_time(tmp_path: Path) -> None:
    given = tmp_path / "bill", tmp_path / "report"
    for path, content in zip(given, (BILL, REPORT), strict=True):
        path.write_text(json.dumps(content), "utf-8")
    outputs = tmp_path / "new" / "one.json", tmp_path / "other.json"
    for output in outputs:
        command = [sys.executable, "-S", "-m", "scripts.sbom", *map(str, (*given, output))]
        subprocess.run(command, cwd=ROOT, check=True)
    assert outputs[0].read_bytes() == outputs[1].read_bytes()
    found = json.loads(outputs[0].read_text("utf-8"))
    assert found["metadata"]["component"]["version"] == __version__
    assert len(found["components"]) > len(BILL["components"])


@pytest.mark.parametrize(("target", "tool"), [("sbom", "cyclonedx-bom"), ("audit", "pip-audit")])
def test_the_tool_is_pinned_and_sees_what_is_installed_at_run_time(target: str, tool: str) -> None:
    command = ["make", "--dry-run", target]
    recipe = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert re.search(rf" install {tool}==\d+(\.\d+)+ ", recipe)
    assert "requirements/run.txt" in recipe
    assert "--require-hashes" in recipe
