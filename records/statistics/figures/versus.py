"""Two players in their common games: who finished ahead, and by how much."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.base import labels
from records.models import Rating
from records.models.facts import FOREVER
from records.statistics import charts, ratings
from records.statistics.answer import Case, Column
from records.statistics.columns import average, counted, share, unit
from records.statistics.definition import FILTERS, Figure, Result
from records.statistics.gather import Gathered, gather
from records.statistics.questions import Question, choice, month_text
from records.statistics.selection import Selection

#: The number of common games, and of games with the player ahead, level and behind; the sum of the
#: player's final sums minus the opponent's, in the small unit, and the sum of squares.
_NUMBERS: Final = ("n", "ahead", "level", "behind", "more", "more_sq")
#: The data of a query without players.
_NOTHING: Final[tuple[list[Any], dict[str, float]]] = ([], {})


def _read_versus(question: Question) -> Gathered:
    """Count the games in which the player was ahead of, level with or behind the opponent.

    The rows are by ruleset, or by ruleset and calendar month (0 for an unknown date). Add the rate
    of games in which the ratings expect the player ahead, by ruleset.
    """
    month = "coalesce(played, 0)" if question.own["by"] == "month" else "0"
    selection = Selection(question)
    # A player with several seats counts by the first seat.
    both = Selection(replace(question, player="", opponent=""), selection.snapshot)
    rows = selection.fetch(
        f"""
        WITH games AS (SELECT game FROM {selection.rows("games")}),
        ends AS (
            SELECT ruleset, {month} AS month, game, player, seat, rank, final
            FROM {both.rows("results")} SEMI JOIN games USING (game)
            WHERE ended AND player IN ($player, $opponent)
            QUALIFY row_number() OVER (PARTITION BY game, player ORDER BY seat) = 1
        ),
        pairs AS (
            SELECT a.ruleset, a.month, a.rank - b.rank AS behind, a.final - b.final AS more
            FROM ends AS a JOIN ends AS b ON a.game = b.game
            WHERE a.player = $player AND b.player = $opponent
        )
        SELECT ruleset, month, count(*), count(*) FILTER (behind < 0), count(*) FILTER (behind = 0),
            count(*) FILTER (behind > 0), sum(more)::BIGINT, sum(more * more)::BIGINT
        FROM pairs GROUP BY ruleset, month ORDER BY ruleset, month
        """
    )
    players = [player for player in selection.players if player is not None]
    expected = dict(_read_expected(sorted({row[0] for row in rows}), *players)) if rows else {}
    return gather(question, (rows, expected))


def _read_expected(rulesets: list[str], player: int, opponent: int) -> Iterator[tuple[str, float]]:
    newest = Rating.objects.filter(until=FOREVER, player__in=(player, opponent))
    for ruleset in rulesets:
        rows = {row.player_id: row for row in newest.filter(ruleset=ruleset)}
        if len(rows) == 2:
            yield ruleset, ratings.expected(rows[player], rows[opponent])


def _columns(question: Question) -> list[Column]:
    small = unit(question.ruleset) if question.ruleset else ""
    expected = _(
        "From the latest Glicko-2 ratings and deviations of both; equal places count half."
    )
    ahead, level = (
        _("Games in which the player finished ahead."),
        _("Games in which both finished level."),
    )
    return [
        Column("ruleset", _("Ruleset id"), "id"),
        Column("name", _("Ruleset"), "text"),
        counted(_("Games"), _("Games of both players that came to their end.")),
        Column("ahead", _("Finished ahead"), "count", "", ahead),
        Column("level", _("Level"), "count", "", level),
        Column("behind", _("Behind"), "count"),
        share(
            *("ahead_rate", _("Rate ahead"), _("Ahead divided by games; Wilson interval.")),
            of="ahead",
        ),
        share(
            *("level_rate", _("Rate level"), _("Level divided by games; Wilson interval.")),
            of="level",
        ),
        share(
            *("behind_rate", _("Rate behind"), _("Behind divided by games; Wilson interval.")),
            of="behind",
        ),
        Column("expected", _("Expected by ratings"), "rate", "", expected),
        average(
            *("more", _("Mean difference"), small),
            _("Of the final sums, the player's minus the opponent's; in the ruleset's small unit."),
        ),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    rows, expected = gathered.data or _NOTHING
    by_month = question.own["by"] == "month"
    cases: list[Case] = []
    for ruleset, month, *numbers in rows:
        when = (month_text(month) if month else _("unknown month")) if by_month else ""
        rules_name = "" if by_month and question.ruleset else labels.ruleset(ruleset)
        cases.append(
            {
                **dict(zip(_NUMBERS, numbers, strict=True)),
                "ruleset": ruleset,
                "name": " ".join(filter(None, (rules_name, when))),
                "expected": None if by_month else expected.get(ruleset),
            }
        )
    baseline = "" if by_month else "expected"
    chart = charts.Estimates(
        label="name",
        value="ahead_rate",
        measure=_("Share of games finished ahead"),
        baseline=baseline,
    )
    return Result(cases, sum(case["n"] for case in cases), chart=chart)


VERSUS: Final = Figure(
    id="versus",
    title=gettext_lazy("Head to head"),
    definition=gettext_lazy(
        "The games of a player and an opponent: how often the player finished ahead, level and "
        "behind, and the mean difference of their final sums."
    ),
    formula=gettext_lazy("rate = ahead / n; mean difference = sum of (own − other) / n"),
    columns=_columns,
    compute=_compute,
    read=_read_versus,
    filters=tuple(name for name in FILTERS if name != "seat"),
    about=("player", "opponent"),
    own=(
        choice(
            "by",
            gettext_lazy("A row for each `ruleset`, or each `month` of it."),
            ("ruleset", "month"),
            "ruleset",
        ),
    ),
    any_ruleset=True,
)
