"""Every page in a real Firefox: nothing violates the policy, fails, or asks anybody else."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from scripts.find_firefox import advice, find
from tests.browser.train_page import OwnServer, address
from tests.browser.witness import HOST
from tests.firefox.driver import Firefox, launched
from tests.support import packed_texts

READY = "document.documentElement.dataset.ready === 'true'"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a running server."""
    running = OwnServer(tmp_path_factory.mktemp("server") / "output.txt")
    running.start()
    yield running.address
    running.kill()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """The machine's Firefox. Where there is none the tests fail: they are never skipped."""
    path = find()
    if path is None:
        pytest.fail(advice(), pytrace=False)
    with launched(path, tmp_path_factory.mktemp("profile"), HOST) as running:
        yield running


@pytest.fixture
def firefox(browser: Firefox) -> Iterator[Firefox]:
    """The same for one test; whatever its pages did that they must not fails it."""
    browser.seen.clear()
    yield browser
    browser.leave()  # what is still on its way arrives
    assert browser.seen == []


def count(selector: str) -> str:
    """How many elements there are, in JavaScript."""
    return f"document.querySelectorAll({selector!r}).length"


def text(selector: str) -> str:
    """The text of an element, in JavaScript."""
    return f"(document.querySelector({selector!r})?.textContent ?? '')"


def test_explore(firefox: Firefox, server: str) -> None:
    firefox.go(f"{server}/explore")
    firefox.until(READY)
    assert firefox.run(count("#picture .value")) == 7
    firefox.click("#first")
    firefox.until(f"{text('#where')} === 'frame 1 of 8'")
    firefox.click("#play")
    firefox.until(f"{text('#where')} === 'frame 3 of 8'")
    firefox.click("#last")
    firefox.fill("#leaves input[type=range]", "3.5")
    firefox.until(f"{text('#picture .value[data-node=v1] .data')} === '3.5000'")
    firefox.click("#picture .value[data-node=v1] text")
    firefox.click("#closer > summary")
    firefox.click("[data-closer=transcript]")
    firefox.until(f"{count('#transcript-list li')} === 8")
    firefox.fill("#program", "x = 1.0\ny = x * g")
    firefox.until(f"{text('#problem .report')}.includes(\"name 'g' is not defined\")")
    assert firefox.run(count("#picture .value")) == 7


# In the shadow root of the editor.
EDITOR = "document.querySelector('#editor .code').shadowRoot"


def test_editor(firefox: Firefox, server: str) -> None:
    firefox.go(f"{server}/?program=x+%3D+1.0%0Ay+%3D+x+*+3")
    firefox.until("document.documentElement.dataset.editor === 'ready'")
    assert firefox.run(f"getComputedStyle({EDITOR}.querySelector('.cm-gutters')).display") == "flex"
    assert firefox.run(f"{EDITOR}.querySelectorAll('.cm-line').length") == 2
    firefox.run("document.querySelector('#editor .code').dispatchEvent(new Event('pointerenter'))")
    firefox.until("document.querySelector('#editor [data-complete]') !== null")
    firefox.fill("#program", "x = 2.0\ny = tanh(x)")
    firefox.until(f"{EDITOR}.querySelector('.cm-content').textContent === 'x = 2.0y = tanh(x)'")
    firefox.until(f"{text('#picture')}.includes('0.9640')")  # tanh 2
    firefox.click("#closer > summary")
    firefox.click("[data-closer=line-values]")
    firefox.until(f"{EDITOR}.querySelectorAll('.values').length === 2")


def test_packed_programs(firefox: Firefox, server: str) -> None:
    firefox.go(f"{server}/?packed={packed_texts.recorded()[2]['packed']}")
    firefox.until(READY)
    assert firefox.run(text("#picture .value[data-node=v1] .data")) == "2.0000"
    packed_texts.judge(firefox.run(packed_texts.script()))


def test_explore_with_groups_and_a_map(firefox: Firefox, server: str) -> None:
    firefox.go(f"{server}/?program=random.seed(1)%0An+%3D+MLP(2,[4,4,1])%0Ay+%3D+n([1.0,2.0])")
    firefox.until(READY)
    firefox.click("#fit")
    firefox.click("#closer > summary")
    firefox.click("input[name=grouped]")
    firefox.until(f"{count('#picture .group')} > 0")


def test_train(firefox: Firefox, server: str) -> None:
    firefox.go(server + address(steps="2000"))
    firefox.until(READY)
    firefox.click("#play")
    firefox.until(f"Number({text('#stat-step')}) > 5")
    firefox.until("document.documentElement.hasAttribute('data-trains-here')")
    at = int(firefox.run(text("#stat-step")))
    firefox.until(f"Number({text('#stat-step')}) > {at + 5}")
    firefox.click("#play")
    firefox.click(".fold-label")
    for table in ("predictions", "losses", "norms", "doctor", "code"):
        firefox.click(f"#{table} > summary")
    firefox.until(f"{text('#code-text')}.includes('backward')")
    firefox.until(f"{count('#doctor-list li')} > 0 && {count('#doctor-list a')} === 0")
    firefox.click("[data-neuron='1.0']")
    firefox.click("#phases")
    firefox.click("#sweep-open")
    firefox.fill("#sweep-rates", "0.1, 0.3")
    firefox.fill("#sweep-seeds", "1")
    firefox.click("#sweep-run")
    firefox.until(f"{count('#sweep-result canvas')} === 2")


READING: dict[str, tuple[str, Callable[[Firefox], bool]]] = {
    "refused": ("/?program=L+%3D+a", lambda it: it.run(count("#problem .report")) == 1),
    "refused run": (
        "/train?layers=x",
        lambda it: it.run(count("#error-layers:not([hidden])")) == 1,
    ),
    "reference": ("/reference", lambda it: it.run(count("math")) > 20),
    "docs": ("/docs", lambda it: it.run(count("pre.answered")) > 2),
    "error": ("/nowhere", lambda it: "no page" in it.run(text("main"))),
    "picture": ("/graph.svg", lambda it: it.run(count("svg")) == 1),
    "network": ("/train/network.svg", lambda it: it.run(count("svg")) == 1),
}


@pytest.mark.parametrize("name", READING)
def test_pages_to_read(firefox: Firefox, server: str, name: str) -> None:
    path, is_right = READING[name]
    firefox.go(server + path)
    assert is_right(firefox)


def test_a_violation_would_be_seen(browser: Firefox, server: str) -> None:
    browser.go(f"{server}/reference")
    browser.seen.clear()
    browser.run(
        """new Promise(done => {
          addEventListener('securitypolicyviolation', () => setTimeout(done))
          document.body.append(Object.assign(document.createElement('script'), {text: 'void 0'}))
        })"""
    )
    assert any(
        "content security policy: script-src-elem forbids inline" in it for it in browser.seen
    )
