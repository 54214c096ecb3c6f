"""Thread pools: order, bounded queues, bounded waits; the network of a client address."""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator

import anyio
import httpx2
import pytest

from app.main import create_app
from app.serving.headers import Message
from app.serving.thread_pools import BusyError, ThreadPool, ThreadPools, client_network
from app.settings import from_environment
from app.train.stream import Streams


def test_a_pool_works_on_so_many_at_a_time() -> None:
    async def main() -> int:
        room, lock, now, most = ThreadPool("test", 2, 100, 60.0), threading.Lock(), 0, 0

        def work() -> None:
            nonlocal now, most
            with lock:
                now += 1
                most = max(most, now)
            threading.Event().wait(0.01)
            with lock:
                now -= 1

        async with anyio.create_task_group() as group:
            for _ in range(20):
                group.start_soon(room.run, work)
        assert (room.working, room.waiting) == (0, 0)
        return most

    assert anyio.run(main) == 2


def test_a_full_queue_refuses_at_once() -> None:
    async def main() -> None:
        room, go = ThreadPool("test", 1, 3, 60.0), threading.Event()
        async with anyio.create_task_group() as group:
            for _ in range(1 + 3):
                group.start_soon(room.run, go.wait)
            while room.waiting < 3:  # noqa: ASYNC110  # it sends no event
                await anyio.sleep(0.001)
            with pytest.raises(BusyError, match="3 wait already") as caught:
                await room.run(go.wait)
            assert caught.value.kind == "test"
            go.set()
        assert await room.run(lambda: 42) == 42

    anyio.run(main)


def test_the_wait_for_a_thread_is_bounded() -> None:
    async def main() -> None:
        room, go = ThreadPool("test", 1, 3, 0.02), threading.Event()
        async with anyio.create_task_group() as group:
            group.start_soon(room.run, go.wait)
            while not room.working:  # noqa: ASYNC110  # it sends no event
                await anyio.sleep(0.001)
            with pytest.raises(BusyError, match=r"0\.02 seconds"):
                await room.run(go.wait)
            go.set()
        assert room.waiting == 0

    anyio.run(main)


def test_a_failure_gives_its_thread_back() -> None:
    async def main() -> None:
        room = ThreadPool("test", 1, 3, 60.0)
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await room.run(lambda: 1 / 0)
        assert await room.run(lambda: 42) == 42

    anyio.run(main)


def test_pages_are_answered_while_training_is_full() -> None:
    pools = ThreadPools.of(from_environment({"SEEGRAD_TRAIN_AT_ONCE": "1"}))

    async def main() -> str:
        go = threading.Event()
        async with anyio.create_task_group() as group:
            for room in (pools.training, pools.players, pools.sweeps):
                for _ in range(5):
                    group.start_soon(room.run, go.wait)
            while not pools.sweeps.waiting:  # noqa: ASYNC110  # it sends no event
                await anyio.sleep(0.001)
            answer = await pools.light.run(lambda: "a page")
            go.set()
        return answer

    assert anyio.run(main) == "a page"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9"),
        ("fe80::1%eth0", "fe80::2"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
    ],
)
def test_addresses_of_one_network(one: str, other: str) -> None:
    assert client_network(one) == client_network(other)


def test_addresses_of_different_networks() -> None:
    addresses = ["192.0.2.1", "192.0.2.2", "2001:db8:1:2::1", "2001:db8:1:3::1", "testclient", ""]
    assert len({client_network(address) for address in addresses}) == len(addresses)


def test_500_requests_at_once_are_answered_or_refused() -> None:
    """Of 500 requests at once none fails; each is answered, or refused with Retry-After."""
    app = create_app(from_environment({"SEEGRAD_WAITING": "20"}))

    async def main() -> list[httpx2.Response]:
        answers: list[httpx2.Response] = []
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://x") as some:

            async def ask(i: int) -> None:
                program = f"x = {i}.0\n" + "x = x * 1.0\n" * 50
                answers.append(await some.post("/api/trace", json={"program": program}))

            async with anyio.create_task_group() as group:
                for i in range(500):
                    group.start_soon(ask, i)
            answers.append(await some.post("/api/trace", json={"program": "L = 2*3"}))
        return answers

    *crowd, after = anyio.run(main)
    assert after.status_code == 200
    turned_away = [answer for answer in crowd if answer.status_code == 503]
    assert sum(answer.status_code == 200 for answer in crowd) == 500 - len(turned_away) >= 20
    assert turned_away
    for answer in turned_away:
        assert answer.headers["retry-after"] == "1"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.json()["status"] == 503


def test_streams_of_one_address_are_bounded() -> None:
    streams = Streams(most=3, each=2)

    async def none() -> AsyncGenerator[bytes, None]:
        yield b""

    async def main() -> None:
        go = anyio.Event()

        async def watch(client: str) -> None:
            streams.admit(client)
            response = streams.response(none(), client)

            async def send(message: Message) -> None:
                await go.wait()

            async def receive() -> Message:
                await go.wait()
                return {"type": "http.disconnect"}

            await response({"type": "http", "method": "GET"}, receive, send)

        async with anyio.create_task_group() as group:
            for _ in range(2):
                group.start_soon(watch, "a")
            while len(streams) < 2:  # noqa: ASYNC110  # it sends no event
                await anyio.sleep(0.001)
            with pytest.raises(BusyError, match="2 streams are open from your address"):
                streams.admit("a")
            group.start_soon(watch, "b")
            while len(streams) < 3:  # noqa: ASYNC110
                await anyio.sleep(0.001)
            with pytest.raises(BusyError, match="3 streams are open, the limit"):
                streams.admit("c")
            go.set()
        assert len(streams) == 0
        streams.admit("a")

    anyio.run(main)
