"""こいこい and 下げ: how often they are declared, how they end, and what they bring."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import add as plus
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
from records.statistics.questions import Parameter, Question, count_to
from records.totals.intervals import mean, wilson
from records.totals.layout import ALL, LAYOUT

#: The ways to split rows.
BY: Final = ("yaku", "left", "opp")
#: No hand has more cards, and nobody captures more.
_MOST_LEFT: Final = 8
_MOST_CAPTURED: Final = 48
#: Captured cards are counted in fours.
_STEP: Final = 4
#: Maximum rows of a chart.
_DRAWN: Final = 30
_NAMES: Final = LAYOUT["decisions"].names


def choice(ruleset: str) -> Choice:
    """The words of a ruleset for this figure: the one that plays on, the one that stops."""
    found = RULESETS[ruleset].choice
    assert found is not None, "rulesets of this figure have a choice"
    return found


@dataclass(slots=True)
class Situation:
    """The decisions in one situation: the vectors of playing on and of stopping."""

    on: list[int] = field(default_factory=lambda: [0] * len(_NAMES))
    stop: list[int] = field(default_factory=lambda: [0] * len(_NAMES))

    def add(self, vector: Sequence[int], *, on: bool) -> None:
        """Add decisions to those of playing ``on``, or to those of stopping."""
        into = self.on if on else self.stop
        into[:] = map(plus, into, vector)

    @property
    def chances(self) -> int:
        """How often there was the choice."""
        n = _NAMES.index("n")
        return self.on[n] + self.stop[n]


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
    return [
        *(keys[one] for one in by),
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
            _("Mean score after %(on)s minus the score by stopping instead.") % words,
        ),
        Column("stopped", _("Mean score of players who stopped"), "number", small),
    ]


def _split_by(question: Question) -> tuple[str, ...]:
    return tuple(part for part in BY if part in question.own["by"].split(","))


def _compute(question: Question, gathered: Gathered) -> Result:
    by = _split_by(question)
    cases = _cases(question, gathered, by)
    least = question.own["n_min"]
    found = sorted(cases.items(), key=lambda one: (-one[1].chances, one[0]))
    rows = [
        _row(question.ruleset, dict(zip(by, key, strict=True)), case)
        for key, case in found
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
            "if it contains 0, or there is none because there are fewer than 10 cases, these games "
            "do not decide it."
        ),
        _("Scores are those of the seat that chose; what others won is not subtracted."),
    ]
    drawn = [row for row in rows if row["said"]][:_DRAWN]
    return Result(columns, rows, n, chart, notes, drawn)


def _cases(
    question: Question, gathered: Gathered, by: tuple[str, ...]
) -> dict[tuple[str | int, ...], Situation]:
    """The situations that match the question, split by ``by``."""
    words = choice(question.ruleset)
    cases: defaultdict[tuple[str | int, ...], Situation] = defaultdict(Situation)
    if not by:
        cases[()] = Situation()  # one row, also without any case
    for key, vector in gathered.sums.get(_sums(question, by), {}).items():
        parts = _parted(key)
        if parts.word in words and _matches(parts, question, by):
            situation = cases[tuple(getattr(parts, part) for part in by)]
            situation.add(vector, on=parts.word == words.on)
    return dict(cases)


def _sums(question: Question, by: tuple[str, ...]) -> str:
    """The sums that are read: those by cards left and captured only where these are asked about."""
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
    """A key of either sums in its parts; there are some thousand keys."""
    word, yaku, *numbers = key.split(" ")
    left, opponent = map(int, numbers or (0, 0))
    return _DecisionKey(word, yaku, left, opponent)


def _matches(key: _DecisionKey, question: Question, by: tuple[str, ...]) -> bool:
    """Whether a key is among what the question asks about."""
    yaku, left, opp = (question.own[name] for name in BY)
    if yaku and key.yaku != yaku:
        return False
    if not yaku and (key.yaku != ALL) != ("yaku" in by):
        return False
    return left in (None, key.left) and (opp is None or key.opp == opp // _STEP * _STEP)


def _row(ruleset: str, keys: dict[str, str | int], case: Situation) -> Values:
    on, stop = (dict(zip(_NAMES, vector, strict=True)) for vector in (case.on, case.stop))
    chosen = on["n"]
    return {
        **keys,
        "name": _situation(keys),
        "n": case.chances,
        "said": chosen,
        **put("rate", wilson(chosen, case.chances)),
        "won": on["won"],
        **put("success", wilson(on["won"], chosen)),
        **put("score", mean(chosen, on["score"], on["score_sq"])),
        "stop": on["stop"] / chosen if chosen else None,
        **put("gain", mean(chosen, on["score"] - on["stop"], on["gain_sq"])),
        "stopped": stop["score"] / stop["n"] if stop["n"] else None,
    }


def _situation(keys: Mapping[str, str | int]) -> str:
    """A situation as text: akatan, 4 left, opponent 8–11."""
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
        "deal after that, and what it gained over stopping at once, by the yaku held, the cards "
        "left in its hand and the cards captured by the opponent who had most."
    ),
    formula=gettext_lazy(
        "rate = said / n; success = won / said; gain = mean of the deal's score − mean of the "
        "score by stopping at that moment"
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
