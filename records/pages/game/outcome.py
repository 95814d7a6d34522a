"""The outcome on a game's page: sums, the winner, how the game was won, the chart of a sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from records.models import Record
from records.pages.game.player_data import ScoreTable
from records.search.games import load_sums, sums_of
from records.wording.causes import Cause, cause_of, find_leader
from records.wording.steps import amount_in_sentence, plain_amount, score_list


@dataclass(frozen=True, slots=True)
class StandingView:
    """A player: the key of the player's page, or "", and the sum as text, "" without a score."""

    name: str
    key: str
    total: str
    has_won: bool


@dataclass(frozen=True, slots=True)
class OutcomeView:
    """The result of a game.

    ``words`` say who won and by how much, or that nobody did. They are empty for a game without a
    final result. ``cause`` says how.
    """

    standings: list[StandingView]
    words: str
    cause: Cause | None


def outcome_of(record: Record, score: ScoreTable | None) -> OutcomeView:
    """Return the result of a game with its score table, None for a game without a deal.

    The sums of its analysis are loaded (`records.search.games.sums_of`).
    """
    load_sums([record])
    final = score.final if score else None
    sums = final or (score.totals if score else [])
    leader = find_leader(final) if final else None
    standings = [
        StandingView(
            name=seat.name,
            key=seat.player.key if seat.player.games else "",
            total=plain_amount(sums[place], units=score.units) if score else "",
            has_won=place == leader,
        )
        for place, seat in enumerate(record.seats.all())
    ]
    if not score or not final:
        return OutcomeView(standings, "", None)
    if leader is None:
        return OutcomeView(standings, _("A draw"), None)
    others = [sum_ for place, sum_ in enumerate(final) if place != leader]
    values = {
        "name": score.players[leader],
        "margin": amount_in_sentence(final[leader] - max(others), record.ruleset, signed=False),
    }
    words = _("%(name)s wins by %(margin)s") % values
    return OutcomeView(standings, words, cause_of(record.verdict, sums_of(record)))


def chart_of(record: Record, score: ScoreTable) -> dict[str, Any]:
    """Return the parts of the replay JSON that `replay/chart.js` reads, of a score sheet."""
    return {
        "players": score.players,
        "units": score.units,
        "words": {"settlement": _("Settlement")},
        "settlement": [
            {"amounts": [amount for amount, _sum in step.cells]} for step in score.steps
        ],
        "deals": [
            {
                "month": deal["month"],
                "title": row.month,
                "before": [0] * len(score.players),
                "totals": row.totals,
                "scores": score_list(row.score, score.players, units=score.units),
                "steps": [{"kind": "deal"}, {"kind": "end"}],
            }
            for deal, row in zip(record.verdict["deals"], score.deals, strict=True)
        ],
    }
