"""A run as events: none missing, none twice, in their time, on any server, and for somebody."""

from __future__ import annotations

import asyncio
import gc
import json
import time
import weakref
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any

import anyio
import httpx2
import pytest
from starlette.testclient import TestClient

from app.main import create_app
from app.serving.headers import ASGI
from app.serving.thread_pools import ThreadPool
from app.settings import from_environment
from app.train import stream as module
from app.train.live_run import Edits, LiveRun
from app.train.runs import TrainingRuns
from app.train.state import state
from app.train.stream import Pace, Player, events
from engine.kernel import Run
from engine.training.spec import TrainSpec
from tests.support.each import for_each
from tests.support.learning import CURVE, DIVERGING, MINIBATCH, SMALL, SPECS, Event, query, refused
from tests.support.learning import events as read
from tests.support.pages import client

LONG = replace(SMALL, steps=5_000)
SLOW = TrainSpec(samples=2000, layers=(2, 64, 64, 1), steps=120)


QUICKLY = 10_000
"""Events a second, for tests that need not wait."""


@pytest.fixture(autouse=True)
def _(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_EVENTS", QUICKLY)


def stream(
    spec: TrainSpec, last_id: str | None = None, fresh: bool = False, **more: object
) -> list[Event]:
    """All events of a stream, of a `fresh` server if asked."""
    some = TestClient(create_app(from_environment({}))) if fresh else client()
    headers = {} if last_id is None else {"last-event-id": last_id}
    answer: httpx2.Response = some.get("/train/stream", params=query(spec, **more), headers=headers)
    assert answer.status_code == 200, answer.text
    return list(read(answer.text))


def joined(found: list[Event], key: str, start: int = 0) -> list[Any]:
    """A list of all events, which must go on where the one before ended."""
    out: list[Any] = []
    for event in found:
        if event.name == "state":
            assert event.data["losses_from"] == start + len(out)
            assert len(event.data["losses"]) == event.data["step"] - event.data["losses_from"]
            out += event.data[key] or [None] * len(event.data["losses"])
    return out


# What is said


@for_each("every", [1, 7, 1000, "fast"])
@for_each("name", SPECS)
def test_all_losses_once(name: str, every: int | str) -> None:
    spec = SPECS[name]
    found = stream(spec, every=every)
    assert joined(found, "losses") == state(LiveRun(spec), spec.steps, losses=True)["losses"]
    assert [event.id for event in found] == [event.data["step"] for event in found]
    assert [event.name for event in found] == ["state"] * (len(found) - 1) + ["done"]
    assert found[-1].id == found[-2].id == spec.steps
    if isinstance(every, int):
        steps = [*range(every, spec.steps, every), spec.steps]
        assert [event.id for event in found[:-1]] == steps


def test_test_losses_and_accuracies_too() -> None:
    found = stream(MINIBATCH, every=9)
    whole = state(LiveRun(MINIBATCH), MINIBATCH.steps, losses=True)
    assert joined(found, "test_losses") == whole["test_losses"]
    assert joined(found, "accuracies") == whole["accuracies"]
    assert len(whole["test_losses"]) == MINIBATCH.steps
    assert all(event.data["accuracies"] == [] for event in stream(CURVE)[:-1])


@for_each("name", SPECS)
def test_an_event_is_the_state_at_its_step(name: str) -> None:
    spec = SPECS[name]
    for event in stream(spec, every=4)[:-1]:
        whole = json.loads(json.dumps(state(LiveRun(spec), event.id)))
        left_out = {"gradient", "predictions", "batch", "activations"}
        added = {"losses_from", "losses", "test_losses", "accuracies"}
        assert set(event.data) == set(whole) - left_out | added
        assert {key: event.data[key] for key in event.data if key not in added} == {
            key: whole[key] for key in whole if key not in left_out
        }


def test_edits_are_made_on_the_way() -> None:
    edits: Edits = ((4, 0, 2.0), (11, 3, -1.0))
    found = stream(SMALL, every=3, set="0:2", at=4)
    assert joined(found, "losses") == list(_losses(SMALL, edits[:1]))
    pairs = [*query(SMALL), ("set", "0:2"), ("at", "4"), ("set", "3:-1"), ("at", "11")]
    both = list(read(client().get("/train/stream", params=pairs).text))
    assert joined(both, "losses") == list(_losses(SMALL, edits))


def _losses(spec: TrainSpec, edits: Edits) -> list[float]:
    run = LiveRun(spec, edits)
    run.seek(spec.steps)
    return list(run.kernel.losses)


def test_numbers_that_are_not_finite_are_strings() -> None:
    assert stream(DIVERGING, every=60)[0].data["loss"] in ("nan", "inf")


# Coming back


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("at", [0, 1, 39, 40])
def test_reconnecting_client_continues(at: int, fresh: bool) -> None:
    whole = joined(stream(MINIBATCH), "losses")
    found = stream(MINIBATCH, last_id=str(at), fresh=fresh)
    assert joined(found, "losses", at) == whole[at:]
    assert [event.id for event in found] == [*range(at + 1, 41), 40]
    assert found == stream(MINIBATCH, from_=at)


def test_the_last_id_wins() -> None:
    assert stream(SMALL, last_id="15", from_=3)[0].id == 16


def test_a_run_that_is_over_is_done_at_once() -> None:
    (event,) = stream(SMALL, last_id="20")
    assert event == (20, "done", {"step": 20})


@pytest.mark.parametrize("last_id", ["20", "21", "990"])
def test_an_id_from_beyond_the_end_is_the_end(last_id: str) -> None:
    (event,) = stream(SMALL, last_id=last_id)
    assert event == (20, "done", {"step": 20})


def test_two_servers_say_the_same() -> None:
    assert stream(MINIBATCH, every=3) == stream(MINIBATCH, every=3, fresh=True)


def test_looking_elsewhere_while_it_plays_changes_nothing() -> None:
    async def main() -> list[bytes]:
        runs, out = TrainingRuns(), []
        player = Player(runs.kept(MINIBATCH), MINIBATCH.steps, Pace(4, 60.0))
        async for text in events(player, 0, ThreadPool("stream", 1, 100, 60.0)):
            out.append(text)
            with runs.hold(MINIBATCH) as run:
                run.seek(1)
        return out

    text = b"".join(anyio.run(main)).decode()
    assert list(read(text)) == stream(MINIBATCH, every=4)


# Headers and parameters


def test_streams_are_not_stored() -> None:
    answer = client().get("/train/stream", params=query(SMALL))
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-accel-buffering"] == "no"
    assert "content-encoding" not in answer.headers
    assert answer.text.startswith("retry: ")
    head = client().head("/train/stream", params=query(LONG))
    assert head.headers["cache-control"] == "no-store"


@for_each(
    ("parameters", "field"),
    [
        ({"every": "0"}, "every"),
        ({"every": "slow"}, "every"),
        ({"every": "1.5"}, "every"),
        ({"fps": "0"}, "fps"),
        ({"fps": "nan"}, "fps"),
        ({"from": "101"}, "from"),
        ({"from": "-1"}, "from"),
        ({"layers": "2"}, "layers"),
        ({"every": "1", "pace": "2"}, "pace"),
    ],
)
def test_refusal_names_the_field(parameters: dict[str, str], field: str) -> None:
    assert refused("/stream", **parameters)["field"] == field


@for_each("last_id", ["-1", "x", "1.0", "nan", "9" * 20, "\x00", "1, 2"])
def test_a_last_id_that_is_none_is_refused(last_id: str) -> None:
    answer = client().get("/train/stream", headers={"last-event-id": last_id})
    assert answer.status_code == 422
    assert answer.json()["field"] == "Last-Event-ID"


# Time


def test_events_are_never_more_than_an_eye_can_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert refused("/stream", fps="60.5")["field"] == "fps"
    began = time.perf_counter()
    count = len(list(read(client().get("/train/stream", params=query(SMALL)).text))) - 1
    assert time.perf_counter() - began >= (count - 1) / 60 * 0.98


def test_event_rate_is_limited_as_requested() -> None:
    began = time.perf_counter()
    count = len(stream(SMALL, fps=40)) - 1
    assert time.perf_counter() - began >= (count - 1) / 40 * 0.98


def test_fast_is_faster() -> None:
    found = stream(LONG, every="fast", fps=30)
    assert len(found) < 1_000
    assert joined(found, "losses") == _losses(LONG, ())


def test_a_long_wait_is_filled_with_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "QUIET", 0.01)
    text = client().get("/train/stream", params=query(SLOW, every=60, fps=60)).text
    assert text.count("\n: \n\n") >= 2
    assert joined(list(read(text)), "losses") == list(_run(SLOW).losses)


def _run(spec: TrainSpec) -> Run:
    run = Run(spec)
    run.seek(spec.steps)
    return run


def test_the_event_loop_is_never_held_up() -> None:
    """While two long events are made, the loop turns many times; held up, it would a few times."""

    async def main() -> int:
        player = Player(TrainingRuns().kept(SLOW), 100, Pace(50, 60.0))
        done, turns = asyncio.Event(), 0

        async def play() -> None:
            async for _ in events(player, 0, ThreadPool("stream", 2, 100, 60.0)):
                pass
            done.set()

        playing = asyncio.create_task(play())
        while not done.is_set():
            await asyncio.sleep(0.001)
            turns += 1
        await playing
        return turns

    assert anyio.run(main) > 20


# Leaving


async def visit(app: ASGI, spec: TrainSpec, count: int, **more: object) -> list[bytes]:
    """Read so many pieces of a stream, then leave."""
    gone = asyncio.Event()
    pieces: list[bytes] = []
    asked = httpx2.QueryParams(query(spec, **more))
    scope = {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1",
        "method": "GET", "path": "/train/stream", "raw_path": b"/train/stream", "root_path": "",
        "scheme": "http", "query_string": str(asked).encode(), "headers": [],
        "client": ("test", 1), "server": ("test", 80),
    }  # fmt: skip
    told = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> dict[str, Any]:
        if told:
            return told.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        pieces.append(message.get("body", b""))
        if len(pieces) == count:
            gone.set()

    await asyncio.wait_for(app(scope, receive, send), 20)
    return pieces


def test_a_client_that_is_gone_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    players: list[weakref.ref[Player]] = []
    made = Player.__init__

    def noted(self: Player, *args: Any) -> None:
        players.append(weakref.ref(self))
        made(self, *args)

    monkeypatch.setattr(Player, "__init__", noted)
    app = create_app(from_environment({"SEEGRAD_TRAIN_STREAMS": "1"}))

    async def main() -> list[int]:
        return [len(await visit(app, LONG, 5)) for _ in range(3)]

    assert all(5 <= count < 20 for count in anyio.run(main))
    gc.collect()
    assert len(players) == 3  # each was let in, for the one before had left
    alive = [player for player in players if player() is not None]
    assert len(alive) <= 1  # a thread remembers its last work


def test_run_of_a_disconnected_client_is_not_computed() -> None:
    async def main() -> float:
        app = create_app(from_environment({}))
        began = time.perf_counter()
        pieces = await visit(app, replace(SLOW, steps=2_000), 2, every=2_000)
        assert len(pieces) <= 3
        return time.perf_counter() - began

    assert anyio.run(main) < 3.0  # the whole run takes several seconds


def test_streams_are_bounded() -> None:
    app = create_app(from_environment({"SEEGRAD_TRAIN_STREAMS": "1"}))

    async def main() -> bytes:
        first = asyncio.create_task(visit(app, LONG, 30, fps=30))
        await asyncio.sleep(0.2)
        second = await visit(app, LONG, 2)
        await first
        return b"".join(second)

    assert json.loads(anyio.run(main))["status"] == 503


def test_a_generator_that_is_closed_lets_its_player_go() -> None:
    async def main() -> bool:
        player = Player(TrainingRuns().kept(LONG), LONG.steps, Pace(1, 60.0))
        source: AsyncGenerator[bytes, None] = events(player, 0, ThreadPool("stream", 1, 100, 60.0))
        assert await anext(source)
        await source.aclose()
        return player.gone

    assert anyio.run(main)


def test_a_player_whose_client_is_gone_plays_nothing() -> None:
    runs = TrainingRuns()
    player = Player(runs.kept(SMALL), SMALL.steps, Pace(1, 60.0))
    player.gone = True
    assert player.next(0) == (0, module.COMMENT)
    with runs.hold(SMALL) as run:
        assert run.kernel.step == 0
