"""Maximum size of a request body, by address; small by default.

A view that accepts more declares it: ``body_limit = Limit(...)`` in a class, ``@takes(Limit(...))``
on a function. The web server checks before it reads a body, `hanaarchive.http.bodies` before any
view.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from django.urls import Resolver404, resolve

#: For forms and JSON of a few words.
SMALL_BYTES: Final = 64 << 10
#: What a form of many files has in addition to their bytes: names, boundaries, the token.
FORM_BYTES: Final = 1 << 20

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Limit:
    """A maximum in bytes, and ``more`` for the overhead of a form.

    ``is_part``: the beginning of a body is useful too, so a longer one is cut off, and one whose
    sender disconnects is passed on as it is.
    """

    most: Callable[[], int]
    more: int = 0
    is_part: bool = False

    @property
    def bytes(self) -> int:
        """The maximum of the whole body."""
        return self.most() + self.more


SMALL: Final = Limit(lambda: SMALL_BYTES)


def takes(limit: Limit) -> Callable[[View], View]:
    """Decorator that sets the limit of a view function."""

    def mark(view: View) -> View:
        view.body_limit = limit  # type: ignore[attr-defined]
        return view

    return mark


def limit_of(path: str) -> Limit:
    """The limit of an address: ``limit_of("/api/v1/uploads")``. `SMALL` for an unknown one."""
    try:
        view = resolve(path).func
    except Resolver404:
        return SMALL
    kind = getattr(view, "view_class", None) or getattr(view, "cls", None) or view
    limit: Limit = getattr(kind, "body_limit", SMALL)
    return limit
