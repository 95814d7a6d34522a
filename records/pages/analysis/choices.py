"""Choices of an analysis in words: candidates with bars, costly choices, a line per player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from kafu.analysis.choices import BID, HAND, SHOW, SILENT, STOCK
from kafu.analysis.report import PARTS, is_missed
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.pages.analysis.reasons import reason_of
from records.pages.game.replayed_game import ReplayedGame

#: The number of candidates of a choice; the chosen action is shown besides.
_CANDIDATES: Final = 3
#: The smallest width of a bar, in percent.
_LEAST_WIDTH: Final = 3
#: The smallest difference between a full and an empty bar, in standard errors.
_SPAN: Final = 8


class MeasureView(NamedTuple):
    """A measured sum as text, ``+2.3``, and its standard error, ``0.6``, or ""."""

    value: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class MistakeView:
    """A costly choice.

    ``at`` is the step in the form of addresses, ``before`` the step before it. ``place`` is the
    step in words, ``kind`` what was chosen. ``played`` and ``better`` are actions in words. ``by``
    is the difference in the result, ``chance`` the difference in the chance to win the game.
    ``text`` has everything in one line.
    """

    at: str
    before: str
    place: str
    kind: str
    seat: int
    player: str
    played: str
    better: str
    by: MeasureView
    chance: MeasureView
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player's choices and the parts of the result.

    ``agreed`` is the share of choices for which the analysis found nothing better, in percent.
    ``parts`` are in the order of `kafu.analysis.report.PARTS`. ``luck`` has the luck of the deal
    and of the draw pile.
    """

    name: str
    analysed: int
    forced: int
    costly: int
    agreed: str
    average: MeasureView
    luck: Sequence[MeasureView]
    parts: Sequence[MeasureView]
    result: str


class CandidateView(NamedTuple):
    """An action of a choice: in Kafu and in words, its value, chance to win in percent, and bar.

    ``cards`` are the letters of the played or drawn card and its captures, "" for words. ``width``
    is the length of the bar in percent.
    """

    move: str
    words: str
    cards: str
    value: MeasureView
    chance: MeasureView
    width: int
    is_played: bool
    is_best: bool


class ChoiceView(NamedTuple):
    """A choice with its best actions and the chosen one, the best first.

    ``at`` and ``before`` are steps in the form of addresses, ``place`` is the step in words,
    ``kind`` the kind of `kafu.analysis.json_types.ChoiceJson`.
    """

    at: str
    before: str
    place: str
    kind: str
    seat: int
    player: str
    is_costly: bool
    candidates: list[CandidateView]


class MonthChoices(NamedTuple):
    """The choices of a deal."""

    title: str
    choices: list[ChoiceView]


@dataclass(frozen=True, slots=True)
class AnalysisView:
    """An analysis.

    ``mistakes`` begin with the costliest, ``months`` have all analysed choices. ``measured`` of
    ``deals`` deals have all cards. ``unknown`` are sentences about the choices that could not be
    analysed, one a reason. ``is_margin`` means that sums are differences to the opponent.
    """

    players: list[PlayerView]
    mistakes: list[MistakeView]
    months: list[MonthChoices]
    unit: str
    measured: int
    deals: int
    unknown: list[str]
    is_margin: bool


def view_of(
    replay: ReplayedGame, verdict: Mapping[str, Any], report: Mapping[str, Any]
) -> AnalysisView:
    """Return a report (`kafu.analysis.report`) on a game in the language of the request."""
    description = RULESETS[verdict["rules"]]
    choices = [choice for choice in report["choices"] if not choice["reason"]]
    words = _Words(replay, [deal["month"] for deal in verdict["deals"]])
    costly = [choice for choice in choices if choice["costly"]]
    return AnalysisView(
        players=[
            _player(name, seat, [choice for choice in choices if choice["seat"] == number])
            for number, (name, seat) in enumerate(
                zip(replay.players, report["seats"], strict=True), 1
            )
        ],
        mistakes=[
            words.mistake(choice) for choice in sorted(costly, key=lambda choice: -choice["better"])
        ],
        months=[
            MonthChoices(
                labels.deal_month(deal, words.months), [words.choice(choice) for choice in of_deal]
            )
            for deal, of_deal in groupby(choices, key=lambda choice: choice["deal"])
        ],
        unit=_("mon") if description.mon else _("points"),
        measured=sum(deal["parts"] is not None for deal in report["deals"]),
        deals=len(report["deals"]),
        unknown=list(_tell_unknown(report["choices"])),
        is_margin=any(sum(deal["score"] or ()) for deal in verdict["deals"]),
    )


def _tell_unknown(choices: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a sentence for each reason against an analysis, with the number of choices."""
    reasons = {
        "hand": _("the hand is not recorded"),
        "count": _("the cards of the record do not make a whole pack"),
        "rare": _("hardly any deal fits what was declared"),
    }
    for reason, count in Counter(choice["reason"] for choice in choices).items():
        if reason:
            text = ngettext(
                "%(count)d choice could not be analysed: %(reason)s.",
                "%(count)d choices could not be analysed: %(reason)s.",
                count,
            )
            yield text % {"count": count, "reason": reasons[reason]}


def candidates_of(choice: Mapping[str, Any], most: int = _CANDIDATES) -> list[CandidateView]:
    """Return the best actions of an analysed choice and the chosen one, the best first.

    Values of other actions than the chosen one and its best alternative have a larger error, so
    that only one of these two is called the best.
    """
    options = {option["move"]: option for option in choice["options"]}
    played, rival = choice["played"], choice["rival"]
    best = rival if is_missed(choice) else played
    ranked = sorted(options, key=lambda move: (move != best, -options[move]["mean"]))
    shown = ranked[:most]
    shown += [move for move in (rival, played) if move in options and move not in shown]
    top = options[best]["mean"]
    span = max(top - options[ranked[-1]]["mean"], _SPAN * choice["error"], 1)
    return [
        CandidateView(
            move=move,
            words=move_words(move, choice["kind"]),
            cards=card_letters(move, choice["kind"]),
            value=_measure({**options[move], "value": options[move]["mean"]}),
            chance=_percent(options[move]["chance"], signed=False),
            width=max(
                _LEAST_WIDTH, min(100, round(100 * (1 - (top - options[move]["mean"]) / span)))
            ),
            is_played=move == played,
            is_best=move == best,
        )
        for move in shown
    ]


def figure(value: float, *, signed: bool = True) -> str:
    """Return a sum with one decimal: ``+2.3``, ``−0.4``, ``0.0``."""
    text = f"{value:+.1f}" if signed else f"{value:.1f}"
    return "0.0" if float(text) == 0 else text.replace("-", "−")


def move_words(move: str, kind: str) -> str:
    """Return an action of Kafu in words: ``AxBC`` is a card that captures others."""
    if move == SILENT:
        return _("looking at the hand first") if kind == BID else _("saying nothing")
    if kind == BID:
        words = {"in": _("going in"), "out": _("going out"), "blind": _("going in blind")}
        return words[move]
    if kind == SHOW:
        return _("declaring %(yaku)s") % {"yaku": labels.yaku(move.partition(" ")[0])}
    if kind not in (HAND, STOCK):
        return labels.decision(move)
    card, _x, take = move.partition("x")
    names = {"card": labels.brief(card), "take": labels.brief(take)}
    return _("%(card)s, which captures %(take)s") % names if take else names["card"]


def _measure(measured: Mapping[str, float]) -> MeasureView:
    return MeasureView(figure(measured["value"]), figure(measured["error"], signed=False))


def _percent(measured: Mapping[str, float], *, signed: bool = True) -> MeasureView:
    """Return a chance, or a difference of chances, in percent."""
    value, error = (100 * measured[name] for name in ("value", "error"))
    return MeasureView(figure(value, signed=signed), figure(error, signed=False))


def _player(name: str, seat: Mapping[str, Any], choices: Sequence[Mapping[str, Any]]) -> PlayerView:
    count = seat["analysed"]
    average = MeasureView("–")
    if count:
        loss, error = seat["loss"] / count, seat["error"] / count
        average = MeasureView(f"{loss:.2f}", f"{error:.2f}")
    agreed = sum(not is_missed(choice) for choice in choices)
    parts = seat["parts"]
    return PlayerView(
        name=name,
        analysed=count,
        forced=seat["forced"],
        costly=seat["costly"],
        agreed=f"{100 * agreed / count:.0f}" if count else "–",
        average=average,
        luck=[_measure(parts[part]) for part in ("deal", "stock")],
        parts=[_measure(parts[part]) for part in PARTS],
        result=f"{seat['result']:+d}".replace("-", "−") if seat["result"] else "0",
    )


class _Words:
    """The words of the choices of a game, by its replay and the ended deals' months."""

    def __init__(self, replay: ReplayedGame, months: Sequence[int]) -> None:
        self.replay, self.months = replay, months

    def place(self, choice: Mapping[str, Any]) -> str:
        """Return the turn of a choice."""
        kind, turn = choice["kind"], choice["turn"]
        month = labels.deal_month(choice["deal"], self.months)
        if not turn and kind in (BID, SHOW):
            words = _("%(month)s, bids") if kind == BID else _("%(month)s, dealt hands")
            return words % {"month": month}
        return _("%(month)s, turn %(turn)d") % {"month": month, "turn": turn}

    def choice(self, choice: Mapping[str, Any]) -> ChoiceView:
        """Return an analysed choice with its candidates."""
        return ChoiceView(
            **name_steps(choice),
            place=self.place(choice),
            kind=choice["kind"],
            seat=choice["seat"],
            player=self.replay.players[choice["seat"] - 1],
            is_costly=choice["costly"],
            candidates=candidates_of(choice),
        )

    def mistake(self, choice: Mapping[str, Any]) -> MistakeView:
        """Return a costly choice."""
        played, rival = (move_words(choice[move], choice["kind"]) for move in ("played", "rival"))
        by = _measure({"value": choice["better"], "error": choice["error"]})
        chance = _percent(choice["chance"])
        words = {
            **{"played": played, "better": rival, "by": by.value, "error": by.error},
            **{"chance": chance.value, "chance_error": chance.error},
        }
        text = _(
            "%(better)s instead of %(played)s: %(by)s ± %(error)s, chance to win the game "
            "%(chance)s ± %(chance_error)s%%"
        )
        player = self.replay.players[choice["seat"] - 1]
        # A step without a declaration belongs to another seat.
        who = f"{player}: " if choice["played"] == SILENT else ""
        reason = reason_of(self.replay, choice)
        return MistakeView(
            **name_steps(choice),
            place=self.place(choice),
            kind=kind_words(choice, self.replay.data["rules"]),
            seat=choice["seat"],
            player=player,
            played=played,
            better=rival,
            by=by,
            chance=chance,
            reason=reason,
            text=" · ".join(part for part in (who + text % words, reason) if part),
        )


def name_steps(choice: Mapping[str, Any]) -> dict[str, str]:
    """Return the step of a choice and the step before it, in the form of addresses."""
    deal, step = choice["deal"], choice["step"]
    return {"at": f"{deal}.{step}", "before": f"{deal}.{max(step - 1, 0)}"}


def card_letters(move: str, kind: str) -> str:
    """Return the letters of a move's cards; "" for a word."""
    return move.replace("x", "", 1) if kind in (HAND, STOCK) else ""


def kind_words(choice: Mapping[str, Any], ruleset: str) -> str:
    """Return what a choice was about: a card, a capture, a bid, a dealt hand, or a word.

    The word is the one that plays on (こいこい, 下げ), or the one that may be said besides.
    """
    words = {
        HAND: _("card"),
        STOCK: _("capture"),
        BID: _("bid"),
        SHOW: _("dealt hand"),
    }
    if choice["kind"] in words:
        return words[choice["kind"]]
    choices = RULESETS[ruleset].choice
    if choices is not None and choice["played"] in choices:
        return labels.decision(choices.on)
    return labels.decision(choice["rival"] if choice["played"] == SILENT else choice["played"])
