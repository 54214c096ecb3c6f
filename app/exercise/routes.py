"""The routes of exercises."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from fastapi import Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.exceptions import HTTPException

from app import packed_text, program_address
from app.exercise import address, making, sets
from app.exercise.address import ExerciseQuery, of_generated, whole
from app.exercise.checking import checked
from app.exercise.class_table import COLUMNS
from app.exercise.page import ExercisePage, HideOption, exercise_page, levels
from app.exercise.sheet import sheet
from app.exercise.signing import Key, key_of
from app.exercise.subjects import Subjects
from app.exercise.turn import taken
from app.picture import layout
from app.serving.bodies import form_pairs
from app.serving.compression import packed
from app.serving.headers import NO_CACHE, NO_STORE
from app.serving.programs import ProgramThreads
from app.serving.thread_pools import BusyError
from app.site import Site
from engine.exercise.exercise import ExerciseError, TooMany
from engine.exercise.generator import MOST_SEED, fresh
from engine.program import ProgramError

MOST_FIELDS = 200
NO_TOKEN = (
    "The answers need the teacher's link. Whoever makes a set of exercises has it: /exercise/new."
)
CLOSED = "Paper of these exercises needs the teacher's link."
NO_SET = (
    "The address names no set of exercises. Ask for the whole link, or make one: /exercise/new."
)
FOREIGN = "This teacher's link is damaged, or of another server."
TOO_LONG = "The layout takes too long. Choose another program, or add &grouped=1 to the address."


def add_exercise(site: Site) -> None:
    """Register /exercise and the pages below it."""
    Exercises(site).register()


class Exercises:
    """The endpoints; what they keep is the key and the traces."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.key: Key = key_of(site.settings)
        site.app.state.exercise_key = self.key
        self.subjects = Subjects(site.settings)
        self.threads = ProgramThreads(site.pools, site.settings)

    def register(self) -> None:
        """Add the routes."""
        for path, endpoint, methods in (
            (address.PATH, self.page, ["GET", "POST"]),
            (address.SHEET, self.paper(with_answers=False), ["GET"]),
            (address.KEY, self.paper(with_answers=True), ["GET"]),
            (address.RENEWED, self.renewed, ["GET"]),
            (address.NEW, self.new, ["GET", "POST"]),
            (sets.SET, self.set, ["GET"]),
        ):
            self.site.app.add_route(path, endpoint, methods=methods, include_in_schema=False)

    async def page(self, request: Request) -> Response:
        """An exercise, begun or after an answer."""
        asked = _asked(request)
        form: dict[str, str] | None = None
        if request.method == "POST":
            pairs = await form_pairs(request, MOST_FIELDS)
            form = dict(pairs)
            if form.get("act") == "choose":
                chosen = tuple(_number(text) for name, text in pairs if name == "number")
                return RedirectResponse(_choosing(asked, chosen).href, 303, NO_STORE)
        return await self.threads.run(self._page, request, asked, form)

    def _page(
        self, request: Request, asked: ExerciseQuery, form: Mapping[str, str] | None
    ) -> Response:
        try:
            exercise = self.subjects.exercise(asked)
            placement = self.subjects.placement(exercise.trace, asked.view)
        except REFUSED as error:
            return self._refused(request, asked, error)
        run, happened = taken(asked, exercise, form, self.key, int(time.time()))
        view = exercise_page(asked, exercise, placement, run, happened)
        view = replace(view, token=run.token(self.key), is_made=self.key.is_made)
        return self._answer(request, "exercise.html", {"view": view}, NO_STORE)

    def paper(self, with_answers: bool) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint of the sheet, or of its key."""

        def made(request: Request, asked: ExerciseQuery) -> Response:
            self._allow(asked, request.query_params.get("teacher", ""), with_answers)
            try:
                exercise = self.subjects.exercise(asked)
                placement = self.subjects.placement(exercise.trace, asked.view)
            except REFUSED as error:
                return self._refused(request, asked, error)
            found = sheet(asked, exercise, placement, with_answers)
            return self._answer(request, "exercise_sheet.html", {"sheet": found}, NO_CACHE)

        async def endpoint(request: Request) -> Response:
            return await self.threads.run(made, request, _asked(request))

        return endpoint

    def _allow(self, asked: ExerciseQuery, token: str, with_answers: bool) -> None:
        """Refuse answers without the teacher's link, and paper of a closed set."""
        place = sets.place_of(asked)
        if place and sets.is_teachers(place.set, token, self.key):
            return
        if with_answers:
            raise HTTPException(403, NO_TOKEN)
        if place and place.set.is_closed:
            raise HTTPException(403, CLOSED)

    async def set(self, request: Request) -> Response:
        """The first page of a set; with the teacher's link, its exercises with their answers."""
        return await self.threads.run(self._set, request)

    def _set(self, request: Request) -> Response:
        found = sets.read_set(request.url.query)
        try:
            exercises = [*found.exercises()] if found else []
        except packed_text.Damaged:
            exercises = []
        if not found or not exercises:
            raise HTTPException(422, NO_SET)
        token = request.query_params.get("teacher", "")
        if token and not sets.is_teachers(found, token, self.key):
            raise HTTPException(403, FOREIGN)
        names = sets.names_of("\n".join(request.query_params.getlist("name")))
        context = {
            "set": found,
            "exercises": [making.described(self.subjects, asked) for asked in exercises],
            "token": token,
            "names": names,
            "pupils": making.links(found, names) if token else (),
            "origin": str(request.base_url).rstrip("/"),
            "sheet": address.SHEET,
            "key": address.KEY,
            "check": address.CHECK,
            "is_made": self.key.is_made,
        }
        return self._answer(request, "exercise_set.html", context, NO_STORE)

    async def renewed(self, request: Request) -> Response:
        """The address of the same exercise with other numbers."""
        asked = _asked(request)
        try:
            leaves = await self.threads.run(self._renewed, request, asked)
        except REFUSED as error:
            return self._refused(request, asked, error)
        other = replace(asked, view=replace(asked.view, leaves=leaves))
        return RedirectResponse(other.href, 303, NO_CACHE)

    def _renewed(self, request: Request, asked: ExerciseQuery) -> dict[str, float]:
        return self.subjects.renewed(asked)

    async def new(self, request: Request) -> Response:
        """The choice of a fresh exercise; posted, a set of exercises for a class."""
        if request.method == "POST":
            form = dict(await form_pairs(request, MOST_FIELDS))
            return await self.threads.run(self._made, request, form)
        return await self.threads.run(self._new, request, {}, "")

    def _made(self, request: Request, form: Mapping[str, str]) -> Response:
        """To the teacher's page of a new set; back to the form with what is wrong with it."""
        wish = making.read_form(form)
        notice = making.refusal(wish, self.subjects)
        if notice:
            return self._new(request, form, notice)
        found = sets.made(wish.title, wish.items, wish.is_closed)
        return RedirectResponse(sets.teacher_href(found, wish.names, self.key), 303, NO_STORE)

    def _new(self, request: Request, form: Mapping[str, str], notice: str) -> Response:
        query = request.query_params
        difficulty = whole(query.get("difficulty", "")) or 2
        difficulty = min(max(difficulty, 1), len(levels()))
        seed = whole(query.get("seed", ""))
        found = None if seed is None else of_generated(difficulty, min(seed, MOST_SEED))
        context = {
            "levels": levels(),
            "difficulty": difficulty,
            "seed": seed,
            "found": found,
            "program": fresh(difficulty, seed or 0).program,
            "sheet": address.SHEET,
            "form": {**making.EMPTY_FORM, **(form or {"closed": "on"})},
            "notice": notice,
            "check": address.CHECK,
        }
        return self._answer(request, "exercise_new.html", context, NO_CACHE)

    def _refused(self, request: Request, asked: ExerciseQuery, error: Exception) -> Response:
        if isinstance(error, layout.LayoutBusy):
            raise BusyError(self.threads.kind, "Other graphs are being laid out.")
        message = str(error)
        if isinstance(error, ProgramError):
            message = f"Line {error.line}: {error.sentences}"
        elif isinstance(error, layout.LayoutError):
            message = TOO_LONG
        view = ExercisePage(
            href=asked.href,
            title="No exercise",
            message=message,
            explore=f"/?{asked.view.query()}",
            program=asked.view.program or "",
        )
        if isinstance(error, TooMany):
            numbers = self.subjects.choices(asked)
            choices = [HideOption(value, words, False) for value, words in numbers]
            view = replace(view, title="Choose the numbers", choices=choices)
        status = 200 if isinstance(error, ExerciseError) else 422
        return self._answer(request, "exercise.html", {"view": view}, NO_STORE, status)

    def _answer(
        self,
        request: Request,
        template: str,
        context: Mapping[str, object],
        caching: Mapping[str, str],
        status: int = 200,
    ) -> Response:
        text = self.site.renderer.page(template, {"page": "learn", **context})
        body, headers = packed(request, text.encode())
        return HTMLResponse(body, status, {**headers, **caching})


REFUSED = (ExerciseError, ProgramError, layout.LayoutError, layout.LayoutBusy)


def add_check(site: Site) -> None:
    """Register the page on which results are checked, after that of exercises, whose key it has."""
    key: Key = site.app.state.exercise_key
    threads = ProgramThreads(site.pools, site.settings)

    async def page(request: Request) -> Response:
        form = dict(await form_pairs(request, 10)) if request.method == "POST" else {}
        return await threads.run(answer, request, form)

    def answer(request: Request, form: Mapping[str, str]) -> Response:
        context = {"page": "learn", "found": checked(form, key), "columns": COLUMNS}
        text = site.renderer.page("exercise_results.html", context)
        return HTMLResponse(text, 200, NO_STORE)

    site.app.add_route(address.CHECK, page, methods=["GET", "POST"], include_in_schema=False)


def _asked(request: Request) -> ExerciseQuery:
    """The exercise of a query; refused if a name is given twice, or the program is damaged."""
    pairs = request.query_params.multi_items()
    if name := program_address.twice(pairs):
        raise HTTPException(422, f"“{name[:64]}” is given twice in the address; give it once.")
    try:
        return address.read(pairs)
    except packed_text.Damaged as error:
        raise HTTPException(422, str(error)) from None


def _number(text: str) -> tuple[str, str]:
    name, _, kind = text.rpartition(".")
    return name, kind


def _choosing(asked: ExerciseQuery, chosen: tuple[tuple[str, str], ...]) -> ExerciseQuery:
    """The exercise with the chosen numbers hidden; with none chosen, all gradients."""
    if not chosen:
        return asked.with_task(hide="gradients", chosen=())
    return asked.with_task(hide="", chosen=chosen)
