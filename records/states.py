"""What cached responses depend on, apart from their address, the language and the release.

Each function is a `records.serving.cached_responses.State`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from django.core.cache import caches
from django.db.models import BooleanField, ExpressionWrapper, Q
from django.http import HttpRequest

from records.models import Seat, Visibility
from records.privacy import revisions
from records.privacy.access import mark
from records.privacy.redaction import all_pseudonyms
from records.search import corrections
from records.services import comments
from records.serving.cached_responses import key_of


def of_release(request: HttpRequest, **given: Any) -> tuple[object, ...]:
    """Return the state of a response that changes with a release only."""
    return ()


def of_archive(request: HttpRequest, **given: Any) -> tuple[object, ...]:
    """Return the state of a response about all public games."""
    return (revisions.at(request),)


def of_record(request: HttpRequest, key: str, **given: Any) -> tuple[object, ...] | None:
    """Return the state of a response about one game; None unless everybody may see the game."""
    return _while_unchanged(request, key, _of_record)


def of_record_and_archive(
    request: HttpRequest, key: str, **given: Any
) -> tuple[object, ...] | None:
    """Return the state of a response about one game and what all public games share with it."""
    record = of_record(request, key)
    return None if record is None else (*record, revisions.at(request))


def of_record_and_comments(
    request: HttpRequest, key: str, **given: Any
) -> tuple[object, ...] | None:
    """Return the state of a response about one game and what people said of it."""
    return _while_unchanged(request, key, _of_record, comments.state_of)


def of_record_and_history(
    request: HttpRequest, key: str, **given: Any
) -> tuple[object, ...] | None:
    """Return the state of a response about one game, its comments and its corrections."""
    return _while_unchanged(request, key, _of_record, comments.state_of, corrections.state_of)


def _while_unchanged(
    request: HttpRequest, key: str, *states: Callable[[str], tuple[Any, ...] | None]
) -> tuple[object, ...] | None:
    """Return all states of a game, looked up once for each version of the archive.

    None unless everybody may see the game. The first state begins with its visibility.
    """
    cache = caches["responses"]
    names = "-".join(state.__module__ + state.__name__ for state in states)
    name = key_of("state", key, names, revisions.at(request))
    found = cache.get(name)
    if found is None:
        parts = [state(key) for state in states]
        if parts[0] is None or parts[0][0] < Visibility.UNLISTED:
            return None
        found = [parts[0][0], hashlib.sha256(repr(parts).encode()).hexdigest()]
        cache.set(name, found)
    mark(request, found[0])
    return tuple(found)


def _of_record(key: str) -> tuple[Any, ...] | None:
    """Return what a page of a game depends on, its visibility first; None for no game.

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
    if not found:
        return None
    names = sorted(all_pseudonyms().items())
    return (int(found[0][0]), found[0][1].timestamp(), names, *(row[2:] for row in found))
