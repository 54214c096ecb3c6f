"""The front page: a graph that answers a drag, a boundary that bends, and three ways on.

It answers `/` without a query; with one, `/` is Explore, as links have always had it.
"""

from __future__ import annotations

from fastapi import Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route

from app.caches import cached
from app.explore.runs import ProgramRuns
from app.front import graph
from app.front.bend import bend
from app.learn import course
from app.program_address import View
from app.serving.compression import packed
from app.serving.headers import NO_CACHE, Scope
from app.serving.programs import ProgramThreads
from app.site import Site

NUMBERS = "/front"


class WithoutQuery(Route):
    """A route that only addresses without a query match."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """No match for an address with a query."""
        if scope.get("query_string") or scope.get("method") not in ("GET", "HEAD"):
            return Match.NONE, {}
        return super().matches(scope)


def add_front(site: Site) -> None:
    """Register `/` for addresses without a query, and the numbers of its graph."""
    runs = ProgramRuns(site.settings)
    threads = ProgramThreads(site.pools, site.settings)

    @cached("front page")
    def page() -> str:
        lessons = course.lessons()
        context = {
            "page": "home",
            "graph": View(graph.PROGRAM, lenses={"edges": "contributions"}).query(),
            "numbers": graph.answer(runs, graph.LEAVES),
            "slider": (graph.LEAST, graph.MOST, graph.STEP),
            "leaves": graph.LEAVES,
            "bend": bend(),
            "lessons": len(lessons),
            "hours": round(sum(lesson.minutes for lesson in lessons.values()) / 60),
            "first": next(iter(lessons.values())),
        }
        return site.renderer.page("front.html", context)

    async def front(request: Request) -> Response:
        text = await threads.run(lambda _: page(), request)
        body, headers = packed(request, text.encode())
        return HTMLResponse(body, 200, {**NO_CACHE, **headers})

    async def numbers(request: Request) -> Response:
        found = await threads.run(lambda asked: _numbers(runs, asked), request)
        return JSONResponse(found.to_json(), 200, NO_CACHE)

    site.app.router.routes.append(
        WithoutQuery("/", front, methods=["GET"], include_in_schema=False)
    )
    site.app.add_route(NUMBERS, numbers, methods=["GET"], include_in_schema=False)


def _numbers(runs: ProgramRuns, request: Request) -> graph.GraphAnswer:
    query = request.query_params
    leaves = {name: _number(query.get(name, "")) for name in graph.LEAVES}
    moved = query.get("moved", "")
    if moved and moved not in leaves:
        raise HTTPException(422, "The leaves are a and b.")
    return graph.answer(runs, leaves, moved, _number(query.get("was", "")) if moved else 0.0)


def _number(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = graph.MOST + 1
    if not graph.is_on_slider(found):
        raise HTTPException(422, f"Numbers are from {graph.LEAST:g} to {graph.MOST:g}.")
    return found
