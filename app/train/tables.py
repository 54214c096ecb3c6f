"""A run at a step as figures, tables and text alternatives of pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.train.pictures.chart import loss_words
from engine.numbers import brief, compact, counted, fixed, percent
from engine.training.decision import chosen
from engine.training.losses import LOSSES
from engine.training.samples import load, scales_of
from engine.training.scaling import unscaled
from engine.training.segments import segment_at, segments
from engine.training.spec import TrainSpec

MOST_ROWS = 200  # rows of the table of predictions
PARTS = 10  # parts of the run, one row each in the table of losses
BATCH = "The loss of this step's batch"
MASKED = "The loss of this step's batch, with dropout; all other numbers are without"
WHOLE = "Over all training data"

Plain = Mapping[str, Any]


def has_test(setup: Plain) -> bool:
    """Whether there is a test set."""
    return any(sample["test"] for sample in setup["samples"])


def is_partial(setup: Plain) -> bool:
    """Whether steps see other losses than that of all training data: batches, or dropout."""
    return any(segment["partial"] for segment in setup["segments"])


def has_penalty(setup: Plain) -> bool:
    """Whether a penalty is part of the training loss."""
    return any(segment["penalty"] for segment in setup["segments"])


def has_dropout(setup: Plain) -> bool:
    """Whether training steps use dropout, so that their metrics differ from the predictions'."""
    return bool(setup["spec"]["dropout"] > 0)


def stats(setup: Plain, state: Plain) -> list[tuple[str, str, bool, str]]:
    """The headline figures: name, value, whether the run has it, and its tooltip."""
    test = percent(state["test_accuracy"])
    if state["test_accuracy"] is None and state["test_loss"] is not None:
        test = brief(state["test_loss"])
    parted = is_partial(setup)
    loss, share = (state.get(f"train_{name}", state[name]) for name in ("loss", "accuracy"))
    return [
        ("step", f"{state['step']}", True, ""),
        ("batch", brief(state["loss"]), parted, MASKED if has_dropout(setup) else BATCH),
        ("loss", brief(loss), True, WHOLE if parted else ""),
        ("accuracy", percent(share), setup["kind"] == "classes", WHOLE if parted else ""),
        ("test", test, has_test(setup), ""),
    ]


def epoch_words(spec: TrainSpec, step: int) -> str:
    """The passes over the training set so far; "" where each step is one."""
    if all(segment.steps_per_epoch == 1 for segment in segments(spec)):
        return ""
    return counted(segment_at(spec, step).passes(step), "epoch")


def course_words(
    setup: Plain, losses: Sequence[Any], test_losses: Sequence[Any], state: Plain
) -> str:
    """The loss curve in a sentence, with the accuracy at its end."""
    words = loss_words(losses, test_losses)
    if "train_loss" in state:
        words = f"batch {words}; over all training data {brief(state['train_loss'])}"
    if state["penalty"]:
        words += f"; penalty {brief(state['penalty'])}, part of the loss"
    share = state.get("train_accuracy", state["accuracy"])
    return words if share is None else f"{words}; accuracy {percent(share)}"


def plot_title(setup: Plain) -> str:
    """The title of the plot of the network's outputs."""
    if setup["kind"] == "classes" and setup["inputs"] != 1:
        return "Decision boundary"
    return "Fitted curve" if setup["inputs"] == 1 else "Predicted plane"


def plot_words(setup: Plain, state: Plain, spec: TrainSpec) -> str:
    """The text alternative of the boundary or the curve."""
    answers = list(zip(_outputs(state), load(spec)[0].targets, strict=True))
    if setup["kind"] == "classes":
        right = sum(chosen(o, spec.threshold) == chosen(t) for o, t in answers)
        count = counted(len(answers), "training sample")
        return f"{right} of {count} on the correct side of the boundary."
    widest = max(abs(o - t) for row, target in answers for o, t in zip(row, target, strict=True))
    return f"Predictions are at most {brief(widest)} from their targets."


def _outputs(state: Plain) -> list[list[float]]:
    return [list(map(float, outputs)) for outputs in state["predictions"]]


def predictions(spec: TrainSpec, state: Plain) -> Iterator[Plain]:
    """The first MOST_ROWS training samples, prediction against target."""
    training, scales = load(spec)[0], scales_of(spec)
    rows = zip(training.inputs, training.targets, training.labels, _outputs(state), strict=True)
    for place, (inputs, targets, label, outputs) in enumerate(rows):
        if place == MOST_ROWS:
            return
        yield {
            "place": place,
            "inputs": ", ".join(map(fixed, unscaled(inputs, scales))),
            "target": _target(spec, targets, label),
            "output": _output(spec, outputs),
            "right": _is_right(spec, outputs, targets) if spec.classifies else None,
            "off": fixed(outputs[0] - targets[0]),
        }


def confusion(spec: TrainSpec, state: Plain) -> Plain | None:
    """How many training samples of each class, by row, are taken for each, by column.

    None for regression.
    """
    if not spec.classifies:
        return None
    classes = range(max(spec.classes, 2))
    ends = (LOSSES[spec.loss].no, 1.0)
    names = [_target(spec, ends[k:][:1] if spec.layers[-1] == 1 else ends, k) for k in classes]
    counts = [[0 for _ in classes] for _ in classes]
    for outputs, targets in zip(_outputs(state), load(spec)[0].targets, strict=True):
        counts[chosen(targets)][chosen(outputs, spec.threshold)] += 1
    return {"names": names, "counts": counts}


def _is_right(spec: TrainSpec, outputs: Sequence[float], targets: Sequence[float]) -> bool:
    return chosen(outputs, spec.threshold) == chosen(targets)


def _target(spec: TrainSpec, targets: Sequence[float], label: float) -> str:
    """The regression target; for classes, the target of a single output or the class name."""
    if not spec.classifies:
        return fixed(targets[0])
    if spec.class_words:
        return spec.class_names[int(label)]
    return compact(targets[0]) if len(targets) == 1 else f"class {label:g}"


def _output(spec: TrainSpec, outputs: Sequence[float]) -> str:
    """The outputs, and the name of the predicted class if classes have names."""
    numbers = ", ".join(map(fixed, outputs))
    if not spec.class_words:
        return numbers
    return f"{numbers}: {spec.class_names[chosen(outputs, spec.threshold)]}"


def norms(state: Plain) -> list[tuple[int, str, str, str]]:
    """The norms of each layer's parameters and of their gradient, and the last update's share."""
    return [
        (row["layer"], brief(row["weights"]), brief(row["gradients"]), _share(row))
        for row in state["norms"]
    ]


def _share(norms: Plain) -> str:
    """The size of a layer's last update over that of its parameters."""
    updates, weights = norms["updates"], float(norms["weights"])
    return brief(None if updates is None or not weights else float(updates) / weights)


def loss_rows(state: Plain, losses: Sequence[Any], test_losses: Sequence[Any]) -> Iterator[Plain]:
    """The metrics at every tenth of the run so far, the current step included."""
    last = len(losses) - 1
    accuracies = [*state["accuracies"], state["accuracy"]]
    for step in sorted({last * part // PARTS for part in range(PARTS + 1)}):
        yield {
            "step": step,
            "loss": brief(losses[step]),
            "test_loss": brief(test_losses[step] if test_losses else None),
            "accuracy": percent(accuracies[step] if len(accuracies) > last else None),
        }
