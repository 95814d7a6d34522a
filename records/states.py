"""States of cached responses: the values on which a response depends.

The address, the language and the release are part of every cache key and not repeated here. Each
function is a `records.serving.cached_responses.State`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from django.core.cache import caches
from django.db.models import BooleanField, ExpressionWrapper, Q
from django.http import HttpRequest

from records.ingest import copies
from records.models import Seat, Visibility
from records.privacy import revisions
from records.privacy.access import mark
from records.privacy.redaction import all_pseudonyms
from records.search import corrections
from records.services import comments, studies
from records.serving.cached_responses import key_of


def of_release(request: HttpRequest, **kwargs: Any) -> tuple[object, ...]:
    """Return the state of a response without other dependencies than the release."""
    return ()


def of_archive(request: HttpRequest, **kwargs: Any) -> tuple[object, ...]:
    """Return the state of a response about all public games."""
    return (revisions.at(request),)


def of_record(request: HttpRequest, key: str, **kwargs: Any) -> tuple[object, ...] | None:
    """Return the state of a response about a game; None unless the game is open to everybody."""
    return _combined_state(request, key, _of_record)


def of_record_and_archive(
    request: HttpRequest, key: str, **kwargs: Any
) -> tuple[object, ...] | None:
    """Return the state of a response about a game in comparison with all public games."""
    record = of_record(request, key)
    return None if record is None else (*record, revisions.at(request))


def of_record_and_comments(
    request: HttpRequest, key: str, **kwargs: Any
) -> tuple[object, ...] | None:
    """Return the state of a response about a game and the comments on it."""
    return _combined_state(request, key, _of_record, comments.state_of)


def of_record_and_history(
    request: HttpRequest, key: str, **kwargs: Any
) -> tuple[object, ...] | None:
    """Return the state of a response about a game, comments, corrections and copies."""
    return _combined_state(
        request, key, _of_record, comments.state_of, corrections.state_of, copies.state_of
    )


def of_study(request: HttpRequest, key: str) -> tuple[object, ...] | None:
    """Return the state of a response about a study; None unless the study is open to everybody."""
    state = studies.state_of(key)
    if state is None:
        return None
    mark(request, state[0])
    return (*state, revisions.at(request))


def _combined_state(
    request: HttpRequest, key: str, *readers: Callable[[str], tuple[Any, ...] | None]
) -> tuple[object, ...] | None:
    """Return the combined state of a game, computed once for each version of the archive.

    Return None unless the game is open to everybody. The first reader's state begins with the
    visibility of the game.
    """
    cache = caches["responses"]
    names = "-".join(reader.__module__ + reader.__name__ for reader in readers)
    name = key_of("state", key, names, revisions.at(request))
    reader = cache.get(name)
    if reader is None:
        parts = [reader(key) for reader in readers]
        if parts[0] is None or parts[0][0] < Visibility.UNLISTED:
            return None
        reader = [parts[0][0], hashlib.sha256(repr(parts).encode()).hexdigest()]
        cache.set(name, reader)
    mark(request, reader[0])
    return tuple(reader)


def _of_record(key: str) -> tuple[Any, ...] | None:
    """Return the state of a game's pages, visibility first; None for an unknown game.

    The state includes all pseudonyms, because a text may name people outside of the game. For each
    player it includes whether a list has games of the player, because pages then link the name.
    """
    query = Seat.objects.filter(record__key=key).order_by("number")
    seats = list(
        query.values_list(
            *("record__visibility", "record__changed", "name"),
            ExpressionWrapper(Q(player__games__gt=0), output_field=BooleanField()),
        )
    )
    if not seats:
        return None
    names = sorted(all_pseudonyms().items())
    return (int(seats[0][0]), seats[0][1].timestamp(), names, *(row[2:] for row in seats))
