"""The routes of pages made of Explore's picture: for an iframe, and for print."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse

from app import program_address
from app.explore import embedding, printing
from app.explore.explorer import Explorer, HtmlAnswer
from app.explore.layout_queue import LayoutQueue
from app.serving.compression import packed
from app.serving.headers import NO_CACHE, NO_STORE

ReadPairs = Callable[[list[tuple[str, str]]], program_address.View]


class _Asked(NamedTuple):
    view: program_address.View
    frames: str


def add_handouts(app: FastAPI, explorer: Explorer, large: LayoutQueue, read: ReadPairs) -> None:
    """Add `/embed` and `/print`; each takes a view from the query."""

    def answer(request: Request, shown: HtmlAnswer) -> Response:
        body, headers = packed(request, shown.text.encode())
        headers |= NO_CACHE if shown.cacheable else NO_STORE
        return HTMLResponse(body, shown.status, headers)

    def embed(request: Request, asked: _Asked) -> Response:
        answered = answer(request, embedding.embed_page(explorer, asked.view))
        answered.headers.update(embedding.HEADERS)
        return answered

    def sheets(request: Request, asked: _Asked) -> Response:
        return answer(request, printing.print_page(explorer, asked.view, asked.frames))

    async def get_embed(request: Request) -> Response:
        return await large.run(embed, request, _asked(request, read))

    async def get_sheets(request: Request) -> Response:
        return await large.run(sheets, request, _asked(request, read))

    app.add_route(embedding.PATH, get_embed, methods=["GET"], include_in_schema=False)
    app.add_route(printing.PATH, get_sheets, methods=["GET"], include_in_schema=False)


def _asked(request: Request, read: ReadPairs) -> _Asked:
    """The view of a query, and its frames, whose text may be a number as that of a leaf."""
    pairs = request.query_params.multi_items()
    frames = dict(pairs).get(printing.PARAMETER, "")
    return _Asked(read([pair for pair in pairs if pair[0] != printing.PARAMETER]), frames)
