"""The answers of Train, each computed from the query of its address."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from fastapi import Response
from fastapi.responses import HTMLResponse

from app.serving import computing, metrics
from app.serving.headers import NO_CACHE, NO_STORE, PICTURE_POLICY, TRAIN_POLICY
from app.serving.problem import PROBLEM, problem
from app.serving.rendering import Renderer
from app.serving.thread_pools import ThreadPools
from app.settings import Settings
from app.train import (
    address,
    doctor,
    edits,
    executors,
    files,
    frames,
    handing_over,
    landscape,
    links,
    page,
    pictures,
    race,
    space,
    state,
    step_check,
    sweep,
)
from app.train.address import Pairs, TrainView
from app.train.fitted import fit_to
from app.train.form import in_form, texts
from app.train.opening import TOGETHER, opening
from app.train.part_program import part_of, part_program
from app.train.runs import TrainingRuns
from app.train.sample_program import sample_program
from app.train.stream import Streams
from engine.cancellation import IsCancelled
from engine.export.exports import EXPORTS, ExportError, export
from engine.export.notebook import notebook
from engine.training.array_files import BadFile
from engine.training.datasets import DATASETS
from engine.training.fields import SpecError, Whole
from engine.training.fitting import CHANGES
from engine.training.samples import joined
from engine.training.segments import segment_at
from engine.training.weights_file import read_weights, weights_json, weights_npz

LATER = {**NO_STORE, "retry-after": "5"}
PICTURE = {
    "content-security-policy": PICTURE_POLICY,
    "cross-origin-resource-policy": "cross-origin",
}
HTML = "text/html; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
NOTEBOOK = "application/x-ipynb+json"
NPZ = "application/zip"
SVG = "image/svg+xml"
BY_HAND = "# Left out, as it was changed by hand: {what}.\n"


class Answer(NamedTuple):
    """An encoded response body with its metadata."""

    body: bytes
    kind: str = "application/json"
    status: int = 200
    headers: Mapping[str, str] = MappingProxyType({})


class Query(NamedTuple):
    """A request: its query, and a check for cancellation by the client."""

    pairs: Pairs
    is_cancelled: IsCancelled


class Trainer:
    """The handlers of Train; its only state is a cache of runs."""

    def __init__(self, settings: Settings, renderer: Renderer, pools: ThreadPools) -> None:
        self.settings = settings
        self.renderer = renderer
        self.limits = settings.train_limits
        self.runs = TrainingRuns(settings.whole("train_kept"), settings.whole("train_kept_bytes"))
        self.pools = pools
        executors.prepare(settings)
        self.streams = Streams(
            settings.whole("train_streams"), settings.whole("train_streams_each")
        )

    def view(self, query: Query) -> TrainView:
        """The view of an address. Raises SpecError."""
        return address.read(query.pairs, self.limits)

    def page(self, query: Query) -> Answer:
        """The page; for an invalid run, with the input and the error in its form."""
        explore = self.settings.limits
        found = page.read(self.runs, query.pairs, self.limits, query.is_cancelled, explore)
        text = self.renderer.page("train.html", found.context())
        headers = {"content-security-policy": TRAIN_POLICY}
        status = 422 if found.form.error else 200
        return Answer(text.encode(), HTML, status, headers)

    def setup(self, query: Query) -> Answer:
        """The constants of a run, and the texts of its form's controls.

        `fit` names a changed setting: settings that no longer fit it are adjusted, and `fitted` has
        their new texts and `fitted_says` a sentence, even if the run is invalid otherwise. A
        refusal has the message in the terms of the form as `form_message`.
        """
        pairs, fitted = _fitted(query.pairs)
        try:
            view = address.read(pairs, self.limits)
        except SpecError as error:
            refusal = refused(error, **fitted, form_message=in_form(error, pairs).message)
            return Answer(bytes(refusal.body), PROBLEM, refusal.status_code)
        setup = state.setup(view.spec, view.edits, self.settings.limits)
        return as_json({**setup, "controls": texts(view.spec), **fitted})

    def state(self, query: Query) -> Answer:
        """The state at a step."""
        losses = address.switch(query.pairs, "losses")
        return as_json(self._state(query, self.view(query), losses))

    def frames(self, query: Query) -> Answer:
        """One step as frames, with the numbers of a sample."""
        view = self.view(query)
        with self.runs.hold(view.spec, view.edits, query.is_cancelled) as run:
            return as_json(frames.read(run, view, query.pairs))

    def open(self, query: Query) -> Answer:
        """A redirect to Explore with the graph of some samples, by default the step's first.

        `part` is a layer or a neuron, of which the graph is drawn for the first of the samples.
        """
        view = self.view(query)
        kind = address.choice(query.pairs, "as", ("link", "program"), "link")
        most = Whole(0, view.spec.all_samples - 1)
        chosen = [int(i) for i in address.items(query.pairs, "sample", most, TOGETHER)]
        with self.runs.hold(view.spec, view.edits, query.is_cancelled) as run:
            run.seek(view.step)
            parameters = run.kernel.parameters()
            samples = joined(run.kernel.training, run.kernel.test)
            chosen = chosen or run.kernel.batch_of(view.step)[:1]
        limits = self.settings.limits
        spec = segment_at(view.spec, view.step).settings
        shown = (spec, view.step, parameters, samples)
        name = address.text_of(query.pairs, "part")
        if name is None:
            text = sample_program(*shown, chosen, limits)
        else:
            text = part_program(*shown, chosen[0], part_of(name, spec), limits)
        if kind == "program":
            return Answer(text.encode(), TEXT)
        return Answer(b"", TEXT, 303, {"location": links.explore(text, view)})

    def not_openable(self, query: Query, error: SpecError, wants_page: bool) -> Response:
        """Explains why a graph cannot be opened, as a page with the parts that can be.

        Not kept, as the answer depends on what the client accepts besides the address.
        """
        if not wants_page:
            return refused(error, NO_STORE)
        context: dict[str, Any] = {"page": "", "message": error.message, "parts": (), "back": ""}
        with suppress(SpecError):
            view = self.view(query)
            here = links.Links(query.pairs, view.spec, view.run_query(), view.step)
            found = opening(view.spec, self.settings.limits)["parts"]
            context["parts"] = [
                (part["words"], here.below("open", ("part", part["part"]))) for part in found
            ]
            context["back"] = here.here()
        page = self.renderer.page("closed.html", context)
        return HTMLResponse(page, 422, {**NO_STORE, "content-security-policy": TRAIN_POLICY})

    def doctor(self, query: Query) -> Answer:
        """The doctor's verdicts on the run up to a step."""
        view = self.view(query)
        with self.runs.hold(view.spec, view.edits, query.is_cancelled) as run:
            found = doctor.examination(run, view.step, self.limits, query.is_cancelled)
            return Answer(json.dumps(doctor.verdicts(run, found)).encode())

    def examination(self, query: Query) -> Answer:
        """The doctor's list, with the trials of its cures."""
        view = self.view(query)
        with self.runs.hold(view.spec, view.edits, query.is_cancelled) as run:
            found = doctor.examination(run, view.step, self.limits, query.is_cancelled)
            context = {"doctor": doctor.view(run, found), "query": view.run_query()}
        return Answer(self.renderer.page("doctor.html", context).encode(), HTML)

    def race(self, query: Query) -> Answer:
        """Several runs side by side; for a run that the form adds, a redirect to their address."""
        headers = {"content-security-policy": TRAIN_POLICY}
        try:
            there = race.added(query.pairs, self.limits)
            if there is not None:
                return Answer(b"", TEXT, 303, {"location": there})
            found = race.read(query.pairs, self.limits)
        except SpecError as error:
            text = self.renderer.page("race.html", {"page": "train", "error": error.message})
            return Answer(text.encode(), HTML, 422, headers)
        text = self.renderer.page("race.html", race.page(found, self.runs, query.is_cancelled))
        return Answer(text.encode(), HTML, headers=headers)

    def landscape(self, query: Query) -> Answer:
        """The panel with the loss as a landscape."""
        view = self.view(query)
        with self.runs.hold(view.spec, view.edits, query.is_cancelled) as run:
            found = landscape.panel(run, view, query.pairs, self.limits, query.is_cancelled)
        text = self.renderer.page("landscape.html", {"panel": found})
        return Answer(text.encode(), HTML)

    def space(self, query: Query) -> Answer:
        """The panel with the space as a layer sees it."""
        view = self.view(query)
        with self.runs.hold(view.spec, view.edits, query.is_cancelled) as run:
            found = space.panel(run, view, query.pairs)
        return Answer(self.renderer.page("space.html", {"space": found}).encode(), HTML)

    def sweep(self, query: Query) -> Answer:
        """A sweep over learning rates and seeds."""
        spec, most = self.view(query).spec, self.settings.whole("train_sweep")
        runs = sweep.read(query.pairs, spec, self.limits, most)
        try:
            with metrics.training() as made:
                found = runs.run(self.settings, query.is_cancelled)
                made(len(runs.rates) * len(runs.seeds) * spec.total_steps)
            return as_json(found)
        except sweep.Unfinished as error:
            metrics.current().sheds.labels("sweep").inc()
            refusal = problem(503, "The sweep was not computed.", str(error))
            return Answer(bytes(refusal.body), PROBLEM, 503, LATER)

    def check(self, query: Query) -> Answer:
        """The gradient of a step beside differences in fifty digits; with `as=panel`, drawn."""
        view = self.view(query)
        is_panel = address.choice(query.pairs, "as", ("json", "panel"), "json") == "panel"
        with self.runs.hold(view.spec, view.edits, query.is_cancelled) as run:
            if not is_panel:
                return as_json(step_check.read(run, view.step, query.is_cancelled))
            found = step_check.panel(run, view.step, query.is_cancelled)
        return Answer(self.renderer.page("check.html", {"check": found}).encode(), HTML)

    def kernel(self, query: Query) -> Answer:
        """The run at a step as a WebAssembly module with its memory."""
        view = self.view(query)
        with self.runs.hold(view.spec, view.edits, query.is_cancelled) as run:
            run.seek(view.step)
            return as_json(handing_over.kernel(run, self.limits))

    def kernels(self, query: Query) -> Answer:
        """The modules of the run with a neuron more or less in a hidden layer."""
        spec = self.view(query).spec
        return as_json(handing_over.kernels(self.runs, spec, self.limits, query.is_cancelled))

    def losses(self, query: Query) -> Answer:
        """The metrics of every step as CSV."""
        view = self.view(query)
        with self.runs.hold(view.spec, view.edits, query.is_cancelled) as run:
            text = files.losses_csv(run)
        return Answer(text.encode(), "text/csv; charset=utf-8", headers=_file("losses.csv"))

    def weights(self, query: Query) -> Answer:
        """The weights at a step as JSON or, with `as=npz`, for NumPy."""
        view = self.view(query)
        with self.runs.hold(view.spec, view.edits, query.is_cancelled) as run:
            run.seek(view.step)
            parameters = run.kernel.parameters()
        if address.choice(query.pairs, "as", ("json", "npz"), "json") == "npz":
            file = weights_npz(view.spec.layers, parameters)
            return Answer(file, NPZ, headers=_file("weights.npz"))
        text = weights_json(view.spec.layers, parameters)
        return Answer(text.encode(), headers=_file("weights.json"))

    def weighed(self, query: Query, file: bytes) -> Answer:
        """The run of an address with the weights of a file as its first ones.

        Its layers are those of the file. Raises SpecError for a file that does not fit.
        """
        try:
            found = read_weights(file)
        except BadFile as error:
            raise SpecError("initial", "a file", str(error)) from None
        layers = [("layers", "-".join(map(str, found.layers)))] if found.layers else []
        dropped = {"initial", "step", "set", *(name for name, _ in layers)}
        kept = [pair for pair in address.of_spec(query.pairs) if pair[0] not in dropped]
        pairs = [*kept, *layers, ("initial", ",".join(map(repr, found.parameters)))]
        spec = address.read(pairs, self.limits).spec
        return as_json({"query": urlencode(address.run_pairs(spec), safe=address.PLAIN)})

    def code(self, query: Query) -> Answer:
        """The run as a program."""
        return Answer(self._program(query).encode(), TEXT)

    def notebook(self, query: Query) -> Answer:
        """The run as a program in the cells of a notebook."""
        text = notebook(self._program(query))
        return Answer(text.encode(), NOTEBOOK, headers=_file("train.ipynb"))

    def _program(self, query: Query) -> str:
        view = self.view(query)
        name = address.choice(query.pairs, "as", tuple(EXPORTS), next(iter(EXPORTS)))
        try:
            text = export(view.spec, name)
        except ExportError as error:
            raise SpecError("as", name, str(error)) from None
        head = "".join(BY_HAND.format(what=edits.words(view.spec, edit)) for edit in view.edits)
        return head + text

    def boundary(self, query: Query) -> Answer:
        """The decision boundary as PNG."""
        view = self.view(query)
        dark, flat = (address.switch(query.pairs, name) for name in ("dark", "flat"))
        tests = address.choice(query.pairs, "tests", ("0", "1"), "1") == "1"
        state = self._state(query, view)
        made = pictures.boundary_png(self._setup(view), state, dark, flat, tests)
        return Answer(made, "image/png", headers=PICTURE)

    def loss(self, query: Query) -> Answer:
        """The loss curve up to a step as SVG, with that of the run the page compares it with."""
        view = self.view(query)
        state = self._state(query, view, losses=True)
        test = [*state["test_losses"], state["test_loss"]] if view.spec.test_samples else []
        losses, penalties = [*state["losses"], state["loss"]], pictures.penalties(state)
        made = pictures.loss_svg(
            self._setup(view), losses, test, beside=self._compared(query, view), penalties=penalties
        )
        return Answer(made.encode(), SVG, headers=PICTURE)

    def _compared(self, query: Query, view: TrainView) -> list[Any]:
        """The losses of the pinned run, else of this one without its deliberate mistakes."""
        pin = address.text_of(query.pairs, "pin")
        other = TrainView(view.without_mistakes())
        if pin is not None:
            other = address.read(parse_qsl(pin, keep_blank_values=True), self.limits)
        if other.spec == view.spec and other.edits == view.edits:
            return []
        last = replace(other, step=other.spec.total_steps)
        found = self._state(query, last, losses=True)
        return [*found["losses"], found["loss"]]

    def network(self, query: Query) -> Answer:
        """The network with its weights as SVG."""
        view = self.view(query)
        made = pictures.network_svg(self._setup(view), self._state(query, view))
        return Answer(made.encode(), SVG, headers=PICTURE)

    def _setup(self, view: TrainView) -> dict[str, Any]:
        return state.setup(view.spec, view.edits, self.settings.limits)

    def _state(self, query: Query, view: TrainView, losses: bool = False) -> dict[str, Any]:
        with self.runs.hold(view.spec, view.edits, query.is_cancelled) as run:
            return state.state(run, view.step, losses)


def _fitted(pairs: Pairs) -> tuple[Pairs, dict[str, Any]]:
    """The pairs adjusted to the setting that `fit` names, and what was. Raises SpecError."""
    if address.text_of(pairs, "fit") is None:
        return pairs, {}
    before = address.choice(pairs, "was", ("", *DATASETS), "")
    found = fit_to(pairs, address.choice(pairs, "fit", CHANGES, ""), before)
    return found.pairs, {"fitted": found.controls, "fitted_says": found.says}


def as_json(found: dict[str, Any]) -> Answer:
    """Plain data as a JSON answer."""
    return Answer(computing.encode(found))


def _file(name: str) -> Mapping[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}


def refused(error: SpecError, stored: Mapping[str, str] = NO_CACHE, **more: Any) -> Response:
    """A SpecError as problem details."""
    members = {"field": error.field, "value": error.value, **more}
    return problem(422, "The address is refused.", error.message, stored, **members)
