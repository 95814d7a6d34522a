"""A learner's first month against the sensible player, for the last screen of a lesson.

A request has the seed of the deal and all actions so far. The response has the table after the
opponent's replies, and a hint. Nothing is stored, and equal requests have equal responses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from django.utils.translation import gettext as _

from kafu import cards
from kafu.editing.table_at import walk
from kafu.facade.table import Table
from kafu.notation.actions import Action
from kafu.rules.rulesets import RULESETS
from kafu.rules.yaku import YakuTable, missing
from kafu.simulation.strategy import choose_sensibly
from records.services.editing import build_response
from records.shapes.positions import NextMoveJson
from records.shapes.shape import to_values
from records.wording.readings import read_yaku

#: The learner's seat, which deals and begins.
LEARNER: Final = 1
#: More actions than a month has.
MOST_ACTIONS: Final = 80
#: Missing cards of a yaku that a hint names.
MOST_MISSING: Final = 2
_SHOWN: Final = ("ruleset", "players", "table", "legal", "due", "final")


def play_month(
    ruleset: str, options: Mapping[str, str], seed: int, actions: Sequence[str]
) -> dict[str, Any]:
    """Return the table after the actions and the opponent's replies, in words.

    - ``actions``: all actions so far, including the replies and cards that had a single way.
    - ``news``: the steps since the last of the given actions.
    - ``hint``: the action that the sensible player would choose, with the reason.

    The other fields are those of the editor's table. Raise `kafu.facade.errors.Error` for an
    illegal action.
    """
    table = Table(ruleset, options={**options, "months": "1"}).deal(seed)
    for action in actions:
        table = table.apply(action)
    played = list(actions)
    while reply := _choose_reply(table, seed, len(played)):
        played.append(str(reply))
        table = table.apply(reply)
    walked = walk(table.game((_("Learner"), _("Opponent")), claims=False))
    response = build_response(walked, *walked.last)
    shown: dict[str, Any] = {name: to_values(getattr(response, name)) for name in _SHOWN}
    hands = shown["table"]["hands"]
    shown["table"]["hands"] = [
        hand if seat == LEARNER else cards.UNKNOWN * len(hand)
        for seat, hand in enumerate(hands, start=1)
    ]
    shown["table"]["ahead"] = ""
    shown["actions"] = played
    # The first step is the deal; "begin" is no step.
    before = 1 + sum(action != "begin" for action in actions)
    shown["news"] = [step.words for step in response.steps[before:]]
    if not table.finished:
        yaku = RULESETS[ruleset].captured_yaku(options)
        shown["hint"] = _give_hint(table, yaku, _choose(table, seed, len(played)), response.legal)
    return shown


def _choose_reply(table: Table, seed: int, count: int) -> Action | None:
    """Return the next action that is not the learner's to choose, None if there is none."""
    actions = table.legal_actions
    if not actions:
        return None
    if table.seat != LEARNER:
        return _choose(table, seed, count)
    is_forced = len(actions) == 1 and actions[0].kind in ("begin", "stock")
    return actions[0] if is_forced else None


def _choose(table: Table, seed: int, count: int) -> Action:
    return table.choose(choose_sensibly, table.legal_actions, Random(f"{seed} {count}"))


def _give_hint(
    table: Table, yaku: YakuTable, advised: Action, legal: Sequence[NextMoveJson]
) -> dict[str, str]:
    """Return the advised action, its words, and as reasons the yaku that it brings nearer."""
    words = next(move.words for move in legal if move.do == str(advised))
    gained = f"{advised.card}{advised.take}" if advised.take else ""
    reasons = " · ".join(_list_nearer(table, yaku, cards.mask(gained)))
    return {"do": str(advised), "words": words, "reasons": reasons}


def _list_nearer(table: Table, yaku: YakuTable, gained: int) -> Iterator[str]:
    """Yield the yaku that captured cards bring nearer, with the number of cards still missing."""
    own, opponent = (cards.mask(table.captured[seat - 1]) for seat in (LEARNER, 3 - LEARNER))
    for row in yaku:
        left = missing(row, own | gained, taken=opponent)
        if gained & row.cards and left is not None and left <= MOST_MISSING and row.value > 1:
            text = _("%(yaku)s: %(count)d to go") if left else _("%(yaku)s is made")
            yield text % {"yaku": read_yaku(row.id).name, "count": left}
