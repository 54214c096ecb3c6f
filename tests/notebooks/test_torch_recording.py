"""Recordings of PyTorch against the same programs unrecorded, and against autograd's own graph."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.nn.functional as F  # noqa: N812  its usual name
from torch.nn.modules import module as module_hooks
from torch.optim import optimizer as optimizer_hooks

import seegrad
from engine.live.refusal import CannotShow
from engine.pytorch.record import NodeFrame, OperationFrame, TensorState
from engine.pytorch.rules import OWN_RULES, rule_of
from seegrad.notebook.recording import TorchRun
from tests.notebooks.torch_cases import CASES, Block, step
from tests.support.each import for_each


def recorded(name: str, **options: Any) -> tuple[TorchRun, Any, Any]:
    with seegrad.record(**options) as run:
        model, loss = step(CASES[name])
    return run, model, loss


@for_each("name", CASES)
def test_a_recorded_step_is_the_unrecorded_one_bit_for_bit(name: str) -> None:
    model, loss = step(CASES[name])
    state = torch.get_rng_state()
    _, again, same = recorded(name)
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.equal(loss, same)
    for (_, one), (_, other) in zip(
        model.state_dict().items(), again.state_dict().items(), strict=True
    ):
        assert torch.equal(one, other)  # parameters after the update, and buffers
    for one, other in zip(model.parameters(), again.parameters(), strict=True):
        assert torch.equal(one.grad, other.grad)


def test_nothing_is_left_behind() -> None:
    door = torch.autograd.graph._engine_run_backward
    run, model, _ = recorded("written")
    assert torch.autograd._engine_run_backward is torch.autograd.graph._engine_run_backward is door
    assert torch._C._len_torch_dispatch_stack() == torch._C._len_torch_function_stack() == 0
    assert not module_hooks._global_forward_hooks
    assert not module_hooks._global_forward_pre_hooks
    assert not optimizer_hooks._global_optimizer_pre_hooks
    assert not optimizer_hooks._global_optimizer_post_hooks
    assert "apply" not in vars(torch.autograd.function._SingleLevelFunction)
    assert torch.is_grad_enabled()
    assert all(not p._backward_hooks for p in model.parameters())
    assert len(run.frames) == len(list(run.record.of(object)))


def test_an_error_leaves_nothing_behind_and_is_raised() -> None:
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"), seegrad.record() as run:
        torch.ones(2, 3) @ torch.ones(2, 3)
    assert torch._C._len_torch_dispatch_stack() == 0
    assert "shapes cannot be multiplied" in run.record.error


@for_each("name", CASES)
def test_what_comes_in_is_the_sum_of_what_was_sent(name: str) -> None:
    """Element by element, but where a hook changes it."""

    run, _, _ = recorded(name)
    sent: dict[tuple[str, int], Any] = {}
    checked = 0
    for frame in run.record.node_runs:
        for slot, figures in enumerate(frame.incoming):
            due = sent.pop((frame.node, slot), None)
            if due is None or figures is None or figures.kept is None:
                continue
            if slot in frame.edited:
                assert name == "hooked"
                due = due * 10
            torch.testing.assert_close(due, figures.kept)
            checked += 1
        for to, slot, figures in frame.sent:
            if figures is not None and figures.kept is not None:
                before = sent.get((to, slot), 0.0)
                sent[to, slot] = before + figures.kept
    assert checked > 3


def test_a_hook_that_changes_a_gradient_is_seen() -> None:
    run, _, _ = recorded("hooked")
    (edited,) = [frame for frame in run.record.node_runs if frame.edited]
    assert edited.name == "TanhBackward0"


def walk(loss: Any) -> int:
    """How many Nodes lie behind a tensor."""
    seen, todo = set(), [loss.grad_fn]
    while todo:
        node = todo.pop()
        if node is not None and node not in seen:
            seen.add(node)
            todo += [after for after, _ in node.next_functions]
    return len(seen)


@for_each("name", CASES)
def test_each_node_runs_once_and_is_linked_to_its_operation(name: str) -> None:
    _, loss = step(CASES[name])
    run, _, _ = recorded(name)
    ran = [frame.node for frame in run.record.node_runs]
    assert len(set(ran)) == len(ran)
    if name != "checkpointed":  # whose Nodes of the second time are others
        assert len(ran) == walk(loss)
    assert run.record.strangers == 0
    for frame in run.record.node_runs:
        assert bool(frame.leaf) == (frame.operation is None)
    order = [frame.index for frame in run.record.node_runs]
    assert order == sorted(order)


@for_each("name", CASES)
def test_every_node_of_the_usual_models_has_a_rule(name: str) -> None:
    run, _, _ = recorded(name)
    for frame in run.record.node_runs:
        op = run.frames[frame.operation] if frame.operation is not None else None
        assert op is None or isinstance(op, OperationFrame)
        known = rule_of(frame.name, op)
        assert (known is None) == frame.name.startswith("Cube"), frame.name


def test_the_formulas_of_own_rules_give_what_autograd_sends() -> None:
    """Each is evaluated with the numbers of the operation."""
    torch.manual_seed(0)
    a, b = (torch.randn(2, 3, 4, requires_grad=True) for _ in range(2))
    v, m = torch.randn(4, requires_grad=True), torch.randn(3, 4, requires_grad=True)
    u = torch.randn(4, requires_grad=True)
    with seegrad.record() as run:
        losses = [
            torch.baddbmm(torch.zeros(2, 3, 3, requires_grad=True), a, b.mT),
            torch.bmm(a, b.mT),
            torch.mv(m, v),
            torch.dot(u, v),
            2 - m,
            torch.addcmul(m, m * 2, m * 3, value=2),
            torch.addmm(torch.zeros(3, requires_grad=True), m, m.t()),
            m.double(),
            m.clone().copy_(m),
        ]
        sum(x.pow(3).sum() for x in losses).backward()
    seen = set()
    for frame in run.record.node_runs:
        rule = OWN_RULES.get(frame.name.partition("Backward")[0])
        if rule is None or not rule.formulas or frame.operation is None:
            continue
        op = run.frames[frame.operation]
        assert isinstance(op, OperationFrame)
        names = {x.name: x for x in op.arguments}
        values = {
            name: run.record.figures[x.states[0]].kept if x.states else eval(x.text)  # noqa: S307
            for name, x in names.items()
            if x.states or x.text[:1].isdigit()
        }
        values |= {"g": frame.incoming[0].kept, "T": lambda x: x.mT}
        derived = [x for x in op.arguments if x.states]
        for argument, sent in zip(derived, frame.sent, strict=False):
            formula = dict(rule.formulas).get(argument.name)
            if formula is None or sent.figures is None:
                continue
            due = eval(formula.source, {}, values)  # noqa: S307  the project's own table
            got = sent.figures.kept
            torch.testing.assert_close(due.to(got.dtype).sum_to_size(got.shape), got)
            seen.add(frame.name.partition("Backward")[0])
    with_formulas = {name for name, rule in OWN_RULES.items() if rule.formulas}
    assert seen == with_formulas - {"Alias"}


def test_an_operation_is_told_with_its_line_module_shapes_and_numbers() -> None:
    x = torch.tensor([[1.0, -2.0]])
    model = torch.nn.Sequential(torch.nn.Linear(2, 2, bias=False), torch.nn.ReLU())
    with torch.no_grad():
        model[0].weight.copy_(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    with seegrad.record() as run:
        out = model(x)
        loss = out.sum()
        loss.backward()
    (mm,) = [op for op in run.record.operations if op.short == "mm" and not op.during]
    assert mm.module == "model.0"
    assert mm.place is not None
    assert mm.place.file == __file__
    assert mm.place.expression == "model(x)"
    assert run.record.name(mm.inputs[0]) == "x"
    figures = run.record.figures[mm.outputs[0]]
    assert (figures.shape, figures.dtype, figures.values) == ((1, 2), "float32", [-3.0, -5.0])
    assert (figures.least, figures.largest, figures.mean) == (-5.0, -3.0, -4.0)
    assert figures.norm == pytest.approx(34**0.5)
    assert run["model.0.weight"].grad is not None
    assert run["model.0.weight"].grad.values == [0.0, 0.0, 0.0, 0.0]  # relu is 0 at both
    (relu,) = [f for f in run.record.node_runs if f.name == "ReluBackward0"]
    assert relu.saved == ("result",)
    assert relu.incoming[0] is not None
    assert relu.incoming[0].values == [1.0, 1.0]
    assert relu.sent[0].figures is not None
    assert relu.sent[0].figures.values == [0.0, 0.0]
    (leaf,) = [f for f in run.record.node_runs if f.leaf]
    assert leaf.before is None
    assert run.record.name(leaf.leaf) == "model.0.weight"


def test_versions_of_what_is_changed_in_place() -> None:
    x = torch.ones(3, requires_grad=True)
    with seegrad.record() as run:
        y = x * 2
        first = y[0]
        first.mul_(5)
        y.sum().backward()
    written = next(op for op in run.record.operations if op.short == "mul_")
    (before,) = written.mutates
    assert run.record.tensors[before.tensor].name == "first"
    assert run.record.tensors[before.tensor].base == run["y"].tensor.id
    assert (before.version, written.outputs[0].version) == (0, 1)
    whole = run.record.figures[TensorState(run["y"].tensor.id, 1)]
    assert whole.values == [10.0, 2.0, 2.0]
    (copied,) = [f for f in run.record.node_runs if f.name == "CopySlices"]
    assert copied.operation == written.index
    assert x.grad.tolist() == [10.0, 2.0, 2.0]


def test_passes_accumulate_and_are_counted() -> None:
    x = torch.ones(2, requires_grad=True)
    with seegrad.record() as run:
        (2 * x).sum().backward()
        (3 * x).sum().backward()
    first, second = (f for f in run.record.node_runs if f.leaf)
    assert (first.number, second.number) == (1, 2)
    assert second.before is not None
    assert second.after is not None
    assert (second.before.values, second.after.values) == ([2.0, 2.0], [5.0, 5.0])


def test_double_backward() -> None:
    """x³: the second derivative is 6x, by Nodes that the first pass made."""
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with seegrad.record() as run:
        (g,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
        (h,) = torch.autograd.grad(g.sum(), x)
    assert h.tolist() == [6.0, 12.0]
    first, second = run.record.passes
    assert first.creates_graph
    assert not second.creates_graph
    assert second.results[0] is not None
    assert second.results[0].values == [6.0, 12.0]
    made = {op.node for op in run.record.operations if op.during and op.node}
    assert made & {f.node for f in run.record.node_runs if f.number == 2}


def test_checkpointing_is_seen_twice() -> None:
    run, _, _ = recorded("checkpointed")
    tanh = [op for op in run.record.operations if op.short == "tanh"]
    assert [bool(op.during) for op in tanh] == [False, True]
    assert tanh[0].inputs[0] != tanh[1].inputs[0]


def test_awkward_tensors_are_recorded_without_numbers() -> None:
    with seegrad.record() as run:
        torch.randn(2, 3, device="meta").sum()
        torch.func.vmap(lambda t: (t * 2).sum())(torch.ones(3, 2))
        torch.sparse.mm(torch.eye(2).to_sparse(), torch.ones(2, 2))
        torch.ones(2, dtype=torch.bfloat16).mul(3).sum()
        torch.ones(2, dtype=torch.complex64).abs()
        torch.empty(0).sum()
        with torch.inference_mode():
            torch.ones(2) * 2
    assert len(run.record.operations) > 10
    assert not run.record.error


def test_a_limit_leaves_frames_out_and_says_so() -> None:
    with seegrad.record(limit=5) as run:
        for _ in range(20):
            torch.ones(2) + 1
    assert len(run.frames) <= 6
    assert run.record.left_out > 20
    assert "were left out" in repr(run)


def test_large_tensors_keep_figures_and_a_corner() -> None:
    with seegrad.record(keep=10) as run:
        x = torch.arange(300.0).reshape(3, 10, 10)
        y = x + 1
    figures = run["y"].data
    assert figures is not None
    assert figures.values is None
    assert (figures.least, figures.largest) == (1.0, 300.0)
    assert figures.corner.shape == (8, 8)
    assert y.shape == x.shape


def test_bad_input_is_a_sentence() -> None:
    for options in ({"keep": -1}, {"keep": "all"}, {"limit": 2.5}, {"keep": True}):
        with pytest.raises(CannotShow, match="is a whole number"):
            seegrad.record(**options)
    run = seegrad.record()
    assert "has not ended" in repr(run)
    with pytest.raises(CannotShow, match="has not ended"):
        run.explain()
    with run, pytest.raises(CannotShow, match="Another recording"), seegrad.record():
        pass
    with pytest.raises(CannotShow, match="made once"), run:
        pass
    assert repr(run) == "Nothing of PyTorch ran in this thread."
    with pytest.raises(CannotShow, match="nothing to draw"):
        _ = run.html
    for name in ("weights", 3):
        with pytest.raises(CannotShow, match=r"No tensor is called|has no name"):
            run[name]
    with pytest.raises(CannotShow, match="no pass 3"):
        run.show(3)
    with pytest.raises(CannotShow, match="No module"):
        run.show(opened="model.9")


def test_a_tensor_without_a_recording_is_drawn_by_its_nodes() -> None:
    w = torch.ones(2, 2, requires_grad=True)
    x = torch.ones(1, 2)
    loss = torch.tanh(x @ w).sum()
    shown = seegrad.show(loss)
    assert "tanh" in shown.html
    w.grad = torch.full((2, 2), 7.0)
    assert "14.0000" in seegrad.show(loss).html  # the length of the gradient
    with torch.no_grad():
        flat = x @ w
    for tensor, sentence in ((w, "is a leaf"), (x, "has no graph"), (flat, "has no graph")):
        with pytest.raises(CannotShow, match=sentence):
            seegrad.show(tensor)


def test_the_block_s_weights_are_named_and_checked() -> None:
    torch.manual_seed(0)
    block = Block()
    x = torch.randn(1, 4, 8)
    with seegrad.record() as run:
        loss = F.mse_loss(block(x), torch.zeros(1, 4, 8))
        loss.backward()
    named = {t.name for t in run.record.tensors.values() if t.role == "parameter"}
    assert named == {f"block.{name}" for name, _ in block.named_parameters()}
    checks = run.check()
    assert not checks.wrong
    assert all(it.verdict == "right" for it in checks)
    assert len(checks) == len([f for f in run.frames if isinstance(f, NodeFrame)])
    assert run.explain() == []
    assert run.explain("block.qkv.weight")[0].kind == "grad"
    assert run.explain(x)[0].kind == "not-wanted"
