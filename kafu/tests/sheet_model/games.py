"""Whole sheets: the first month that no cards make."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from kafu.notation.game import Game, Month
from sheet_model import hachihachi, hachihachi_bga, hanaawase, koikoi, ten_five_one
from sheet_model.deal import Cards

#: Returns cards that make a month, by what they carry on: month, game, what was carried in.
Finder = Callable[[Month, Game, Iterable[Any]], dict[Any, Cards]]


def _alone(cards: Cards | None) -> dict[Any, Cards]:
    """Return the cards of a month that carries nothing on."""
    return {} if cards is None else {None: cards}


#: What is carried into a month where nothing ever is.
UNCARRIED: Final = frozenset({None})
FINDERS: Final[Mapping[str, tuple[Finder, frozenset[Any]]]] = {
    "hachihachi": (
        lambda month, game, carried: hachihachi.find_cards(month, game.options, carried),
        hachihachi.START,
    ),
    "hachihachi-bga": (
        lambda month, game, carried: hachihachi_bga.find_cards(
            month, game.options, len(game.players), carried
        ),
        hachihachi_bga.START,
    ),
    "hanaawase": (
        lambda month, _game, _carried: _alone(hanaawase.find_cards(month)),
        UNCARRIED,
    ),
    "koikoi": (koikoi.find_cards, koikoi.START),
    "ten-five-one": (
        lambda month, game, _carried: _alone(
            ten_five_one.find_cards(month, game.options, len(game.players))
        ),
        UNCARRIED,
    ),
}


def is_sum(month: Month) -> bool:
    """Return whether a month is written as its sum alone, which is not modelled."""
    return any(payment.label == "month" for payment in month.payments)


def first_impossible(game: Game) -> int | None:
    """Return the number of the first deal that no cards make, from 1, or None."""
    finder, carried = FINDERS[game.rules]
    for number, month in enumerate(game.months, start=1):
        if is_sum(month):
            return None
        carried = frozenset(finder(month, game, carried))
        if not carried:
            return number
    return None
