"""What the index says of a step of a game: where else its situation occurred, what was chosen
there, and what came of it.

In: a game as somebody may see it, and a step. Out: counts of public games alone, whoever asks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Final, NamedTuple

from django.db.models import BooleanField
from django.db.models.expressions import RawSQL

from kafu.comparing.situations import Compared, Meaning, compared
from kafu.notation.reading.reader import read
from kafu.rules.rulesets import Unsupported
from records.explorer.parts import Found, matching
from records.models import Listing, Record, SituationPart, Visibility
from records.search.selection import AFTER, BEFORE
from records.statistics.intervals import Estimate, mean, wilson

#: Parts of the index that are fetched at once.
_PARTS: Final = 200
#: Places that are counted of a situation, the newest: so that what an answer costs has a bound,
#: however large the archive is. A place takes some microseconds.
MOST: Final = 4_000
#: Cases from which on a mean of scores has an interval: the normal one means nothing for a few.
ENOUGH: Final = 10


class ChoiceMade(NamedTuple):
    """One of the choices in a situation: what it ``is`` in the cards of the game that was asked
    about, how often it was made, its share, and the mean score that the deal brought (small unit).
    """

    number: int
    means: Meaning
    cases: int
    share: Estimate
    score: Estimate


@dataclass(frozen=True, slots=True)
class Explored:
    """A situation and all its places, newest game first; ``choices`` by how often.

    ``chosen`` is the number of the choice of the game that was asked about. ``is_all``: there are
    no more places than these, which else are the newest.
    """

    compared: Compared
    choices: tuple[ChoiceMade, ...]
    places: tuple[Found, ...]
    is_all: bool

    @property
    def chosen(self) -> int:
        """The number of the choice that the game made."""
        return self.compared.situation.choice

    @property
    def games(self) -> int:
        """In how many games."""
        return len({found.game for found in self.places})


def compared_of(text: str) -> list[Compared]:
    """The situations of a game, by its canonical text; none where this version does not play it."""
    game = read(text).game
    if game is None:
        return []
    try:
        return compared(game)
    except Unsupported:
        return []


def ask(one: Compared) -> Explored:
    """Where the situation occurred in public games."""
    places, is_all = occurrences(one.situation.key)
    scores: dict[int, list[int]] = defaultdict(list)
    for found in places:
        scores[found.choice].append(found.score)
    choices = [
        ChoiceMade(
            number,
            one.meaning(number),
            len(some),
            wilson(len(some), len(places)),
            _mean(some),
        )
        for number, some in sorted(scores.items(), key=lambda row: (-len(row[1]), row[0]))
    ]
    return Explored(one, tuple(choices), tuple(places), is_all)


def _mean(scores: Sequence[int]) -> Estimate:
    found = mean(len(scores), sum(scores), sum(score * score for score in scores))
    return found if len(scores) >= ENOUGH else Estimate(found.value, None, None)


def occurrences(key: bytes) -> tuple[list[Found], bool]:
    """The places of a situation in public games, newest game first, and whether they are all."""
    parts = SituationPart.objects.order_by("-pk").filter(shelf=key[0])
    found: set[Found] = set()  # a place may have been written twice
    for packed in parts.values_list("places", flat=True).iterator(chunk_size=_PARTS):
        found.update(matching(bytes(packed), key[1:]))
        if len(found) >= MOST:
            break
    public = _public({place.game for place in found})
    places = sorted((place for place in found if place.game in public), reverse=True)
    return places, len(found) < MOST


def window(
    places: Sequence[Found], size: int, way: str = AFTER, mark: Sequence[int] = ()
) -> tuple[Sequence[Found], bool, bool]:
    """``size`` places before or behind a `Found.order` (none: the first ones), and whether there
    are more before and behind them.
    """
    start = 0
    if mark:
        wanted = tuple(mark)
        at = bisect_left(places, wanted, key=attrgetter("order"))
        is_there = at < len(places) and places[at].order == wanted
        start = max(0, at - size) if way == BEFORE else at + is_there
    page = places[start : start + size]
    return page, bool(page) and start > 0, start + len(page) < len(places)


def keys_of(places: Iterable[Found]) -> dict[int, str]:
    """The keys of the games of some places, by primary key."""
    rows = Record.objects.order_by().filter(pk__in={place.game for place in places})
    return dict(rows.values_list("pk", "key"))


def _public(games: set[int]) -> set[int]:
    """Those of some games that are public. Their numbers stand in the statement itself: thousands
    of parameters take longer than all the rest.
    """
    among = ",".join(map(str, sorted(games))) or "NULL"
    wanted = RawSQL(f"record_id IN ({among})", (), output_field=BooleanField())
    rows = Listing.objects.order_by().filter(wanted, visibility=Visibility.PUBLIC)
    return set(rows.values_list("pk", flat=True))
