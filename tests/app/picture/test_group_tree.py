"""The tree of groups: ranges of lines, and leaves that many groups share."""

from __future__ import annotations

from app.picture.group_tree import ALIKE, CROWDED, GroupTree, group_tree
from engine.trace.build import trace
from engine.trace.traced import Trace
from tests.support.own_class import CLASS
from tests.support.pictures import NETWORK

SHARED = "n = MLP(3, [4, 4, 1])\nL = sum(n([1.0 * i, 2.0, 3.0]) for i in range(3))"


def levels(tree: GroupTree) -> list[str | None]:
    return [None, *tree.sections]


def check(program: Trace, tree: GroupTree) -> None:
    """Every Value has a home, every group holds something, and whatever is named exists."""
    assert set(tree.homes) == {node.id for node in program.nodes}
    assert {home for home in tree.homes.values() if home is not None} <= set(tree.sections)
    for section in tree.sections.values():
        assert section.parent is None or section.parent in tree.sections
        assert tree.size(section.id) > 0
    chains = tree.chains()
    assert all(chains[name][-1] == name for name in tree.sections)
    values = sum(node.kind != "constant" for node in program.nodes)
    assert sum(tree.members.get(level, 0) for level in levels(tree)) == values


def test_a_small_tree_is_the_traces_own() -> None:
    program = trace(NETWORK)
    for gather in (False, True):
        tree = group_tree(program, gather)
        check(program, tree)
        assert set(tree.sections) == {group.id for group in program.groups}


def test_parameters_live_in_their_neuron_and_inputs_where_they_were_made() -> None:
    program = trace(NETWORK)
    tree = group_tree(program, gather=False)
    for node in program.nodes:
        if node.kind == "leaf":
            home = tree.homes[node.id]
            assert home is not None
            is_parameter = node.label.startswith("l")
            assert tree.sections[home].kind == ("neuron" if is_parameter else "layer")
            assert (node.id in tree.outside) == (not is_parameter)


def test_leaves_that_many_groups_share_live_together() -> None:
    program = trace(SHARED)
    assert not [
        s for s in group_tree(program, gather=False).sections.values() if s.kind == "leaves"
    ]
    tree = group_tree(program, gather=True)
    check(program, tree)
    [shared] = [section for section in tree.sections.values() if section.kind == "leaves"]
    assert tree.members[shared.id] == 41 > ALIKE
    assert shared.title == "MLP(3, [4, 4, 1])"


def test_no_level_stays_crowded() -> None:
    for program in (
        trace("x = Value(0.5)\ny = x\n" + "y = -y\n" * 1500),
        trace("x = Value(1.0)\ny = sum([x] * 4000)"),
        trace("y = Value(0.5)\nfor i in range(900):\n    y = (y + 1).tanh()"),
    ):
        whole, tree = group_tree(program, gather=False), group_tree(program, gather=True)
        check(program, tree)
        assert max(whole.size(level) for level in levels(whole)) > CROWDED
        assert max(tree.size(level) for level in levels(tree)) <= CROWDED


def test_ranges_are_named_for_what_they_hold() -> None:
    straight = group_tree(trace("y = Value(0.5)\n" + "y = -y\n" * 200), gather=True)
    titles = [section.title for section in straight.sections.values()]
    assert titles[0].startswith("lines 1–")
    one_line = group_tree(trace("x = Value(1.0)\ny = sum([x] * 200)"), gather=True)
    assert {section.title for section in one_line.sections.values()} >= {
        "line 2: y = sum([x] * 200)"
    }
    turns = group_tree(
        trace("y = Value(0.5)\nfor i in range(200):\n    y = (y + 1).tanh()"), gather=True
    )
    ranges = [section.title for section in turns.sections.values() if section.kind == "lines"]
    assert all("…" in title for title in ranges)


def test_boxes_of_an_own_class_say_the_learners_lines_and_expressions() -> None:
    """Class and two leaves, then 120 lines, of which the class computes every number."""
    before = len(f"{CLASS}\na = Value(0.5)\nb = Value(0.25)".splitlines())
    lines = "".join(f"x{i} = x{i - 1} * b\n" for i in range(1, 121))
    found = trace(f"{CLASS}\na = Value(0.5)\nb = Value(0.25)\nx0 = a - b\n{lines}x120.backward()")
    titles = [section.title for section in group_tree(found, True).sections.values()]
    assert f"a - b, line {before + 1}" in titles
    ranges = [title for title in titles if title.startswith("lines ")]
    spans = [[int(line) for line in title.split()[1].split("–")] for title in ranges]
    assert spans
    assert spans[-1][-1] == before + 1 + 120
    assert all(before - 1 <= first < last for first, last in spans)
