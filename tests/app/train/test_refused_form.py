"""A refused form: nothing typed is lost, and each message stands beside its control."""

from __future__ import annotations

import html
from urllib.parse import urlencode

import pytest

from app.train.form import form_of
from engine.training.fields import SpecError
from tests.support.each import for_each
from tests.support.pages import client, read
from tests.support.train_pages import HOSTILE, control, page, sent


@for_each(
    ("name", "text"),
    [
        ("samples", "abc"), ("noise", "-1"), ("test_share", "2"), ("layers", "two"),
        ("layers", "2-6-5"), ("activation", "tanhh"), ("output_activation", "x"), ("init", "me"),
        ("loss", "nope"), ("optimizer", ""), ("learning_rate", "1e999"), ("momentum", "1"),
        ("schedule", "up"), ("schedule_end", "-2"), ("batch", "1000"), ("l1", "x"), ("l2", "nan"),
        ("steps", "0"), ("steps", "999999999"), ("seed", "-1"), ("shuffle", "perhaps"),
        ("zero_grad", "no"), ("rows", "1,2;3"), ("data", "nope"), ("samples", HOSTILE),
        ("activation", HOSTILE), ("rows", HOSTILE), ("layers", "2 → 4 → 1 → "),
    ],
)  # fmt: skip
def test_refused_input_stays_with_its_message_beside_it(name: str, text: str) -> None:
    other = ("seed", "77") if name != "seed" else ("l1", "0.25")
    found = page((("data", "moons"), other, (name, text)), 422)
    message = found.one("p", id=f"error-{name}")
    assert "hidden" not in message.attributes
    assert message.text
    assert [e for e in found.all(class_="field-error") if "hidden" not in e.attributes] == [message]
    typed = dict(sent(found))
    assert typed[other[0]] == other[1]
    if name not in ("data", "shuffle", "zero_grad"):
        assert typed[name].strip() == text.replace(";", "\n").strip()
        field = control(found, name)
        assert field.attributes["aria-invalid"] == "true"
        assert f"error-{name}" in field.attributes["aria-describedby"].split()
    assert found.one("h2").text == "Nothing to train yet"
    assert not found.all("img")


def test_message_of_a_control_that_needs_a_choice_is_seen_without_it() -> None:
    found = page((("momentum", "5"), ("optimizer", "sgd")), 422)
    field = found.one("input", name="momentum").around[-1]
    assert field.has(class_="refused")


@pytest.mark.parametrize("pairs", [(("nope", "1"),), (("seed", "1"), ("seed", "2"))])
def test_error_of_no_control_is_shown_above_the_form(pairs: tuple[tuple[str, str]]) -> None:
    found = page((("data", "moons"), *pairs), 422)
    message = found.one("p", id="error-spec")
    if pairs[0][0] == "nope":
        assert "nope" in message.text
        assert "hidden" not in message.attributes


def test_refused_page_opens_the_settings_of_a_small_screen() -> None:
    found = page((("data", "moons"), ("steps", "0")), 422)
    assert "checked" in found.one("input", id="at-large").attributes
    assert "checked" not in page().one("input", id="at-large").attributes


def test_message_of_a_hidden_control_stands_above() -> None:
    error = SpecError("seed", "-1", "seed is -1; no.")
    context = form_of([("hide", "seed"), ("seed", "-1")], None, error)
    assert context.top_error == "Weights seed is −1; no."
    assert form_of([("seed", "-1")], None, error).top_error == ""
    assert (
        form_of([("hide", "training"), ("seed", "-1")], None, error).top_error
        == "Weights seed is −1; no."
    )


@for_each(
    ("name", "typed", "start"),
    [
        ("learning_rate", "-1", "Learning rate is −1; give a number"),
        ("learning_rate", "much", 'Learning rate is "much"; give a number'),
        ("l2", "1e5", "L2 is 1e5; the largest rate is"),
        ("layers", "2-6-5", "Layers is 2-6-5, but moons"),
        ("layers", "2-0-1", "layers[1] is 0; "),
        ("steps", "999999999", "Steps asks for 999,999,999 steps; at most"),
        ("output_activation", "x", 'Output is "x", which is not known'),
        ("shuffle", "perhaps", 'shuffle is "perhaps"; give true or false'),
    ],
)
def test_messages_name_the_control_and_what_was_typed(name: str, typed: str, start: str) -> None:
    pairs = (("data", "moons"), (name, typed))
    assert page(pairs, 422).one("p", id=f"error-{name}").text.startswith(start)
    told = client().get(f"/train/setup?{urlencode(pairs)}").json()
    assert told["form_message"].startswith(start)
    assert told["detail"].startswith(name)


def test_hostile_text_is_only_text() -> None:
    pairs = [("data", "moons"), ("layers", HOSTILE), ("hide", HOSTILE), ("seed", HOSTILE)]
    text = client().get(f"/train?{urlencode(pairs)}").text
    assert HOSTILE not in text
    assert html.escape(HOSTILE).replace("&quot;", "&#34;") in text
    assert not [e for e in read(text).all("img") if e.attributes.get("src") == "x"]
