"""Maximum size of a request body by address; small by default.

A view that accepts more declares it: ``body_limit = Limit(...)`` in a class, ``@takes(Limit(...))``
on a function. `hanaarchive.http.refusals` checks before the view runs; the web server has buffered
the body then, up to the largest limit of any address, in a file if it is large.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

#: The limit of short forms and short JSON.
SMALL_BYTES: Final = 64 << 10
#: Overhead of a form with many files: names, boundaries, CSRF token.
FORM_BYTES: Final = 1 << 20

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Limit:
    """A maximum in bytes. ``more`` is the overhead of a form."""

    most: Callable[[], int]
    more: int = 0

    @property
    def bytes(self) -> int:
        """The maximum size of the whole body."""
        return self.most() + self.more


SMALL: Final = Limit(lambda: SMALL_BYTES)


def takes(limit: Limit) -> Callable[[View], View]:
    """Set the limit of a view function (decorator)."""

    def mark(view: View) -> View:
        view.body_limit = limit  # type: ignore[attr-defined]
        return view

    return mark


def limit_of(view: Callable[..., Any]) -> Limit:
    """Return the limit that a resolved view declares, by default `SMALL`."""
    kind = getattr(view, "view_class", None) or getattr(view, "cls", None) or view
    limit: Limit = getattr(kind, "body_limit", SMALL)
    return limit
