"""What cached responses depend on, apart from their address, the language and the release.

Each function is a `records.serving.cached_responses.State`.
"""

from __future__ import annotations

from typing import Any

from django.db.models import BooleanField, ExpressionWrapper, Q
from django.http import HttpRequest

from records.models import Seat, Visibility
from records.privacy import revisions
from records.privacy.access import mark
from records.privacy.redaction import known_names
from records.store import corrections
from records.studies import commenting


def of_release(request: HttpRequest, **given: Any) -> tuple[object, ...]:
    """Return the state of a response that changes with a release only."""
    return ()


def of_archive(request: HttpRequest, **given: Any) -> tuple[object, ...]:
    """Return the state of a response about all public games."""
    return (revisions.at(request),)


def of_record(request: HttpRequest, key: str, **given: Any) -> tuple[object, ...] | None:
    """Return the state of a response about one game; None unless everybody may see the game.

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
    record = of_record(request, key)
    return None if record is None else (*record, *commenting.state_of(key))


def of_record_and_history(
    request: HttpRequest, key: str, **given: Any
) -> tuple[object, ...] | None:
    """Return the state of a response about one game, its comments and its corrections."""
    record = of_record_and_comments(request, key)
    return None if record is None else (*record, corrections.state_of(key))
