"""こいこい and 下げ: how often they are declared, how they end, and what they bring."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.rules.description import Choice
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.search.filters import shown, yaku_of
from records.statistics.answer import Column
from records.statistics.charts import estimates
from records.statistics.definition import Figure, Result
from records.statistics.estimates import LEAST, Values, counted, estimated, put, unit
from records.statistics.gather import Gathered
from records.statistics.intervals import mean, wilson
from records.statistics.questions import Parameter, Question, count_to
from records.statistics.sums import ALL, QUERIES

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
    """Return the words of a ruleset: the one that plays on, and the one that stops."""
    words = RULESETS[ruleset].choice
    assert words is not None, "rulesets of this figure have a choice"
    return words


def _zeros() -> dict[str, int]:
    return dict.fromkeys(QUERIES["decisions"].names, 0)


@dataclass(slots=True)
class Situation:
    """The decisions in one situation: sums of playing on, and of stopping."""

    on: dict[str, int] = field(default_factory=_zeros)
    stop: dict[str, int] = field(default_factory=_zeros)

    def add(self, sums: Mapping[str, int], *, on: bool) -> None:
        """Add decisions to those of playing ``on``, or to those of stopping."""
        total = self.on if on else self.stop
        for name, number in sums.items():
            total[name] += number

    @property
    def chances(self) -> int:
        """The number of times that there was the choice."""
        return self.on["n"] + self.stop["n"]


def _read_by(value: str, question: Question) -> str:
    parts = [part.strip() for part in value.split(",")]
    for part in parts:
        if part not in BY and part != "none":
            words = {"value": shown(part), "known": ", ".join((*BY, "none"))}
            raise ValueError(_("unknown value “%(value)s”; expected %(known)s.") % words)
    return ",".join(part for part in BY if part in parts) or "none"


def _read_yaku(value: str, question: Question) -> str:
    known = yaku_of(question.ruleset) if question.ruleset else ()
    if question.ruleset and value not in known:
        words = {"value": shown(value), "known": ", ".join(known)}
        raise ValueError(_("unknown value “%(value)s”; expected %(known)s.") % words)
    return value


def _columns(question: Question) -> list[Column]:
    by = _split_by(question)
    small = unit(question.ruleset)
    on, stop = map(labels.decision, choice(question.ruleset))
    words = {"on": on, "stop": stop}
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
    # Where scores add up to zero they are margins themselves.
    own_points = (
        []
        if RULESETS[question.ruleset].zero_sum
        else [
            Column("margin", _("Mean margin after %(on)s") % words, "number", small),
            Column("stop_margin", _("Margin by stopping instead"), "number", small),
            *estimated(
                "own_gain",
                _("Gain in own points"),
                "number",
                small,
                _("Mean score after %(on)s minus the score by stopping instead.") % words,
            ),
        ]
    )
    return [
        *(keys[name] for name in by),
        Column("name", _("Situation"), "text"),
        counted(_("Choices"), _("How often a seat had the choice.")),
        Column("said", _("%(on)s said") % words, "count"),
        *estimated(
            "rate", _("%(on)s said, when possible") % words, "rate", "", _("Wilson interval.")
        ),
        Column("won", _("Won after %(on)s") % words, "count", "", _("Deals won in the end.")),
        *estimated("success", _("Success of %(on)s") % words, "rate", "", _("Wilson interval.")),
        *estimated("score", _("Mean score after %(on)s") % words, "number", small),
        Column(
            "stop",
            _("Score by stopping instead"),
            "number",
            small,
            _(
                "Mean of what the players who said %(on)s would have scored with %(stop)s at that "
                "moment."
            )
            % words,
        ),
        *estimated(
            "gain",
            _("Gain over stopping"),
            "number",
            small,
            _(
                "Mean margin after %(on)s minus the margin by stopping instead. A margin is the "
                "own score, less that of the best opponent where scores do not add up to zero."
            )
            % words,
        ),
        *own_points,
        Column("stopped", _("Mean score of players who stopped"), "number", small),
    ]


def _split_by(question: Question) -> tuple[str, ...]:
    return tuple(part for part in BY if part in question.own["by"].split(","))


def _compute(question: Question, gathered: Gathered) -> Result:
    by = _split_by(question)
    cases = _cases(question, gathered, by)
    least = question.own["n_min"]
    sorted_cases = sorted(cases.items(), key=lambda item: (-item[1].chances, item[0]))
    rows = [
        _row(question.ruleset, dict(zip(by, key, strict=True)), case)
        for key, case in sorted_cases
        if case.chances >= least or least == 1
    ]
    choices = _cases(question, gathered, ()) if "yaku" in by else cases
    n = sum(case.chances for case in choices.values())
    columns = _columns(question)
    chart = estimates(columns, label="name", value="gain")
    notes = [
        _(
            "Deals are counted once for every choice in them. Players who play on usually have "
            "better cards than those who stop: a gain describes only the deals in which somebody "
            "did play on."
        ),
        _(
            "If the whole interval of a gain lies above 0, playing on brought more than stopping; "
            "if it contains 0, or there is none because there are fewer than 20 cases, these games "
            "do not decide it."
        ),
        *_explain_margin(question),
    ]
    drawn = [row for row in rows if row["said"]][:_DRAWN]
    return Result(columns, rows, n, chart, notes, drawn)


def _explain_margin(question: Question) -> list[str]:
    """Return a note where the gain is not that of own points."""
    if RULESETS[question.ruleset].zero_sum:
        return []
    return [
        _(
            "The gain subtracts what the opponent scores: an opponent who wins after koi-koi costs "
            "more than the own points that were given up. The gain in own points leaves that out."
        )
    ]


def _cases(
    question: Question, gathered: Gathered, by: tuple[str, ...]
) -> dict[tuple[str | int, ...], Situation]:
    """Return the situations that match the question, split by ``by``."""
    words = choice(question.ruleset)
    cases: defaultdict[tuple[str | int, ...], Situation] = defaultdict(Situation)
    if not by:
        cases[()] = Situation()  # one row, also without any case
    for key, sums in gathered.sums[_sums(question, by)].items():
        parts = _parted(key)
        if parts.word in words and _matches(parts, question, by):
            situation = cases[tuple(getattr(parts, part) for part in by)]
            situation.add(sums, on=parts.word == words.on)
    return dict(cases)


def _sums(question: Question, by: tuple[str, ...]) -> str:
    """Return the name of the sums: those by cards left and captured only where they are needed."""
    narrow = {"left", "opp"}
    given = {name for name in narrow if question.own[name] is not None}
    return "decisions" if given or narrow & {*by} else "choices"


class _DecisionKey(NamedTuple):
    """A key of the sums: the word, the yaku held (`ALL` for any), the cards left in the hand, and
    the captures of the opponent who had most, in fours.
    """

    word: str
    yaku: str
    left: int
    opp: int


@cache
def _parted(key: str) -> _DecisionKey:
    """Return a key of either sums in its parts; there are some thousand keys."""
    word, yaku, *numbers = key.split(" ")
    left, opponent = map(int, numbers or (0, 0))
    return _DecisionKey(word, yaku, left, opponent)


def _matches(key: _DecisionKey, question: Question, by: tuple[str, ...]) -> bool:
    """Return whether a key matches the question."""
    yaku, left, opp = (question.own[name] for name in BY)
    if yaku and key.yaku != yaku:
        return False
    if not yaku and (key.yaku != ALL) != ("yaku" in by):
        return False
    return left in (None, key.left) and (opp is None or key.opp == opp // _STEP * _STEP)


def _row(ruleset: str, keys: dict[str, str | int], case: Situation) -> Values:
    on, stop = case.on, case.stop
    chosen = on["n"]
    row: Values = {
        **keys,
        "name": _situation(keys),
        "n": case.chances,
        "said": chosen,
        **put("rate", wilson(chosen, case.chances)),
        "won": on["won"],
        **put("success", wilson(on["won"], chosen)),
        **put("score", mean(chosen, on["score"], on["score_sq"])),
        "stop": on["stop"] / chosen if chosen else None,
        **put("gain", mean(chosen, on["margin"] - on["stop_margin"], on["gain_sq"])),
        "stopped": stop["score"] / stop["n"] if stop["n"] else None,
    }
    if not RULESETS[ruleset].zero_sum:
        own_gain = mean(chosen, on["score"] - on["stop"], on["own_gain_sq"])
        for name in ("margin", "stop_margin"):
            row[name] = on[name] / chosen if chosen else None
        row |= put("own_gain", own_gain)
    return row


def _situation(keys: Mapping[str, str | int]) -> str:
    """Return a situation as text: akatan, 4 left, opponent 8–11."""
    texts = []
    if "yaku" in keys:
        texts.append(labels.dealt(str(keys["yaku"])))
    if "left" in keys:
        texts.append(_("%(count)d left") % {"count": keys["left"]})
    if "opp" in keys:
        low = int(keys["opp"])
        texts.append(_("opponent %(low)d–%(high)d") % {"low": low, "high": low + _STEP - 1})
    return labels.listed(texts) if texts else _("all")


FIGURE: Final = Figure(
    id="decisions",
    title=gettext_lazy("Playing on: koi-koi and sage"),
    definition=gettext_lazy(
        "How often a seat that had made a yaku played on instead of stopping, how often it won the "
        "deal after that, and what margin over the opponents it gained over stopping at once, by "
        "the yaku held, the cards left in its hand and the most cards captured by an opponent."
    ),
    formula=gettext_lazy(
        "rate = said / n; success = won / said; gain = mean of the deal's margin − mean of the "
        "margin by stopping at that moment"
    ),
    compute=_compute,
    columns=_columns,
    forms=({"by": "none"}, {"by": ",".join(BY)}),
    has=lambda rules: rules.choice is not None,
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
            _read_yaku,
        ),
        Parameter(
            "left",
            gettext_lazy("Only choices with this many cards left in the hand."),
            {"type": "integer", "minimum": 0, "maximum": _MOST_LEFT},
            count_to(_MOST_LEFT),
        ),
        Parameter(
            "opp",
            gettext_lazy(
                "Only choices against an opponent with about this many captured cards, in fours."
            ),
            {"type": "integer", "minimum": 0, "maximum": _MOST_CAPTURED},
            count_to(_MOST_CAPTURED),
        ),
        LEAST,
    ),
)
