"""Score sheets of judged games: the payments without the cards (S10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kafu import cards
from kafu.notation.game import Game, Month, Payment
from kafu.rules.rulesets import ruleset
from kafu.rules.verdict import DealResult

#: Ends of deals without a payment, which a sheet omits; the dealer deals the month again.
_LEFT_OUT: Final = frozenset(("redeal", "void"))


def make_sheet(game: Game, deals: Sequence[DealResult], final: tuple[int, ...] | None) -> Game:
    """Return the score sheet of a game with the given results.

    ``final`` is in the small unit, None for a game without an end. Raises ValueError for a ruleset
    without score sheets.
    """
    rules = ruleset(game.rules)
    if rules.sheet is None:
        raise ValueError(game.rules)
    sheet = rules.sheet(game.options, len(game.players))
    grades = list(_find_grades(game, deals))
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


def _find_grades(game: Game, deals: Sequence[DealResult]) -> Iterator[str | None]:
    """Yield the grade of each deal, marked with 2 if an earlier deal carries over (H1, B2)."""
    grades = ruleset(game.rules).grades
    carried = grades.of[None] if grades else None
    for month, deal in zip(game.months, deals, strict=False):
        if grades is None or month.field is None or deal.end in _LEFT_OUT:
            yield deal.grade
            continue
        grade, carried = grades.step(cards.mask(month.field), carried)
        yield f"{grade}2" if grades.name(carried) else grade
