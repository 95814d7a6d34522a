"""What seats may say apart from their turns, and need not: to go in blind, declarations, claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from kafu.analysis.knowledge import Option, Silent
from kafu.rules.play.actions import Action, Begin, Bid, Blind, Redeal, Show
from kafu.rules.play.machine import AT_STOCK, Machine, Phase, State


class Saying(NamedTuple):
    """The ``options`` of a ``seat``, the last of them silent, and the one ``played`` by number."""

    seat: int
    options: list[Option]
    played: int


def sayings(rules: Machine[Any], state: State, action: Action) -> Iterator[Saying]:
    """What seats declared, or could have declared until ``action`` was applied to ``state``.

    That is to go in blind (みずてん), a dealt hand unless it is paid without a declaration, and
    claims. Of the ways to lay cards open for the same yaku one stands for all, that of the record
    if it has one: the policy of play-outs does not look at such cards.
    """
    if isinstance(action, Bid | Blind):
        for one in rules.legal_actions(state):
            if isinstance(one, Blind):
                yield _saying(one.seat, action, [one])
    elif state.phase is Phase.SHOW and not rules.pays_hands:
        yield from _shows(rules.legal_actions(state), action)
    elif state.phase is AT_STOCK:
        for claim in rules.claims(state):
            yield _saying(state.seat, action, [claim])


def _shows(legal: Sequence[Action], action: Action) -> Iterator[Saying]:
    """The declarations of the seat that makes one; of all the others once there are no more. That
    does not matter where what was declared has the month dealt again.
    """
    ways: dict[int, dict[tuple[str, ...], Option]] = {}
    for one in reversed(legal):
        if isinstance(one, Show):
            ways.setdefault(one.seat, {})[one.yaku] = one
    if isinstance(action, Show):
        if not action.disputed:
            own = ways.get(action.seat, {}) | {action.yaku: action}
            yield _saying(action.seat, action, list(own.values()))
    elif isinstance(action, Begin) or (isinstance(action, Redeal) and action.reason == "shima"):
        for seat in sorted(ways):
            yield _saying(seat, action, list(ways[seat].values()))


def _saying(seat: int, action: Action, options: list[Option]) -> Saying:
    played = options.index(action) if action in options else len(options)
    return Saying(seat, [*options, Silent(seat)], played)
