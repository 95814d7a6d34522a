"""The best that each seat of a game did: its largest deal, and its rarest dealt hand.

They stand with the seats, and the best of them with the listing of the game, so that lists of the
best are read along an index (`records.statistics.figures.careers.bests`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from kafu.judging.verify import Verification
from kafu.odds.exact import NONE, odds
from kafu.rules.play.ledger import maker
from kafu.rules.verdict import DealResult
from records.facts.rows import COUNTED
from records.models.families import Family, family_of

#: The columns of `Seat`, and those of `Listing` that hold their maxima.
OF_SEAT: Final = ("top", "top_deal", "rare", "rare_deal", "rare_yaku")
OF_GAME: Final = ("top", "rare")


class Best(NamedTuple):
    """A seat's largest score of a deal (small unit; 0 for none above) and the deal, from 1; the
    odds of its rarest declared hand, one in ``rare`` (0 for none), the deal, and the yaku joined
    by ``+``.
    """

    top: int = 0
    top_deal: int = 0
    rare: int = 0
    rare_deal: int = 0
    rare_yaku: str = ""


def bests(verification: Verification) -> dict[int, Best]:
    """What each seat of a game did best; nothing for games that do not count."""
    verdict, game = verification.verdict, verification.game
    if game is None or verdict.status not in COUNTED:
        return {}
    found: dict[int, Best] = {}
    for number, deal in enumerate(verdict.deals, start=1):
        for seat, score in enumerate(deal.score, start=1):
            if score > found.get(seat, Best()).top:
                found[seat] = found.get(seat, Best())._replace(top=score, top_deal=number)
        for seat, yaku in _declared(deal).items():
            rare = one_in(game.rules, frozenset(yaku))
            if rare > found.get(seat, Best()).rare:
                found[seat] = found.get(seat, Best())._replace(
                    rare=rare, rare_deal=number, rare_yaku="+".join(yaku)[:64]
                )
    return found


def _declared(deal: DealResult) -> Mapping[int, Sequence[str]]:
    """The dealt-hand yaku that each seat was paid for, in the order of the ledger."""
    found: dict[int, list[str]] = {}
    for line in deal.ledger:
        labels = line.label.split("+")
        seat = maker(line)[0] if family_of(labels[0]) is Family.DEALT and not line.void else None
        if seat is not None:
            found.setdefault(seat, []).extend(labels)
    return found


@cache
def one_in(ruleset: str, yaku: frozenset[str]) -> int:
    """How many hands there are to one with exactly these dealt-hand yaku; 0 where the odds have no
    such hand.
    """
    hands = odds(ruleset).hands
    rows = [one for one in yaku if one in hands.matrix]
    columns = [one for one in yaku if one in hands.matrix[NONE] and one not in rows]
    if len(rows) > 1 or len(columns) > 1 or len(rows) + len(columns) < len(yaku):
        return 0
    cells = hands.matrix[rows[0] if rows else NONE]
    count = cells[columns[0] if columns else NONE]
    return round(hands.total / count) if count else 0


def best_of_game(found: Iterable[Best]) -> tuple[int, int]:
    """The values of `OF_GAME`."""
    seats = [*found, Best()]
    return max(one.top for one in seats), max(one.rare for one in seats)
