"""The objects shared by all pages."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import FastAPI

from app.serving.rendering import Renderer
from app.serving.thread_pools import ThreadPools
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class Site:
    """One application: its routes, settings, templates and thread pools."""

    app: FastAPI
    settings: Settings
    renderer: Renderer
    pools: ThreadPools
