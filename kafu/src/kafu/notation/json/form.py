"""Conversion between `Game` and the JSON form (kafu.md §11), and parsing of JSON text.

Empty values are left out. An object is checked twice: its shape here, and its words by the text
reader. Both forms therefore accept the same words and have the same limits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from kafu.notation import codes
from kafu.notation.actions import Action, make_action
from kafu.notation.faults import Fault, Malformed
from kafu.notation.game import Game, Month, Payment, Statement
from kafu.notation.json.schema import check, fail_shape
from kafu.notation.reading.reader import Reading, TolerantReader, place
from kafu.notation.reading.source import collapse, fail
from kafu.notation.vocabulary import RANK, RULES, VERSION
from kafu.notation.writer import write

#: Text allowed before and after an object of an array or of a line, including a code fence.
_BEFORE: Final = re.compile(r"\ufeff?\s*+(?:(?:`{3,}|~{3,})[^\r\n]*+)?[\s\[,]*+")
#: The beginning of a text in intended JSON: a comment of JavaScript, then an object or an array. At
#: a possible begin of a tag, the array contains no name.
_RESEMBLES_JSON: Final = re.compile(
    r"\ufeff?(?>(?:\s++|//[^\n]*+|/\*(?>(?:[^*]|\*(?!/))*)\*/)*)"
    r"(?:\[\s*+(?:\[(?!\s*+Kafu)|[\]{\"'0-9-])|\{\s*+(?:[\[{}\"]|'?[A-Za-z_]\w{0,40}'?\s*+:))"
)
_BEHIND: Final = re.compile(r"[\s\],]*+(?:(?:`{3,}|~{3,})\s*+)?")


def to_json(game: Game) -> dict[str, Any]:
    """Return the JSON form of ``game``, ready for ``json.dumps``."""
    return _omit_empty(
        kafu=VERSION,
        rules=game.rules,
        options=dict(sorted(game.options.items())),
        tags=dict(game.tags),
        players=list(game.players),
        months=list(map(_month_json, game.months)),
        claims=_omit_empty(
            result=game.result and list(game.result), final=game.final and list(game.final)
        ),
        comments=_notes_json(game.notes),
    )


def parse(text: str, *, line: int = 1, warn: Callable[[Fault], object]) -> dict[str, Any]:
    """Parse the first JSON object in ``text``: a whole text, or an item of an array or of NDJSON.

    Text after the object (a broken line of NDJSON) is no fault, but gives a warning.

    Raises Malformed (``bad-json`` and others) with line and column; ``line`` is the number of the
    first line.
    """
    start = _BEFORE.match(text)
    position = start.end() if start else 0
    if position == len(text):
        fail(codes.EMPTY, (line, 1))
    try:
        form, end = _DECODER.raw_decode(text, position)
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
    if behind is not None and behind.end() < len(text):
        warn(Fault(codes.NOT_READ, *place(text, behind.end(), line)))
    if not isinstance(form, dict):
        fail(codes.BAD_JSON, place(text, position, line), "{")
    return form


def read_json(text: str, *, line: int = 1) -> Reading:
    """Read one game in JSON text, as :func:`kafu.notation.reading.reader.read` reads Kafu text."""
    try:
        warnings: list[Fault] = []
        form = parse(text, line=line, warn=warnings.append)
    except Malformed as malformed:
        return Reading(None, malformed.fault)
    reading = from_json(form, line=line)
    reading.warnings[:0] = warnings
    return reading


def explain_json(text: str, *, line: int = 1) -> Fault | None:
    """Return the fault of a text that resembles JSON and has no game; None for any other text."""
    if _RESEMBLES_JSON.match(text) is None:
        return None
    fault = read_json(text, line=line).fault
    if fault is None or fault.code is codes.EMPTY:
        return Fault(codes.BAD_JSON, line, 1, expected=("{",))
    return fault


def from_json(obj: object, *, line: int | None = None) -> Reading:
    """Read the game of a JSON object. Faults get the number ``line`` and a JSON pointer.

    Never raises: an object of a wrong shape gives a Reading with the fault ``bad-json-form``.
    Unknown words give the same faults as in text.
    """
    reading, warnings = Reading(None), list[Fault]()
    try:
        check(obj)
        assert isinstance(obj, dict)
        parsed_game = _parse_game(obj)
        if parsed_game.rules not in RULES:
            fail(codes.UNKNOWN_RULES, None, *RULES, found=parsed_game.rules)
        game = TolerantReader(warnings, 1).read(write(parsed_game))
        keys = [{*game.notes}, *({"turns", *month.notes} for month in game.months)]
        for form, existing in zip((obj, *obj["months"]), keys, strict=True):
            for key, comments in form.get("comments", {}).items():
                if key not in existing and any(map(collapse, comments)):
                    fail_shape("/comments", "comments of existing tags and statements")
        game.line = line or 1
        for statement in (item for month in game.months for item in month.statements):
            statement.place, statement.card_places = None, ()
        reading.game = game
    except Malformed as malformed:
        reading.fault = _relocate(malformed.fault, line)
    reading.warnings = [_relocate(warning, line) for warning in warnings]
    return reading


def _relocate(fault: Fault, line: int | None) -> Fault:
    """Return the fault without its place in the intermediate text."""
    return Fault(fault.code, line, None, values=fault.values, expected=fault.expected)


def _reject_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    object_ = dict(pairs)
    if len(object_) != len(pairs):
        fail(codes.JSON_KEY_TWICE, None)
    return object_


def _reject_constant(name: str) -> Any:
    fail(codes.JSON_NUMBER, None)


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_reject_duplicate_keys, parse_constant=_reject_constant
)


# --- Game -> JSON ---


def _omit_empty(**values: Any) -> dict[str, Any]:
    """Return ``values`` without empty values."""
    return {key: value for key, value in values.items() if value not in (None, "", [], {}, ())}


def _notes_json(notes: Mapping[str, list[str]]) -> dict[str, list[str]]:
    return {key: list(comments) for key, comments in notes.items() if comments}


def _seat_json(cards: Mapping[int, str]) -> dict[str, str]:
    return {str(seat): cards[seat] for seat in sorted(cards)}


def _month_json(month: Month) -> dict[str, Any]:
    stock = None if month.stock is None else month.stock + ("..." if month.stock_cut else "")
    deal = _omit_empty(
        dealer=month.dealer,
        draws=[[[seat, card] for seat, card in drawn.items()] for drawn in month.draws],
        split=_seat_json(month.split),
        **{blind.kind: blind.seat for blind in month.actions("blind")},
        hands=_seat_json(month.hands),
        field=month.field,
        stock=stock,
        swaps=[swap.seat for swap in month.actions("swap")],
    )
    form = _omit_empty(
        deal=deal,
        bids=[[bid.seat, bid.say] for bid in month.actions("bid")],
        shows=[
            _omit_empty(seat=show.seat, yaku=show.say.split("+"), cards=show.take)
            for show in month.actions("show")
        ],
        turns=list(map(_turn_json, month.turns)),
        **{end.kind: end.say for end in (*month.actions("redeal"), *month.actions("void"))},
        pays=[
            _omit_empty(label=pay.label, amounts=list(pay.amounts), void=pay.void or None)
            for pay in month.payments
        ],
        stone=month.stone,
        claims=_omit_empty(ba=month.ba, score=month.score and list(month.score)),
        comments=_notes_json(month.notes),
    )
    return {"month": month.month, **form}


def _turn_json(turn: Statement) -> dict[str, Any]:
    form: dict[str, Any] = {"seat": turn.seat}
    words: list[str] = []
    for action in turn.value:
        match action.kind:
            case "call":
                form = {"call": action.say, "seat": action.seat}
            case "hand":
                form |= {"play": action.card, "take": action.take}
            case "stock":
                form |= {"turn": action.card, "take2": action.take, "say1": words}
                words = []
            case "say":
                words.append(action.say)
    return _omit_empty(**form, say=words, comments=list(turn.comments), round=turn.round)


# --- JSON -> Game; the shape has been checked ---


def _parse_game(form: Mapping[str, Any]) -> Game:
    claims = form.get("claims", {})
    return Game(
        rules=form["rules"],
        players=tuple(form["players"]),
        options=dict(form.get("options", {})),
        tags=dict(form.get("tags", {})),
        months=[_parse_month(month) for month in form["months"]],
        result=_parse_amounts(claims.get("result")),
        final=_parse_amounts(claims.get("final")),
        notes=dict(form.get("comments", {})),
    )


def _parse_amounts(amounts: list[int] | None) -> tuple[int, ...] | None:
    return None if amounts is None else tuple(amounts)


def _parse_seats(cards: Mapping[str, str]) -> dict[int, str]:
    return {int(seat): cards[seat] for seat in sorted(cards)}


def _parse_month(form: Mapping[str, Any]) -> Month:
    month = Month.of([Statement(keyword, value) for keyword, value in _parse_values(form)])
    month.notes = form.get("comments", {})
    month.written += map(_parse_turn, form.get("turns", ()))
    month.written.sort(key=lambda statement: RANK[statement.keyword])
    return month


def _parse_values(form: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the keywords and values of a month's statements, except for its turns and calls."""
    deal, claims = form["deal"], form.get("claims", {})
    yield "month", (form["month"], deal["dealer"])
    for index, pairs in enumerate(deal.get("draws", ())):
        yield "draw", _parse_draw(pairs, index)
    if deal.get("split"):
        yield "split", _parse_seats(deal["split"])
    if "blind" in deal:
        yield "blind", (Action("blind", deal["blind"]),)
    for hand in _parse_seats(deal.get("hands", {})).items():
        yield "hand", hand
    if "field" in deal:
        yield "field", deal["field"]
    if "stock" in deal:
        yield "stock", (deal["stock"].removesuffix("..."), deal["stock"].endswith("..."))
    for seat in deal.get("swaps", ()):
        yield "swap", (Action("swap", seat),)
    if form.get("bids"):
        yield "bid", tuple([Action("bid", seat, say=goes) for seat, goes in form["bids"]])
    for show in form.get("shows", ()):
        words = "+".join(show["yaku"])
        yield "show", (Action("show", show["seat"], take=show.get("cards", ""), say=words),)
    for kind in ("redeal", "void"):
        if kind in form:
            yield kind, (Action(kind, say=form[kind]),)
    for pay in form.get("pays", ()):
        yield "pay", Payment(pay["label"], tuple(pay["amounts"]), pay.get("void", False))
    if "stone" in form:
        yield "stone", form["stone"]
    for keyword, claim in claims.items():
        yield keyword, tuple(claim) if keyword == "score" else claim


def _parse_draw(pairs: list[tuple[int, str]], index: int) -> dict[int, str]:
    drawn = dict(pairs)
    if not drawn or len(drawn) != len(pairs):
        fail_shape(f"/months/*/deal/draws/{index}", "array of [seat, card], each seat once")
    return drawn


def _parse_turn(form: Mapping[str, Any]) -> Statement:
    comments = list(form.get("comments", ()))
    if "call" in form:
        call = Action("call", form["seat"], say=form["call"])
        return Statement("call", (call,), comments=comments)
    actions = [make_action("hand", 0, form["play"], form.get("take", ""))]
    actions += [make_action("say", say=word) for word in form.get("say1", ())]
    if form.get("turn"):
        actions.append(make_action("stock", 0, form["turn"], form.get("take2", "")))
    actions += [make_action("say", say=word) for word in form.get("say", ())]
    turn = Statement("turn", tuple(actions), comments=comments)
    turn.round, turn.seat = form.get("round"), form.get("seat")
    return turn
