"""Game <-> JSON form (kafu.md §11), and JSON text -> objects.

Empty values are left out. An object is checked twice: its shape here, and its words by the reader,
which gets it as text; so both forms have the same words and the same limits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from kafu.notation import codes
from kafu.notation.faults import Fault, Malformed
from kafu.notation.game import Call, Game, Month, Payment, Show, Turn
from kafu.notation.json.shape import GAME, wrong
from kafu.notation.reading.reader import Reading, place, read
from kafu.notation.reading.source import Warn, collapse, fail
from kafu.notation.vocabulary import RULES, VERSION
from kafu.notation.writer import write

#: What may precede and follow an object of an array or of a line; both may be in a code fence.
_BEFORE: Final = re.compile(r"\ufeff?\s*+(?:(?:`{3,}|~{3,})[^\r\n]*+)?[\s\[,]*+")
_BEHIND: Final = re.compile(r"[\s\],]*+(?:(?:`{3,}|~{3,})\s*+)?")


def to_json(game: Game) -> dict[str, Any]:
    """The JSON form of ``game``, ready for ``json.dumps``."""
    return _filled(
        kafu=VERSION,
        rules=game.rules,
        options=dict(sorted(game.options.items())),
        tags=dict(game.tags),
        players=list(game.players),
        months=[_month_json(month, RULES[game.rules].round) for month in game.months],
        claims=_filled(result=_list(game.result), final=_list(game.final)),
        comments=_notes_json(game.notes),
    )


def parse(text: str, *, line: int = 1, warn: Warn | None = None) -> dict[str, Any]:
    """The one object in ``text``: a whole JSON text, or an object's part of an array or of NDJSON.
    What follows it (a broken line of NDJSON) is no fault, but gives a warning.

    Raises Malformed (``bad-json`` and others) with line and column; ``line`` is the number of the
    first line.
    """
    start = _BEFORE.match(text)
    position = start.end() if start else 0
    if position == len(text):
        fail(codes.EMPTY, (line, 1))
    try:
        found, end = _DECODER.raw_decode(text, position)
    except json.JSONDecodeError as error:
        fail(codes.BAD_JSON, place(text, error.pos, line))
    except RecursionError:
        fail(codes.JSON_TOO_DEEP, place(text, position, line))
    except Malformed as malformed:
        raise Malformed(malformed.fault.at(place(text, position, line))) from None
    except ValueError:
        # Python converts no number of more than some thousand digits.
        fail(codes.JSON_NUMBER, place(text, position, line))
    behind = _BEHIND.match(text, end)
    if behind is not None and behind.end() < len(text) and warn is not None:
        warn(Fault(codes.NOT_READ, *place(text, behind.end(), line)))
    if not isinstance(found, dict):
        fail(codes.BAD_JSON, place(text, position, line), "{")
    return found


def read_json(text: str, *, line: int = 1) -> Reading:
    """Read one game in JSON text, as :func:`kafu.notation.reading.reader.read` does Kafu text."""
    try:
        warnings: list[Fault] = []
        found = parse(text, line=line, warn=warnings.append)
    except Malformed as malformed:
        return Reading(None, malformed.fault)
    reading = from_json(found, line=line)
    reading.warnings[:0] = warnings
    return reading


def from_json(obj: object, *, line: int | None = None) -> Reading:
    """The game of a JSON object; ``line`` is given to faults, whose place is a JSON pointer.

    Never raises: an object of another shape gives a Reading with the fault ``bad-json-form``, and
    unknown words the fault that they have in text.
    """
    try:
        GAME(obj, "")
        assert isinstance(obj, dict)
        given = _game(obj)
        if given.rules not in RULES:
            fail(codes.UNKNOWN_RULES, None, *RULES, found=given.rules)
    except Malformed as malformed:
        return Reading(None, _moved(malformed.fault, line))
    reading = read(write(given))
    warnings = [_moved(warning, line) for warning in reading.warnings]
    if reading.game is None:
        fault = reading.fault and _moved(reading.fault, line)
        return Reading(None, fault, warnings)
    if _count_comments(reading.game) != _count_comments(given):
        # A comment under a key that names nothing in the game.
        try:
            wrong("/comments", "comments of tags and statements that are there")
        except Malformed as malformed:
            return Reading(None, _moved(malformed.fault, line), warnings)
    _as_given(reading.game, given, line or 1)
    return Reading(reading.game, None, warnings)


def _moved(fault: Fault, line: int | None) -> Fault:
    """The fault without its place in the intermediate text."""
    return Fault(fault.code, line, None, values=fault.values, expected=fault.expected)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        fail(codes.JSON_KEY_TWICE, None)
    return found


def _no_constant(name: str) -> Any:
    fail(codes.JSON_NUMBER, None)


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)


# --- Game -> JSON ---


def _filled(**values: Any) -> dict[str, Any]:
    """``values`` without the empty ones."""
    return {key: value for key, value in values.items() if value not in (None, "", [], {}, ())}


def _list(amounts: tuple[int, ...] | None) -> list[int] | None:
    return None if amounts is None else list(amounts)


def _notes_json(notes: Mapping[str, list[str]]) -> dict[str, list[str]]:
    return {key: list(comments) for key, comments in notes.items() if comments}


def _by_seat(cards: Mapping[int, str]) -> dict[str, str]:
    return {str(seat): cards[seat] for seat in sorted(cards)}


def _month_json(month: Month, round: int) -> dict[str, Any]:
    stock = None if month.stock is None else month.stock + ("..." if month.stock_cut else "")
    deal = _filled(
        dealer=month.dealer,
        draws=[[[seat, card] for seat, card in drawn.items()] for drawn in month.draws],
        split=_by_seat(month.split),
        blind=month.blind,
        hands=_by_seat(month.hands),
        field=month.field,
        stock=stock,
        swaps=list(month.swaps),
    )
    form = _filled(
        deal=deal,
        bids=[[seat, "in" if goes_in else "out"] for seat, goes_in in month.bids],
        shows=[_filled(seat=s.seat, yaku=list(s.yaku), cards=s.cards) for s in month.shows],
        turns=_turns_json(month, round),
        redeal=month.redeal,
        void=month.void,
        pays=[_payment_json(payment) for payment in month.payments],
        stone=month.stone,
        claims=_filled(ba=month.ba, score=_list(month.score)),
        comments=_notes_json(month.notes),
    )
    return {"month": month.month, **form}


def _turns_json(month: Month, round: int) -> list[dict[str, Any]]:
    """Turns and calls; ``round`` turns are a round, whose number is written where it is wrong."""
    forms, count = [], 0
    for turn in month.turns:
        if isinstance(turn, Call):
            form = _filled(call=turn.word, seat=turn.seat, comments=list(turn.comments))
        else:
            form = _turn_json(turn)
            if turn.round is not None and (turn.round - 1) * round != count:
                form["round"] = turn.round
            count += 1
        forms.append(form)
    return forms


def _turn_json(turn: Turn) -> dict[str, Any]:
    return _filled(
        seat=turn.seat,
        play=turn.play,
        take=turn.take,
        turn=turn.turn,
        take2=turn.take2,
        say1=list(turn.say1),
        say=list(turn.say),
        comments=list(turn.comments),
    )


def _payment_json(payment: Payment) -> dict[str, Any]:
    form: dict[str, Any] = {"label": payment.label, "amounts": list(payment.amounts)}
    return {**form, "void": True} if payment.void else form


# --- JSON -> Game; the shape has been checked ---


def _game(form: Mapping[str, Any]) -> Game:
    claims = form.get("claims", {})
    return Game(
        rules=form["rules"],
        players=tuple(form["players"]),
        options=dict(form.get("options", {})),
        tags=dict(form.get("tags", {})),
        months=[_month(month) for month in form["months"]],
        result=_tuple(claims.get("result")),
        final=_tuple(claims.get("final")),
        notes=dict(form.get("comments", {})),
    )


def _tuple(amounts: list[int] | None) -> tuple[int, ...] | None:
    return None if amounts is None else tuple(amounts)


def _seats(cards: Mapping[str, str]) -> dict[int, str]:
    return {int(seat): letters for seat, letters in cards.items()}


def _month(form: Mapping[str, Any]) -> Month:
    deal, claims = form["deal"], form.get("claims", {})
    stock: str | None = deal.get("stock")
    return Month(
        month=form["month"],
        dealer=deal["dealer"],
        draws=[_drawn(drawn, index) for index, drawn in enumerate(deal.get("draws", ()))],
        split=_seats(deal.get("split", {})),
        blind=deal.get("blind"),
        hands=_seats(deal.get("hands", {})),
        field=deal.get("field"),
        stock=None if stock is None else stock.removesuffix("..."),
        stock_cut=stock is not None and stock.endswith("..."),
        swaps=list(deal.get("swaps", ())),
        bids=[(seat, goes == "in") for seat, goes in form.get("bids", ())],
        ba=claims.get("ba"),
        shows=[
            Show(s["seat"], tuple(s["yaku"]), s.get("cards", "")) for s in form.get("shows", ())
        ],
        turns=[_turn(turn) for turn in form.get("turns", ())],
        redeal=form.get("redeal"),
        void=form.get("void"),
        payments=[
            Payment(pay["label"], tuple(pay["amounts"]), pay.get("void", False))
            for pay in form.get("pays", ())
        ],
        stone=form.get("stone"),
        score=_tuple(claims.get("score")),
        notes=dict(form.get("comments", {})),
    )


def _drawn(pairs: list[tuple[int, str]], index: int) -> dict[int, str]:
    drawn = dict(pairs)
    if not drawn or len(drawn) != len(pairs):
        wrong(f"/months/*/deal/draws/{index}", "array of [seat, card], each seat once")
    return drawn


def _turn(form: Mapping[str, Any]) -> Turn | Call:
    comments = list(form.get("comments", ()))
    if "call" in form:
        return Call(form["call"], form["seat"], comments=comments)
    return Turn(
        play=form["play"],
        take=form.get("take", ""),
        turn=form.get("turn", ""),
        take2=form.get("take2", ""),
        say1=tuple(form.get("say1", ())),
        say=tuple(form.get("say", ())),
        round=form.get("round"),
        seat=form.get("seat"),
        comments=comments,
    )


def _count_comments(game: Game) -> int:
    notes = [*game.notes.values()]
    for month in game.months:
        notes += [*month.notes.values(), *(turn.comments for turn in month.turns)]
    return sum(bool(collapse(words)) for comments in notes for words in comments)


def _as_given(game: Game, given: Game, line: int) -> None:
    """Remove the places in the intermediate text, and the round numbers it added."""
    game.line = line
    game.places.clear()
    for month, given_month in zip(game.months, given.months, strict=True):
        month.places.clear()
        for turn, given_turn in zip(month.turns, given_month.turns, strict=True):
            turn.place = None
            if isinstance(turn, Turn) and isinstance(given_turn, Turn):
                turn.place2, turn.round = None, given_turn.round
