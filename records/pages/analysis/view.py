"""An analysis as tables: each costly choice with what would have been better, a line a player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from kafu.analysis.choices import SILENT
from kafu.analysis.report import PARTS
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.models import Record


class MeasureView(NamedTuple):
    """A measured sum as text, ``+2.3``, and its standard error, ``0.6``; "" for none."""

    value: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class MistakeView:
    """A costly choice: where (``at`` as addresses say, ``place`` in words), who, what was done,
    what would have been better (in words, for a seat), by how much, and by which chance to win the
    game; ``text`` is all in a line.
    """

    at: str
    place: str
    seat: int
    player: str
    played: str
    better: str
    by: MeasureView
    chance: MeasureView
    text: str


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What the choices of a player come to, and the parts of the result, in the order of
    `kafu.analysis.report.PARTS` with the rest at the end; ``luck`` is that of the deal and of the
    draw pile.
    """

    name: str
    analysed: int
    forced: int
    costly: int
    average: MeasureView
    luck: Sequence[MeasureView]
    parts: Sequence[MeasureView]
    result: str


@dataclass(frozen=True, slots=True)
class AnalysisView:
    """A kept analysis: ``measured`` of ``deals`` deals have all cards, and ``unknown`` choices had
    a reason not to be analysed. ``is_margin``: sums are how much more than the opponent.
    """

    players: list[PlayerView]
    mistakes: list[MistakeView]
    unit: str
    measured: int
    deals: int
    unknown: int
    is_margin: bool


def view_of(record: Record, found: Mapping[str, Any]) -> AnalysisView:
    """The report of a game (`kafu.analysis.report`) in the language of the request."""
    names = labels.people(record.players)
    rules = RULESETS[record.ruleset]
    months = [deal["month"] for deal in record.verdict["deals"]]
    return AnalysisView(
        players=[_player(name, one) for name, one in zip(names, found["seats"], strict=True)],
        mistakes=[_mistake(one, names, months) for one in found["choices"] if one["costly"]],
        unit=_("mon") if rules.mon else _("points"),
        measured=sum(one["parts"] is not None for one in found["deals"]),
        deals=len(found["deals"]),
        unknown=sum(bool(one["reason"]) for one in found["choices"]),
        is_margin=any(sum(deal["score"] or ()) for deal in record.verdict["deals"]),
    )


def figure(value: float, *, signed: bool = True) -> str:
    """A sum with a decimal: ``+2.3``, ``−0.4``, ``0.0``."""
    text = f"{value:+.1f}" if signed else f"{value:.1f}"
    return "0.0" if float(text) == 0 else text.replace("-", "−")


def move_words(move: str, kind: str) -> str:
    """An action as Kafu writes it in words: ``AxBC`` is a card and what it captures."""
    if move == SILENT:
        return _("looking at the hand first") if kind == "bid" else _("saying nothing")
    if kind == "bid":
        words = {"in": _("going in"), "out": _("going out"), "blind": _("going in blind")}
        return words[move]
    if kind == "show":
        return _("declaring %(yaku)s") % {"yaku": labels.yaku(move.partition(" ")[0])}
    if kind not in ("hand", "stock"):
        return labels.decision(move)
    card, _x, take = move.partition("x")
    names = {"card": labels.brief(card), "take": labels.brief(take)}
    return _("%(card)s, which captures %(take)s") % names if take else names["card"]


def _measure(one: Mapping[str, float]) -> MeasureView:
    return MeasureView(figure(one["value"]), figure(one["error"], signed=False))


def _percent(one: Mapping[str, float]) -> MeasureView:
    """A difference of chances, in percent."""
    value, error = (100 * one[name] for name in ("value", "error"))
    return MeasureView(figure(value), figure(error, signed=False))


def _player(name: str, one: Mapping[str, Any]) -> PlayerView:
    count = one["analysed"]
    average = MeasureView("–")
    if count:
        loss, error = one["loss"] / count, one["error"] / count
        average = MeasureView(f"{loss:.2f}", f"{error:.2f}")
    parts = one["parts"]
    return PlayerView(
        name=name,
        analysed=count,
        forced=one["forced"],
        costly=one["costly"],
        average=average,
        luck=[_measure(parts[part]) for part in ("deal", "stock")],
        parts=[_measure(parts[part]) for part in PARTS],
        result=f"{one['result']:+d}".replace("-", "−") if one["result"] else "0",
    )


def _mistake(one: Mapping[str, Any], names: Sequence[str], months: Sequence[int]) -> MistakeView:
    played, rival = (move_words(one[move], one["kind"]) for move in ("played", "rival"))
    by = _measure({"value": one["better"], "error": one["error"]})
    chance = _percent(one["chance"])
    words = {
        **{"played": played, "better": rival, "by": by.value, "error": by.error},
        **{"chance": chance.value, "chance_error": chance.error},
    }
    number = one["deal"]
    month = _("Deal %(number)d") % {"number": number}
    if number <= len(months):  # else it has no end
        month = labels.month(months[number - 1])
    text = _(
        "%(better)s instead of %(played)s: %(by)s ± %(error)s, chance to win the game "
        "%(chance)s ± %(chance_error)s %%"
    )
    player = names[one["seat"] - 1]
    # Where nothing was said the step is another's.
    who = f"{player}: " if one["played"] == SILENT else ""
    return MistakeView(
        at=f"{number}.{one['step']}",
        place=_place(month, one["turn"], one["kind"]),
        seat=one["seat"],
        player=player,
        played=played,
        better=rival,
        by=by,
        chance=chance,
        text=who + text % words,
    )


def _place(month: str, turn: int, kind: str) -> str:
    if not turn and kind in ("bid", "show"):
        words = _("%(month)s, bids") if kind == "bid" else _("%(month)s, dealt hands")
        return words % {"month": month}
    return _("%(month)s, turn %(turn)d") % {"month": month, "turn": turn}
