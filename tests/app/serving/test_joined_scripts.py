"""Joined scripts do what their modules do one by one, and say where each line comes from."""

from __future__ import annotations

import json
import os
import re
from itertools import accumulate
from pathlib import Path

import pytest

from app.serving.joined_scripts import APART, ENTRIES, CannotJoinError, join, joined_path
from app.serving.rendering import Renderer
from tests.support import node
from tests.support.pages import client
from tests.support.places import ROOT

STATIC = ROOT / "static"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
CHANGED = re.compile(r"import|export| as | from ")
MODULES = {
    "js/common/count.js": """/** A count,
 * shared by all. */
console.log("count runs");
/** @type {number[]} */ const own = [];
export const count = { of: 0, own };
export function add() {
  count.of += 1;
}
""",
    "js/page/part.js": """import {
  add,
  count as shared,
} from "../common/count.js";
import "./first.js";
const own = "part's";
add();
export class Part {
  /** A method. */ words = () => `${own} ${shared.of}`;
}
class Hidden {}
export { Hidden };
""",
    "js/page/first.js": 'console.log("first runs");\n',
    "js/page/main.js": """import { Part } from "./part.js";
import { add, count } from "../common/count.js";
add();
const own = new Part().words();
console.log(own, count.of);
export { own };
""",
}


def write(folder: Path, modules: dict[str, str]) -> Path:
    """The modules as files below a folder."""
    for path, code in modules.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(code, "utf-8")
    (folder / "package.json").write_text('{"type": "module"}', "utf-8")
    return folder


def origins(mappings: str) -> list[tuple[int, int] | None]:
    """For each line the module and line that a source map leads to, decoded digit by digit."""
    changes: list[tuple[int, ...] | None] = []
    for segment in mappings.split(";"):
        numbers: list[int] = []
        value = shift = 0
        for letter in segment:
            digit = LETTERS.index(letter)
            value += (digit & 31) << shift
            shift += 5
            if digit < 32:
                numbers.append(-(value >> 1) if value & 1 else value >> 1)
                value = shift = 0
        changes.append(tuple(numbers) or None)
    places = accumulate(
        (one for one in changes if one), lambda at, one: (0, at[1] + one[1], at[2] + one[2], 0)
    )
    return [(at[1], at[2]) if one and (at := next(places)) else None for one in changes]


def test_joined_script_does_what_its_modules_do(tmp_path: Path) -> None:
    static = write(tmp_path, MODULES)
    joined = tmp_path / "joined.js"
    joined.write_text(join(static, "js/page/main.js").script, "utf-8")
    said = node.run(joined)
    assert said == node.run(static / "js/page/main.js")
    assert said.splitlines() == ["count runs", "first runs", "part's 2 2"]
    asking = tmp_path / "asking.js"
    asking.write_text('import { own } from "./joined.js";\nconsole.log(own);', "utf-8")
    assert node.run(asking).splitlines()[-1] == "part's 2"


def test_every_line_leads_to_where_it_was_written(tmp_path: Path) -> None:
    made = join(write(tmp_path, MODULES), "js/page/main.js")
    found = json.loads(made.map)
    lines = made.script.split("\n")
    places = origins(found["mappings"])
    assert len(places) == len(lines)
    seen = set()
    for line, place in zip(lines, places, strict=True):
        if place is None:
            continue
        path = found["sources"][place[0]].removeprefix("../../")
        written = MODULES[path].split("\n")[place[1]]
        seen.add((path, place[1]))
        if line and not CHANGED.search(written):
            assert line.strip() in written
    assert seen == {
        (path, i) for path, code in MODULES.items() for i in range(len(code.split("\n")))
    }


@pytest.mark.parametrize(
    "code",
    [
        'import all from "./first.js";\n',
        'import * as all from "./first.js";\n',
        "import { a } from './first.js';\n",
        "export let x = 1;\n",
        "export default 1;\n",
        'export * from "./first.js";\n',
        'import "./main.js";\n',
    ],
)
def test_forms_without_a_counterpart_are_refused(tmp_path: Path, code: str) -> None:
    static = write(tmp_path, {**MODULES, "js/page/part.js": code})
    with pytest.raises(CannotJoinError, match=r"js/page/part\.js"):
        join(static, "js/page/main.js")


def imported(entry: str) -> set[str]:
    """A module and all that it imports without those APART, read from the statements."""
    found = [entry]
    for path in found:  # grows on the way
        for target in re.findall(r'from "([^"]+)";$', (STATIC / path).read_text(), re.MULTILINE):
            other = os.path.normpath(Path(path).parent / target)
            found += [] if other in found or other in APART else [other]
    return set(found)


def test_script_of_each_entry_is_served_for_ever_with_its_map() -> None:
    renderer = Renderer()
    for entry in ENTRIES:
        address = renderer.script(entry)
        answer = client().get(address)
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["content-type"].startswith("text/javascript")
        assert answer.content == renderer.scripts[joined_path(entry)]
        named = answer.text.rpartition("sourceMappingURL=")[2].strip()
        folder = address.rpartition("/")[0]
        sources = json.loads(client().get(f"{folder}/{named}").content)["sources"]
        assert {source.removeprefix("../../") for source in sources} == imported(entry)
        for source in sources:
            assert client().get(f"{folder}/{source}").status_code == 200


def test_module_apart_is_one_for_all_that_import_it() -> None:
    """It stays a module: what one script sets there, a module that comes later sees."""
    script = join(STATIC, "js/editor/code-editor.js").script
    named = re.findall(r'^import .*"(.*)";$', script, re.MULTILINE)
    assert named == [f"../../{path}" for path in APART]
    assert not re.search(r"^import ", join(STATIC, "js/explore/main.js").script, re.MULTILINE)
    for later in ("completion.js", "problem-list.js"):
        code = (STATIC / "js/editor" / later).read_text("utf-8")
        assert set(re.findall(r'from "(.*)";$', code, re.MULTILINE)) <= {
            "./codemirror.js",
            "./words.js",
        }
