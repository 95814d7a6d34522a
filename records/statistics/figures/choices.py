"""こいこい and 下げ: frequency and gain of declaring them; the cost of choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.rules.description import Choice
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.facts.analysed import THOUSANDTHS
from records.search.filters import yaku_of
from records.statistics import charts
from records.statistics.answer import Case, Column
from records.statistics.columns import average_of_deals, counted, ratio, share_of_deals, unit
from records.statistics.definition import Figure, Result
from records.statistics.gather import Gathered, gather
from records.statistics.questions import (
    LEAST,
    Parameter,
    Question,
    count,
    is_zero_sum,
    one_of,
    unknown_value,
)
from records.statistics.sums import ALL, add_up_deals

# Playing on ---------------------------------------------------------------------------------------

#: The ways to split rows.
BY: Final = ("yaku", "left", "opp")
#: No hand has more cards, and nobody captures more.
_MOST_LEFT: Final = 8
_MOST_CAPTURED: Final = 48
#: Captured cards are counted in fours.
_STEP: Final = 4
#: Maximum rows of a chart.
_DRAWN: Final = 30


def choice(ruleset: str) -> Choice:
    """Return the two words of a ruleset: for playing on, and for stopping."""
    words = RULESETS[ruleset].choice
    assert words is not None, "rulesets of this figure have a choice"
    return words


def _read_by(value: str, question: Question) -> str:
    parts = [part.strip() for part in value.split(",")]
    for part in parts:
        if part not in (*BY, "none"):
            raise unknown_value(part, (*BY, "none"))
    return ",".join(part for part in BY if part in parts) or "none"


def _split_by(question: Question) -> tuple[str, ...]:
    return tuple(part for part in BY if part in question.own["by"].split(","))


def _decisions_columns(question: Question) -> list[Column]:
    small = unit(question.ruleset)
    on, stop = map(labels.decision, choice(question.ruleset))
    words = {"on": on, "stop": stop}
    wilson = _("Wilson interval with months as cases.")
    keys = {
        "yaku": Column(
            *("yaku", _("Yaku held"), "id", ""),
            _("Alone or with others: a player with several yaku is counted in the row of each."),
        ),
        "left": Column("left", _("Cards left in hand"), "count"),
        "opp": Column(
            "opp", _("Opponent's captures"), "count", "", _("In fours, rounded down: 4 is 4 to 7.")
        ),
    }
    columns = [
        *(keys[name] for name in _split_by(question)),
        Column("name", _("Situation"), "text", value=_situation),
        counted(_("Choices"), _("How often a seat had the choice.")),
        Column("said", _("%(on)s said") % words, "count"),
        share_of_deals("rate", _("%(on)s said, when possible") % words, wilson, of="said"),
        Column("won", _("Won after %(on)s") % words, "count", "", _("Months won in the end.")),
        share_of_deals("success", _("Success of %(on)s") % words, wilson, of="won", n="said"),
        average_of_deals("score", _("Mean score after %(on)s") % words, small, n="said"),
        Column(
            *("stop", _("Score by stopping instead"), "number", small),
            _(
                "Mean of what the players who said %(on)s would have scored with %(stop)s at that "
                "moment."
            )
            % words,
            ratio("stop", "said"),
        ),
        average_of_deals(
            *("gain", _("Gain over stopping"), small),
            _(
                "Mean margin after %(on)s minus the margin by stopping instead. A margin is the "
                "own score, less that of the best opponent where scores do not add up to zero."
            )
            % words,
            n="said",
        ),
        Column(
            *("stopped", _("Mean score of players who stopped"), "number", small),
            value=ratio("stopped", "stops"),
        ),
    ]
    # Scores that add up to zero are margins already.
    if not is_zero_sum(question):
        columns[-1:-1] = [
            Column(
                *("margin", _("Mean margin after %(on)s") % words, "number", small),
                value=ratio("margin", "said"),
            ),
            Column(
                *("stop_margin", _("Margin by stopping instead"), "number", small),
                value=ratio("stop_margin", "said"),
            ),
            average_of_deals(
                *("own_gain", _("Gain in own points"), small),
                _("Mean score after %(on)s minus the score by stopping instead.") % words,
                n="said",
            ),
        ]
    return columns


def _compute_decisions(question: Question, gathered: Gathered) -> Result:
    cases = _fetch_decisions(question, gathered, _split_by(question))
    whole = [case for case in cases if case.get("yaku") == ALL] or cases
    least = question.own["n_min"]
    notes = [
        _(
            "Months are counted once for every choice in them. Players who play on usually have "
            "better cards than those who stop: a gain describes only the months in which somebody "
            "did play on."
        ),
        _(
            "If the whole interval of a gain lies above 0, playing on brought more than stopping; "
            "if it contains 0, or there is none because there are fewer than 20 months, these "
            "games do not decide it."
        ),
    ]
    if not is_zero_sum(question):
        notes.append(
            _(
                "The gain subtracts what the opponent scores: an opponent who wins after koi-koi "
                "costs more than the own points that were given up. The gain in own points leaves "
                "that out."
            )
        )
    rows = [
        case for case in cases if case.get("yaku") != ALL and (case["n"] >= least or least == 1)
    ]
    return Result(rows, sum(case["n"] for case in whole), notes, most_drawn=_DRAWN)


#: The numbers of decisions in a deal. Own points or a margin: the outcome of the deal, and the
#: outcome had the seat stopped.
_NUMBERS: Final = {
    "n": "count(*)",
    "said": 'count(*) FILTER ("on")',
    "won": 'count(*) FILTER ("on" AND won)',
    "score": 'sum(score) FILTER ("on")',
    "stop": 'sum(stop) FILTER ("on")',
    "margin": 'sum(margin) FILTER ("on")',
    "stop_margin": 'sum(stop_margin) FILTER ("on")',
    "gain": 'sum(margin - stop_margin) FILTER ("on")',
    "own_gain": 'sum(score - stop) FILTER ("on")',
    "stops": 'count(*) FILTER (NOT "on")',
    "stopped": 'sum(score) FILTER (NOT "on")',
}
#: The numbers of decisions of all deals.
_SUMS: Final = {
    **{name: f"sum({name})" for name in _NUMBERS},
    **add_up_deals({"n": ["said"], "said": ["won", "score", "gain", "own_gain"]}),
}


def _fetch_decisions(question: Question, gathered: Gathered, by: Sequence[str]) -> list[Case]:
    """Return the situations that match the query, split by ``by``; the most frequent first.

    Without ``by`` the result is one situation, even without decisions. By yaku, a decision counts
    in the situation of each held yaku and in `ALL`.
    """
    assert gathered.selection is not None
    values = {name: question.own[name] for name in BY if question.own[name] is not None}
    conditions = {
        "yaku": "yaku = $yaku" if "yaku" in by else "list_contains(string_split(held, ' '), $yaku)",
        "left": '"left" = $left',
        "opp": f"opp = $opp // {_STEP} * {_STEP}",
    }
    where = " AND ".join(conditions[name] for name in values) or "true"
    numbers = ", ".join(f"{sql} AS {name}" for name, sql in _NUMBERS.items())
    parts = "".join(f'"{name}", ' for name in by)
    yaku = f", unnest(string_split(trim('{ALL} ' || held), ' ')) AS yaku" if "yaku" in by else ""
    rows = gathered.selection.fetch(
        f"""
        WITH choices AS (
            SELECT * EXCLUDE (yaku), opponent // {_STEP} * {_STEP} AS opp{yaku}
            FROM {gathered.selection.rows("choices")}
        ),
        months AS (
            SELECT {parts} {numbers} FROM choices WHERE {where}
            GROUP BY {parts} game, deal
        )
        SELECT {parts} {", ".join(_SUMS.values())} FROM months GROUP BY ALL
        """,
        **values,
    )
    names = (*by, *_SUMS)
    cases = [dict(zip(names, (value or 0 for value in row), strict=True)) for row in rows]
    return sorted(cases, key=lambda case: (-case["n"], *(case[part] for part in by)))


def _situation(case: Case) -> str:
    """Return a situation as text: akatan, 4 left, opponent 8–11."""
    texts = []
    if "yaku" in case:
        texts.append(labels.dealt(case["yaku"]))
    if "left" in case:
        texts.append(_("%(count)d left") % {"count": case["left"]})
    if "opp" in case:
        words = {"low": case["opp"], "high": case["opp"] + _STEP - 1}
        texts.append(_("opponent %(low)d–%(high)d") % words)
    return labels.listed(texts) if texts else _("all")


DECISIONS: Final = Figure(
    id="decisions",
    title=gettext_lazy("Playing on: koi-koi and sage"),
    definition=gettext_lazy(
        "How often a seat that had made a yaku played on instead of stopping, how often it won the "
        "month after that, and what margin over the opponents it gained over stopping at once, by "
        "the yaku held, the cards left in its hand and the most cards captured by an opponent."
    ),
    formula=gettext_lazy(
        "rate = said / n; success = won / said; gain = mean of the month's margin − mean of the "
        "margin by stopping at that moment"
    ),
    columns=_decisions_columns,
    compute=_compute_decisions,
    chart=charts.Estimates(label="name", value="gain"),
    is_drawn=lambda row: row["said"],
    forms=({"by": "none"}, {"by": ",".join(BY)}),
    has=lambda description: description.choice is not None,
    own=(
        Parameter(
            "by",
            gettext_lazy(
                "What distinguishes the rows: some of `yaku`, `left`, `opp` with commas, or `none`."
            ),
            {
                "type": "string",
                "default": "yaku",
                "pattern": "^(none|(yaku|left|opp)(,(yaku|left|opp))*)$",
            },
            _read_by,
            "yaku",
        ),
        Parameter(
            "yaku",
            gettext_lazy("Only choices with this yaku made, alone or with others."),
            {"type": "string"},
            one_of(lambda question: yaku_of(question.ruleset)),
        ),
        count(
            *("left", gettext_lazy("Only choices with this many cards left in the hand.")),
            *(0, _MOST_LEFT),
        ),
        count(
            "opp",
            gettext_lazy(
                "Only choices against an opponent with about this many captured cards, in fours."
            ),
            *(0, _MOST_CAPTURED),
        ),
        LEAST,
    ),
)

# The cost of choices in analysed games (`kafu.analysis`) ------------------------------------------


def kinds() -> dict[str, str]:
    """Return the names of the kinds of choices in row order, beginning with all kinds."""
    return {
        ALL: _("all choices"),
        "hand": _("card from the hand"),
        "stock": _("capture of the draw-pile card"),
        "say": _("stop or go on"),
        "bid": _("go in or out"),
        "show": _("declare a dealt hand"),
    }


def _losses_columns(question: Question) -> list[Column]:
    loss = _("How much better the best other action was, where by more than two standard errors.")
    small = unit(question.ruleset)
    return [
        Column("kind", _("Kind id"), "id"),
        Column("name", _("Kind of choice"), "text"),
        counted(_("Choices"), _("Choices that were analysed; forced ones are none.")),
        Column("costly", _("Costly"), "count", "", _("Costly beyond their error, game by game.")),
        share_of_deals(
            "rate",
            _("Costly choices"),
            _("Share; Wilson interval with months as cases."),
            of="costly",
        ),
        average_of_deals("loss", _("Average loss a choice"), small, loss, parts=THOUSANDTHS),
    ]


def _read_losses(question: Question) -> Gathered:
    gathered = gather(question)
    counts = gathered.sums["games"][ALL]
    return replace(gathered, games=counts["analysed"], deals=counts["analysed_deals"])


def _compute_losses(question: Question, gathered: Gathered) -> Result:
    losses = gathered.sums["losses"]
    names = kinds().items()
    cases = [{"kind": kind, "name": name, **losses[kind]} for kind, name in names if kind in losses]
    return Result(cases, losses[ALL]["n"])


LOSSES: Final = Figure(
    id="losses",
    title=gettext_lazy("What choices cost"),
    definition=gettext_lazy(
        "How much choices of the selected games lost on average, by kind of choice; of the games "
        "that are analysed. n of the answer counts the choices."
    ),
    formula=gettext_lazy("average loss = sum of losses / n; rate = costly / n"),
    columns=_losses_columns,
    compute=_compute_losses,
    chart=charts.Estimates(label="name", value="loss"),
    read=_read_losses,
    basis=gettext_lazy(
        "A loss is measured against a simple policy from what the player knew, not against best "
        "play. Who is analysed is no sample of all: somebody asked for it."
    ),
)
