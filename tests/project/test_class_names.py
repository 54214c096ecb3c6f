"""A class name says which class is meant: no public one stands in two modules."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_no_public_class_name_stands_in_two_modules() -> None:
    modules: dict[str, list[str]] = defaultdict(list)
    for part in ("engine", "app", "seegrad"):
        for path in (ROOT / part).rglob("*.py"):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    modules[node.name].append(module)
    repeated = [
        f"{name} stands in {' and '.join(sorted(found))}: name the difference"
        for name, found in sorted(modules.items())
        if len(found) > 1
    ]
    assert not repeated, "\n".join(repeated)
