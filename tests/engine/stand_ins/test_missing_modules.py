"""Modules that are not here: an import does no harm until what it gives is used."""

from __future__ import annotations

import pytest

from engine.record.source import ProgramError
from tests.support.each import for_each
from tests.support.programs import finished, marked, printed


def failure(text: str) -> ProgramError:
    """The error that ends a program."""
    with pytest.raises(ProgramError) as caught:
        finished(text)
    return caught.value


def test_imports_that_are_not_used_do_no_harm() -> None:
    text = (
        "import os, sys, pdb, time, warnings, pandas as pd, dataclasses, torchvision.datasets\n"
        "import a.b.c as d\nfrom typing_extensions import Self\nfrom dataclasses import dataclass\n"
        "from IPython.display import clear_output\nimport seaborn as sns\nfrom helpers import *\n"
        "from torch import optim\nfrom sklearn.datasets import make_moons\nprint(Value(2.0).data)"
    )
    run = finished(text)
    assert run.printed == ["2.0"]
    assert [note.message for note in run.notes] == [
        "helpers is not here; Value, Neuron, Layer and MLP are the built-in ones."
    ]


FILES = ": a program reaches no files, processes or network."
PASTE = ": paste its definition into the program."


@for_each(
    ("line", "use", "module", "hint"),
    [
        (
            "import pandas as pd",
            "pd.read_csv('a')",
            "pandas",
            f"pandas.read_csv is not here{FILES}",
        ),
        ("from helpers import f", "f(2.0)", "helpers", f"helpers.f is not here{PASTE}"),
        ("import helpers", "helpers.f()", "helpers", f"helpers.f is not here{PASTE}"),
        ("import a.b as c", "c.d + 1", "a", f"a.b.d is not here{PASTE}"),
        ("import a.b.c", "a.b.c()", "a", f"a.b.c is not here{PASTE}"),
        ("from eval import eval", "eval('1')", "eval", f"eval.eval is not here{PASTE}"),
    ],
)
def test_what_is_missing_is_not_found_where_it_is_used(
    line: str, use: str, module: str, hint: str
) -> None:
    text = f"{line}\nprint('before')\nb = {use}"
    error = failure(text)
    assert error.message == f"ModuleNotFoundError: No module named '{module}'"
    assert error.hint == hint
    assert marked(text, error) == use
    assert list(error.printed) == ["before"]


def test_a_relative_import_fails_in_python_s_words() -> None:
    error = failure("from .engine import Adam\nAdam()")
    assert error.message == ("ImportError: attempted relative import with no known parent package")
    assert error.hint == f"engine.Adam is not here{PASTE}"


def test_the_absence_may_be_caught_at_its_use() -> None:
    text = (
        "import pandas as pd\ntry:\n    pd.DataFrame({})\n"
        "except ModuleNotFoundError as error:\n    print(type(error), error, error.name)"
    )
    assert printed(text) == ["<class 'ModuleNotFoundError'> No module named 'pandas' pandas"]


@for_each(
    "attempt",
    [
        "try:\n    import jax\nexcept ImportError:\n    print('absent')",
        "try:\n    import jax.numpy as jnp\nexcept ModuleNotFoundError:\n    print('absent')",
        "try:\n    from jax import grad\nexcept (KeyError, ImportError):\n    print('absent')",
        "try:\n    from .jax import grad\nexcept Exception:\n    print('absent')",
        "try:\n    if True:\n        import jax\nexcept:\n    print('absent')",
        "def f():\n try:\n  import jax\n except ImportError:\n  print('absent')\nf()",
        "import contextlib as c\nwith c.suppress(ImportError): import jax; 1/0\nprint('absent')",
    ],
)
def test_a_program_that_is_prepared_goes_its_other_way(attempt: str) -> None:
    assert printed(attempt) == ["absent"]


def test_a_program_that_is_prepared_for_something_else_goes_on() -> None:
    attempt = "try:\n    import jax\nexcept ValueError:\n    print('absent')\nprint('on')"
    assert printed(attempt) == ["on"]


def test_what_a_stand_in_has_not_is_refused_and_may_be_caught() -> None:
    error = failure("import torch\ntorch.compile(2)")
    assert error.message == "torch.compile is not here."
    assert error.hint == "The reference lists the names that are."
    caught = (
        "import torch\ntry:\n    torch.compile(2)\nexcept NotImplementedError as e:\n    print(e)"
    )
    assert printed(caught) == ["torch.compile is not here."]


def test_names_that_python_s_own_module_has_not() -> None:
    assert failure("import math\nmath.foo").message == (
        "AttributeError: module 'math' has no attribute 'foo'"
    )
