"""In the programs themselves: JupyterLab, Notebook 7 and marimo, in Chromium, without a network.

The kernel runs a cell with `show` and one with a recording; both pages step, and nothing is asked
of another machine.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import nbformat
import pytest
from playwright.sync_api import BrowserContext, FrameLocator, Page, Request, expect, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from scripts.find_chromium import find
from tests.notebooks.test_notebooks import of
from tests.support.places import ROOT

SHOWN = "import seegrad\na, b = seegrad.Value(2.0), seegrad.Value(-3.0)\nL = a * b\nL.backward()\n"
RECORDED = (
    "import torch\nw = torch.tensor([1.0, 2.0], requires_grad=True)\n"
    "with seegrad.record() as run:\n"
    "    loss = (w * w).sum()\n    loss.backward()\n"
)
SECONDS = 120_000
JUPYTER = (
    "--no-browser", "--allow-root", "--IdentityProvider.token=", "--ServerApp.password=",
    "--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
)  # fmt: skip


@contextmanager
def served(folder: Path, *command: str) -> Iterator[str]:
    """A server of a host in a folder; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder)}
    server = subprocess.Popen(
        [sys.executable, "-m", *command, f"--port={port}"],
        cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_for(address)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=30)


def _wait_for(address: str) -> None:
    for _ in range(240):
        try:
            with urlopen(address, timeout=30):
                return
        except (URLError, OSError):
            time.sleep(0.5)
    raise AssertionError(f"no answer at {address}")


@pytest.fixture(scope="module")
def context() -> Iterator[BrowserContext]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(light=True))
        made = browser.new_context(viewport={"width": 1024, "height": 900}, color_scheme="dark")
        made.set_default_timeout(SECONDS)
        yield made
        browser.close()


def opened(context: BrowserContext, address: str) -> tuple[Page, list[str]]:
    """A page of a host, and what was asked of other machines."""
    page, asked = context.new_page(), list[str]()
    known = (address, address.replace("http", "ws"), "data:", "blob:", "about:")

    def note(request: Request) -> None:
        if not request.url.startswith(known):
            asked.append(request.url)

    page.on("request", note)
    return page, asked


def steps(page: Page) -> None:
    """Both pages step: by hand ∂L/∂a = −3, and the gradient of Σ w² is 2w."""
    frames = page.locator("iframe[srcdoc]")
    expect(frames).to_have_count(2, timeout=SECONDS)
    first, second = (inside(page, i) for i in range(2))
    expect(first.locator("#where")).to_contain_text("frame 4 of 4", timeout=SECONDS)
    first.get_by_role("button", name="First frame").click()
    expect(first.locator("#where")).to_contain_text("frame 1 of 4")
    first.get_by_role("button", name="Forward").click()
    expect(first.locator("#where")).to_contain_text("frame 2 of 4")
    at = second.locator("#where").text_content(timeout=SECONDS)
    second.get_by_role("button", name="Back").click()
    expect(second.locator("#where")).not_to_have_text(at or "")


def inside(page: Page, at: int) -> FrameLocator:
    frame = page.locator("iframe[srcdoc]").nth(at)
    frame.scroll_into_view_if_needed()
    return frame.content_frame


def test_jupyterlab_and_notebook(context: BrowserContext, tmp_path: Path) -> None:
    cells = (SHOWN + "seegrad.show(L)", RECORDED + "run")
    notebook = of(*cells)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3 (ipykernel)"}
    nbformat.write(notebook, tmp_path / "graphs.ipynb")
    with served(tmp_path, "notebook", *JUPYTER) as address:
        page, asked = opened(context, address)
        page.goto(f"{address}/lab/tree/graphs.ipynb?reset")
        ran(page)
        steps(page)
        page.close()
        assert asked == []
        page, asked = opened(context, address)
        page.goto(f"{address}/notebooks/graphs.ipynb")
        ran(page)
        steps(page)
        page.close()
        assert asked == []


def ran(page: Page) -> None:
    """Run all cells of a notebook of Jupyter's, in a kernel that may have to be chosen.

    They are run again until one has an output: what is run before the kernel is there is lost.
    """
    choice, output = page.locator(".jp-Dialog .jp-mod-accept"), page.locator(".jp-OutputArea-child")
    page.locator(".jp-Notebook .jp-Cell").first.wait_for()
    for _ in range(12):
        if choice.count():
            choice.first.click()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        with suppress(PlaywrightTimeout):
            output.or_(choice).first.wait_for(timeout=10_000)
        if output.count():
            return


def test_marimo(context: BrowserContext, tmp_path: Path) -> None:
    one, two = (
        "\n".join(f"    {line}" for line in cell.splitlines())
        for cell in (SHOWN + "seegrad.show(L)", RECORDED + "run")
    )
    (tmp_path / "graphs.py").write_text(
        "import marimo\napp = marimo.App()\n\n"
        f"@app.cell\ndef one():\n{one}\n    return (seegrad,)\n\n"
        f"@app.cell\ndef two(seegrad):\n{two}\n    return\n\n"
        'if __name__ == "__main__":\n    app.run()\n'
    )
    command = ("marimo", "run", "graphs.py", "--headless", "--no-token", "--host=127.0.0.1")
    with served(tmp_path, *command) as address:
        page, ours = context.new_page(), list[str]()

        def note(request: Request) -> None:
            if request.frame != page.main_frame:
                ours.append(request.url)

        page.on("request", note)
        page.goto(address)
        steps(page)
        page.close()
        assert all(url.startswith(("data:", "blob:", "about:")) for url in ours), ours
