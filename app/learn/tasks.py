"""Tasks with a program to write: a class to fix, a pass by hand, a piece of the engine.

A set of tasks is a page that lists them, and a page for each: what is to be done, the program in a
field, and the reply below it. The forms carry everything, so that nothing needs scripts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from fastapi import Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup, escape
from starlette.exceptions import HTTPException

from app.explore.words import table
from app.learn.hints import HINTS, hints_shown
from app.learn.text import inline, rendered
from app.program_address import View
from app.serving.bodies import form_pairs
from app.serving.compression import packed
from app.serving.headers import NO_CACHE, NO_STORE
from app.serving.programs import ProgramThreads
from app.site import Site

MOST_LETTERS = 20_000
"""Of a program that is sent; the longest of ours has 5,000."""
MOST_FIELDS = 10
TOO_LONG = f"The program is longer than {MOST_LETTERS:,} letters; shorten it."
FILE = {**NO_STORE, "content-disposition": 'attachment; filename="engine.py"'}
NOTHING = Markup()


class TaskAct(NamedTuple):
    """A button of a form: what it sends, its words, and what it does where they do not say it."""

    value: str
    words: str
    title: str = ""
    opens: bool = False
    """Whether the answer is a page of its own."""
    in_place: bool = True
    """Whether the answer is the reply below the form alone, not the page with another program."""


CHECK = TaskAct("check", "Check")
HINT, SHOW = TaskAct("hint", "Hint"), TaskAct("show", "Show me")
DEBUGGER, DOWNLOAD, START = "debugger", "download", "start"


class LineVerdict(NamedTuple):
    """What is said of one line: whether it is right, not yet written, or why not."""

    name: str
    state: str
    says: str
    is_right: bool = False


class TaskReply(NamedTuple):
    """The reply to a form: `outcome` is right, not-yet, shown or hint; `lead` stands in bold.

    `lines` and `picture` are the smallest program that fails and the address of its graph, `then`
    is the task that comes next, `done` the one that has passed. `text` replaces the program that
    was sent; `more` is for the template of the set.
    """

    outcome: str
    lead: str = ""
    says: Markup = NOTHING
    hints: Sequence[tuple[str, Markup]] = ()
    lines: str = ""
    picture: str = ""
    verdicts: Sequence[LineVerdict] = ()
    then: str = ""
    done: str = ""
    text: str | None = None
    more: object = None


class CourseTask(NamedTuple):
    """A task: `aside` is said of it in the list, `intro` above its form, `label` of its field."""

    slug: str
    title: str
    aside: Markup
    intro: Markup
    label: str
    acts: Sequence[TaskAct] = (CHECK, HINT, SHOW)


class FormSent(NamedTuple):
    """What was sent: the act, the program, and how many hints are shown."""

    act: str
    text: str
    hints: int


class TaskSet(NamedTuple):
    """Tasks of a kind. `reply` judges what was sent; `begin` is the text that a task begins with,
    given what was there; `template` shows what a reply has `more`."""

    path: str
    name: str
    heading: str
    description: str
    intro: Markup
    tasks: Mapping[str, CourseTask]
    reply: Callable[[str, FormSent], TaskReply]
    begin: Callable[[str, str], str]
    template: str = ""
    is_kept: bool = False
    """Whether the program is one for all tasks, which the browser keeps."""


def hints_of(hints: Sequence[str], sent: FormSent) -> Sequence[tuple[str, Markup]]:
    """The hints that are shown, with their titles; asking for one shows the next."""
    shown = hints[: sent.hints + (sent.act == HINT.value)]
    return list(zip(HINTS, map(prose, shown), strict=False))


def prose(text: str) -> Markup:
    """Markdown of a task as HTML; it has no numbers to compute, but a reader's text may look so."""
    return rendered(text, escape, {})


def line(text: str) -> Markup:
    """A line of Markdown as HTML."""
    return inline(text, escape, {})


def add_tasks(site: Site, tasks: TaskSet) -> None:
    """Register the list of a set, and the page and the judgement of each task."""
    threads = ProgramThreads(site.pools, site.settings)

    def page(
        request: Request, task: CourseTask | None, text: str, reply: TaskReply | None
    ) -> Response:
        context = {"page": "learn", "set": tasks, "task": task, "text": text, "reply": reply}
        context["words"] = table().address
        body, headers = packed(request, site.renderer.page("task.html", context).encode())
        return HTMLResponse(body, 200, {**headers, **(NO_STORE if reply else NO_CACHE)})

    def chosen(request: Request) -> CourseTask:
        slug = str(request.path_params["task"])
        if slug not in tasks.tasks:
            raise HTTPException(404, f"There is no such task. {tasks.path} has them all.")
        return tasks.tasks[slug]

    async def overview(request: Request) -> Response:
        return page(request, None, "", None)

    async def begin(request: Request) -> Response:
        task = chosen(request)
        text = await threads.run(lambda _: tasks.begin(task.slug, ""), request)
        return page(request, task, text, None)

    async def act(request: Request) -> Response:
        task, form = chosen(request), dict(await form_pairs(request, MOST_FIELDS))
        text = form.get("program", "").replace("\r\n", "\n")
        sent = FormSent(form.get("act", "check"), text, hints_shown(form.get("hints", "")))
        is_fragment = request.headers.get("hx-request") == "true"
        if sent.act == DEBUGGER:
            return RedirectResponse(f"/?{View(text).query()}", 303, NO_STORE)
        if sent.act == DOWNLOAD:
            return Response(text, 200, FILE, "text/x-python; charset=utf-8")
        if sent.act == START:
            begun = await threads.run(lambda _: tasks.begin(task.slug, text), request)
            if is_fragment:
                return Response(begun, 200, NO_STORE, "text/plain; charset=utf-8")
            return page(request, task, begun, None)
        reply = await threads.run(lambda _: _reply(tasks, task, sent), request)
        if is_fragment:
            context = {"set": tasks, "task": task, "reply": reply}
            return HTMLResponse(
                site.renderer.fragment("task.html", "reply", context), 200, NO_STORE
            )
        return page(request, task, text if reply.text is None else reply.text, reply)

    for path, endpoint, method in (
        (tasks.path, overview, "GET"),
        (f"{tasks.path}/{{task}}", begin, "GET"),
        (f"{tasks.path}/{{task}}", act, "POST"),
    ):
        site.app.add_route(path, endpoint, methods=[method], include_in_schema=False)


def _reply(tasks: TaskSet, task: CourseTask, sent: FormSent) -> TaskReply:
    if len(sent.text) > MOST_LETTERS:
        return TaskReply("not-yet", "Not yet.", prose(TOO_LONG))
    return tasks.reply(task.slug, sent)
