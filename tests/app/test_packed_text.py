"""Packed programs: server and scripts read each other's, and damaged or huge ones are refused."""

from __future__ import annotations

import base64
import json
import random
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import packed_text
from app.packed_text import Damaged, pack, unpack
from app.program_address import PLAIN, View, read
from tests.support import node
from tests.support.each import for_each
from tests.support.packed_texts import recorded
from tests.support.pages import client
from tests.support.pages import read as read_page

SCRIPT = Path(__file__).parent / "packed_text.mjs"
LETTERS = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


def texts() -> list[str]:
    """Texts of all kinds: empty, repeated, random, of many alphabets, with the longest match."""
    chance = random.Random(5)
    fibonacci = [1, 1]
    while sum(fibonacci) < 60_000:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    deep = [chr(65 + i) for i, count in enumerate(fibonacci) for _ in range(count)]
    chance.shuffle(deep)  # Huffman's own codes for it are longer than 15 bits
    return [
        "", "a", "ab" * 2, "a" * 259, "L = 2.0\n" * 8_000, "x" * 65_536, "∂ε = λ·∇ 𝛼\n" * 900,
        "".join(chr(chance.randint(32, 126)) for _ in range(65_536)),
        "".join(chr(chance.randint(0x4E00, 0x9FFF)) for _ in range(20_000)),
        "".join(deep),
        "\n".join(f"x{i} = {chance.uniform(-2, 2)!r}" for i in range(2_000)),
        "a\r\n\ufeffb\u0000c",
    ]  # fmt: skip


def scripts(packed: list[str], texts: list[str], without: bool = False) -> dict[str, Any]:
    """What the scripts make of them; `without` the browser's own compression."""
    given = {"packed": packed, "texts": texts, "without": without}
    found: dict[str, Any] = json.loads(node.run(SCRIPT, text=json.dumps(given)))
    return found


def test_scripts_and_server_read_each_other() -> None:
    mine = [pack(text) for text in texts()]
    found = scripts(mine, texts())
    assert found["unpacked"] == texts()
    assert [unpack(packed) for packed in found["packed"]] == texts()
    for packed, own in zip(found["packed"], mine, strict=True):
        assert set(packed) <= LETTERS
        assert len(packed) <= 1.1 * len(own) + 300, "scripts compress nearly as well as zlib"


def test_scripts_read_every_kind_of_block() -> None:
    text = "for i in range(3):\n    print(i)\n" * 30
    packed = []
    for level, strategy in ((0, 0), (9, zlib.Z_FIXED), (9, zlib.Z_HUFFMAN_ONLY), (1, 0)):
        squeezer = zlib.compressobj(level, zlib.DEFLATED, -15, 8, strategy)
        data = squeezer.compress(text.encode()) + squeezer.flush()
        packed.append(base64.urlsafe_b64encode(data).decode().rstrip("="))
    assert scripts(packed, [])["unpacked"] == [text] * len(packed)


def test_older_links_are_read() -> None:
    expected = [row["text"] for row in recorded()]
    packed = [row["packed"] for row in recorded()]
    assert [unpack(letters) for letters in packed] == expected
    assert scripts(packed, [])["unpacked"] == expected


def test_link_that_was_read_keeps_its_letters() -> None:
    row = recorded()[4]
    assert pack(row["text"]) != row["packed"]
    assert scripts([row["packed"]], [row["text"]])["known"] == [row["packed"]]


def test_browser_without_streams_writes_plain_links() -> None:
    found = scripts([pack("L = 2")], ["L = 2"], without=True)
    assert found == {"packed": [None], "unpacked": [None], "known": [None]}


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_text_comes_back(text: str) -> None:
    assert unpack(pack(text)) == text


BOMB = pack("a" * (packed_text.MOST + 1))
WRONG = [
    "", "A", "!", "AwA=", "AwA\n", pack("L = 2")[:-4], pack("L = 2") + "AAAA", BOMB,
    base64.urlsafe_b64encode(zlib.compress(b"L = 2")).decode().rstrip("="),
    base64.urlsafe_b64encode(b"\x01\x01\x00\xfe\xff\xff").decode(),  # a byte that is no UTF-8
]  # fmt: skip


@for_each("packed", WRONG)
def test_damaged_text_is_refused(packed: str) -> None:
    with pytest.raises(Damaged):
        unpack(packed)
    assert scripts([packed], [])["unpacked"] == [None]


@given(st.text("".join(sorted(LETTERS)), max_size=200))
def test_whatever_is_read_is_text_or_refused(packed: str) -> None:
    try:
        unpack(packed)
    except Damaged:
        return
    assert set(packed) <= LETTERS


def test_bomb_takes_no_more_memory_than_its_limit() -> None:
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = squeezer.compress(b"a" * 60_000_000) + squeezer.flush()
    bomb = base64.urlsafe_b64encode(data).decode().rstrip("=")
    tracemalloc.start()
    with pytest.raises(Damaged, match="more than 262,144 bytes"):
        unpack(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


# In addresses


@for_each("text", texts())
def test_address_of_any_program_of_64_kb_fits_a_request(text: str) -> None:
    view = View(text, {"a": 2.0}, 3)
    query = view.query()
    assert len(query) < 90_000
    assert read_query(query) == view
    assert query.startswith("packed=") is (len(query) > PLAIN + 100 or "packed=" in query)


def read_query(query: str) -> View:
    from urllib.parse import parse_qsl

    return read(parse_qsl(query, keep_blank_values=True))


def test_short_program_stays_readable_in_its_address() -> None:
    assert View("L = 2 * 3").query() == "program=L+%3D+2+%2A+3"


def test_leaf_called_packed_keeps_its_old_links() -> None:
    assert read([("program", "packed = 2"), ("packed", "3")]).leaves == {"packed": 3.0}
    assert read_query(View("packed = 2", {"packed": 3.0}).query()).leaves == {"packed": 3.0}


LONG = "".join(f"a{i} = {i}.5\n" for i in range(5_000)) + "L = a1 * a2"


@for_each("path", ["/", "/graph", "/graph.svg", "/api/trace"])
def test_packed_program_is_answered_as_the_plain_one(path: str) -> None:
    ours = client()
    program = "a = 2.0\nL = a * 3"
    plain = ours.get(path, params={"program": program})
    packed = ours.get(path, params={"packed": pack(program)})
    assert plain.status_code == packed.status_code == 200
    assert plain.text == packed.text


@for_each("path", ["/", "/graph", "/graph.svg", "/api/trace"])
def test_damaged_link_says_so(path: str) -> None:
    answer = client().get(path, params={"packed": "!!!"})
    assert answer.status_code == 422
    assert "packed program" in answer.text


def test_form_without_scripts_leads_to_an_address() -> None:
    ours = client()
    form = read_page(ours.get("/explore").text).one("form", id="program-form")
    assert (form.attributes["method"], form.attributes["action"]) == ("post", "/")
    answer = ours.post("/", data={"program": LONG, "frame": "1"}, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/?packed=")
    assert read_query(answer.headers["location"][2:]) == View(LONG, frame=1)
    assert ours.get(answer.headers["location"]).status_code in (200, 422)


def test_links_of_a_long_programs_page_are_packed() -> None:
    program = "# " + "words of a comment " * 600 + "\na = 2.0\nL = a * 3"
    page = read_page(client().post("/", data={"program": program}).text)
    href = page.one("a", id="svg-link").attributes["href"]
    assert href is not None
    assert href.startswith("/graph.svg?packed=")
