"""How large the body of a request may be: bounded by its address, small where nothing is said.

A view that takes more says so: ``body_limit = Limit(...)`` in a class, ``@takes(Limit(...))``
before a function. The web server asks before it reads a body, `hanaarchive.http.bodies` before any
view does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from django.urls import Resolver404, resolve

#: For forms and JSON, which are a few words.
SMALL_BYTES: Final = 64 << 10
#: What a form of many files has beside their bytes: names, boundaries, the token.
FORM_BYTES: Final = 1 << 20

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Limit:
    """So many bytes, and ``more`` for what is around them in a form.

    ``is_part``: the beginning of a body is of use too, so that a longer one is cut off, and one
    whose sender is gone is passed on as it is.
    """

    most: Callable[[], int]
    more: int = 0
    is_part: bool = False

    @property
    def bytes(self) -> int:
        """Of the body as a whole."""
        return self.most() + self.more


SMALL: Final = Limit(lambda: SMALL_BYTES)


def takes(limit: Limit) -> Callable[[View], View]:
    """Decorator of a view that is a function."""

    def mark(view: View) -> View:
        view.body_limit = limit  # type: ignore[attr-defined]
        return view

    return mark


def limit_of(path: str) -> Limit:
    """The limit of an address: ``limit_of("/api/v1/uploads")``. `SMALL` for one that is none."""
    try:
        view = resolve(path).func
    except Resolver404:
        return SMALL
    kind = getattr(view, "view_class", None) or getattr(view, "cls", None) or view
    limit: Limit = getattr(kind, "body_limit", SMALL)
    return limit
