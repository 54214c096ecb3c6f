"""The bill of materials names all that is installed and served at run time, and nothing else."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scripts.requirements import asked
from scripts.sbom import bill, pins
from tests.support.places import ROOT

RUN = (ROOT / "requirements/run.txt").read_text("utf-8")
BILL = bill()
PACKAGES = [part for part in BILL["components"] if part["type"] == "library"]
FILES = [part for part in BILL["components"] if part["type"] == "file"]


def test_every_pinned_package_is_there_with_its_digests() -> None:
    pinned = re.findall(r"^([a-z0-9.-]+)==([^ ;]+)", RUN, re.MULTILINE)
    assert [(part["name"], part["version"]) for part in PACKAGES] == pinned
    listed = [
        digest["content"]
        for part in PACKAGES
        for reference in part["externalReferences"]
        for digest in reference["hashes"]
    ]
    assert listed == re.findall(r"sha256:([0-9a-f]+)", RUN)


def test_every_served_file_is_there_with_its_digest() -> None:
    vendor = ROOT / "static/vendor"
    taken = {
        f"static/vendor/{path.name}"
        for path in vendor.iterdir()
        if path.suffix != ".json" and "LICENSE" not in path.name
    }
    assert {part["name"] for part in FILES} == taken
    for part in FILES:
        (digest,) = part["hashes"]
        assert digest["alg"] == "SHA-384"
        assert hashlib.sha384((ROOT / part["name"]).read_bytes()).hexdigest() == digest["content"]
        assert part["licenses"][0]["license"]["id"]


def test_the_graph_leads_to_everything() -> None:
    needs: dict[str, Any] = {one["ref"]: one["dependsOn"] for one in BILL["dependencies"]}
    reached, todo = set(), [BILL["metadata"]["component"]["bom-ref"]]
    while todo:
        ref = todo.pop()
        if ref not in reached:
            reached.add(ref)
            todo += needs.get(ref, [])
    assert reached - {"gradlens"} == {part["bom-ref"] for part in BILL["components"]}
    direct = {ref.partition("@")[0] for ref in needs["gradlens"] if ref.startswith("pkg:pypi/")}
    stated = (re.match(r"[\w-]+", line) for line in asked("pyproject.toml")[1:])
    assert direct == {f"pkg:pypi/{name[0]}" for name in stated if name}


def test_what_is_installed_on_some_machines_alone_is_optional() -> None:
    (uvloop,) = (part for part in PACKAGES if part["name"] == "uvloop")
    assert uvloop["scope"] == "optional"
    assert uvloop["properties"] == [{"name": "gradlens:where", "value": "sys_platform != 'win32'"}]
    assert {part["scope"] for part in PACKAGES if part is not uvloop} == {"required"}


def test_a_package_without_a_version_is_an_error() -> None:
    with pytest.raises(ValueError, match="not pinned: nope>=1"):
        list(pins("nope>=1\n"))


def test_the_command_writes_the_same_bytes_each_time(tmp_path: Path) -> None:
    command = [sys.executable, "-S", "-m", "scripts.sbom"]  # -S: the standard library alone
    output = tmp_path / "new" / "bill.json"
    subprocess.run([*command, "--output", str(output)], cwd=ROOT, check=True)
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout
    assert output.read_bytes() == printed
    found = json.loads(printed)
    assert found == BILL
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", found["serialNumber"])
    assert (found["bomFormat"], found["specVersion"]) == ("CycloneDX", "1.6")
