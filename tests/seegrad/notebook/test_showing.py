"""`seegrad.show(x)`: the page for a cell, what else a notebook gets, and what is refused."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import seegrad
from app.picture.layout import LayoutError
from engine.live.refusal import CannotShow
from seegrad.notebook import needs, page
from seegrad.notebook.shown import TALLEST, Shown
from tests.support.each import for_each
from tests.support.live_classes import STYLES, value_class
from tests.support.places import ROOT

SMALL = 60_000  # bytes of a small graph in a notebook


def example() -> Shown:
    a, b = seegrad.Value(2.0), seegrad.Value(-3.0)
    c, f = seegrad.Value(10.0), seegrad.Value(-2.0)
    L = (a * b + c) * f  # noqa: N806  as the lecture calls it
    L.backward()
    return seegrad.show(L)


def bundle(shown: Shown) -> dict[str, str]:
    return shown._repr_mimebundle_()


def page_in(frame: str) -> str:
    """The page that a frame holds, as a browser reads the attribute."""
    found = re.search(r"srcdoc='([^']*)'", frame)
    assert found is not None
    return html.unescape(found[1])


def test_a_cell_gets_a_page_a_picture_and_words() -> None:
    shown = example()
    found = bundle(shown)
    assert set(found) == {"text/html", "image/svg+xml", "text/plain"}
    assert page_in(found["text/html"]) == shown.html
    assert found["image/svg+xml"].startswith("<svg ")
    assert "<script" not in found["image/svg+xml"]
    lines = [line.split() for line in found["text/plain"].splitlines()]
    assert ["a", "2.0", "6.0"] in lines
    assert ["b", "-3.0", "-4.0"] in lines
    assert ["L", "-8.0", "1.0"] in lines


def test_the_frame_is_small_low_sandboxed_and_one_line() -> None:
    shown = example()
    frame = bundle(shown)["text/html"]
    assert len(frame.encode()) <= SMALL
    assert "\n" not in frame
    assert "sandbox='allow-scripts'" in frame
    assert shown.height <= TALLEST == 620
    assert f"height:{shown.height}px" in frame
    assert seegrad.show(shown, height=5000).height == TALLEST


def test_the_page_asks_for_nothing_and_its_policy_says_so() -> None:
    text = example().html
    assert re.search(r"https?://(?!www\.w3\.org/)", text) is None
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    assert html.unescape(policy).startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy


def test_without_scripts_the_last_frame_is_there() -> None:
    text = example().html.partition("<script>")[0]
    assert 'data-node="v1"' in text
    assert "6.0000" in text
    assert "Frame 8 of 8" in text


def test_names_are_those_of_the_caller_or_given() -> None:
    x = seegrad.Value(3.0)
    y = x * x
    assert {"x", "y"} <= {node.label for node in seegrad.show(y).trace.nodes}
    found = seegrad.show(y, names={"speed": x, "energy": y}).trace
    assert {it.label: it.data for it in found.nodes if it.label} == {"speed": 3.0, "energy": 9.0}


def test_a_label_cannot_leave_its_place() -> None:
    label = "</script><script>alert(1)</script>' onload='x"
    x = seegrad.Value(3.0, label=label)
    shown = seegrad.show(x * x)
    frame = bundle(shown)["text/html"]
    assert "<script>alert" not in frame
    assert "<script>alert" not in shown.html
    assert "onload='x" not in frame


def test_a_recording_is_shown() -> None:
    shown = seegrad.show(seegrad.record("x = 3.0\ny = x * x + x"))
    assert "7.0000" in shown.html
    assert "7.0" in repr(shown)


def test_the_verdict_on_an_own_class_is_in_page_and_words() -> None:
    kind = value_class(STYLES["tuple"].replace("+= out.grad\n", "= out.grad\n", 1))
    a = kind(2.0)
    out = (a + kind(1.0)) * a
    shown = seegrad.show(out)
    assert "assigns where it should add" in shown.html
    assert "assigns where it should add" in repr(shown)
    assert "Right: <code>self.grad += out.grad</code>" in shown.html


def test_what_is_saved_is_the_page(tmp_path: Path) -> None:
    shown = example()
    path = shown.save(tmp_path / "x.html")
    assert path.read_text(encoding="utf-8") == shown.html


def test_json_is_the_trace_s_and_is_read_again(tmp_path: Path) -> None:
    shown = example()
    text = shown.json()
    found = json.loads(text)
    assert {node["label"]: node["grad"] for node in found["nodes"] if node["label"]}["a"] == 6.0
    path = tmp_path / "x.json"
    path.write_text(text)
    for source in (text, path, str(path)):
        again = seegrad.load(source)
        assert again.json() == text
        assert again.html == shown.html


def test_a_theme_is_fixed_where_it_is_asked_for() -> None:
    x = seegrad.Value(3.0)
    assert 'data-theme="dark"' in seegrad.show(x * x, theme="dark").html
    assert "data-theme=" not in seegrad.show(x * x).html.partition("<style")[0]


def test_the_classes_of_each_theme_are_kept() -> None:
    text = example().html
    for rule in (':root[data-theme="dark"]', "color-scheme:light dark", ".value.leaf .card"):
        assert rule in text


@for_each(
    ("make", "words"),
    [
        (lambda: 3.5, "3.5 is a plain float"),
        (lambda: None, "None is a plain NoneType"),
        (lambda: "y = x * x", "seegrad.show(seegrad.record(text))"),
        (lambda: [seegrad.Value(1.0)], "this is a list of 1: show one of them"),
        (lambda: seegrad.Value, "Value is a class"),
        (object, "a number (data), a gradient (grad) and the objects"),
        (lambda: seegrad.record("class A: pass"), "There is nothing to draw"),
    ],
)
def test_a_sentence_says_what_to_show_instead(make: Callable[[], Any], words: str) -> None:
    with pytest.raises(CannotShow) as error:
        seegrad.show(make())
    assert words in str(error.value)
    (line,) = error.value._render_traceback_()
    assert line == f"CannotShow: {error.value}"


@pytest.mark.parametrize("text", ["{}", '{"nodes": 1}', "{ no json"])
def test_what_is_no_trace_is_refused(text: str) -> None:
    with pytest.raises(CannotShow, match="not the JSON of a trace"):
        seegrad.load(text)


def test_what_is_neither_text_nor_path_is_a_sentence(tmp_path: Path) -> None:
    source: Any
    for source in (None, 3, b"{}"):
        with pytest.raises(CannotShow, match="takes the text"):
            seegrad.load(source)
    (tmp_path / "picture").write_bytes(b"\xff\xd8")
    with pytest.raises(CannotShow, match="nor any text"):
        seegrad.load(tmp_path / "picture")


def test_json_of_a_stranger_puts_nothing_into_a_page() -> None:
    text = example().json()
    for old, new in (
        ('"id":"v1"', '"id":"v1\\"><b>x"'),
        ('"op":"*"', '"op":"rm"'),
        ('"kind":"leaf"', '"kind":"leaf\\" onload=\\"x"'),
    ):
        with pytest.raises(CannotShow, match="not the JSON of a trace"):
            seegrad.load(text.replace(old, new))


def test_a_layout_that_fails_is_a_sentence_and_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_slow(*_: object) -> None:
        raise LayoutError("too slow")

    monkeypatch.setattr(page, "room_film", too_slow)
    found = bundle(example())
    assert set(found) == {"text/html", "text/plain"}
    assert found["text/html"] == f"<p>{page.SLOW}</p>"
    assert found["text/plain"].startswith(page.SLOW)
    assert ["a", "2.0", "6.0"] in [line.split() for line in found["text/plain"].splitlines()]


def test_an_expression_of_micrograd_s_readme_by_hand() -> None:
    value = value_class(STYLES["micrograd"])
    a, b = value(-4.0), value(2.0)
    c = a + b
    d = a * b + b**3
    g = (c - d) ** 2 * value(0.5)
    g.backward()
    found = {node.label: node.grad for node in seegrad.show(g).trace.nodes if node.label}
    # by hand: e = c - d = -2, g = e²/2: dg/da = e (1 - b) = 2, dg/db = e (1 - a - 3b²) = 14
    assert (found["a"], found["b"]) == (2.0, 14.0)


def test_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    x = seegrad.Value(3.0)
    monkeypatch.setitem(needs.NEEDED, "no_such_module", "no-such-package>=1")
    with pytest.raises(ImportError) as error:
        seegrad.show(x * x)
    assert str(error.value) == (
        'Pictures need packages that are not installed: pip install "no-such-package>=1"'
    )


def test_the_extra_is_what_is_asked_for() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    (line,) = re.findall(r"^show = \[(.*)\]$", text, re.MULTILINE)
    assert sorted(re.findall(r'"([^"]+)"', line)) == sorted(needs.NEEDED.values())


def test_a_picture_is_drawn_without_the_packages_of_the_server() -> None:
    code = (
        "import sys\n"
        "from importlib.abc import MetaPathFinder\n"
        "class No(MetaPathFinder):\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name.partition('.')[0] in {'anyio', 'fastapi', 'graphviz', 'httptools',\n"
        "            'markdown_it', 'multipart', 'prometheus_client', 'pydantic', 'resvg_py',\n"
        "            'starlette', 'uvicorn', 'uvloop'}:\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, No())\n"
        "import seegrad\n"
        "x = seegrad.Value(3.0)\n"
        "y = x * x\n"
        "y.backward()\n"
        "print('6.0000' in seegrad.show(y).html)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("True\n", "")


@pytest.mark.skipif(find_spec("torch") is not None, reason="PyTorch is installed here")
def test_a_recording_without_pytorch_is_a_sentence() -> None:
    with pytest.raises(CannotShow, match="pip install torch"):
        seegrad.record()
    with pytest.raises(CannotShow, match="keep is a whole number"):
        seegrad.record(keep="all")
    assert seegrad.record("a = 2.0; b = a * a").output is not None


def test_a_damaged_recording_is_a_sentence() -> None:
    assert seegrad.load('{"format":"seegrad-recording"}').frames == []
    with pytest.raises(CannotShow, match="damaged"):
        seegrad.load('{"format":"seegrad-recording","frames":[1]}')
