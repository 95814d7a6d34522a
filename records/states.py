"""States of cached responses: the values on which a response depends.

The address, the language and the release are part of every cache key and not repeated here. Each
function is a `records.serving.cached_responses.State`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Final

from django.core.cache import caches
from django.db.models import BooleanField, ExpressionWrapper, Q
from django.http import HttpRequest

from kafu.rules.rulesets import RULESETS
from records.ingest import copies
from records.models import Seat, Visibility
from records.privacy import revisions
from records.privacy.access import mark
from records.privacy.circles import link_of_game
from records.privacy.redaction import all_pseudonyms
from records.search import corrections, players
from records.services import comments, problems, studies
from records.serving.cached_responses import key_of

#: Parameters that name players.
_PLAYERS: Final = frozenset(("player", "opponent", "q"))


def of_release(request: HttpRequest, **kwargs: Any) -> tuple[object, ...]:
    """Return the state of a response without other dependencies than the release."""
    return ()


def of_archive(request: HttpRequest, **kwargs: Any) -> tuple[object, ...]:
    """Return the state of a response about all public games."""
    return (revisions.at(request),)


def of_day(request: HttpRequest, **kwargs: Any) -> tuple[object, ...]:
    """Return the state of a response about public games and the problem of the day."""
    return (problems.today(), revisions.at(request))


def of_ruleset(request: HttpRequest, ruleset: str = "", **kwargs: Any) -> tuple[object, ...]:
    """Return the state of a response about the public games of a ruleset in the path or the query.

    A response is about all games if the query has no or several rulesets, or names a player, who
    may be known by games of other rulesets only.
    """
    rulesets = [ruleset] if ruleset else request.GET.getlist("ruleset")
    if len(rulesets) != 1 or rulesets[0] not in RULESETS or not _PLAYERS.isdisjoint(request.GET):
        return of_archive(request)
    return (revisions.at(request, *rulesets),)


def of_player(request: HttpRequest, key: str, **kwargs: Any) -> tuple[object, ...]:
    """Return the state of a response about a player: of the rulesets that the player has played.

    The rulesets are read once for each version of the archive.
    """
    cache = caches["responses"]
    name = key_of("rulesets", key, revisions.at(request))
    rulesets = cache.get(name)
    if rulesets is None:
        rulesets = players.find_rulesets(key)
        if not rulesets:
            return of_archive(request)
        cache.set(name, rulesets)
    return (*rulesets, revisions.at(request, *rulesets))


def of_record(request: HttpRequest, key: str, **kwargs: Any) -> tuple[object, ...] | None:
    """Return the state of a response about a game; None unless the game is open to everybody."""
    return _combined_state(request, key, _of_record)


def of_record_and_ruleset(
    request: HttpRequest, key: str, **kwargs: Any
) -> tuple[object, ...] | None:
    """Return the state of a response about a game compared with the games of its ruleset."""
    record = of_record(request, key)
    return None if record is None else (*record, revisions.at(request, str(record[1])))


def of_record_and_comments(
    request: HttpRequest, key: str, **kwargs: Any
) -> tuple[object, ...] | None:
    """Return the state of a response about a game and the comments on it."""
    return _combined_state(request, key, _of_record, comments.state_of)


def of_record_and_history(
    request: HttpRequest, key: str, **kwargs: Any
) -> tuple[object, ...] | None:
    """Return the state of a game's page: game, comments, corrections, copies and circle."""
    return _combined_state(
        request,
        key,
        *(_of_record, comments.state_of, corrections.state_of, copies.state_of, _of_circle),
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

    The combined state begins with visibility and ruleset of the game, like the state of the first
    reader. Return None unless the game is open to everybody.
    """
    cache = caches["responses"]
    names = "-".join(reader.__module__ + reader.__name__ for reader in readers)
    name = key_of("state", key, names, revisions.at(request))
    reader = cache.get(name)
    if reader is None:
        parts = [reader(key) for reader in readers]
        if parts[0] is None or parts[0][0] < Visibility.UNLISTED:
            return None
        reader = [*parts[0][:2], hashlib.sha256(repr(parts).encode()).hexdigest()]
        cache.set(name, reader)
    mark(request, reader[0])
    return tuple(reader)


def _of_record(key: str) -> tuple[Any, ...] | None:
    """Return the state of a game's pages; None for an unknown game.

    It begins with visibility and ruleset. The time of the analysis is for the sentence about luck
    and the place of the review.

    The state includes all pseudonyms, because a text may name people outside of the game. For each
    player it includes whether a list has games of the player, because pages then link the name.
    """
    query = Seat.objects.filter(record__key=key).order_by("number")
    seats = list(
        query.values_list(
            *("record__visibility", "record__ruleset", "record__changed"),
            *("record__analysis__made", "name"),
            ExpressionWrapper(Q(player__games__gt=0), output_field=BooleanField()),
        )
    )
    if not seats:
        return None
    names = sorted(all_pseudonyms().items())
    visibility, ruleset, changed, analysed = seats[0][:4]
    common = (int(visibility), ruleset, changed.timestamp(), analysed, names)
    return (*common, *(row[4:] for row in seats))


def _of_circle(key: str) -> tuple[object, ...] | None:
    """Return the link to the circle of a game for visitors."""
    return link_of_game(key, None)
