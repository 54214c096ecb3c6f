"""The page of a recording, in a browser: it steps, asks for nothing, and shows text as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F  # noqa: N812  its usual name
from playwright.sync_api import Browser, Page, expect, sync_playwright
from torch import nn

import seegrad
from scripts.find_chromium import find
from seegrad.notebook.recording import TorchRun
from tests.browser.test_cell import STRICT, VS_CODE
from tests.notebooks.torch_cases import CASES, Block, step

NAME = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def mlp() -> TorchRun:
    run: TorchRun = seegrad.record()
    with run:
        step(CASES["mlp"])
    return run


@pytest.fixture(scope="module")
def blocks() -> TorchRun:
    """Four blocks of a transformer, more than are drawn open."""
    torch.manual_seed(0)
    net = nn.Sequential(*(Block() for _ in range(4)))
    run: TorchRun = seegrad.record()
    with run:
        (net(torch.randn(1, 4, 8)) ** 2).mean().backward()
    return run


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=find(light=True))
        yield started
        started.close()


@pytest.fixture
def browser_page(browser: Browser) -> Page:
    context = browser.new_context(offline=True, viewport={"width": 900, "height": 560})
    return context.new_page()


def opened(page: Page, run: TorchRun, tmp_path: Path) -> list[str]:
    """What the page complains of, after it was opened from a file."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(run.save(tmp_path / "run.html").as_uri())
    page.wait_for_selector("html[data-ready]")
    return said


def test_it_steps(browser_page: Page, mlp: TorchRun, tmp_path: Path) -> None:
    said = opened(browser_page, mlp, tmp_path)
    where = browser_page.locator("#where")
    expect(where).to_have_text("step 8 of 8")
    expect(browser_page.locator(".later")).to_have_count(0)
    browser_page.keyboard.press("Home")
    expect(where).to_have_text("step 1 of 8")
    expect(browser_page.locator("#explanation")).to_contain_text("linear")
    assert browser_page.locator("[data-from].later").count() > 5
    browser_page.get_by_role("button", name="Forward").click()
    expect(where).to_have_text("step 2 of 8")
    expect(browser_page.locator(".box.active .title")).to_have_text("tanh")
    for _ in range(5):
        browser_page.keyboard.press("ArrowRight")
    expect(browser_page.locator("#pass")).to_have_text("backward")
    expect(browser_page.locator("#explanation")).to_contain_text("∂L∂x=∂L∂y⊙(1−y2)")
    browser_page.locator(".box", has_text="cross_entropy").click()
    expect(where).to_have_text("step 5 of 8")
    assert said == []


def test_it_is_small_one_line_and_asks_for_nothing(mlp: TorchRun) -> None:
    page = mlp.html
    assert len(page) < 60_000
    assert "\n" not in page
    assert not re.findall(r"https?://(?!www\.w3\.org)", page)
    assert "default-src &#39;none&#39;" in page
    bundle = mlp._repr_mimebundle_()
    assert set(bundle) == {"text/html", "image/svg+xml", "text/plain"}
    assert "sandbox='allow-scripts'" in bundle["text/html"]
    assert "height:560px" in bundle["text/html"]


def test_without_scripts_it_is_the_last_step(
    browser: Browser, mlp: TorchRun, tmp_path: Path
) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(mlp.save(tmp_path / "run.html").as_uri())
    expect(page.locator(".box")).to_have_count(6)
    expect(page.locator("#explanation")).to_contain_text("AddmmBackward0")
    expect(page.locator(".embed-player")).to_be_hidden()


def test_policies_of_hosts(browser_page: Page, mlp: TorchRun, tmp_path: Path) -> None:
    """Under VS Code's it steps; where no script of a notebook runs it is the last step."""
    frame = mlp._repr_mimebundle_()["text/html"]
    inner = browser_page.frame_locator("iframe")
    for policy, steps in ((VS_CODE, True), (STRICT, False)):
        meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        text = f"<!doctype html><html><head>{meta}</head><body>{frame}</body></html>"
        (tmp_path / "host.html").write_text(text, encoding="utf-8")
        browser_page.goto((tmp_path / "host.html").as_uri())
        expect(inner.locator("#explanation")).to_contain_text("AddmmBackward0")
        if steps:
            expect(inner.locator("#where")).to_have_text("step 8 of 8")
            inner.get_by_role("button", name="Back").click()
            expect(inner.locator("#where")).to_have_text("step 7 of 8")
        else:
            expect(inner.locator(".embed-player")).to_be_hidden()


def test_modules_are_closed_until_they_are_opened(blocks: TorchRun) -> None:
    assert "calls in closed modules" in blocks.html
    assert blocks.svg.count('data-box="net.') >= 2
    inside = blocks.show(opened="net.2.mlp")
    assert "net.2.mlp: Sequential" in inside.svg
    assert "net.2.mlp: Sequential" not in blocks.svg
    assert len(blocks.html) < 200_000


def test_text_of_the_program_is_text(browser_page: Page, tmp_path: Path) -> None:
    class Net(nn.Module):
        def forward(self, x: Any) -> Any:
            return self.get_submodule(NAME)(x).relu() + x

    net = Net()
    net.add_module(NAME, nn.Linear(2, 2))
    with seegrad.record() as run:
        net(torch.ones(1, 2)).sum().backward()
    assert NAME not in run.html
    assert NAME not in run.svg
    assert opened(browser_page, run, tmp_path) == []
    assert browser_page.locator("img").count() == 0


def test_answers_stand_on_the_page(mlp: TorchRun) -> None:
    logits = torch.randn(4, 3, requires_grad=True)
    with seegrad.record() as run:
        F.cross_entropy(logits.softmax(1), torch.tensor([0, 1, 2, 0])).backward()
    assert "the softmax is taken twice" in run.html
    assert "the softmax is taken twice" not in mlp.html


def test_complex_numbers_are_told_as_such() -> None:
    """|z²| = a² + b²: by hand its gradient is 2a + 2bi."""
    z = torch.tensor([1 + 2j, -3 - 4j], requires_grad=True)
    run: TorchRun = seegrad.record()
    with run:
        (z * z).abs().sum().backward()
    for it in (run, seegrad.load(run.json())):
        assert "[1.0000 + 2.0000i, -3.0000 - 4.0000i]" in repr(it["z"])
        assert "grad [2.0000 + 4.0000i, -6.0000 - 8.0000i]" in repr(it["z"])
        assert it.html.startswith("<!doctype html>")
