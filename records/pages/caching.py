"""Pages that are made once for all who see the same: visitors without a session.

A view is decorated with the state that its page depends on, apart from its address, the language
and the release: ``@cached_page(of_archive)``. For other visitors, or without a state, the view is
called each time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.conf import settings
from django.db.models import BooleanField, ExpressionWrapper, Q
from django.http import HttpRequest, HttpResponse
from django.middleware.gzip import GZipMiddleware
from django.utils.translation import get_language

from records.models import Seat, Visibility
from records.privacy import revisions
from records.privacy.access import mark
from records.privacy.redaction import known_names
from records.serving import cache
from records.serving.cached_responses import respond
from records.serving.limits import expensive
from records.store import corrections
from records.studies import commenting

View = Callable[..., HttpResponse]
#: The state that a page depends on; None for a page that cannot be cached.
State = Callable[..., tuple[object, ...] | None]

#: Cookies that change a page.
_COOKIES: Final = ("spoilers",)
_compress: Final = GZipMiddleware(lambda request: HttpResponse())


def cached_page(
    state: State, *, for_all: bool = False, group: str = "page"
) -> Callable[[View], View]:
    """Decorator of a view: its page is cached as long as ``state(request, …)`` is the same.

    ``for_all``: visitors who are logged in see the same too, as the page shows nothing about them.
    ``group`` is that of `records.serving.limits` under which the page is made.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: Any, **given: Any) -> HttpResponse:
            is_same = for_all or is_common(request)
            version = version_for(request, state)
            found = state(request, *args, **given) if is_same else None
            if found is None:
                with expensive(request, group):
                    response = view(request, *args, **given)
                compressed: Any = _compress.process_response(request, response)
                return compressed
            cookies = [request.COOKIES.get(name, "") for name in _COOKIES]
            query = request.GET.urlencode()
            key = cache.key(view.__name__, request.path, query, get_language(), *cookies, *found)

            def make() -> HttpResponse:
                return view(request, *args, **given)

            return respond(request, key, make, version=version, group=group)

        return answer

    return decorate


def is_common(request: HttpRequest) -> bool:
    """Whether a page is the same for all such visitors: no session, no message to be shown."""
    cookies = request.COOKIES
    return (
        request.method in ("GET", "HEAD")
        and settings.SESSION_COOKIE_NAME not in cookies
        and "messages" not in cookies
    )


def version_for(request: HttpRequest, state: State) -> int | None:
    """The version of the archive, to be asked for before the state; None if that does not depend
    on it.
    """
    return None if state is of_release else revisions.at(request)


def of_release(request: HttpRequest, **given: Any) -> tuple[object, ...]:
    """The state of a page that changes with a release only."""
    return ()


def of_archive(request: HttpRequest, **given: Any) -> tuple[object, ...]:
    """The state of a page about all public games."""
    return (revisions.at(request),)


def of_record_and_archive(
    request: HttpRequest, key: str, **given: Any
) -> tuple[object, ...] | None:
    """The state of a page about one game and what all public games have in common with it."""
    record = of_record(request, key)
    return None if record is None else (*record, revisions.at(request))


def of_record_and_comments(
    request: HttpRequest, key: str, **given: Any
) -> tuple[object, ...] | None:
    """The state of a page about one game and what people said of it."""
    record = of_record(request, key)
    return None if record is None else (*record, *commenting.state_of(key))


def of_record_and_history(
    request: HttpRequest, key: str, **given: Any
) -> tuple[object, ...] | None:
    """The state of a page about one game, what people said of it, and how it was corrected."""
    record = of_record_and_comments(request, key)
    return None if record is None else (*record, corrections.state_of(key))


def of_record(request: HttpRequest, key: str, **given: Any) -> tuple[object, ...] | None:
    """The state of a page about one game; None for a game that not everybody may see.

    All pseudonyms belong to it: a game may name somebody who did not play in it. So does whether a
    player has games that a list shows: their name is a link then.
    """
    rows = Seat.objects.filter(record__key=key).order_by("number")
    found = list(
        rows.values_list(
            *("record__visibility", "record__changed", "name"),
            ExpressionWrapper(Q(player__games__gt=0), output_field=BooleanField()),
        )
    )
    if not found or found[0][0] < Visibility.UNLISTED:
        return None
    mark(request, found[0][0])
    names = sorted(known_names().items())
    return (found[0][0], found[0][1].timestamp(), names, *(row[2:] for row in found))
