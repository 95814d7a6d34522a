"""The moment that represents a whole game: the end of the month that decided it, and its yaku."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from kafu.judging.progress import goals
from kafu.rules.rulesets import find_ruleset
from records.base import labels
from records.pages.game.replayed_game import ReplayedGame
from records.wording.causes import find_decisive, find_leader
from records.wording.steps import ReplayPosition, amount


@dataclass(frozen=True, slots=True)
class GameMoment:
    """The end of a month that a player won with captured yaku.

    ``words`` name month, player, yaku and the gain of the month: ``4月 · Aya · 雨四光で +9``.
    """

    at: ReplayPosition
    words: str


def find_moment(replay: ReplayedGame) -> GameMoment | None:
    """Return the moment of a game, None if nobody gained from a month with a captured yaku.

    It is the month from which on the winner was ahead. If the winner made no yaku in that month, it
    is the winner's best month with yaku; without a winner, the best month of any player.
    """
    final = replay.data["final"]
    leader = find_leader(final) if final else None
    decisive = (
        None if leader is None else find_decisive([deal["totals"] for deal in replay.deals], leader)
    )
    months = [
        (place == decisive, gain, place, seat)
        for place, deal in enumerate(replay.deals)
        for seat, gain in enumerate(deal["score"] or ())
        if gain > 0 and leader in (None, seat) and deal["steps"][-1]["yaku"][seat]
    ]
    if not months:
        return None
    _is_decisive, gain, place, seat = max(months)
    deal = replay.deals[place]
    yaku = sorted(deal["steps"][-1]["yaku"][seat], key=lambda row: -row["value"])
    values = {
        "yaku": labels.listed(labels.yaku(row["id"]) for row in yaku),
        "gain": amount(gain, units=replay.units),
    }
    parts = (
        labels.month(deal["month"]),
        replay.players[seat],
        _("%(gain)s with %(yaku)s") % values,
    )
    return GameMoment(ReplayPosition(place + 1, len(deal["steps"]) - 1), " · ".join(parts))


def find_yaku_cards(replay: ReplayedGame, deal: Mapping[str, Any]) -> str:
    """Return the captured cards of the yaku of all players who gained from a finished deal."""
    description = find_ruleset(replay.data["rules"])
    table = goals(description.month_yaku(deal["month"], replay.data["options"]))
    end = deal["steps"][-1]
    letters = []
    for gain, yaku, captured in zip(deal["score"], end["yaku"], end["captured"], strict=True):
        ids = {row["id"] for row in yaku} if gain > 0 else set()
        members = "".join(goal.cards for goal in table if goal.id in ids)
        letters += [card for card in captured if card in members]
    return "".join(letters)
