"""Why a choice was costly, where it can be told from the table: a sentence.

A word or bid is too bold or too careful. A card is costly because the better one would have made a
yaku or left it a single card short, or because an opponent captured what the chosen one left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from kafu.analysis.choices import HAND, STOCK
from kafu.judging.progress import Goal, goals
from kafu.rules.rulesets import find_ruleset
from records.base import labels
from records.facts.analysed import is_bold
from records.pages.game.replayed_game import ReplayedGame


def reason_of(replay: ReplayedGame, choice: Mapping[str, Any]) -> str:
    """Return why the chosen action of a costly choice was worse; "" if it cannot be told."""
    bold = is_bold(choice, replay.data["rules"])
    if bold is not None:
        return _("too bold") if bold else _("too careful")
    return _reason_of_card(replay, choice) if choice["kind"] in (HAND, STOCK) else ""


def _reason_of_card(replay: ReplayedGame, choice: Mapping[str, Any]) -> str:
    deal = replay.deals[choice["deal"] - 1]
    steps = deal["steps"]
    before, seat = steps[choice["step"] - 1], choice["seat"]
    ruleset = find_ruleset(replay.data["rules"])
    table = goals(ruleset.month_yaku(deal["month"], replay.data["options"]))
    better, worse = (_captures(choice[move]) for move in ("rival", "played"))
    captured = before["captured"][seat - 1]
    for goal in table:
        if not _has(goal, captured + better):
            continue
        if not _has(goal, captured + worse) and not _has(goal, captured):
            return _("%(yaku)s would have been made") % {"yaku": labels.yaku(goal.id)}
    # What the better move would have captured, and a card that the chosen move put on the field.
    left = set(better) - set(worse) | set(choice["played"] if not worse else "")
    taken = _find_taken(steps[choice["step"] :], seat, left)
    if taken:
        card, opponent = taken
        values = {"card": labels.brief(card), "player": replay.players[opponent - 1]}
        for goal in _made(table, steps[-1], opponent):
            if card in goal.cards:
                values["yaku"] = labels.yaku(goal.id)
                return _("leaves %(card)s to %(player)s for %(yaku)s") % values
        return _("leaves %(card)s to %(player)s") % values
    others = set("".join(cards for i, cards in enumerate(before["captured"]) if i != seat - 1))
    near = [
        goal
        for goal in table
        if set(better) & set(goal.cards) - set(worse)
        and len(set(captured + better) & set(goal.cards)) == goal.need - 1
        and not set(goal.must) & others
        and len(set(goal.cards) - others) >= goal.need
    ]
    if not near:
        return ""
    goal = max(near, key=lambda goal: goal.value)
    return _("one card short of %(yaku)s") % {"yaku": labels.yaku(goal.id)}


def _captures(move: str) -> str:
    """Return the cards that a move brings to its player; "" for a card that stays on the field."""
    card, _x, take = move.partition("x")
    return card + take if take else ""


def _has(goal: Goal, captured: str) -> bool:
    cards = set(captured) & set(goal.cards)
    return len(cards) >= goal.need and set(goal.must) <= cards


def _find_taken(
    steps: Sequence[Mapping[str, Any]], seat: int, left: set[str]
) -> tuple[str, int] | None:
    """Return a card that an opponent captured before the next turn of a seat, and the opponent."""
    mine = steps[0]["turn"]
    for step in steps[1:]:
        if step["seat"] == seat and step["turn"] != mine:
            return None
        captured = left & set(step["card"] + step["take"]) if step["take"] else set()
        if step["seat"] not in (None, seat) and captured:
            return min(captured), step["seat"]
    return None


def _made(table: Sequence[Goal], end: Mapping[str, Any], seat: int) -> list[Goal]:
    ids = {row["id"] for row in end["yaku"][seat - 1]}
    return [goal for goal in table if goal.id in ids]
