"""Security headers on every answer, no inline script or style, and no dead links."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx2
from fastapi import FastAPI
from starlette.routing import Route

from app.pages import PAGES as SITE
from app.serving.headers import (
    ALWAYS,
    EMBED_POLICY,
    LESSON_POLICY,
    PICTURE_POLICY,
    POLICY,
    TRAIN_POLICY,
)
from app.serving.rendering import Renderer, find
from tests.support.each import for_each
from tests.support.pages import EXAMPLE, Html, client, read

NETWORK = "n = MLP(2, [3, 1])\nL = n([1.0, 2.0])"
HOSTILE = "a = Value(2.0, label='\"><img src=x onerror=alert(1)>'); L = a*a # <script>x</script>"
LEARNING = {"data": "moons", "samples": "8", "layers": "2-2-1", "steps": "5"}
VERSION = Renderer().version
ANSWERS: dict[str, tuple[str, str, dict[str, str]]] = {
    "explore": ("GET", "/explore", {}),
    "explore, frame 0": ("GET", "/", {"program": EXAMPLE, "frame": "0"}),
    "explore, groups": ("GET", "/", {"program": NETWORK, "grouped": "1", "open": "g1"}),
    "explore, top to bottom": ("GET", "/", {"program": NETWORK, "direction": "TB"}),
    "explore, warning": ("GET", "/", {"program": "x = 0.0; y = log(x); print(y)"}),
    "explore, kink": ("GET", "/", {"program": "x = 0.0; y = relu(x)", "frame": "1"}),
    "explore, hostile": ("GET", "/", {"program": HOSTILE}),
    "explore, refused": ("GET", "/", {"program": "L = nope # <script>x</script>"}),
    "explore, empty": ("GET", "/", {"program": ""}),
    "fragment": ("GET", "/graph", {"program": EXAMPLE}),
    "numbers": ("POST", "/numbers", {"program": EXAMPLE, "a": "3"}),
    "transcript": ("POST", "/transcript", {"program": EXAMPLE}),
    "explore, presented": ("GET", "/", {"program": EXAMPLE, "present": "on"}),
    "embed": ("GET", "/embed", {"program": EXAMPLE, "frame": "5"}),
    "embed, hostile": ("GET", "/embed", {"program": HOSTILE}),
    "embed, refused": ("GET", "/embed", {"program": "L = nope # <script>x</script>"}),
    "print": ("GET", "/print", {"program": EXAMPLE, "frames": "1,4-8"}),
    "print, hostile": ("GET", "/print", {"program": HOSTILE}),
    "print, refused": ("GET", "/print", {"program": EXAMPLE, "frames": "<script>"}),
    "picture": ("GET", "/graph.svg", {"program": EXAMPLE}),
    "picture, refused": ("GET", "/graph.svg", {"program": "L = nope"}),
    **{page.name: ("GET", page.path, {}) for page in SITE},
    "train": ("GET", "/train", {}),
    "train, a step": ("GET", "/train", {**LEARNING, "step": "2", "set": "0:0.5", "at": "1"}),
    "train, hidden": ("GET", "/train", {**LEARNING, "hide": "layers,play"}),
    "train, mistake": ("GET", "/train", {**LEARNING, "zero_grad": "false", "step": "3"}),
    "train, doctor": ("GET", "/train", {**LEARNING, "doctor": "1", "step": "5"}),
    "train, curve": ("GET", "/train", {"data": "sine", "layers": "1-2-1", "loss": "mse"}),
    "train, three inputs": ("GET", "/train", {"data": "four_points", "layers": "3-2-1"}),
    "train, refused": ("GET", "/train", {"layers": "<script>x</script>"}),
    "train, setup": ("GET", "/train/setup", LEARNING),
    "train, state": ("GET", "/train/state", LEARNING),
    "train, stream": ("GET", "/train/stream", LEARNING),
    "train, file": ("GET", "/train/losses.csv", LEARNING),
    "train, picture": ("GET", "/train/network.svg", LEARNING),
    "train, refused stream": ("GET", "/train/stream", {"fps": "1000"}),
    "trace": ("POST", "/api/trace", {"json": EXAMPLE}),
    "trace, refused": ("POST", "/api/trace", {"json": "L = nope"}),
    "trace, no JSON": ("POST", "/api/trace", {"program": EXAMPLE}),
    "health": ("GET", "/healthz", {}),
    "counts": ("GET", "/metrics", {}),
    "description": ("GET", "/openapi.json", {}),
    "asset": ("GET", f"/static/{VERSION}/css/app.css", {}),
    "missing asset": ("GET", f"/static/{VERSION}/css/nope.css", {}),
    "not found": ("GET", "/nope", {}),
    "operation": ("GET", "/reference/power", {"over": "b", "x": "<script>"}),
    "not allowed": ("POST", "/reference", {}),
    "not allowed below api": ("GET", "/api/train", {}),
    "too large": ("POST", "/graph", {"program": "x" * 600_000}),
    "too large below api": ("POST", "/api/trace", {"json": "x" * 600_000}),
}
STATUS = {
    "not found": 404, "missing asset": 404, "not allowed": 405, "too large": 413,
    "trace, no JSON": 415,
}  # fmt: skip
CODE = re.compile(r"^\s*(javascript|data|vbscript):", re.IGNORECASE)


@cache
def answer_to(name: str) -> httpx2.Response:
    """One of ANSWERS."""
    method, path, fields = ANSWERS[name]
    if method == "GET":
        return client().get(path, params=fields or None)
    if "json" in fields:
        return client().post(path, json={"program": fields["json"]})
    return client().post(path, data=fields)


@cache
def pages() -> list[str]:
    """Those of ANSWERS that are HTML."""
    kinds = {name: answer_to(name).headers["content-type"] for name in ANSWERS}
    return [name for name, kind in kinds.items() if kind.startswith("text/html")]


OF_EMBEDS = {
    b"content-security-policy": EMBED_POLICY,
    b"cross-origin-resource-policy": "cross-origin",
}


@cache
def page_of(name: str) -> Html:
    """One of the pages, read."""
    return read(answer_to(name).text)


def test_answers_are_those_meant() -> None:
    for name, status in STATUS.items():
        assert answer_to(name).status_code == status
    for name in ("explore, refused", "picture, refused", "trace, refused"):
        assert answer_to(name).status_code == 422
    assert len(pages()) >= 14


@for_each("name", ANSWERS)
def test_answer_is_guarded(name: str) -> None:
    headers = answer_to(name).headers
    part = name.partition(",")[0] if name in pages() else ""
    for raw_name, value in ALWAYS:
        assert headers.get_list(raw_name.decode()), raw_name
        assert len(headers.get_list(raw_name.decode())) == 1
        if raw_name == b"content-security-policy" and part == "train":
            assert headers[raw_name.decode()] == TRAIN_POLICY
        elif raw_name == b"content-security-policy" and name in ("learn", "teach"):
            assert headers[raw_name.decode()] == LESSON_POLICY
        elif part == "embed":
            own = raw_name in OF_EMBEDS
            assert headers[raw_name.decode()] == (OF_EMBEDS[raw_name] if own else value.decode())
        elif "picture" not in name:
            assert headers[raw_name.decode()] == value.decode()
    assert "server" not in headers


def test_policy_allows_nothing_inline_and_nothing_foreign() -> None:
    compiled = TRAIN_POLICY.replace(" 'wasm-unsafe-eval'", "")
    assert compiled == POLICY
    for policy, ancestors in ((POLICY, "'self'"), (PICTURE_POLICY, "'none'")):
        rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))
        assert rules["default-src"] == "'none'"
        assert rules["frame-ancestors"] == ancestors
        assert set(rules.values()) <= {"'none'", "'self'"}
    assert "base-uri 'none'" in POLICY
    assert "form-action 'self'" in POLICY
    assert LESSON_POLICY.removesuffix("; frame-src 'self'") == POLICY


def test_one_page_may_be_framed_elsewhere_and_it_can_send_nothing() -> None:
    rules = dict(rule.strip().partition(" ")[::2] for rule in EMBED_POLICY.split(";"))
    usual = dict(rule.strip().partition(" ")[::2] for rule in POLICY.split(";"))
    changed = {name: rule for name, rule in rules.items() if usual[name] != rule}
    assert changed == {"frame-ancestors": "*", "connect-src": "'none'", "form-action": "'none'"}
    assert rules.keys() == usual.keys()
    application: Any = client().app
    while not isinstance(application, FastAPI):
        inside = vars(application)
        application = inside.get("app") or inside["_app"]
    paths = {route.path for route in application.routes if isinstance(route, Route)}
    assert "/embed" in paths
    for path in paths:
        address = re.sub(r"\{[^}]*\}", "x", path)
        for method in ("GET", "POST"):
            policy = client().request(method, address).headers["content-security-policy"]
            framed = path == "/embed" and method == "GET"
            assert ("frame-ancestors *" in policy) is framed, (method, path)
            own = re.search("frame-ancestors '(none|self)'", policy)
            assert (own is None) is framed, (method, path)


def test_picture_may_be_shown_elsewhere_but_runs_nothing() -> None:
    for name in ("picture", "train, picture"):
        headers = answer_to(name).headers
        assert headers["content-security-policy"] == PICTURE_POLICY
        assert headers["cross-origin-resource-policy"] == "cross-origin"


@for_each("name", pages)
def test_nothing_in_a_page_runs_by_itself(name: str) -> None:
    for element in page_of(name).elements:
        assert element.tag not in ("style", "object", "embed", "base")
        inside = {around.tag for around in element.around}
        assert "foreignobject" not in inside or element.tag == "input"  # a field on a card
        if element.tag == "iframe":  # a page of this server, whose policy guards it
            assert element.attributes["src"].startswith("/embed?")
        if element.tag == "script":
            assert element.attributes.get("src")
            assert element.text.strip() == ""
        for attribute, value in element.attributes.items():
            assert not attribute.startswith(("on", "hx-on")), f"<{element.tag} {attribute}>"
            assert attribute not in ("style", "srcdoc", "srcset", "ping")
            assert not CODE.match(value), f"<{element.tag} {attribute}={value!r}>"
        if element.tag == "meta":
            assert "http-equiv" not in element.attributes


@cache
def status_of(address: str, method: str = "GET") -> int:
    """What is answered at an address; to a POST with the example."""
    data = {"program": EXAMPLE} if method == "POST" else None
    return client().request(method, address, data=data).status_code


@for_each("name", pages)
def test_every_address_of_a_page_leads_somewhere(name: str) -> None:
    page = page_of(name)
    ids = {e.attributes["id"] for e in page.elements if "id" in e.attributes}
    for address in set(page.addresses()):
        if address.startswith("#"):
            assert unquote(address[1:]) in ids
            continue
        assert re.match(r"/(?!/)", address), f"{address} is of another origin"
        refused = name in ("explore, empty", "explore, refused") and "program=" in address
        status = status_of(address.partition("#")[0])
        assert status in ([200, 422] if refused else [200]), address
    for element in page.elements:
        if "hx-post" in element.attributes:
            assert status_of(element.attributes["hx-post"], "POST") == 200


@for_each("name", pages)
def test_references_within_a_page(name: str) -> None:
    page = page_of(name)
    if not page.all("html"):
        return
    ids = {e.attributes["id"] for e in page.elements if "id" in e.attributes}
    for element in page.elements:
        for attribute in ("for", "form", "aria-describedby", "aria-labelledby", "aria-controls"):
            for target in element.attributes.get(attribute, "").split():
                assert target in ids, f"<{element.tag} {attribute}={target!r}>"


# Assets

STATIC = find("static")
ASSETS = [path for path in sorted(STATIC.rglob("*")) if path.is_file()]


def inside(path: Path) -> str:
    """Where an asset is, as the name of a test."""
    return path.relative_to(STATIC).as_posix()


KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


@for_each("path", ASSETS, ids=inside)
def test_asset_never_changes_under_its_address(path: object) -> None:
    (asset,) = (one for one in ASSETS if one == path)
    address = f"/static/{VERSION}/{asset.relative_to(STATIC).as_posix()}"
    answer = client().get(address)
    assert answer.status_code == 200
    assert answer.content == asset.read_bytes()
    assert "immutable" in answer.headers["cache-control"]
    assert "max-age=31536000" in answer.headers["cache-control"]
    if asset.suffix in KINDS:
        assert answer.headers["content-type"].partition(";")[0] == KINDS[asset.suffix]
    old = address.replace(VERSION, "0" * 12)
    assert client().get(old).status_code == 404


@for_each("path", [p for p in ASSETS if p.suffix == ".js"], ids=inside)
def test_module_imports_what_is_there(path: object) -> None:
    (asset,) = (one for one in ASSETS if one == path)
    for target in re.findall(r'^import .*?from "([^"]+)"', asset.read_text("utf-8"), re.MULTILINE):
        assert target.startswith(("./", "../"))
        assert (asset.parent / target).resolve().is_relative_to(STATIC)
        assert (asset.parent / target).is_file()


def test_page_names_every_script_that_its_editor_needs() -> None:
    html = client().get("/explore").text
    assert 'joined/explore/main.js"></script>' in html
    named = re.search(r'data-modules="([^"]+)"', html)
    assert named is not None
    script, *apart = (path.split("/", 3)[3] for path in named[1].split())
    assert script == "joined/editor/code-editor.js"
    for path in apart:
        code = (STATIC / path).read_text("utf-8")
        for target in re.findall(r'^(?:import|export)[^;"=(]*"([^"]+)";', code, re.MULTILINE):
            assert inside((STATIC / path).parent.joinpath(target).resolve()) in apart
    assert apart[0] == "js/editor/codemirror.js"


@for_each("path", [p for p in ASSETS if p.suffix == ".css"], ids=inside)
def test_style_sheet_loads_nothing_from_elsewhere(path: object) -> None:
    (asset,) = (one for one in ASSETS if one == path)
    text = asset.read_text("utf-8")
    assert "@import" not in text
    for target in re.findall(r"url\(\s*[\"']?([^\"')]+)", text):
        assert (asset.parent / target).is_file()


@for_each("path", ["../app/main.py", "..%2f..%2fpyproject.toml", "%2e%2e/x", "js"])
def test_assets_are_all_that_is_served(path: str) -> None:
    assert client().get(f"/static/{VERSION}/{path}").status_code == 404


@for_each("path", ASSETS, ids=inside)
def test_asset_is_compressed_where_that_is_shorter(path: Path) -> None:
    address = f"/static/{VERSION}/{inside(path)}"
    whole = client().get(address, headers={"accept-encoding": "identity"})
    packed = client().get(address, headers={"accept-encoding": "gzip"})
    assert whole.content == packed.content == path.read_bytes()
    assert "content-encoding" not in whole.headers
    assert "accept-encoding" in whole.headers["vary"]
    assert packed.headers["vary"] == "accept-encoding"
    shorter = int(packed.headers["content-length"]) < int(whole.headers["content-length"])
    assert ("content-encoding" in packed.headers) is shorter
    if path.suffix in {".js", ".css"} and path.stat().st_size > 2_000:
        assert shorter


def test_asset_that_is_known_is_not_sent_again() -> None:
    address = f"/static/{VERSION}/css/app.css"
    first = client().get(address)
    tag = first.headers["etag"]
    assert tag.startswith("W/")  # plain and compressed bytes have the same
    for said in (tag, tag.removeprefix("W/"), f'"other", {tag}'):
        again = client().get(address, headers={"if-none-match": said})
        assert (again.status_code, again.content) == (304, b"")
    for said in ('"other"', tag[:-2] + '"', ""):
        assert client().get(address, headers={"if-none-match": said}).status_code == 200
    assert client().head(address).headers["content-length"] == first.headers["content-length"]
    assert client().head(address).content == b""
