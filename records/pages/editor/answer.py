"""A record that is being written, as the editor and the API show it: text, table, next moves."""

from __future__ import annotations

from typing import Annotated, Any, Final, TypedDict

from django.utils.translation import gettext as _

from kafu.editing.changes import is_open, whole
from kafu.editing.table_at import NextMove, TableAt, table_at
from kafu.editing.walked import PlayedStep, Walked
from kafu.facade.actions import from_engine
from kafu.judging.options import Option
from kafu.judging.position import Position, Table, position
from kafu.judging.replay import StepKind, shown_events
from kafu.judging.verify import Verification, verify
from kafu.notation.faults import FaultJson
from kafu.notation.json_types import Ruleset
from kafu.notation.reading.reader import read
from kafu.rules.play.machine import Phase
from kafu.rules.verdict import DealResult, Mismatch, Status
from records.base import labels
from records.pages.game.faults import ClaimView, claim_views
from records.pages.game.step_words import move_words, notation, tell

#: Moves that are offered in the place of a wrong one, at most.
MOST_INSTEAD: Final = 12
#: Statements that stand alone, by their word: the kind of their action.
_ALONE: Final = {"blind": "blind", "swap": "swap", "redeal": "redeal", "void": "void"}
#: What a verdict has of `answer`.
_VERDICT: Final = ("status", "identity", "error", "mismatches", "warnings", "final")


class MadeYaku(TypedDict):
    """A captured-hand yaku that a seat has."""

    id: str
    name: str
    value: int


class EditTable(Table):
    """The table at the step."""

    phase: Annotated[Phase, "What is awaited."]
    seat: Annotated[int | None, "Whose move it is."]
    month: int
    dealer: int | None
    turn: int
    grade: str | None
    ahead: Annotated[str, "The next cards of the draw pile, as far as known."]
    yaku: Annotated[list[list[MadeYaku]], "By seat."]
    totals: list[int]


class WordedMove(Option):
    """A legal move, and what it is in words."""

    words: str


class NextMoveJson(WordedMove):
    """What may be written next."""

    do: Annotated[str, "The action alone, as `do` takes it."]


class WordedMismatch(Mismatch):
    """A wrong claim, as a sentence too."""

    words: str


class Instead(TypedDict):
    """What can be put in the place of a fault: `text` as `instead` takes it."""

    text: str
    words: str


class FaultPlace(Position):
    """Where the record breaks the rules, in words too."""

    legal: tuple[WordedMove, ...]
    instead: Annotated[
        list[Instead], "What can be put there: `omit` left out, then the nearest of `legal`."
    ]


class DueCards(TypedDict):
    """The cards of a deal as they are written."""

    dealer: int
    hands: Annotated[list[str], "By seat."]
    field: str
    stock: str


class Due(TypedDict):
    """The deal that is awaited; `cards` are those written of it, as of one with a fault."""

    month: int
    dealers: list[int]
    cards: DueCards | None


class EditDeal(TypedDict):
    """A deal of the record. `steps` counts those that can be played."""

    month: int
    dealer: int
    steps: int
    result: DealResult | None


class EditStep(TypedDict):
    """A step of the deal in words; `written` is false for what the rules do by themselves."""

    kind: StepKind
    seat: int | None
    card: str
    take: str
    say: str
    notation: str
    words: str
    comments: list[str]
    written: bool


class BeingWritten(TypedDict):
    """A record that is being written, judged as far as it goes."""

    ruleset: Ruleset | None
    status: Status
    identity: str | None
    error: FaultJson | None
    mismatches: list[WordedMismatch]
    warnings: list[FaultJson]
    final: list[int] | None
    players: list[str]


class Edited(BeingWritten):
    """The record as it stands now.

    `table` is null for what cannot be played (malformed text, a score sheet).
    """

    kafu: Annotated[
        str, "The canonical text; what was sent where nothing was done or it is malformed."
    ]
    open: Annotated[str, "The turn behind `at` without its card from the draw pile: not in `kafu`."]
    options: dict[str, str]
    tags: dict[str, str]
    at: Annotated[str | None, "`0.0` before the first deal."]
    table: EditTable | None
    legal: list[NextMoveJson]
    due: Due | None
    deals: list[EditDeal]
    steps: Annotated[list[EditStep], "Of the deal of `at`."]
    fault: FaultPlace | None


def unplayed(verification: Verification, text: str) -> dict[str, Any]:
    """The answer to a text that cannot be played: malformed, a score sheet, an unknown ruleset."""
    game = verification.game
    return {
        "kafu": text,
        "open": "",
        **verdict_of(verification),
        "players": list(game.players) if game else [],
        "options": game.options if game else {},
        "tags": game.tags if game else {},
        "at": None,
        "table": None,
        "legal": [],
        "due": None,
        "deals": [],
        "steps": [],
        "fault": None,
    }


def answer(
    walked: Walked, deal: int, step: int, sent: tuple[str, Verification] | None = None
) -> dict[str, Any]:
    """The answer to a record, as it stands at a step that it has (docs/api.md has its shape).

    ``sent`` is its text as it was sent, with the verdict on that, where nothing was changed.
    """
    text, half = whole(walked) if sent is None else (sent[0], "")
    verification = verify(read(text)) if sent is None else sent[1]
    if not walked.game.months:  # no fault of who begins
        verification.verdict.status, verification.verdict.error = "unfinished", None
    table = table_at(walked, deal, step)
    assert table is not None
    players = [labels.person(name) for name in walked.game.players]
    units = labels.units(walked.game.rules)
    has_fault = walked.outcome.fault is not None and not is_open(walked)
    place = position(walked.game) if has_fault else None
    return {
        "kafu": text,
        "open": half,
        **verdict_of(verification),
        "ruleset": walked.game.rules,
        "players": list(walked.game.players),
        "options": walked.game.options,
        "tags": walked.game.tags,
        "at": f"{deal}.{_in_text(walked, deal, step) if half else step}",
        "table": _table(table),
        "legal": [_move(one, players, units) for one in table.moves],
        "due": _due(walked, table),
        "deals": _deals(walked, verification),
        "steps": _steps(walked, deal, players, units) if deal else [],
        "fault": _fault(place, players, units) if place is not None else None,
    }


def _in_text(walked: Walked, deal: int, step: int) -> int:
    """The last step up to this one that is not of the turn which the text lacks."""
    lacking = len(walked.game.months[deal - 1].turns) - 1
    while (place := walked.deals[deal - 1][step].place) is not None:
        if place.kind not in ("hand", "say") or place.number != lacking:
            break
        step -= 1
    return step


def _due(walked: Walked, table: TableAt) -> dict[str, Any] | None:
    """The deal that is awaited, with its cards where it is written already."""
    if not table.dealers:
        return None
    months = walked.game.months
    written = months[table.deal] if table.deal < len(months) else None
    cards = written and {
        "dealer": written.dealer,
        "hands": [written.hands.get(seat, "") for seat in range(1, walked.rules.players + 1)],
        "field": written.field or "",
        "stock": written.stock or "",
    }
    return {"month": table.month, "dealers": list(table.dealers), "cards": cards}


def verdict_of(verification: Verification) -> dict[str, Any]:
    """What an answer has of the verdict, with the players by name."""
    players = verification.game.players if verification.game else ()
    verdict = labels.verdict(verification.verdict.to_stored(), players)
    found = {"ruleset": verdict["rules"]} | {name: verdict[name] for name in _VERDICT}
    if verification.game and verdict["mismatches"]:
        views = claim_views(verdict["mismatches"], verification.game)
        found["mismatches"] = [
            one | {"words": _claim(view)}
            for one, view in zip(verdict["mismatches"], views, strict=True)
        ]
    return found


def _claim(view: ClaimView) -> str:
    """A wrong claim as a sentence."""
    values = {"claimed": view.claimed, "computed": view.computed, "where": view.where}
    values["where"] = " · ".join(
        part for part in (view.where, view.deal and str(view.deal), view.name) if part
    )
    return _("%(where)s: the record says %(claimed)s, the rules give %(computed)s.") % values


def _table(table: TableAt) -> dict[str, Any]:
    return {
        "phase": table.phase,
        "seat": table.seat or None,
        "month": table.month,
        "dealer": table.dealer or None,
        "turn": table.turn,
        "grade": table.grade,
        "hands": list(table.hands),
        "field": table.field,
        "captured": list(table.captured),
        "stock": table.stock,
        "ahead": table.ahead,
        "yaku": [
            [{"id": one.id, "name": labels.yaku(one.id), "value": one.value} for one in made]
            for made in table.yaku
        ],
        "totals": list(table.totals),
    }


def _move(move: NextMove, players: list[str], units: labels.Units | None) -> dict[str, Any]:
    words = move_words(move.option, players, units=units)
    return move.option.to_json() | {"do": move.written, "words": words}


def _deals(walked: Walked, verification: Verification) -> list[dict[str, Any]]:
    """Each deal: its steps counted, and what it gave once it has ended."""
    results = verification.verdict.to_json(labels.lang())["deals"]
    months = walked.game.months
    return [
        {
            "month": months[i].month,
            "dealer": months[i].dealer,
            "steps": len(walked.deals[i]) if i < len(walked.deals) else 0,
            "result": results[i] if i < len(results) else None,
        }
        for i in range(len(months))
    ]


def _steps(
    walked: Walked, deal: int, players: list[str], units: labels.Units | None
) -> list[dict[str, Any]]:
    """The steps of one deal, in words."""
    steps = walked.deals[deal - 1]
    ended = steps[-1].state.result
    dealt = {
        "dealer": walked.game.months[deal - 1].dealer,
        "grade": steps[0].state.grade,
        "end": ended and ended.end,
        "score": ended and list(ended.score),
    }
    found = []
    for one in steps:
        step = _step(one)
        found.append(
            {name: step[name] for name in ("kind", "seat", "card", "take", "say")}
            | {
                "notation": notation(step),
                "words": tell(step, dealt, players, units=units),
                "comments": list(one.comments),
                "written": one.place is not None,
            }
        )
    return found


def _step(one: PlayedStep) -> dict[str, Any]:
    """A step in the form of the replay (`kafu.judging.replay`), as far as words need it."""
    if one.action is None:
        assert one.state.result is not None
        done = {"kind": "end", "card": "", "take": "", "say": one.state.result.end}
        return done | {"seat": one.seat or None, "events": []}
    action = from_engine(one.action, one.seat)
    done = {"kind": action.kind, "card": action.card, "take": action.take, "say": action.say}
    return done | {"seat": action.seat or None, "events": shown_events(one.events)}


def _fault(place: Position, players: list[str], units: labels.Units | None) -> dict[str, Any]:
    """The place of a fault, with the legal moves in words."""
    found = place.to_json()
    for move, option in zip(found["legal"], place.legal, strict=True):
        move["words"] = move_words(option, players, units=units)
    kind = _ALONE.get(place.omit.partition(" ")[0], "call" if place.omit[:1] == "=" else "")
    # What stands alone has no other move in its place: that would be one too many.
    is_alone = kind in _ALONE.values() or (kind == "call" and " " in place.omit)
    fits = [one for one in found["legal"] if not is_alone or one["kind"] == kind]
    omit = {"text": place.omit, "words": _("is left out")}
    found["instead"] = [omit][: bool(place.omit)] + [
        {"text": one["text"], "words": one["words"]} for one in fits[:MOST_INSTEAD]
    ]
    return found
