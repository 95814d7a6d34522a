"""A judged game as a score sheet: its payments without its cards (S10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kafu import cards
from kafu.notation.game import Game, Month, Payment
from kafu.rules.rulesets import ruleset
from kafu.rules.verdict import DealResult

#: Deals that a sheet leaves out: nothing was paid, and the same dealer deals the month again.
_LEFT_OUT: Final = frozenset(("redeal", "void"))


def as_sheet(game: Game, deals: Sequence[DealResult], final: tuple[int, ...] | None) -> Game:
    """The sheet of a game with these results; ``final`` in the small unit, None without an end.

    Raises ValueError for a ruleset whose sheets are not known.
    """
    rules = ruleset(game.rules)
    if rules.sheet is None:
        raise ValueError(game.rules)
    sheet = rules.sheet(game.options, len(game.players))
    grades = list(_grades(game, deals))
    months = [
        Month(
            deal.month,
            deal.dealer,
            ba=grade,
            payments=[
                Payment(line.label, line.amounts, line.void)
                for line in deal.ledger
                if sheet.leaves_trace(line, deal.ledger)
            ],
            stone=deal.next_dealer if sheet.stones else None,
        )
        for deal, grade in zip(deals, grades, strict=True)
        if deal.end not in _LEFT_OUT
    ]
    return Game(
        game.rules,
        game.players,
        options=dict(game.options),
        tags={**game.tags, "Sheet": "1"},
        months=months,
        final=final,
    )


def _grades(game: Game, deals: Sequence[DealResult]) -> Iterator[str | None]:
    """The grade of each deal, marked where something is carried on (H1, B2)."""
    grades = ruleset(game.rules).grades
    carried = grades.of[None] if grades else None
    for month, deal in zip(game.months, deals, strict=False):
        if grades is None or month.field is None or deal.end in _LEFT_OUT:
            yield deal.grade
            continue
        grade, carried = grades.step(cards.mask(month.field), carried)
        yield f"{grade}2" if grades.name(carried) else grade
