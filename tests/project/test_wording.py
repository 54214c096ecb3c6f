"""The words that a reader meets: one for each thing, and the one that the field uses."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

ONE = "a|the|its|each|every|first|second|last|one|two|both|all|several"
BANNED = {
    rf"\b({ONE}) shares?\b": "contribution (of a use to a gradient), fraction or percentage",
    r"\bupstream\b(?!_|`)": "incoming gradient",
    r"\b(derivatives?|slopes?|tangents?|differentiated?)( of [`\w{}.]+)? by"
    r" (\{|`|x\b|each\b|any\b|every\b|both\b|a leaf|the leaf|one leaf)": "with respect to",
    r"\b(longer|takes another) way\b|\bnumber on the way\b|\bGo the way\b|\bways from\b":
        "path (in a graph), branch (of a program)",
    r"\b(could not|cannot) be followed\b": "Seegrad could not trace",
    r"\b[Aa]sk(ed)? (a|any|every) Value\b|\bA Value asked\b": "Click a Value to inspect it",
    r"\bbeneath\b": "below, inside",
    r"\bfor ever\b": "forever, always",
    r"\bseldom\b": "rarely",
    r"\b[Ss]o it is with\b": "the sentence itself, with its number",
    r"\bas it is due\b|\bwhat is due to it\b": "as the chain rule says",
    r"\b[Tt]ake the run along\b": "export the run",
}  # fmt: skip
"""By pattern: what to write instead."""

MEANT = {
    ("app/learn/lessons/softmax.md", "share"),  # the probabilities of softmax
    ("templates/share.html", "share"),  # to share a link
}
"""Files in which a word has another meaning."""


REPLACED = ("engine/stand_ins", "engine/arrays", "engine/tensors")
"""Packages whose messages are those of Python, NumPy and PyTorch."""


def texts() -> Iterator[tuple[str, str]]:
    """The texts that a reader meets, each with its file."""
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")]
    for page in (*pages, *(ROOT / "app/learn/lessons").glob("*.md")):
        yield str(page.relative_to(ROOT)), page.read_text()
    for page in (ROOT / "templates").rglob("*.html"):
        said = re.sub(r"\{#.*?#\}", "", page.read_text(), flags=re.DOTALL)
        yield str(page.relative_to(ROOT)), said
    for module in (*(ROOT / "app").rglob("*.py"), *(ROOT / "engine").rglob("*.py")):
        name = str(module.relative_to(ROOT))
        if not name.startswith(REPLACED):
            yield name, "\n".join(sentences(module))


def sentences(module: Path) -> Iterator[str]:
    """The strings of a module that have several words, without its docstrings."""
    tree = ast.parse(module.read_text())
    docs = {id(x.value) for x in ast.walk(tree) if isinstance(x, ast.Expr)}
    for x in ast.walk(tree):
        if isinstance(x, ast.Constant) and id(x) not in docs and " " in str(x.value):
            yield str(x.value)


def test_words_are_those_of_the_field() -> None:
    found = [
        f"{name}: “{hit.group()}”; write: {instead}"
        for name, text in texts()
        for pattern, instead in BANNED.items()
        for hit in re.finditer(pattern, " ".join(text.split()))
        if not any(name == file and word in pattern for file, word in MEANT)
    ]
    assert not found, "\n".join(found)


def test_a_fix_is_called_fix_in_the_code_too() -> None:
    former = {"app/api/trace_schema.py", "engine/trace/trace_json.py"}  # the JSON keeps `mend`
    files = [*(ROOT / "static/js").rglob("*.js")]
    files += [path for top in ("app", "engine", "seegrad") for path in (ROOT / top).rglob("*.py")]
    found = [
        name
        for path in files
        if (name := str(path.relative_to(ROOT))) not in former
        and re.search(r"\bmend(s|ed|ing)?\b", path.read_text("utf-8"), re.IGNORECASE)
    ]
    assert not found, found
