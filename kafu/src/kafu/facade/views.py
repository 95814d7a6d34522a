"""A table as one seat knows it: hidden cards unknown, or laid out at random."""

from __future__ import annotations

from random import Random
from typing import TypeVar

from kafu import cards
from kafu.analysis.knowledge import Unknowable, View
from kafu.facade.errors import NotPlayable
from kafu.facade.positions import Laid
from kafu.facade.state import Outcome, TableState
from kafu.rules.play import actions as engine
from kafu.rules.play.machine import BETWEEN_DEALS, Phase

AnyTable = TypeVar("AnyTable", bound=TableState)


def see_table(table: AnyTable, seat: int) -> AnyTable:
    """Return a table, and the tables before it, as a seat knows them."""
    steps: list[tuple[AnyTable, AnyTable]] = []
    swapped: AnyTable | None = None
    current = table
    while current.before is not None and (
        swapped is not None or seat not in (current._views or ())
    ):
        if isinstance(current._done, engine.Swap):
            swapped = swapped or current
        steps.append((current, swapped or current))
        if isinstance(current._done, engine.Deal):
            swapped = None
        current = current.before
    view = (current._views or {}).get(seat)
    if view is None:
        view = table.of(table._machine, table._options, table._machine.start())
    for step, holding in reversed(steps):
        view = view._apply(_hide_cards(step._done, holding.hands[seat - 1]))
        set_outcome(view, Outcome(step.events, step.totals, step.result, step.final, step._turned))
        if step._laid is not None:
            held = cards.mask(holding.hands[seat - 1].replace(cards.UNKNOWN, ""))
            view = view._lay(step._laid.hide(held, view._state))
    table._views = {**(table._views or {}), seat: view}
    return view


def set_outcome(table: TableState, outcome: Outcome) -> None:
    """Give a new table the public effects that its visible cards do not determine.

    Everyone sees the card that is turned, and the payments of rulesets that pay dealt hands by
    themselves, but not every card.
    """
    if outcome == (table.events, table.totals, table.result, table.final, table._turned):
        return
    table._outcome, table._events = outcome, outcome.events
    laid = table._state.table
    if outcome.turned != table._turned:
        card = cards.mask(outcome.turned)
        turned_cards = (*laid.stock[: laid.turned], card)
        seen, sunk = laid.seen | card, laid.sunk & ~card
        laid = laid.replace(stock=turned_cards, seen=seen, sunk=sunk)
    table._state = table._state.replace(
        totals=outcome.totals, result=outcome.result, final=outcome.final, table=laid
    )


def sample_cards(table: TableState, seat: int, random: Random) -> Laid:
    """Return the cards of a table with hidden ones laid out at random, as far as a seat knows.

    Raises NotPlayable, as `Table.sample`.
    """
    if table._state.phase in (*BETWEEN_DEALS, Phase.PILE):
        raise NotPlayable("cards are to be dealt", code="no-steps")
    try:
        turned = cards.mask(table._turned)
        view = View(table._follow_deal(), table._state, turned, seat=seat)
        return Laid.of(view.sample(random))
    except Unknowable as error:
        raise NotPlayable(str(error), code="unknown-cards") from None


def _hide_cards(action: engine.Action | None, hand: str) -> engine.Action:
    """Return an action without the cards that the holder of ``hand`` does not see.

    A hand with the blank card stays, as its other cards are the field (T3).
    """
    assert action is not None
    match action:
        case engine.Deal():
            hands = {
                seat: dealt
                if set(dealt) == set(hand) or cards.BLANK in dealt
                else cards.UNKNOWN * len(dealt)
                for seat, dealt in action.hands.items()
            }
            return action._replace(hands=hands, stock=None, stock_cut=False)
        case engine.Pile():
            return engine.Pile(None)
    return action
