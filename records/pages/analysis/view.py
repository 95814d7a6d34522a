"""An analysis as tables: costly choices with better choices, and a line for each player."""

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
    """A measured sum as text, ``+2.3``, and its standard error, ``0.6``, or ""."""

    value: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class MistakeView:
    """A costly choice.

    ``at`` is the step in the form of addresses, ``place`` in words. ``played`` and ``better`` are
    actions in words. ``by`` is the difference in the result, ``chance`` the difference in the
    chance to win the game. ``text`` has everything in one line.
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
    """A player's choices and the parts of the result.

    ``parts`` are in the order of `kafu.analysis.report.PARTS`. ``luck`` has the luck of the deal
    and of the draw pile.
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
    """An analysis.

    ``measured`` of ``deals`` deals have all cards, and ``unknown`` choices could not be analysed.
    ``is_margin`` means that sums are differences to the opponent.
    """

    players: list[PlayerView]
    mistakes: list[MistakeView]
    unit: str
    measured: int
    deals: int
    unknown: int
    is_margin: bool


def view_of(record: Record, report: Mapping[str, Any]) -> AnalysisView:
    """Return a report (`kafu.analysis.report`) in the language of the request."""
    names = labels.people(record.players)
    rules = RULESETS[record.ruleset]
    months = [deal["month"] for deal in record.verdict["deals"]]
    return AnalysisView(
        players=[_player(name, seat) for name, seat in zip(names, report["seats"], strict=True)],
        mistakes=[
            _mistake(choice, names, months) for choice in report["choices"] if choice["costly"]
        ],
        unit=_("mon") if rules.mon else _("points"),
        measured=sum(deal["parts"] is not None for deal in report["deals"]),
        deals=len(report["deals"]),
        unknown=sum(bool(choice["reason"]) for choice in report["choices"]),
        is_margin=any(sum(deal["score"] or ()) for deal in record.verdict["deals"]),
    )


def figure(value: float, *, signed: bool = True) -> str:
    """Return a sum with one decimal: ``+2.3``, ``−0.4``, ``0.0``."""
    text = f"{value:+.1f}" if signed else f"{value:.1f}"
    return "0.0" if float(text) == 0 else text.replace("-", "−")


def move_words(move: str, kind: str) -> str:
    """Return an action of Kafu in words: ``AxBC`` is a card that captures others."""
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


def _measure(measured: Mapping[str, float]) -> MeasureView:
    return MeasureView(figure(measured["value"]), figure(measured["error"], signed=False))


def _percent(measured: Mapping[str, float]) -> MeasureView:
    """Return a difference of chances in percent."""
    value, error = (100 * measured[name] for name in ("value", "error"))
    return MeasureView(figure(value), figure(error, signed=False))


def _player(name: str, seat: Mapping[str, Any]) -> PlayerView:
    count = seat["analysed"]
    average = MeasureView("–")
    if count:
        loss, error = seat["loss"] / count, seat["error"] / count
        average = MeasureView(f"{loss:.2f}", f"{error:.2f}")
    parts = seat["parts"]
    return PlayerView(
        name=name,
        analysed=count,
        forced=seat["forced"],
        costly=seat["costly"],
        average=average,
        luck=[_measure(parts[part]) for part in ("deal", "stock")],
        parts=[_measure(parts[part]) for part in PARTS],
        result=f"{seat['result']:+d}".replace("-", "−") if seat["result"] else "0",
    )


def _mistake(choice: Mapping[str, Any], names: Sequence[str], months: Sequence[int]) -> MistakeView:
    played, rival = (move_words(choice[move], choice["kind"]) for move in ("played", "rival"))
    by = _measure({"value": choice["better"], "error": choice["error"]})
    chance = _percent(choice["chance"])
    words = {
        **{"played": played, "better": rival, "by": by.value, "error": by.error},
        **{"chance": chance.value, "chance_error": chance.error},
    }
    number = choice["deal"]
    month = _("Deal %(number)d") % {"number": number}
    if number <= len(months):  # otherwise the deal has no end
        month = labels.month(months[number - 1])
    text = _(
        "%(better)s instead of %(played)s: %(by)s ± %(error)s, chance to win the game "
        "%(chance)s ± %(chance_error)s %%"
    )
    player = names[choice["seat"] - 1]
    # A step without a declaration belongs to another seat.
    who = f"{player}: " if choice["played"] == SILENT else ""
    return MistakeView(
        at=f"{number}.{choice['step']}",
        place=_place(month, choice["turn"], choice["kind"]),
        seat=choice["seat"],
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
