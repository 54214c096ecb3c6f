"""What a program must not reach through native objects."""

from __future__ import annotations

import pytest

from engine.program import Program
from engine.record.source import ProgramError

REACHING = (
    "'{0.__class__}'.format(1)", "'{0.__globals__}'.format(print)",
    "'{x.__dict__}'.format(x=print)",
    "getattr(print, '__globals__')", "import math\nmath.exp.__globals__",
    "import functools\nfunctools.partial(print).func.__globals__", "print.__closure__",
    "import operator\noperator.attrgetter('__class__.__bases__')(1)",
    "import operator\noperator.methodcaller('__subclasses__')(object)", "str.__mro__",
    "import sys\nsys.modules['os']", "import os\nos.system('ls')",
    "open('x')", "eval('1')", "exec('1')",
    "type('A', (), {})", "__import__('os')", "input()", "breakpoint()",
    "import sys\nsys._getframe()", "import random\nrandom.SystemRandom()",
    "import re\nre.compile('a')",
    "import subprocess\nsubprocess.run(['ls'])", "from os import path\npath.exists('x')",
    "import random\nrandom._inst", "(lambda: 0).__code__", "def g(): yield 1\ng().gi_frame",
    "try:\n    1/0\nexcept Exception as e:\n    e.__traceback__.tb_frame",
    "import enum\nclass C(enum.Enum):\n    A = 1\nC.__members__.__class__",
    "import dataclasses\ndataclasses.make_dataclass('C', ['__class__'])",
    "from dataclasses import dataclass\n@dataclass\nclass C:\n    __class__: int = 5",
    "from collections import namedtuple\nnamedtuple('C', '__class__')",
    "import decimal\ndecimal.Decimal(1)", "import fractions\nfractions.Fraction(1)",
    "from engine.language import machine\nmachine.Machine()", "import time\ntime.ctime()",
    "setattr(print, 'x', 1)", "import math\nmath.pi = 3", "Ellipsis.__reduce__()",
)  # fmt: skip


@pytest.mark.parametrize("text", REACHING)
def test_is_refused(text: str) -> None:
    with pytest.raises(ProgramError):
        Program(text).run()
