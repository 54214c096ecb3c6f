"""One step as frames: the input of a sample, forward by layer, its loss, backward by layer, update.

A frame is plain data: its sentence, the arithmetic of one chosen neuron with the sample's numbers,
and the texts on the drawn network. The sample's numbers are the textbook's, those of its batch the
kernel's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from app.train import address
from app.train.address import Pairs, TrainView
from app.train.arithmetic import activated, expression, rule, summed
from app.train.live_run import LiveRun
from app.train.updates import After, State, after
from engine.nn import LINEAR
from engine.numbers import brief, compact, counted, in_equation
from engine.training.dropout import masks_of
from engine.training.features import featured, input_names
from engine.training.losses import LOSSES
from engine.training.optim import OPTIMIZERS
from engine.training.sample_pass import NeuronPass, SamplePass, sample_pass
from engine.training.samples import Samples, joined
from engine.training.segments import segment_at
from engine.training.settings import RunSettings
from engine.training.snapshot import Snapshot

Plain = dict[str, Any]
DRAWN = 32
"""Neurons of a layer that the page draws at most."""
BACKWARD = ("from", "input", "∂ℓ/∂w = δ·input", "its contribution to ∂L/∂w", "∂L/∂w of the batch")


def frames(run: LiveRun, step: int, sample: int | None, neurons: Sequence[int] = ()) -> Plain:
    """The frames of a step for a sample, by default the first of the batch.

    `sample` is an index into all samples, training before test; `neurons` are the chosen neurons
    of the layers after the inputs, 0 where missing.
    """
    run.seek(step)
    batch = run.kernel.batch_of(step)
    spec = segment_at(run.spec, step).settings
    snapshot, state = run.kernel.snapshot(), run.kernel.optimizer_state()
    now = Moment(
        spec=spec,
        step=step,
        sample=batch[0] if sample is None else sample,
        batch=batch,
        snapshot=snapshot,
        state=state,
        samples=joined(run.kernel.training, run.kernel.test),
        after=after(run, state, snapshot),
    )
    sizes = spec.layers[1:]
    given = [*neurons, *[0] * len(sizes)]
    chosen = [min(j, size - 1) for j, size in zip(given, sizes, strict=False)]
    return {
        "step": step,
        "sample": now.sample,
        "neurons": chosen,
        "frames": list(_frames(now, chosen)),
    }


def read(run: LiveRun, view: TrainView, pairs: Pairs) -> Plain:
    """The frames that a query asks for: its `step`, `sample` and `neuron`. Raises SpecError."""
    sample = address.whole(pairs, "sample", 0, view.spec.all_samples - 1, -1)
    widest = max(view.spec.layers) - 1
    neurons = address.wholes(pairs, "neuron", widest, len(view.spec.layers) - 1)
    return frames(run, view.step, None if sample < 0 else sample, neurons)


@dataclass(frozen=True)
class Moment:
    """A step of a run for one sample; `spec` has the settings of the step."""

    spec: RunSettings
    step: int
    sample: int
    batch: Sequence[int]
    snapshot: Snapshot
    state: State
    samples: Samples
    after: After | None

    @property
    def inputs(self) -> Sequence[float]:
        """The sample's inputs, or the features that the network sees in place of them."""
        return featured(self.spec, self.samples.inputs[self.sample])

    @property
    def targets(self) -> Sequence[float]:
        """The sample's targets."""
        return self.samples.targets[self.sample]

    @property
    def is_in_batch(self) -> bool:
        """Whether the sample takes part in the update of the step."""
        return self.sample in self.batch

    @property
    def share(self) -> float:
        """The factor of the sample's loss in that of the batch; 0 outside of it."""
        if not self.is_in_batch:
            return 0.0
        return 1 / len(self.batch) if LOSSES[self.spec.loss].mean else 1.0

    @cached_property
    def passes(self) -> SamplePass:
        """The sample's numbers; dropout's masks are those of its training."""
        masks = masks_of(self.spec, self.step, self.sample) if self.is_in_batch else []
        parameters = self.snapshot.parameters
        return sample_pass(self.spec, parameters, self.inputs, self.targets, masks)

    def first(self, layer: int, neuron: int) -> int:
        """The index of a neuron's first parameter; `layer` counts from 0, after the inputs."""
        sizes = self.spec.layers
        before = sum((sizes[i] + 1) * sizes[i + 1] for i in range(layer))
        return before + neuron * (sizes[layer] + 1)

    def names(self, layer: int) -> list[str]:
        """The names of the inputs of a layer's neurons, and of the bias."""
        if layer == 0:
            return [*input_names(self.spec), "bias"]
        return [*(f"neuron {k + 1}" for k in range(self.spec.layers[layer])), "bias"]


def _frames(now: Moment, chosen: Sequence[int]) -> Iterator[Plain]:
    layers = range(len(chosen))
    yield _input(now)
    yield from (_forward(now, layer, chosen[layer]) for layer in layers)
    yield _loss(now)
    yield from (_backward(now, layer, chosen) for layer in reversed(layers))
    if now.after:
        yield from (_update(now, now.after, layer, chosen[layer]) for layer in layers)


def _frame(phase: str, layer: int | None, title: str, sentence: str, **more: Any) -> Plain:
    name = phase if layer is None else f"{phase}-{layer}"
    empty: Plain = {"neuron": None, "lines": [], "table": None, "links": []}
    said = {"phase": phase, "layer": layer, "title": title, "sentence": sentence}
    return {"name": name, **said, **empty, **more}


# The numbers on the network


def _numbers(now: Moment, forward: int, backward: int | None = None) -> list[Plain | None]:
    """The texts on the neurons of each layer, inputs first: outputs up to layer `forward`,
    δ from layer `backward` on."""
    found: list[Plain | None] = [_texts("data", now.inputs)]
    for number, layer in enumerate(now.passes.layers, 1):
        if backward is not None and number >= backward:
            found.append(_texts("grad", [neuron.delta for neuron in layer]))
        else:
            outs = [neuron.out for neuron in layer]
            found.append(_texts("data", outs) if number <= forward else None)
    return found


def _texts(look: str, numbers: Sequence[float]) -> Plain:
    return {"look": look, "texts": [brief(x) for x in numbers[:DRAWN]]}


# The frames


def _input(now: Moment) -> Plain:
    pairs = zip(now.names(0), now.inputs, strict=False)
    words = ", ".join(f"{name} = {compact(x)}" for name, x in pairs)
    aim = ", ".join(map(compact, now.targets))
    sentence = f"Sample {now.sample + 1} enters the network: {words}. Its target is {aim}."
    sentence = f"{sentence} {_membership(now)}"
    return _frame("input", None, "Input", sentence, numbers=_numbers(now, 0))


def _membership(now: Moment) -> str:
    count, trained = len(now.batch), now.spec.train_samples
    if now.sample >= trained:
        return "It belongs to the test set, so it never trains the network."
    if not now.is_in_batch:
        has = counted(count, "sample")
        return f"It is not in the batch of this step, which has {has}: it changes nothing here."
    if count == 1:
        return "It is the whole batch of this step."
    return f"It is one of the {count:,} samples in the batch of this step."


def _forward(now: Moment, layer: int, j: int) -> Plain:
    neuron, f = now.passes.layers[layer][j], now.spec.activations[layer]
    applied = "a = z" if f == LINEAR else f"a = {f}(z)"
    own = f"Neuron {j + 1}: z = {in_equation(neuron.z)}, a = {in_equation(neuron.a)}"
    sentence = f"Forward, layer {layer + 1}: each neuron computes z = b + Σ w·input, {applied}."
    *weights, bias = neuron.parameters
    lines = [
        "z = b + Σ w·input",
        f"  = {summed(bias, weights, neuron.inputs, neuron.z)}",
        activated(f, neuron),
    ]
    lines += [_dropped(neuron)] if _drops(now, layer) else []
    return _frame(
        "forward",
        layer + 1,
        f"Forward, layer {layer + 1}",
        f"{sentence} {own}{', dropped' if not neuron.mask else ''}.",
        neuron=j,
        lines=lines,
        numbers=_numbers(now, layer + 1),
        links=[brief(w) for w in weights],
    )


def _drops(now: Moment, layer: int) -> bool:
    return bool(now.spec.dropout) and now.is_in_batch and layer < len(now.spec.layers) - 2


def _dropped(neuron: NeuronPass) -> str:
    mask, out = in_equation(neuron.mask), in_equation(neuron.out)
    return f"dropout: {in_equation(neuron.a)} · {mask} = {out}"


def _loss(now: Moment) -> Plain:
    entry, passes = LOSSES[now.spec.loss], now.passes
    outputs = ", ".join(in_equation(o.data) for o in passes.outputs)
    aim = ", ".join(map(compact, now.targets))
    one, whole = in_equation(passes.loss.data), in_equation(now.snapshot.loss)
    kind = "mean" if entry.mean else "sum"
    extra = " plus the penalty on the weights" if now.spec.l1 or now.spec.l2 else ""
    of = f"the {kind} of ℓ over the {counted(len(now.batch), 'sample')} of the batch{extra}"
    sentence = f"Loss: output {outputs} against target {aim} gives ℓ = {one} for this sample."
    lines = [f"L = {entry.formula}", f"ℓ = {expression(passes.loss, passes.outputs)}"]
    if now.is_in_batch and now.share != 1:
        share = in_equation(passes.loss.data * now.share, more=2)
        lines.append(f"contribution of this sample to L: ℓ / {len(now.batch)} = {share}")
    lines.append(f"L = {whole}, {of}")
    sentence = f"{sentence} The loss L of the batch, {of}, is {whole}."
    numbers = _numbers(now, len(passes.layers))
    return _frame("loss", None, "Loss", sentence, lines=lines, numbers=numbers)


def _backward(now: Moment, layer: int, chosen: Sequence[int]) -> Plain:
    j = chosen[layer]
    neuron = now.passes.layers[layer][j]
    delta = in_equation(neuron.delta)
    sentence = f"Backward, layer {layer + 1}: neuron {j + 1} has δ = ∂ℓ/∂z = {delta}."
    if neuron.delta or not now.spec.accumulate:
        sentence += " Times each input, it is this sample's gradient of each weight."
    else:
        sentence += " So this sample asks for no change of its weights."
    sentence += f" {_of_batch(now)}"
    return _frame(
        "backward",
        layer + 1,
        f"Backward, layer {layer + 1}",
        sentence,
        neuron=j,
        lines=[_upstream(now, layer, j), _delta(now, layer, neuron)],
        table={"head": BACKWARD, "rows": list(_gradients(now, layer, j))},
        numbers=_numbers(now, layer, layer + 1),
        links=[brief(g) for g in neuron.gradient[:-1]],
    )


def _of_batch(now: Moment) -> str:
    spec = now.spec
    if not spec.accumulate:
        return "Contributions overwrite each other instead of adding up: a well-known mistake."
    kind = "mean" if LOSSES[spec.loss].mean else "sum"
    more = ["the penalty's gradient"] if spec.l1 or spec.l2 else []
    more += ["the gradients of all earlier steps"] if not spec.zero_grad else []
    added = f", plus {' and '.join(more)}" if more else ""
    return f"∂L/∂w is the {kind} over {counted(len(now.batch), 'sample')} of the batch{added}."


def _upstream(now: Moment, layer: int, j: int) -> str:
    """∂ℓ/∂a of a neuron, from the loss or from the δ of the next layer."""
    neuron, layers = now.passes.layers[layer][j], now.passes.layers
    if layer == len(layers) - 1:
        return f"∂ℓ/∂a = {in_equation(neuron.grad)}, from the loss"
    if not now.spec.accumulate:
        return f"∂ℓ/∂a = {in_equation(neuron.grad)}, of one of the neurons it leads to"
    following = layers[layer + 1]
    weights = [other.parameters[j] for other in following]
    deltas = [other.delta for other in following]
    text = summed(None, weights, deltas, sum(w * d for w, d in zip(weights, deltas, strict=True)))
    if not _drops(now, layer):
        return f"∂ℓ/∂a = Σ w·δ = {text}"
    mask, grad = in_equation(neuron.mask), in_equation(neuron.grad)
    return f"∂ℓ/∂a: Σ w·δ = {text}, times the mask {mask} gives {grad}"


def _delta(now: Moment, layer: int, neuron: NeuronPass) -> str:
    if now.spec.activations[layer] == LINEAR:
        return f"δ = ∂ℓ/∂a = {in_equation(neuron.delta)}"
    product = summed(None, [neuron.grad], [neuron.slope], neuron.delta)
    return f"δ = ∂ℓ/∂a · {now.spec.activations[layer]}′(z) = {product}"


def _gradients(now: Moment, layer: int, j: int) -> Iterator[list[str]]:
    """For each parameter of a neuron: the sample's gradient, its contribution, and the batch's."""
    neuron, first = now.passes.layers[layer][j], now.first(layer, j)
    inputs = [*map(compact4, neuron.inputs), "1"]
    for i, name in enumerate(now.names(layer)):
        own = neuron.gradient[i]
        share = brief(own * now.share) if now.is_in_batch else "–"
        yield [name, inputs[i], brief(own), share, brief(now.snapshot.gradient[first + i])]


def compact4(x: float) -> str:
    """A number with four significant digits."""
    return compact(x, 4)


def _update(now: Moment, after: After, layer: int, j: int) -> Plain:
    entry, first = OPTIMIZERS[now.spec.optimizer], now.first(layer, j)
    rate = compact(now.snapshot.learning_rate)
    changes = list(_changes(now, after, first, now.names(layer)))
    sentence = f"Update, layer {layer + 1}: {entry.formula} with η = {rate}, for every parameter."
    sentence += f" g is ∂L/∂p of the batch. Neuron {j + 1}: its bias goes from {changes[-1][1]}"
    sentence += f" to {changes[-1][-1]}."
    head = ["parameter", "p", "g", *entry.state, "new p"]
    old = now.snapshot.parameters
    steps = [after.parameters[first + i] - old[first + i] for i in range(len(changes) - 1)]
    return _frame(
        "update",
        layer + 1,
        f"Update, layer {layer + 1}",
        sentence,
        neuron=j,
        lines=[f"{changes[0][0]}:", *_rule(now, after, first)],
        table={"head": head, "rows": changes},
        numbers=_numbers(now, 0, 1),
        links=[("+" if x > 0 else "") + brief(x) for x in steps],
    )


def _changes(now: Moment, after: After, first: int, names: Sequence[str]) -> Iterator[list[str]]:
    """For each parameter of a neuron: p, g, the optimizer's numbers and the new p."""
    entry = OPTIMIZERS[now.spec.optimizer]
    for i, name in enumerate(names, first):
        kept = [f"{brief(now.state[key][i])} → {brief(after.state[key][i])}" for key in entry.state]
        new = brief(after.parameters[i]) + (" (by hand)" if i in after.by_hand else "")
        snapshot = now.snapshot
        yield [name, brief(snapshot.parameters[i]), brief(snapshot.gradient[i]), *kept, new]


def _rule(now: Moment, after: After, place: int) -> list[str]:
    """The optimizer's rule with the numbers of one parameter."""
    entry, spec = OPTIMIZERS[now.spec.optimizer], now.spec
    if place in after.by_hand:
        return ["changed by hand after this update"]
    known: dict[str, float] = {"rate": now.snapshot.learning_rate}
    known |= {"momentum": spec.momentum, "weight_decay": spec.weight_decay}
    known |= {name: after.state[name][0] for name, _ in entry.scalars}
    known |= {name: now.state[name][place] for name in entry.state}
    known |= {"p": now.snapshot.parameters[place], "g": now.snapshot.gradient[place]}
    return rule(entry.update, known)
