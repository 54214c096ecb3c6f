"""The routes below /export: the graph of a view as a file."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fastapi import FastAPI, Request, Response
from fastapi.responses import PlainTextResponse

from app import program_address
from app.explore.explorer import Explorer
from app.explore.exports import EXPORTS, Export
from app.explore.layout_queue import LayoutQueue
from app.picture import layout
from app.picture.png import TooLarge
from app.serving.compression import packed
from app.serving.headers import NO_CACHE, NO_STORE
from engine.graph_export.graph import NothingToExport
from engine.program import ProgramError, UnknownLeaf

PATHS = {f"/export/{name}": entry for name, entry in EXPORTS.items()}
FILE_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"
"""For a file that is to be saved: opened from the server, it runs nothing."""
NO_PROGRAM = "Give a program: /export/{name}?program=L+%3D+2*3\n"

ReadView = Callable[[Request], Awaitable[program_address.View]]


def add_exports(app: FastAPI, explorer: Explorer, large: LayoutQueue, view: ReadView) -> None:
    """Add a route for each export; each takes a view from the query or a form."""
    for path, entry in PATHS.items():
        endpoint = _endpoint(entry, explorer, large, view)
        app.add_route(path, endpoint, methods=["GET", "POST"], include_in_schema=False)


def _endpoint(
    entry: Export, explorer: Explorer, large: LayoutQueue, view: ReadView
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        return await large.run(_answer, request, entry, explorer, await view(request))

    return endpoint


def _answer(
    request: Request, entry: Export, explorer: Explorer, view: program_address.View
) -> Response:
    if view.program is None:
        return PlainTextResponse(NO_PROGRAM.format(name=entry.name), 422)
    if view.unread:
        return PlainTextResponse(f"{view.unread[0][:64]}: give a number.\n", 422)
    try:
        body = entry.make(explorer, view)
    except ProgramError as error:
        place = f"{error.line}:{error.column}: "
        return PlainTextResponse(f"{place}{error.sentences}\n", 422)
    except (NothingToExport, TooLarge, UnknownLeaf) as error:
        return PlainTextResponse(f"{error}\n", 422)
    except layout.LayoutError:
        message = "The layout takes too long; add &grouped=1 to the address.\n"
        return PlainTextResponse(message, 422, NO_STORE)
    data, headers = packed(request, body)
    headers |= {
        **NO_CACHE,
        "content-disposition": f'attachment; filename="{entry.file_name}"',
        "content-security-policy": FILE_POLICY,
    }
    return Response(data, 200, headers, media_type=entry.media_type)
