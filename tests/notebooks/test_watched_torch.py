"""`python -m seegrad run` and `%%seegrad` on programs of PyTorch: as ever, and a page."""

from __future__ import annotations

from pathlib import Path

from tests.notebooks.test_notebooks import bundles, executed, of, words
from tests.seegrad.notebook.test_run import OURS, run, started
from tests.support.each import for_each

HEAD = "import os, torch\nw = torch.tensor([1.0, 2.0], requires_grad=True)\n"
SCRIPTS = {
    "a function that trains": (
        HEAD + "def main():\n    for step in range(3):\n        loss = (w * w).sum()\n"
        "        w.grad = None\n        loss.backward()\n        print(loss.item(), w.grad)\n"
        "        w.data -= 0.1 * w.grad\ntorch.manual_seed(1)\nmain()\n"
        "print(torch.rand(2), sorted(globals()))\n"
        "if os.fork():\n    os.wait()\nelse:\n    print('child')",
        "wrote script.seegrad.html, the graph of pass 3 of 3",
    ),
    "an error of the pass": (
        HEAD + "y = torch.sigmoid(w)\ny += 1\ny.sum().backward()",
        "wrote script.seegrad.html, the graph",
    ),
    "errors of operations": (
        HEAD + "try:\n    w[None] @ w[None]\nexcept RuntimeError as error:\n"
        "    try:\n        torch.nn.Sequential(torch.nn.Linear(3, 2))(w)\n"
        "    except RuntimeError as other:\n        raise ValueError('both') from other",
        "",
    ),
    "a recording of its own": (
        "import seegrad\n" + HEAD + "with seegrad.record() as run:\n    (w * 2).sum().backward()\n"
        "print(run['w'].grad.values)",
        "the script makes a recording of its own",
    ),
}


@for_each("name", SCRIPTS)
def test_a_script_is_as_python_runs_it(name: str, tmp_path: Path) -> None:
    text, told = SCRIPTS[name]
    folder = tmp_path / name
    folder.mkdir()
    (folder / "script.py").write_text(text)
    plain, ours = started(folder, "script.py"), run(folder, "script.py")
    assert (ours.stdout, ours.returncode) == (plain.stdout, plain.returncode)
    said = ours.stderr.splitlines(keepends=True)
    assert "".join(line for line in said if not line.startswith(OURS)) == plain.stderr
    assert "".join(line for line in said if line.startswith(OURS)).count("\n") == bool(told)
    assert told in ours.stderr
    assert (folder / "script.seegrad.html").exists() == told.startswith("wrote")


def test_a_cell_shows_its_pass() -> None:
    """Before and after PyTorch is imported; w = 3, of w²: by hand 6, and of 2w³ 54."""
    notebook = of(
        "import seegrad\n%load_ext seegrad",
        "%%seegrad\nimport torch\nw = torch.tensor(3.0, requires_grad=True)\n(w * w).backward()",
        "%%seegrad --pass 1\nw.grad = None\nloss = 2 * w**3\nloss.backward()\n"
        "(w * 0).backward()\n1 / 0",
        "print(w.grad, torch.overrides._get_current_function_mode())",
    )
    executed(notebook, allow_errors=True)
    first, second = bundles(notebook)
    assert "6.0000" in first["image/svg+xml"]
    assert "54.0000" in second["image/svg+xml"]
    assert "ZeroDivisionError" in words(notebook)
    assert "tensor(54.) None\n" in words(notebook)
