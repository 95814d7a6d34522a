"""Steps of a replay in words, for the list of moves and for screen readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from kafu.judging.position import Option
from records.base import labels
from records.pages.game.payments import pay, scores

Step = Mapping[str, Any]


def notation(step: Step) -> str:
    """Return a step's part of the Kafu turn: ``BxA``, ``/m``, ``=koikoi``."""
    capture = f"x{step['take']}" if step["take"] else ""
    match step["kind"]:
        case "hand":
            return f"{step['card']}{capture}"
        case "stock":
            return f"/{step['card']}{capture}"
        case "say":
            return f"={step['say']}"
    return ""


def tell(
    step: Step, deal: Mapping[str, Any], players: Sequence[str], *, units: labels.Units | None
) -> str:
    """Return a step as one or more sentences, in the language of the request.

    ``step`` and ``deal`` are parts of the replay JSON (`kafu.judging.replay`); ``units`` are the
    units of its sums (`records.base.labels.units`).
    """
    seat = step["seat"]
    values = {
        "name": players[seat - 1] if seat else "",
        "card": labels.brief(step["card"]),
        "cards": labels.brief(step["take"]),
    }
    match step["kind"]:
        case "deal":
            dealer = {"name": players[deal["dealer"] - 1]}
            sentence = _("The cards are dealt. %(name)s is dealer.") % dealer
            if deal["grade"]:
                field = _("Field: %(grade)s.") % {"grade": labels.grade(deal["grade"])}
                sentence = f"{sentence} {field}"
        case "hand" if step["take"]:
            sentence = _("%(name)s plays %(card)s and captures %(cards)s.") % values
        case "hand":
            sentence = _("%(name)s plays %(card)s.") % values
        case "stock" if step["take"]:
            sentence = _("%(name)s turns %(card)s and captures %(cards)s.") % values
        case "stock":
            sentence = _("%(name)s turns %(card)s.") % values
        case "show":
            values["yaku"] = labels.yaku(step["say"])
            sentence = _("%(name)s shows %(yaku)s.") % values
        case "blind":
            sentence = _("%(name)s goes in without looking (mizuten).") % values
        case "swap":
            sentence = _("%(name)s takes the dealer's hand.") % values
        case "bid" if step["say"] == "in":
            sentence = _("%(name)s goes in.") % values
        case "bid":
            sentence = _("%(name)s goes out.") % values
        case "end":
            return _end(deal, players, units=units)
        case "redeal" | "void":
            sentence = _("The month is played again: %(reason)s.") % {
                "reason": labels.thrown_in(step["say"])
            }
        case _:
            sentence = _say(step["say"], values)
    return " ".join([sentence, *_event_words(step, players, units=units)])


def move_words(option: Option, players: Sequence[str], *, units: labels.Units | None) -> str:
    """Return a legal move as a sentence."""
    match option.kind:
        case "month":
            month = {"number": int(option.say), "name": players[option.seat - 1]}
            return _("%(name)s deals month %(number)d.") % month
        case "round":
            return _("Round %(number)s.") % {"number": option.say}
    return tell({**option.to_json(), "events": []}, {}, players, units=units)


def _say(word: str, values: Mapping[str, str]) -> str:
    if word == "koikoi":
        return _("%(name)s says koi-koi and plays on.") % values
    if word == "shobu":
        return _("%(name)s says shōbu and stops.") % values
    if word == "sage":
        return _("%(name)s says sage and plays on.") % values
    if word == "agari":
        return _("%(name)s says agari and stops.") % values
    if word == "torikeshi":
        return _("%(name)s cancels sage.") % values
    if word == "menjo":
        return _("%(name)s claims exemption (menjo).") % values
    if word == "void-show":
        return _("%(name)s's declaration was wrong.") % values
    return _("%(name)s says %(word)s.") % {**values, "word": labels.decision(word)}


def _event_words(step: Step, players: Sequence[str], *, units: labels.Units | None) -> list[str]:
    parts = []
    for event in step["events"]:
        if event["kind"] == "yaku":
            unit = units[0] if units else ""
            values = {"yaku": labels.yaku(event["yaku"]), "amount": f"{event['amount']}{unit}"}
            parts.append(_("%(yaku)s: %(amount)s.") % values)
        elif event["kind"] == "pay":
            parts.append(pay(event, players, units=units))
    return parts


def _end(deal: Mapping[str, Any], players: Sequence[str], *, units: labels.Units | None) -> str:
    """Return the end of a deal and its scores in words."""
    parts = scores(deal["score"], players, units=units) if deal["score"] else ""
    how = labels.end(deal["end"] or "")
    return _("%(how)s: %(scores)s.") % {"how": how, "scores": parts} if parts else f"{how}."
