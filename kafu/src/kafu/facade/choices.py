"""The choices at a table by stable ids, and its cards and numbers in an array."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from kafu import cards
from kafu.rules.action_ids import PASS, find_id
from kafu.rules.description import Ruleset
from kafu.rules.grades import GRADES
from kafu.rules.play.actions import Action, Bid, Blind, CallAction, ShowAction, Swap
from kafu.rules.play.machine import AT_STOCK, Machine, Phase, State
from kafu.rules.play.seating import turn_order
from kafu.rules.rulesets import RULESETS

#: Actions that name their seat, which may be out of turn.
_SEATED: Final = (Bid, Blind, CallAction, ShowAction, Swap)
_PHASES: Final = tuple(Phase)
#: Six and twelve cards as numbers of 16 bits, 0 or 1, by a mask.
_SIX: Final = tuple(array("h", [mask >> i & 1 for i in range(6)]).tobytes() for mask in range(64))
_TWELVE: Final = tuple(first + second for second in _SIX for first in _SIX)
_CARDS: Final = len(cards.LETTERS)
_LIMIT: Final = (1 << 15) - 1


@cache
def index_actions(ruleset: Ruleset) -> dict[str, int]:
    """Return the id of each action of a ruleset by its name."""
    return {name: id for id, name in enumerate(ruleset.actions)}


def group_actions(legal: Sequence[Action], in_turn: int) -> dict[int, Sequence[Action]]:
    """Return the legal actions of each seat that has any; the seat in turn is the last one."""
    seated = [action for action in legal if isinstance(action, _SEATED)]
    if not seated:
        return {in_turn: legal} if legal else {}
    # The holder of the blank card does not bid (T3).
    turn = next((action.seat for action in seated if isinstance(action, Bid)), in_turn)
    groups: dict[int, list[Action]] = {}
    for action in legal:
        seat = action.seat if isinstance(action, _SEATED) else turn
        groups.setdefault(seat, []).append(action)
    last = {turn: groups.pop(turn)} if turn in groups else {}
    return {**groups, **last}


def list_choices(
    rules: str, groups: Mapping[int, Sequence[Action]]
) -> dict[int, dict[int, Action | None]]:
    """Return the legal actions of each seat by id, with None for the silence of a seat out of turn.

    ``groups`` are those of `group_actions`. If cards alone distinguish declarations, the first is
    listed.
    """
    ids = index_actions(RULESETS[rules])
    choices: dict[int, dict[int, Action | None]] = {}
    for number, (seat, actions) in enumerate(groups.items(), 1):
        by_id: dict[int, Action | None] = {} if number == len(groups) else {PASS: None}
        choices[seat] = by_id
        for action in actions:
            by_id.setdefault(find_id(ids, action), action)
    return choices


@cache
def layout(players: int) -> Mapping[str, slice]:
    """Return the parts of an observation; the parts of each seat begin with the observer."""
    lengths = {
        "hand": _CARDS,
        "field": _CARDS,
        "turned": _CARDS,
        "captured": _CARDS * players,
        "open": _CARDS * (players - 1),
        "phase": len(_PHASES),
        "grade": len(GRADES),
        "dealer": players,
        "turn_of": players,
        "month": 1,
        "turn": 1,
        "left": 1,
        "hand_sizes": players,
        "in_play": players,
        "calls": players,
        "totals": players,
    }
    parts: dict[str, slice] = {}
    end = 0
    for name, length in lengths.items():
        parts[name] = slice(end, end + length)
        end += length
    return MappingProxyType(parts)


def observe(
    machine: Machine[Any], state: State, seat: int, opened: Sequence[int], calls: Sequence[int]
) -> array[int]:
    """Return the observation of a seat, in the form of `layout`.

    ``opened`` are the cards of each hand that lie open (masks), ``calls`` the decisions to play on.
    """
    table, order = state.table, turn_order(seat, machine.players)
    places = [number - 1 for number in order]
    turned = table.ahead[0] if state.phase is AT_STOCK and table.ahead else 0
    masks = [table.hands[seat - 1], table.field, turned]
    masks += [table.captured[i] for i in places]
    masks += [opened[i] & table.hands[i] for i in places[1:]]
    numbers = array("h", b"".join([part for mask in masks for part in _spread(mask)]))
    in_play = machine.in_play(state)
    numbers.extend([state.phase is phase for phase in _PHASES])
    numbers.extend([state.grade == grade for grade in GRADES])
    numbers.extend([state.dealer == number for number in order])
    numbers.extend([state.seat == number for number in order])
    numbers.extend((state.month, state.turn, table.left))
    numbers.extend([table.hands[i].bit_count() + table.hidden[i] for i in places])
    numbers.extend([number in in_play for number in order])
    numbers.extend([calls[i] for i in places])
    numbers.extend([max(-_LIMIT, min(_LIMIT, state.totals[i])) for i in places])
    return numbers


def _spread(mask: int) -> list[bytes]:
    """Return the 48 cards of a mask as numbers of 16 bits, 0 or 1."""
    third, last = mask >> 24 & 4095, mask >> 36
    return [_TWELVE[mask & 4095], _TWELVE[mask >> 12 & 4095], _TWELVE[third], _TWELVE[last]]
