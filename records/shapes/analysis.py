"""The analysis of a game, and situations that games share."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from kafu.analysis.json_types import ReportParts
from kafu.comparing.situations import Aspect, Match, Threat
from kafu.notation.json_types import OneOf, RulesetId
from records.base.json_types import Url
from records.shapes.shape import Shape


class Report(ReportParts):
    """A whole analysis."""

    ruleset: RulesetId


class GameAnalysis(Shape):
    """The progress and the result of the analysis of a game."""

    state: Annotated[str, OneOf("AnalysisState", ("none", "waiting", "running", "failed", "done"))]
    progress: Annotated[int, "Number of finished choices and deals."]
    total: Annotated[int | None, "Total number of choices and deals, once counted."]
    engine: Annotated[str, "The version of the analysis engine."]
    made: datetime | None
    analysis: Report | None


class ComparedStep(Shape, kw_only=True):
    """A step whose situation is compared. The situation is the table after the step."""

    at: Annotated[str, "Deal (from 1) and step (from 0), as in the replay: `3.14`."]
    aspect: Annotated[
        str,
        OneOf("Aspect", [aspect.name.lower() for aspect in Aspect]),
        "The part of the situation that is compared.",
    ]
    seat: Annotated[int, "The seat to play."]


class SituationChoice(Shape):
    """A choice in the cards of this game; other suits of the same meaning are translated."""

    card: Annotated[str, "The card played from the hand; empty for a word."]
    take: Annotated[str, "The captured card of a dealt field; empty for none."]
    word: Annotated[str, "The decision; empty for a card."]
    is_own: Annotated[bool, "Whether this game has the choice."]
    n: Annotated[int, "Number of times the choice was made."]
    share: float
    share_low: float
    share_high: float
    margin: Annotated[
        float,
        "Mean result of the deal from this step on, in the small unit; in koi-koi minus the "
        "opponent's result.",
    ]
    margin_low: Annotated[
        float | None, "95 % interval of the mean; null for fewer than ten cases, or equal ones."
    ]
    margin_high: float | None
    score: Annotated[float, "The same for the seat's own points."]
    score_low: float | None
    score_high: float | None


class Situation(ComparedStep, kw_only=True):
    """The situation at a step.

    Depending on `aspect`, it has `field`, `captured`, or the members from `yaku` to `threat`.
    """

    field: Annotated[str, "The dealt field."]
    captured: Annotated[list[str], "Captured cards, from the seat in turn on."]
    yaku: Annotated[Sequence[str], "The captured yaku of the seat."] = ()
    stop: Annotated[int | None, "The value of stopping now, in the small unit."] = None
    left: Annotated[int | None, "Cards in hand."] = None
    calls: Annotated[
        Sequence[int],
        "Number of times the seat, and the other seats, went on before in this deal.",
    ] = ()
    grade: Annotated[str | None, "The field grade."] = None
    carried: Annotated[str | None, "The carried-over grade, or `replay` for a replayed month."] = (
        None
    )
    threat: Annotated[Threat | None, "Null if opponents lack more than 2 cards of every yaku."] = (
        None
    )
    match: Match
    fixed: Annotated[Sequence[str], "The parts that are equal in all cases."]
    n: Annotated[int, "Number of occurrences in public games."]
    games: Annotated[int, "Number of games with an occurrence."]
    choices: list[SituationChoice]


class SituationPlace(Shape):
    """A public game with the situation, and its step; `choice` is a row of `choices`."""

    key: str
    at: str
    choice: Annotated[int, "Row of `choices`, from 0."]
    margin: Annotated[int, "The result of the deal, as in `choices`."]
    score: Annotated[int, "The seat's own points."]


class Situations(Shape):
    """The games that share a situation."""

    key: str
    complete: Annotated[bool, "False while recently stored games are not counted yet."]
    as_of: Annotated[datetime | None, "When the counted data last changed; null without data."]
    steps: Annotated[list[ComparedStep], "All steps of this game with comparable situations."]
    situation: Annotated[
        Situation | None, "Null without `at`, and for a step without a comparable situation."
    ]
    next: Url | None
    previous: Url | None
    results: Annotated[list[SituationPlace], "The occurrences, newest game first."]
