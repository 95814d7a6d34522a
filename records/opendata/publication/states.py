"""Blocks of games, and their states: a block is written again if its state changed.

A block has the games of `BLOCK` consecutive primary keys. Its states are digests of sums of columns
that only grow when a game of the block is stored, shown, hidden, renamed or judged again, so that a
query over the archive finds the changed blocks without reading games.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Count, F, Q, QuerySet, Sum
from django.utils.crypto import salted_hmac

from records.models import Record, Seat, Visibility
from records.opendata.publication.manifest import FORMAT
from records.opendata.publication.tables import SCHEMA

#: Primary keys of a block. The games of the newest block are written again every hour.
BLOCK: Final = 65_536
_SALT: Final = "records.opendata.publication"


class State(NamedTuple):
    """The states of a block: of the games and names to be shown, and of the facts of the games."""

    shown: str
    facts: str


def range_of(block: int) -> tuple[int, int]:
    """Return the first and the last primary key of a block."""
    return block * BLOCK, block * BLOCK + BLOCK - 1


def find_games(block: int, until: datetime) -> QuerySet[Record]:
    """Return the public games of a block that are in the archive since before a time."""
    public = Record.objects.filter(visibility=Visibility.PUBLIC, created__lt=until)
    return public.filter(pk__range=range_of(block)).order_by("pk")


def read_states(until: datetime) -> dict[int, State]:
    """Return the present states of all blocks with present or former public games.

    Later games than ``until`` are ignored. The digests depend on the secret key like the names of
    players who are not to be named, and on the form of the published tables.
    """
    unnamed = _find_unnamed(until)
    is_public = Q(visibility=Visibility.PUBLIC)
    games = Record.objects.order_by().filter(is_public | Q(change__isnull=False))
    sums = (
        games.filter(created__lt=until)
        .annotate(block=F("pk") / BLOCK)
        .values_list("block")
        .annotate(
            public=Count("pk", filter=is_public),
            changes=Sum("change"),
            copies=Count("copy_of"),
            originals=Sum("copy_of"),
            revisions=Sum("revision"),
            revisions_of_facts=Sum("facts"),
        )
    )
    return {
        block: State(_digest(SCHEMA, public, changes, unnamed.get(block, ())), _digest(*facts))
        for block, public, changes, *facts in sums
    }


def _find_unnamed(until: datetime) -> dict[int, list[tuple[int, int]]]:
    """Return games and players who opted out of statistics, by block."""
    seats = Seat.objects.filter(player__statistics=False, record__created__lt=until)
    pairs_by_block: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for game, player in seats.order_by("record", "number").values_list("record", "player"):
        pairs_by_block[game // BLOCK].append((game, player))
    return pairs_by_block


def _digest(*values: object) -> str:
    return salted_hmac(_SALT, repr((FORMAT, *values)), algorithm="sha256").hexdigest()[:32]
