"""Large layouts wait for each other; small pictures do not wait for them."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator

import anyio
import httpx2
import pytest
from fastapi import Request

from app.explore.layout_queue import LayoutQueue
from app.main import create_app
from app.picture import layout
from app.picture.graphviz_wasm import Graphviz
from app.serving.headers import ASGI
from app.serving.programs import ProgramThreads
from app.serving.thread_pools import BusyError, ThreadPools
from app.settings import from_environment

pytestmark = pytest.mark.usefixtures("sandboxed")


class Held(Graphviz):
    """A Graphviz that goes on only when it is told to."""

    def __init__(self) -> None:
        super().__init__(patience=layout._graphviz._patience)
        self.begun, self.go = threading.Event(), threading.Event()

    def _render(self, source: str, deadline: float) -> bytes:
        self.begun.set()
        assert self.go.wait(300)
        return super()._render(source, deadline)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    graphviz = Held()
    monkeypatch.setattr(layout, "_graphviz", graphviz)
    yield graphviz
    graphviz.go.set()


def asking(app: ASGI) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://x")


def large(number: int) -> dict[str, str]:
    """A chain of more than a hundred Values drawn one by one, another one for each number."""
    return {"program": f"x = {number}.0\n" + "x = tanh(x)\n" * (100 + number), "grouped": "0"}


def test_small_pictures_are_drawn_while_large_ones_wait(held: Held) -> None:
    app = create_app(from_environment({"SEEGRAD_LAYOUT_SECONDS": "60"}))

    async def main() -> tuple[list[httpx2.Response], list[httpx2.Response]]:
        drawn: list[httpx2.Response] = []
        async with asking(app) as some, anyio.create_task_group() as group:

            async def ask(path: str, query: dict[str, str]) -> None:
                drawn.append(await some.get(path, params=query, timeout=None))

            for number in range(1, 6):
                group.start_soon(ask, "/graph.svg" if number % 2 else "/graph", large(number))
            assert await anyio.to_thread.run_sync(held.begun.wait, 60)
            small = [
                await some.get("/graph", params={"program": f"a={number}; b=a*3"})
                for number in range(10)
            ]
            early = len(drawn)
            held.go.set()
        assert early == 0
        return small, drawn

    small, drawn = anyio.run(main)
    assert [answer.status_code for answer in small] == [200] * 10
    assert len(drawn) == 5
    assert {answer.status_code for answer in drawn} <= {200, 503}
    assert any("<svg" in answer.text for answer in drawn)


def test_large_pictures_are_drawn_one_after_the_other(held: Held) -> None:
    held.go.set()
    app = create_app(from_environment({"SEEGRAD_WAIT_SECONDS": "60"}))

    async def main() -> list[int]:
        found: list[int] = []
        async with asking(app) as some, anyio.create_task_group() as group:

            async def ask(number: int) -> None:
                answer = await some.get("/graph", params=large(number), timeout=None)
                found.append(answer.status_code)

            for number in range(11, 17):
                group.start_soon(ask, number)
        return found

    assert anyio.run(main) == [200] * 6


def test_a_request_that_waits_too_long_for_a_layout_gets_503(held: Held) -> None:
    app = create_app(from_environment({"SEEGRAD_WAIT_SECONDS": "0.2"}))

    async def main() -> httpx2.Response:
        async with asking(app) as some, anyio.create_task_group() as group:
            group.start_soon(lambda: some.get("/graph", params=large(21)))
            assert await anyio.to_thread.run_sync(held.begun.wait, 60)
            answer = await some.get("/graph", params=large(22))
            held.go.set()
        return answer

    answer = anyio.run(main)
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "1"
    assert answer.headers["cache-control"] == "no-store"


def test_the_queue_for_layouts_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "is_busy", lambda: True)

    def work(request: Request) -> None:
        raise layout.LayoutBusy("for this test")

    async def main() -> None:
        settings = from_environment({})
        some = LayoutQueue(
            ProgramThreads(ThreadPools.of(settings), settings), length=0, seconds=3_600.0
        )
        with pytest.raises(BusyError):
            await some.run(work, Request({"type": "http"}))

    anyio.run(main)


@pytest.mark.parametrize("path", ["/", "/graph.svg", "/api/trace"])
def test_long_answers_are_packed_outside_of_the_event_loop(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    packing: list[int] = []
    compress = gzip.compress

    def noted(data: bytes, level: int = 9, *, mtime: float | None = None) -> bytes:
        packing.append(threading.get_ident())
        return compress(data, level, mtime=mtime)

    app = create_app(from_environment({}))  # compresses the assets at once
    monkeypatch.setattr(gzip, "compress", noted)

    async def main() -> httpx2.Response:
        async with asking(app) as some:
            program = "x = 1.0\n" + "x = x * 1.5\n" * 90
            headers = {"accept-encoding": "gzip"}
            return await some.get(path, params={"program": program}, headers=headers)

    answer = anyio.run(main)
    assert answer.status_code == 200
    assert answer.headers["content-encoding"] == "gzip"
    assert len(packing) == 1
    assert packing[0] != threading.get_ident()
