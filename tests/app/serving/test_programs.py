"""Long programs go on one at a time behind the others, and end when nobody waits for them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest
from fastapi import Request

from app.serving.headers import Message
from app.serving.programs import BRIEF, ProgramThreads
from app.serving.shutdown import Draining
from app.serving.thread_pools import BusyError, ThreadPools
from app.settings import from_environment
from engine.cancellation import Cancelled
from engine.program import Limits, Program, ProgramError

LONG = 2 * BRIEF
ENDS_LATE = 60.0  # seconds of a program that is ended before
ENDLESS = "t = 0\nwhile True:\n    t = t + 1"


class Client:
    """A client that stays until it is told to leave."""

    def __init__(self) -> None:
        self.left = asyncio.Event()
        self.request = Request({"type": "http", "method": "GET", "headers": []}, self._receive)

    async def _receive(self) -> Message:
        await self.left.wait()
        return {"type": "http.disconnect"}


def threads(**environment: str) -> ProgramThreads:
    settings = from_environment({"SEEGRAD_LONG_SECONDS": str(LONG), **environment})
    return ProgramThreads(ThreadPools.of(settings), settings)


def program(seconds: float) -> Callable[[Request], str]:
    def work(request: Request) -> str:
        try:
            Program(ENDLESS, Limits(seconds=seconds)).run()
        except ProgramError as error:
            return error.message
        return ""

    return work


def small(request: Request) -> float:
    output = Program("a = 2.0\nL = a * 3").run().output
    assert output is not None
    return output.data


def run(work: Awaitable[None]) -> None:
    async def whole() -> None:
        await asyncio.wait_for(work, 60)

    asyncio.run(whole())


@pytest.mark.parametrize("seconds", [BRIEF / 2, LONG - BRIEF / 2, 4 * LONG])
def test_programs_of_every_length_have_their_answer(seconds: float) -> None:
    async def scenario() -> None:
        answer = await threads().run(program(seconds), Client().request)
        assert f"more than {seconds:g} seconds" in answer

    run(scenario())


def test_a_thread_does_one_job_after_the_other() -> None:
    def place(request: Request) -> threading.Thread:
        return threading.current_thread()

    async def scenario() -> None:
        some, client = threads(), Client()
        kept = await some.run(place, client.request)
        await some.run(program(BRIEF), client.request)
        assert await some.run(place, client.request) is kept

    run(scenario())


def test_long_programs_run_one_at_a_time_and_let_others_pass() -> None:
    async def scenario() -> None:
        some = threads(SEEGRAD_WAIT_SECONDS="30")
        most = 0
        waiting = asyncio.gather(*(some.run(program(5 * LONG), Client().request) for _ in range(4)))
        seen = set()
        while not waiting.done():
            seen.add(some.pools.long.working)
            if some.pools.long.working and some.pools.long.waiting == 3:
                answer = await some.run(small, Client().request)
                assert answer == 6.0
                most += some.pools.long.waiting
            await asyncio.sleep(0.001)
        assert len(await waiting) == 4
        assert seen == {0, 1}
        assert most, "a small program has run while long ones waited: they keep no instance"
        assert some.pools.light.working == some.pools.medium.working == some.pools.long.working == 0

    run(scenario())


def test_full_queue_of_long_programs_is_busy() -> None:
    async def scenario() -> None:
        some = threads(SEEGRAD_LONG_WAITING="1")
        found = await asyncio.gather(
            *(some.run(program(5 * LONG), Client().request) for _ in range(4)),
            return_exceptions=True,
        )
        busy = [error for error in found if isinstance(error, BusyError)]
        assert busy
        assert {error.kind for error in busy} == {"long"}
        assert [answer for answer in found if isinstance(answer, str)]

    run(scenario())


def test_program_ends_when_its_client_leaves() -> None:
    async def scenario() -> None:
        some, client = threads(), Client()
        task = asyncio.create_task(some.run(program(ENDS_LATE), client.request))
        while not some.pools.long.working:  # noqa: ASYNC110  # it sends no event
            await asyncio.sleep(0.001)
        client.left.set()
        with pytest.raises(Cancelled):
            await task
        assert some.pools.long.working == 0

    run(scenario())


def test_client_that_leaves_gives_its_place_in_the_queue_back() -> None:
    async def scenario() -> None:
        some, first, second = threads(), Client(), Client()
        tasks = [
            asyncio.create_task(some.run(program(ENDS_LATE), one.request))
            for one in (first, second)
        ]
        while not (some.pools.long.working and some.pools.long.waiting):  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        for one in (first, second):
            one.left.set()
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(error) for error in found] == [Cancelled, Cancelled]
        assert (some.pools.long.working, some.pools.long.waiting) == (0, 0)

    run(scenario())


def test_program_ends_when_the_server_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        ending = Draining()
        monkeypatch.setattr("app.serving.shutdown.of", lambda scope: ending)
        some = threads()
        task = asyncio.create_task(some.run(program(ENDS_LATE), Client().request))
        while not some.pools.long.working:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        ending.begin()
        with pytest.raises(BusyError, match="stopped"):
            await task

    run(scenario())


def test_other_errors_pass_through() -> None:
    def failing(request: Request) -> None:
        raise ZeroDivisionError(threading.current_thread().name)

    async def scenario() -> None:
        with pytest.raises(ZeroDivisionError):
            await threads().run(failing, Client().request)

    run(scenario())
