"""Page object of Train, and a server that tests can kill."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import free_port, wait_until_well
from tests.browser.witness import HOST
from tests.support.places import ROOT

# Test machines are shared and stall.
expect.set_options(timeout=15_000)

RUN = {
    "data": "moons",
    "samples": "60",
    "noise": "0.1",
    "test_share": "0.2",
    "layers": "2-5-3-1",
    "activation": "tanh",
    "output_activation": "tanh",
    "loss": "mse",
    "l2": "0",
    "learning_rate": "0.3",
    "schedule": "constant",
    "steps": "300",
    "seed": "3",
}
OWN = ("step", "pin", "scale", "speed", "hide", "phase")

# Phones show settings over the whole page: there tests unfold them where they need them.
AT_LARGE = """() => {
  const box = document.getElementById('at-large')
  if (box && !box.checked && innerWidth > 900) box.click()
}"""
# The page's player: importing its module again returns the same instance.
PLAYER = "(await import(document.querySelector('script[src*=\"train/main\"]').src)).player"
TAKE = f"""async () => {PLAYER.replace(").player", ").handOver.take()")}"""
SHOWN = f"""async () => {{
  const {{at, snapshot, losses, playing}} = {PLAYER}
  const list = numbers => numbers && [...numbers]
  const known = numbers => numbers && [...numbers.slice(0, losses.known)]
  return {{
    at, playing, step: snapshot.step, loss: snapshot.loss, test_loss: snapshot.testLoss,
    accuracy: snapshot.accuracy, parameters: list(snapshot.parameters),
    gradient: list(snapshot.gradient), grid: list(snapshot.grid), maps: list(snapshot.maps),
    curve: snapshot.curve && snapshot.curve.map(list), predictions: snapshot.predictions,
    known: losses.known, losses: known(losses.losses),
    test_losses: known(losses.tests), accuracies: known(losses.accuracies),
    penalties: known(losses.penalties), activations: snapshot.activations,
    updates: snapshot.norms.map(({{updates}}) => updates),
  }}
}}"""

WHOLE = f"""async () => {{
  const {{snapshot, goal, playing}} = {PLAYER}
  return Boolean(snapshot?.predictions && snapshot.gradient && goal === null && !playing)
}}"""


def address(**changes: Any) -> str:
    """The address of the run with changed parameters; None omits one."""
    pairs = {**RUN, **changes}
    return "/train?" + urlencode({key: value for key, value in pairs.items() if value is not None})


def state_of(server: str, query: str, step: int) -> dict[str, Any]:
    """The state of a run at a step, as a server has it, including the losses before it."""
    address = f"{server}/train/state?{query}&step={step}&losses=1"
    with urllib.request.urlopen(address, timeout=30) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


class Train:
    """The Train page in `page`."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.where = page.locator("#where")
        self.loss = page.locator("#stat-loss")
        self.scrub = page.get_by_role("slider", name="Step")
        self.plot = page.locator("#plot")
        self.inspector = page.locator("#inspector")
        self.notice = page.locator("#notice")
        self.announcer = page.locator("#announcer")

    # Navigation

    def open(self, **changes: Any) -> "Train":
        """Open the page of a run and wait until it is interactive."""
        return self.go(address(**changes))

    def go(self, to: str) -> "Train":
        """Open an address and wait until the page is interactive."""
        self.page.goto(to)
        return self.ready()

    def open_at(self, step: int) -> "Train":
        """The run at a step, all of it sent."""
        self.open(step=step)
        self.is_at(step)
        self.complete()
        return self

    def ready(self) -> "Train":
        """Wait until the page is interactive, and have a wide one show all that it has."""
        expect(self.page.locator("html")).to_have_attribute("data-ready", "true")
        self.page.evaluate(AT_LARGE)
        return self

    def trains_here(self, here: bool = True) -> None:
        """Wait until this browser trains the run, or the server does."""
        root = expect(self.page.locator("html"))
        if here:
            root.to_have_attribute("data-trains-here", "")
        else:
            root.not_to_have_attribute("data-trains-here", "")

    def take_over(self) -> None:
        """Have this browser train the run at rest as well."""
        self.page.evaluate(TAKE)
        self.trains_here()

    # The steps

    def press(self, name: str) -> None:
        """Press a button."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def is_at(self, step: int, steps: int = 300) -> None:
        """Expect a step and its state to be shown."""
        expect(self.where).to_have_text(f"step {step} of {steps}")
        expect(self.page.locator("#stat-step")).to_have_text(str(step))

    def is_past(self, step: int) -> None:
        """Wait until a later step is shown."""
        self.page.wait_for_function(
            "step => Number(document.getElementById('stat-step').textContent) > step", arg=step
        )

    def speed(self, words: str) -> None:
        """Choose a speed by its value."""
        self.page.locator("#speed").select_option(words)

    def drag_to(self, step: int) -> None:
        """Move the scrubber."""
        self.scrub.fill(str(step))

    def shown(self) -> dict[str, Any]:
        """The shown state with exact numbers."""
        found: dict[str, Any] = self.page.evaluate(SHOWN)
        return found

    def complete(self) -> dict[str, Any]:
        """The shown state once playback has stopped and all parts have arrived."""
        end = time.monotonic() + 15
        while not self.page.evaluate(WHOLE):
            assert time.monotonic() < end, "the state did not complete"
            time.sleep(0.05)
        return self.shown()

    # Announcements to screen readers

    def listen(self) -> None:
        """Record all announcements from now on, as each replaces the last."""
        self.page.evaluate(
            """() => {
              const announcer = document.getElementById('announcer')
              window.announced = []
              new MutationObserver(() => window.announced.push(announcer.textContent))
                .observe(announcer, {childList: true, characterData: true, subtree: true})
            }"""
        )

    def hears(self, words: str) -> None:
        """Wait until `words` have been announced since `listen`."""
        self.page.wait_for_function(
            "words => window.announced.some(one => one.includes(words))", arg=words
        )

    # The server's state

    def query(self) -> str:
        """The run's part of the address."""
        found: str = self.page.evaluate(
            """own => String(new URLSearchParams([...new URLSearchParams(location.search)]
              .filter(([name]) => !own.includes(name))))""",
            list(OWN),
        )
        return found

    def found(self, path: str, server: str | None = None, **more: object) -> dict[str, Any]:
        """The server's JSON of the run at an address below /train."""
        origin = server or self.page.evaluate("location.origin")
        query = f"{self.query()}&{urlencode(more)}"
        with urllib.request.urlopen(f"{origin}/train/{path}?{query}", timeout=30) as answer:
            found: dict[str, Any] = json.load(answer)
        return found

    def state(self, step: int, server: str | None = None) -> dict[str, Any]:
        """The server's state at a step, including the losses before it."""
        return self.found("state", server, step=step, losses=1)

    # The form

    def field(self, name: str) -> Locator:
        """The control of a field."""
        return self.page.locator(f"#spec [name={name}]").first

    def take(self, data: str) -> None:
        """Choose a data set."""
        self.page.locator(f"#spec input[name=data][value={data}]").check(force=True)

    def error(self, name: str) -> Locator:
        """The error message of a control."""
        return self.page.locator(f"#error-{name}")

    # The pictures

    def neuron(self, layer: int, index: int) -> Locator:
        """A neuron's button."""
        return self.page.locator(f'.neuron:has([data-neuron="{layer}.{index}"])')

    def pixels(self, selector: str) -> str:
        """The pixels of a canvas, as a data URL."""
        found: str = self.page.locator(selector).evaluate("canvas => canvas.toDataURL()")
        return found

    def sample(self, index: int) -> tuple[float, float]:
        """The position of a sample in the plot."""
        x, y = self.page.evaluate(
            """index => {
              const setup = JSON.parse(document.getElementById('setup').textContent)
              const [x0, x1, y0, y1] = setup.bounds
              const {x: [x, y]} = setup.samples[index]
              const {width, height} = document.getElementById('points').getBoundingClientRect()
              return [(x - x0) / (x1 - x0) * width, (y1 - y) / (y1 - y0) * height]
            }""",
            index,
        )
        return x, y


@dataclass
class OwnServer:
    """A private server that a test can kill and restart at the same address."""

    log: Path
    port: int = field(default_factory=free_port)
    environment: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Its address."""
        return f"http://{HOST}:{self.port}"

    def start(self) -> None:
        """Start it and wait until it responds."""
        command = [sys.executable, "-m", "app", "--no-open", "--host", HOST]
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                [*command, "--port", str(self.port)],
                cwd=ROOT,
                env={**os.environ, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        wait_until_well(self.process, self.address, self.log)

    def kill(self) -> None:
        """Kill it with all of its processes (SIGKILL)."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process = None
