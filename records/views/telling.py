"""A step of a replay in words, for the list of moves and for screen readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from records.views import names

Step = Mapping[str, Any]


def notation(step: Step) -> str:
    """The part of the Kafu turn that the step is: ``BxA``, ``/m``, ``=koikoi``."""
    capture = f"x{step['take']}" if step["take"] else ""
    match step["kind"]:
        case "hand":
            return f"{step['card']}{capture}"
        case "stock":
            return f"/{step['card']}{capture}"
        case "say":
            return f"={step['say']}"
    return ""


def tell(step: Step, deal: Mapping[str, Any], players: Sequence[str]) -> str:
    """One step as a sentence or two, in the language of the request.

    ``step`` and ``deal`` are parts of the replay JSON (`records.engine.replay`).
    """
    seat = step["seat"]
    values = {
        "name": players[seat - 1] if seat else "",
        "card": names.brief(step["card"]),
        "cards": names.brief(step["take"]),
    }
    match step["kind"]:
        case "deal":
            dealer = {"name": players[deal["dealer"] - 1]}
            sentence = _("The cards are dealt. %(name)s is dealer.") % dealer
        case "hand" if step["take"]:
            sentence = _("%(name)s plays %(card)s and captures %(cards)s.") % values
        case "hand":
            sentence = _("%(name)s plays %(card)s.") % values
        case "stock" if step["take"]:
            sentence = _("%(name)s turns %(card)s and captures %(cards)s.") % values
        case "stock":
            sentence = _("%(name)s turns %(card)s.") % values
        case "show":
            values["yaku"] = names.yaku(step["say"])
            sentence = _("%(name)s shows %(yaku)s.") % values
        case "end":
            return _end(deal, players)
        case "redeal" | "void":
            sentence = _("The cards are thrown in: %(reason)s.") % {"reason": step["say"]}
        case _:
            sentence = _say(step["say"], values)
    return " ".join([sentence, *_made(step)])


def _say(word: str, values: Mapping[str, str]) -> str:
    if word == "koikoi":
        return _("%(name)s says koi-koi and plays on.") % values
    if word == "shobu":
        return _("%(name)s says shōbu and stops.") % values
    return _("%(name)s says %(word)s.") % {**values, "word": names.said(word)}


def _made(step: Step) -> list[str]:
    return [
        _("%(yaku)s: %(amount)d.") % {"yaku": names.yaku(event["yaku"]), "amount": event["amount"]}
        for event in step["events"]
        if event["kind"] == "yaku"
    ]


def _end(deal: Mapping[str, Any], players: Sequence[str]) -> str:
    """How the deal ended, and what it gave."""
    scores = ", ".join(
        f"{name} {amount:+}"
        for name, amount in zip(players, deal["score"] or (), strict=False)
        if amount
    )
    how = names.end(deal["end"] or "")
    return _("%(how)s: %(scores)s.") % {"how": how, "scores": scores} if scores else f"{how}."
