"""The table of pages. Navigation, routes, caching and the tests of all pages read it.

To add a page, add one entry; its module registers the page's own address and those below it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from app.api.docs import add_docs
from app.exercise.routes import add_check, add_exercise
from app.explore.routes import add_explore
from app.from_python import add_from_python
from app.front.routes import add_front
from app.learn.routes import add_learn
from app.reference import add_reference
from app.site import Site
from app.teach import add_teach
from app.train.routes import add_train


class Page(NamedTuple):
    """One page: its name in templates, title, path, and the function that registers its routes.

    `listed` pages are in the navigation, on phones by their `short` title if they have one. A page
    is `cacheable` if it is a pure function of its address within one version of the server. The
    first screen of a `tool` is calm: its navigation leaves out the pages that are `beside`.
    """

    name: str
    title: str
    path: str
    add: Callable[[Site], None]
    listed: bool = True
    cacheable: bool = True
    short: str = ""
    tool: bool = False
    beside: bool = False


PAGES = (
    Page("home", "Front page", "/", add_front, listed=False),
    Page("learn", "Learn", "/learn", add_learn),
    Page("explore", "Explore", "/explore", add_explore, tool=True),
    Page("train", "Train", "/train", add_train, tool=True),
    Page(
        "from_python", "From Python", "/from-python", add_from_python, short="Python", beside=True
    ),
    Page("reference", "Reference", "/reference", add_reference, cacheable=False),  # shows settings
    Page("teach", "For teachers", "/teach", add_teach, listed=False),
    Page("exercise", "Exercise", "/exercise", add_exercise, listed=False, cacheable=False),
    Page(
        "results",
        "Check results",
        "/exercise/check-result",
        add_check,
        listed=False,
        cacheable=False,  # its notice depends on the server's key
    ),
    Page("docs", "JSON interface", "/docs", add_docs, listed=False),
)
