"""Turns and calls of records, made from their Kafu."""

from __future__ import annotations

import re
from typing import Any, Final

from kafu.notation.actions import Action, parse
from kafu.notation.game import Statement

_ACTION: Final = re.compile(r"/?[A-Za-v](?:x[A-Za-v]+)?|=[a-z]+")


def make_turn(text: str, **values: Any) -> Statement:
    """Return a turn such as ``BxA/G=koikoi``, with further ``values`` of the statement."""
    actions = [parse(action, 0) for action in _ACTION.findall(text)]
    return Statement("turn", tuple(actions), **values)


def make_call(word: str, seat: int) -> Statement:
    """Return a call."""
    return Statement("call", (Action("call", seat, say=word),))


def put_card(turn: Statement, card: str, take: str = "") -> None:
    """Replace the hand card of a turn, and its capture."""
    turn.value = (Action("hand", card=card, take=take), *turn.value[1:])


def spoken(turn: Statement) -> list[str]:
    """Return the decisions of a turn."""
    return [action.say for action in turn.value if action.kind == "say"]


def silent(turn: Statement) -> tuple[Action, ...]:
    """Return the cards of a turn."""
    return tuple(action for action in turn.value if action.card)
