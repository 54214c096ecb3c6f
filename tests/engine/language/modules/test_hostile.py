"""Programs that ask native functions for unbounded work are stopped by the budget or refused."""

from __future__ import annotations

import pytest

from engine.program import Limits, Program
from engine.record.source import ProgramError

TEXTS = (
    "'a'.ljust(10**12)", "'a'.center(10**9)", "'a'.zfill(10**10)", "'\\t'.expandtabs(10**10)",
    "'%1000000000d' % 5", "'%*d' % (10**9, 5)", "'%.1000000000f' % 5", "'{:1000000000}'.format(5)",
    "'{:{}}'.format(5, 10**9)", "f'{5:1000000000}'", "format(5, '1000000000')",
    "x = 'a' * 100000\nx.replace('a', x)", "x = 'a' * 100000\nx.join(x)",
    "x = 'a' * 100000\nx.translate({97: x})", "str(10**5000)", "'x'.encode('idna')",
    "import textwrap\ntextwrap.fill('a b', 10**9)",
    "import json\njson.dumps([1] * 100000, indent=10**9)",
)  # fmt: skip
ENDLESS = (
    "import itertools\nlist(itertools.count())", "import itertools\nsum(itertools.repeat(1))",
    "import itertools\nset(itertools.cycle([1]))", "import itertools\nmax(itertools.count())",
    "import itertools\nnext(filter(lambda x: False, itertools.count()))",
    "import itertools\nnext(itertools.filterfalse(None, itertools.repeat(1)))",
    "import itertools\nlist(itertools.product(range(100), repeat=20))",
    "import itertools\nlist(itertools.permutations(range(20)))",
    "import itertools\nitertools.product([1], repeat=10**12)",
    "import itertools\nnext(itertools.compress(itertools.count(), itertools.repeat(0)))",
    "import itertools\n5.5 in itertools.count()", "dict(zip(iter(int, 1), iter(int, 1)))",
    "import itertools\n','.join(itertools.repeat('a'))", "any(iter(int, 1))",
    "from collections import deque\nimport itertools\ndeque(itertools.count(), maxlen=1)",
    "from collections import Counter\nimport itertools\nCounter(itertools.repeat(1))",
    "import statistics, itertools\nstatistics.mean(itertools.count())",
    "import functools, itertools\nfunctools.reduce(lambda a, b: b, itertools.count())",
    "import random, itertools\nrandom.choices([1], itertools.count())",
    "import heapq, itertools\nheapq.nlargest(1, itertools.count())",
    "xs = [1]\nfor x in map(abs, xs): xs.append(x)", "bytes(iter(int, 1))",
    "import collections, itertools\ncollections.namedtuple('P', itertools.count())",
)  # fmt: skip
LARGE = (
    "import math\nmath.factorial(10**9)", "import math\nmath.comb(10**9, 10**8)",
    "import math\nmath.perm(10**9, 10**8)", "import math\nmath.comb(2**100000, 5000)",
    "pow(3, 10**10)", "pow(3, 2**100000, 2**100000 + 1)", "bytes(10**12)", "(5).to_bytes(10**12)",
    "import random\nrandom.getrandbits(10**12)", "import random\nrandom.randbytes(10**12)",
    "import random\nrandom.choices([1], k=10**12)",
    "import random\nrandom.sample(range(10**9), 10**8)",
    "import operator\noperator.pow(10, 10**10)", "import operator\noperator.mul([1], 10**12)",
    "import itertools\nitertools.tee([1], 10**12)", "list(range(10**12))",
    "import copy\ncopy.deepcopy([[0] * 1000] * 10000)",
)  # fmt: skip
SHARED = "a, b = [0], [0]\nfor i in range(60): a, b = [a, a], [b, b]\n"
NESTED = (
    SHARED + "repr(a)", SHARED + "print(a)", SHARED + "[a].index(b)", SHARED + "sorted([a, b])",
    SHARED + "[a, b].sort()", SHARED + "max(a, b)", SHARED + "str(ValueError(a))",
    SHARED + "f'{a}'",
    SHARED + "'%s' % a", SHARED + "import json\njson.dumps(a)",
    SHARED + "import operator\noperator.eq(a, b)",
    "t = ()\nfor i in range(60): t = (t, t)\nhash(t)",
    "t = ()\nfor i in range(60): t = (t, t)\nset([t])",
    SHARED + "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: list\nP(a) == P(b)",
    "import itertools\ns = set()\nfor t in itertools.product((-1, -2), repeat=17): s.add(t)",
    "p = 2**61 - 1\nd = {}\nfor i in range(200000): d.setdefault(i * p, 0)",
    "p = 2**61 - 1\nset(i * p for i in range(300000))",
)  # fmt: skip


@pytest.mark.parametrize("text", TEXTS + LARGE + NESTED)
def test_is_stopped(text: str) -> None:
    with pytest.raises(ProgramError):
        Program(text).run()


@pytest.mark.parametrize("text", ENDLESS)
def test_work_without_an_end_is_stopped_by_any_budget(text: str) -> None:
    """A tenth of the usual one, for speed: what is not charged would never end."""
    with pytest.raises(ProgramError):
        Program(text, Limits(operations=Limits().operations // 10)).run()
