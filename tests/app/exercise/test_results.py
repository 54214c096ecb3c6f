"""Signatures and lines of results: genuine ones are known, all others are refused."""

import base64
import csv
import hashlib
import hmac
import quopri
import textwrap
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.exercise.address import of_generated
from app.exercise.checking import MOST_ADDRESSES, Checked
from app.exercise.checking import checked as checked_form
from app.exercise.result_line import MOST, StudentResult, plain, read_lines, signed
from app.exercise.signing import RESULT, RUN, Key, key_of
from app.settings import MADE, from_environment

KEY = Key(b"a key of sixteen characters")
SEVEN = of_generated(3, 7)
ADA = StudentResult(
    "Ada Núñez",
    SEVEN.digest,
    "difficulty 3, seed 7",
    *(7, 7, 6, 2, 0, 252, "2026-11-22 19:40"),
    kinds="×: 2 of 3, +: 4 of 4",
)
LINE = ADA.line(KEY)


def checked(text: str, addresses: str, key: Key) -> Checked:
    return checked_form({"lines": text, "addresses": addresses}, key)


def test_signature_is_hmac_sha256() -> None:
    due = hmac.new(KEY.secret, RESULT + signed(ADA.text()), hashlib.sha256).digest()
    assert LINE.endswith(base64.urlsafe_b64encode(due).decode().rstrip("="))
    assert KEY.signature(RUN, b"x") != KEY.signature(RESULT, b"x")


def at_blanks(text: str, width: int) -> list[str]:
    """A text in rows, as mail programs break it."""
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def test_line_is_read_back_however_it_was_wrapped() -> None:
    for text in (
        LINE,
        f"Hello,\n> {LINE}\nbye",
        LINE.replace(" ", "\n"),
        f"\t{LINE} ",
        LINE.replace(" | ", "  |\r\n"),
        "\n".join(f"> {row}" for row in at_blanks(LINE, 72)),
        "\n".join(f" > >> {row}" for row in at_blanks(LINE, 40)),
        "Hello,\n" + "\r\n".join(f"| {row}" for row in at_blanks(LINE, 40)) + "\nbye",
        "\n".join(f"| {LINE[at : at + 31]}" for at in range(0, len(LINE), 31)),
        LINE.replace(" ", "\u00a0"),
        LINE.replace("a", "a\u00ad").replace("g", "g\u200b"),
        "\n".join(f"> {LINE[at : at + 31]}" for at in range(0, len(LINE), 31)),
        *("\n> ".join((f"Hi {LINE}"[:at], f"Hi {LINE}"[at:])) for at in range(3, len(LINE))),
        quopri.encodestring(LINE.encode()).decode(),
        unicodedata.normalize("NFD", LINE),
    ):
        (found,) = read_lines(text, KEY)
        assert found.is_genuine, text
        assert found.result is not None
        assert found.result[3:10] == ADA[3:10] or "\n>" in text


@given(at=st.integers(0, len(LINE) - 1), put=st.characters(min_codepoint=33, max_codepoint=126))
def test_any_change_is_found(at: int, put: str) -> None:
    changed = LINE[:at] + put + LINE[at + 1 :]
    if changed != LINE:
        assert not any(line.is_genuine and line.result != ADA for line in read_lines(changed, KEY))
        assert changed[at] != LINE[at]
        found = read_lines(changed, KEY)
        assert not any(line.is_genuine for line in found) or LINE[at] == " "


@given(cut=st.integers(1, 60))
def test_cut_line_is_refused(cut: int) -> None:
    assert not any(line.is_genuine for line in read_lines(LINE[:-cut], KEY))
    assert not any(line.is_genuine for line in read_lines(LINE[cut:], KEY))


def test_line_of_another_server_is_refused() -> None:
    (found,) = read_lines(LINE, Key(b"another key of a server"))
    assert (found.result, found.is_genuine) == (ADA, False)


def test_many_lines_at_once_with_repeats() -> None:
    bo = ADA._replace(name="Bo").line(KEY)
    found = checked(f"{LINE}\n{bo}\n{LINE}\nseegrad 2 | x", "", KEY)
    assert [(row.number, row.look) for row in found.rows] == [
        (1, "good"),
        (2, "good"),
        (3, "twice"),
        (4, "bad"),
    ]
    assert found.genuine == 2
    assert found.rows[0].href == SEVEN.href
    assert found.rows[0].time == "4 min 12 s"


def test_results_are_a_table_for_spreadsheets() -> None:
    formula = ADA._replace(name="=1+1").line(KEY)
    found = checked(f"{LINE}\n{formula}\n{LINE[:-9]}x\nseegrad 2 | x", "", KEY)
    head, ada, other, changed, cut = csv.reader(found.csv.splitlines())
    assert head[:3] == ["line", "verdict", "name"]
    assert ada == ["1", "genuine", *map(str, ADA)]
    assert other[2] == "'=1+1"
    assert "damaged" in changed[1]
    assert cut[1].startswith("damaged")


def test_what_is_too_much_at_once_is_counted() -> None:
    found = checked(f"{LINE}\n" * (MOST + 3), f"{SEVEN.href}\n" * (MOST_ADDRESSES + 2), KEY)
    assert (len(found.rows), found.left_out, found.left_out_addresses) == (MOST, 3, 2)
    assert (found.rows[-1].look, found.rows[-1].href) == ("twice", SEVEN.href)
    found = checked(f"{LINE}\n" * MOST, f"{SEVEN.href}\n" * MOST_ADDRESSES, KEY)
    assert (len(found.rows), found.left_out, found.left_out_addresses) == (MOST, 0, 0)


def test_exercise_is_named_by_its_digest_alone() -> None:
    other = ADA._replace(digest="0" * 16).line(KEY)
    assert checked(other, "", KEY).rows[0].href == ""
    known = ADA._replace(title="anything").line(KEY)
    assert checked(known, f"http://x{SEVEN.href}", KEY).rows[0].href == SEVEN.href
    assert checked(known, "not an address\n/exercise", KEY).unread_addresses == (
        "not an address",
        "/exercise",
    )


@given(text=st.text())
def test_any_text_is_checked(text: str) -> None:
    assert not any(line.is_genuine for line in read_lines(text, KEY))


@given(name=st.text(max_size=80))
def test_any_name_gives_a_line_that_is_read(name: str) -> None:
    kept = plain(name, 60)
    if kept and "seegrad 2" not in kept:
        (found,) = read_lines(ADA._replace(name=kept).line(KEY), KEY)
        assert found.result is not None
        assert (found.result.name, found.is_genuine) == (kept, True)


def test_sealed_text_is_opened_by_its_key_alone() -> None:
    sealed = KEY.sealed(b"[1,2]")
    assert KEY.opened(sealed) == b"[1,2]"
    assert Key(b"other").opened(sealed) is None
    assert KEY.opened(sealed + "=") is None
    assert KEY.opened(f"{sealed.partition('.')[0]}.{LINE.rpartition('| ')[2]}") is None


def test_key_of_the_settings_is_kept_and_a_missing_one_is_made() -> None:
    own = key_of(from_environment({"SEEGRAD_EXERCISE_KEY": "k" * 16}))
    assert own == Key(b"k" * 16, is_made=False)
    assert key_of(from_environment({"SEEGRAD_EXERCISE_KEY": MADE + "k" * 16})).is_made
    made = [key_of(from_environment({})) for _ in range(2)]
    assert all(key.is_made and len(key.secret) == 32 for key in made)
    assert made[0] != made[1]
    with pytest.raises(ValueError, match="SEEGRAD_EXERCISE_KEY must have at least 16"):
        from_environment({"SEEGRAD_EXERCISE_KEY": "short"})
