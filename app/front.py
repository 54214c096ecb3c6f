"""The front page: what this is, one live graph, and three ways on.

It answers `/` without a query; with one, `/` is Explore, as links have always had it.
"""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import Request, Response
from fastapi.responses import HTMLResponse
from starlette.routing import Match, Route

from app.caches import cached
from app.learn import course
from app.program_address import View
from app.serving.compression import packed
from app.serving.headers import LESSON_POLICY, NO_CACHE, Scope
from app.site import Site

GRAPH = View("a = 2.0\nb = 3.0\ne = a*b + b**2", lenses={"edges": "contributions"})
"""The live graph: a Value that is used twice, at the end of both passes."""
HEADERS: Mapping[str, str] = {**NO_CACHE, "content-security-policy": LESSON_POLICY}


class WithoutQuery(Route):
    """A route that only addresses without a query match."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """No match for an address with a query."""
        if scope.get("query_string") or scope.get("method") not in ("GET", "HEAD"):
            return Match.NONE, {}
        return super().matches(scope)


def add_front(site: Site) -> None:
    """Register `/` for addresses without a query."""

    @cached("front page")
    def page() -> str:
        lessons = course.lessons()
        minutes = sum(lesson.minutes for lesson in lessons.values())
        context = {
            "page": "home",
            "graph": GRAPH.query(),
            "lessons": len(lessons),
            "hours": round(minutes / 60),
            "first": next(iter(lessons.values())),
        }
        return site.renderer.page("front.html", context)

    async def front(request: Request) -> Response:
        body, headers = packed(request, page().encode())
        return HTMLResponse(body, 200, {**HEADERS, **headers})

    site.app.router.routes.append(
        WithoutQuery("/", front, methods=["GET"], include_in_schema=False)
    )
