"""Names that gradients have in programs, and what they are gradients of: `dW1` of `W1`."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ITEM = re.compile(r"""^(?P<owner>.*)\[(?P<quote>['"])(?P<key>.+)(?P=quote)\]$""")
_GRADIENTS = re.compile(r"(?i)^(?:d|g|grads?|gradients?|deltas?|.*_grads?|.*_gradients?)$")
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        r"^d_?(?:[Ll]oss|[Cc]ost|[LJCE])_?d_?(?P<of>.+)$",
        r"^d_?(?P<of>.+)$",
        r"^nabla_?(?P<of>.+)$",
        r"^d_?(?P<of>.+?)_?(?:total|acc|sum|manual|hand|mine)$",
        r"^(?:grads?|gradients?)_?(?:of_|wrt_)?(?P<of>.+)$",
        r"^(?P<of>.+?)_?(?:[Gg]rads?|[Gg]radients?)$",
        r"^g_?(?P<of>[A-Z].*)$",
    )
)
LOSSES = re.compile(
    r"(?i)^(?:l|j|e|e_?total|mse|nll|bce|ce|err|error|obj|objective|.*(?:loss|cost).*)$"
)
_PLAIN = re.compile(r"^(?:[Ll]oss|[LJ]|[Cc]ost|total_loss)$")


def targets(name: str, loss: str = "") -> Iterator[str]:
    """The names of what a number of this name may be the gradient of, the likeliest first.

    `loss` is what is differentiated: `dfdx` is meant for x if it is called f.
    """
    yield from (of for over, of in quotients(name) if over == loss)
    item = _ITEM.match(name)
    if item is not None:
        key = item["key"]
        name = key
    base = name.rpartition(".")[2]
    for pattern in _PATTERNS:
        found = pattern.match(base)
        if found is not None:
            yield found["of"]
    if item is not None and _GRADIENTS.match(item["owner"].rpartition(".")[2]):
        yield name


def quotients(name: str) -> Iterator[tuple[str, str]]:
    """The ways to read a name as a derivative: `dqdx` and `dq_dx` are that of q for x."""
    if name[:1] in ("d", "∂"):
        for at in range(2, len(name) - 1):
            if name[at] in ("d", "∂"):
                yield name[1:at].strip("_"), name[at + 1 :].lstrip("_")


def plain(name: str) -> str:
    """A name without its owner: `W1` of `self.W1` and of `params['W1']`."""
    item = _ITEM.match(name)
    return item["key"] if item is not None else name.rpartition(".")[2]


def loss_rank(name: str) -> int:
    """How surely a number of this name is the loss: 0 if it is not called one."""
    base = plain(name)
    return 2 if _PLAIN.match(base) else 1 if LOSSES.match(base) else 0
