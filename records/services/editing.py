"""Editing of a record: requests for changes, the responses, and refusals in the page's language.

A response has the text, the table and the possible next moves. The editor and the API share them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from random import Random
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from kafu.editing import changes
from kafu.editing.changes import is_open, whole
from kafu.editing.table_at import PlayedStep, TableAt, Walked, list_written, table_at, walk
from kafu.facade.errors import NAMED, BadValue, Error
from kafu.facade.table import Table
from kafu.importers import read_piece
from kafu.judging.actions import from_engine
from kafu.judging.position import Position, position_of
from kafu.judging.replay import shown_events
from kafu.judging.verify import Verification, verify, verify_played
from kafu.naming.statements import is_lettered, letters_of
from kafu.notation.faults import Malformed
from kafu.notation.reading.reader import read
from kafu.notation.stream.cut import single
from kafu.notation.stream.extent import Piece
from kafu.notation.writer import write
from kafu.rules.rulesets import Unsupported
from records.base import labels
from records.services.repairs import put_instead
from records.services.worths import find_worths
from records.shapes import positions as shapes
from records.wording.faults import claim_views
from records.wording.steps import move_words, notation, tell

#: Sentences by error code. The messages of unknown names and faults are translated already.
_SENTENCES: Final = {
    "bad-step": gettext_noop("“%(found)s” is not the address of a step."),
    "no-step": gettext_noop("The game has no step %(at)s."),
    "not-written": gettext_noop("Step %(at)s is not written in the record."),
    "no-deal": gettext_noop("There is no deal %(deal)s."),
    "not-due": gettext_noop("Deal %(deal)s cannot be dealt yet."),
    "no-seat": gettext_noop("There are %(seats)s seats."),
    "unknown-card": gettext_noop("No card has the letter “%(found)s”."),
    "no-action": gettext_noop("“%(found)s” is not an action."),
    "no-play": gettext_noop("No card from a hand was played before this card."),
    "turned": gettext_noop("The card of this turn is turned already."),
    "wrong-players": gettext_noop("%(ruleset)s is not for %(found)s players."),
    "unknown-option": gettext_noop("%(ruleset)s has no option “%(option)s”."),
    "bad-option": gettext_noop("Option “%(option)s” of %(ruleset)s cannot be “%(found)s”."),
    "no-month": gettext_noop("The sheet has %(months)s months, and no month %(month)s."),
    "no-grade": gettext_noop("“%(found)s” is not a field grade."),
    "few-play": gettext_noop("%(count)s players play a month."),
    "no-label": gettext_noop("“%(found)s” cannot be paid for here."),
    "own-payer": gettext_noop("Nobody pays for their own yaku."),
}
#: Maximum number of moves offered in place of a wrong move.
MOST_INSTEAD: Final = 12
#: The kind of action of each stand-alone statement, by its first word.
_ALONE: Final = {"blind": "blind", "swap": "swap", "redeal": "redeal", "void": "void"}
#: Fields of a response that come from the verdict.
_VERDICT: Final = ("status", "identity", "error", "mismatches", "warnings", "final")
_AT: Final = re.compile(r"(\d{1,4})\.(-?\d{1,4})", re.ASCII)


def refusal(error: Error) -> str:
    """Return an error as a sentence, with the expected values."""
    sentence = _SENTENCES.get(error.code)
    if sentence is None:
        return str(error)
    values = dict(error.values)
    if "ruleset" in values:
        values["ruleset"] = labels.ruleset(str(values["ruleset"]))
    message = _(sentence) % values
    if not error.expected:
        return message
    more = ["…"] if len(error.expected) > NAMED else []
    names = labels.listed([*(value or "''" for value in error.expected[:NAMED]), *more])
    return _("%(message)s Expected: %(names)s.") % {"message": message, "names": names}


def build_unplayed_response(verification: Verification, text: str) -> shapes.Edited:
    """Return the response for malformed text, a score sheet, or an unknown ruleset."""
    game = verification.game
    return shapes.Edited(
        **verdict_of(verification),
        kafu=text,
        players=game.players if game else [],
        options=game.options if game else {},
        tags=game.tags if game else {},
    )


def build_response(
    walked: Walked,
    deal: int,
    step: int,
    original: tuple[str, Verification] | None = None,
    *,
    is_read: bool = False,
    has_worths: bool = False,
) -> shapes.Edited:
    """Return the response for a record at an existing step (docs/api.md describes the fields).

    ``original`` is the text as sent, with the verdict on it, if the request changed nothing.
    ``is_read``: the record was read without a warning, and only cards and words were changed.
    ``has_worths``: values of the legal moves were requested.
    """
    if original is None:
        written, open_turn = whole(walked)
        text, verification = _verify_changed(written, is_read=is_read)
    else:
        (text, verification), open_turn = original, ""
    if not walked.game.months:  # a game without deals is just beginning, not faulty
        verification.verdict.status, verification.verdict.error = "unfinished", None
    table = table_at(walked, deal, step)
    assert table is not None
    players = [labels.person(name) for name in walked.game.players]
    units = labels.notation_units(walked.game.rules)
    has_fault = walked.outcome.fault is not None and not is_open(walked)
    place = position_of(walked.outcome) if has_fault else None
    return shapes.Edited(
        **verdict_of(verification) | {"ruleset": walked.game.rules},
        kafu=text,
        open=open_turn,
        players=walked.game.players,
        options=walked.game.options,
        tags=walked.game.tags,
        at=f"{deal}.{_in_text(walked, deal, step) if open_turn else step}",
        table=_table(table.table),
        legal=[
            shapes.NextMoveJson(
                **asdict(move),
                do=move.written,
                words=move_words(move, players, units=units),
            )
            for move in table.moves
        ],
        worths=find_worths(walked, (deal, step), table.moves)
        if has_worths and (deal, step) == walked.last
        else {},
        due=_due(walked, table),
        deals=_deals(walked, verification),
        steps=_steps(walked, deal, players, units) if deal else [],
        fault=_fault(place, players, units) if place is not None else None,
    )


def _verify_changed(walked: Walked, *, is_read: bool) -> tuple[str, Verification]:
    """Return the text of a changed record, and the verdict on it.

    The text is read again for the places of a fault or of warnings, and if the changes may have
    made it unreadable.
    """
    if is_read and 0 < walked.deals == len(walked.game.months):
        verification = verify_played(walked.outcome)
        if not (verification.verdict.error or verification.verdict.warnings):
            return verification.text, verification
    text = write(walked.game)
    return text, verify(read(text))


def _in_text(walked: Walked, deal: int, step: int) -> int:
    """Return the last step up to ``step`` outside of the turn missing from the text."""
    written = list_written(walked.game.months[deal - 1])
    lacking = max(place for place, (action, _) in enumerate(written) if action.kind == "hand")
    while (place := walked.steps(deal)[step].place) is not None and place >= lacking:
        step -= 1
    return step


def _due(walked: Walked, table: TableAt) -> shapes.Due | None:
    """Return the deal to be dealt next, with the cards already written."""
    if not table.dealers:
        return None
    months = walked.game.months
    cards = None
    if table.deal < len(months):
        written, seats = months[table.deal], range(1, walked.machine.players + 1)
        hands = [written.hands.get(seat, "") for seat in seats]
        cards = shapes.DueCards(written.dealer, hands, written.field or "", written.stock or "")
    return shapes.Due(table.table.month, table.dealers, cards)


def verdict_of(verification: Verification) -> dict[str, Any]:
    """Return the verdict's part of a response, with the names of the players."""
    players = verification.game.players if verification.game else ()
    stored = verification.verdict.to_stored()
    verdict = labels.verdict(stored, players)
    result = {"ruleset": verdict["rules"]} | {name: verdict[name] for name in _VERDICT}
    result["error"] = labels.worded_fault(stored["error"], players)
    if verification.game and verdict["mismatches"]:
        views = claim_views(verdict["mismatches"], verification.game)
        result["mismatches"] = [
            mismatch | {"words": view.sentence}
            for mismatch, view in zip(verdict["mismatches"], views, strict=True)
        ]
    return result


def _table(table: Table) -> shapes.EditTable:
    return shapes.EditTable.build(
        table,
        stock=table.left,
        seat=table.seat or None,
        dealer=table.dealer or None,
        ahead=table.stock,
        yaku=[
            [shapes.MadeYaku(row.id, labels.yaku(row.id), row.value) for row in table.yaku(seat)]
            for seat, _captured in enumerate(table.captured, start=1)
        ],
    )


def _deals(walked: Walked, verification: Verification) -> list[shapes.EditDeal]:
    """Return the deals of a record: number of steps, and the result of an ended deal."""
    results = verification.verdict.to_json(labels.lang())["deals"]
    return [
        shapes.EditDeal(
            month.month,
            month.dealer,
            walked.outcome.steps[i] + 1 if i < walked.deals else 0,
            results[i] if i < len(results) else None,
        )
        for i, month in enumerate(walked.game.months)
    ]


def _steps(
    walked: Walked, deal: int, players: list[str], units: labels.Units | None
) -> list[shapes.EditStep]:
    """Return the steps of one deal in words."""
    steps = walked.steps(deal)
    ended = steps[-1].state.result
    dealt = {
        "dealer": walked.game.months[deal - 1].dealer,
        "grade": steps[0].state.grade,
        "end": ended and ended.end,
        "score": ended and list(ended.score),
    }
    return [
        shapes.EditStep(
            **{name: step[name] for name in ("kind", "seat", "card", "take", "say")},
            notation=notation(step),
            words=tell(step, dealt, players, units=units),
            comments=played.comments,
            written=played.place is not None,
        )
        for played in steps
        for step in [_step(played)]
    ]


def _step(played: PlayedStep) -> dict[str, Any]:
    """Return a step with the fields of the replay (`kafu.judging.replay`) needed for the words."""
    if played.action is None:
        assert played.state.result is not None
        common = {"kind": "end", "card": "", "take": "", "say": played.state.result.end}
        return common | {"seat": played.seat or None, "events": []}
    action = from_engine(played.action, played.seat)
    common = {"kind": action.kind, "card": action.card, "take": action.take, "say": action.say}
    return common | {"seat": action.seat or None, "events": shown_events(played.events)}


def _fault(place: Position, players: list[str], units: labels.Units | None) -> Any:
    """Return the place of a fault, with the legal moves in words."""
    fault = place.to_json()
    for move, option in zip(fault["legal"], place.legal, strict=True):
        move["words"] = move_words(option, players, units=units)
    kind = _ALONE.get(place.omit.partition(" ")[0], "call" if place.omit[:1] == "=" else "")
    # A separate statement is not a move: replacing the statement would add a move.
    is_alone = kind in _ALONE.values() or (kind == "call" and " " in place.omit)
    fits = [candidate for candidate in fault["legal"] if not is_alone or candidate["kind"] == kind]
    removal = shapes.Instead(place.omit, _("Leave it out"))
    fault["instead"] = [removal][: bool(place.omit)] + [
        shapes.Instead(candidate["text"], candidate["words"]) for candidate in fits[:MOST_INSTEAD]
    ]
    return fault


def address_of(text: str) -> tuple[int, int]:
    """Return the deal and step of an address such as ``3.14``. Raise BadValue."""
    match = _AT.fullmatch(text)
    if match is None:
        values = {"found": text[:40]}
        raise BadValue(f"{text[:40]!r} is no address of a step", code="bad-step", values=values)
    return int(match[1]), int(match[2])


def edit_game(edit: shapes.Edit) -> shapes.Edited | None:
    """Return the response for the game `new` or `kafu` of a body; None for several games.

    Raise UnknownRuleset, and BadValue for impossible changes.
    """
    if begin := edit.new:
        walked = changes.begun(begin.ruleset, begin.players, begin.options, begin.tags)
        return apply_edits(walked, edit)
    return edit_only_game((edit.kafu or "").encode(errors="replace"), edit)


def edit_only_game(data: bytes, edits: shapes.Edits) -> shapes.Edited | None:
    """Return the response for the only game of a text as `edit_text`; None for several games."""
    piece = single(data)
    return None if piece is None else edit_text(piece, edits)


def edit_text(piece: Piece, edits: shapes.Edits) -> shapes.Edited:
    """Return the response for a sent record. Raise BadValue for impossible changes.

    The text is returned as sent if nothing changes, else in canonical form.
    """
    reading = read_piece(piece)
    game = reading.game
    if game is None or game.is_sheet:
        return build_unplayed_response(verify(reading), piece.text())
    address = _AT.fullmatch(edits.at or "")
    try:
        walked = walk(game, int(address[1]) if address else None)
    except Unsupported:
        return build_unplayed_response(verify(reading), piece.text())
    if edits.is_empty and piece.form == "kafu" and not changes.is_open(walked):
        sent = piece.text().removeprefix("\ufeff"), verify_played(walked.outcome, reading.warnings)
        at = _check_step(walked, _place(walked, edits))
        return build_response(walked, *at, sent, has_worths=edits.worths)
    walked = replace(walked, game=walked.outcome.game)
    if edits.instead is not None:
        verification = verify_played(walked.outcome)
        walked = put_instead(walked, piece.text(), verification, edits.instead)
    if edits.compute:
        walked = changes.with_claims(walked, walked.game, 1)
    return apply_edits(walked, edits, is_read=not reading.warnings)


def apply_edits(walked: Walked, edits: shapes.Edits, *, is_read: bool = False) -> shapes.Edited:
    """Return the response after all changes of a request. Raise BadValue.

    ``is_read``: the record was read without a warning.
    """
    at = _place(walked, edits)
    if (cards := edits.deal) is not None:
        walked = _deal(walked, cards)
        at = (cards.number, 0) if walked.at(cards.number, 0) else walked.last
    if edits.foresee:
        walked = changes.foreseen(walked, at[0])
    if edits.take_back:
        walked = changes.take_back(walked, *at)
        at = at if walked.at(*at) else walked.last
    for written in edits.do:
        for action in shapes.split_actions(written):
            walked, at = _put(walked, at, action)
    if edits.comment is not None:
        walked = changes.comment(walked, *at, edits.comment)
    # A statement may be legal and still need a repair, such as yaku in another order.
    others = (edits.deal, edits.foresee, edits.instead, edits.compute, edits.comment)
    is_read &= all(change in (None, False) for change in others)
    is_read &= bool(edits.take_back or edits.do) and not any(" " in turn for turn in edits.do)
    at = _check_step(walked, at)
    return build_response(walked, *at, is_read=is_read, has_worths=edits.worths)


def _place(walked: Walked, edits: shapes.Edits) -> tuple[int, int]:
    """Return the step of the changes, by default the last playable step. Raise BadValue."""
    return walked.last if edits.at is None else address_of(edits.at)


def _check_step(walked: Walked, at: tuple[int, int]) -> tuple[int, int]:
    """Return a step of the game. Raise BadValue for an unknown step."""
    if at != (0, 0) and walked.at(*at) is None:
        address = f"{at[0]}.{at[1]}"
        raise BadValue(f"the game has no step {address}", code="no-step", values={"at": address})
    return at


def _deal(walked: Walked, cards: shapes.Cards) -> Walked:
    if cards.random:
        return changes.deal_at_random(walked, cards.number, Random(cards.seed))
    *hands, field, stock = _letters_of_places([*cards.hands, cards.field or "", cards.stock or ""])
    return changes.deal_cards(
        walked,
        cards.number,
        hands,
        field if cards.field is not None else None,
        stock if cards.stock is not None else None,
        dealer=cards.dealer,
    )


def _letters_of_places(places: Sequence[str]) -> list[str]:
    """Return the cards of each place as letters; cards may be written by letters or names.

    Raise BadValue.
    """
    letters = [place if is_lettered(place) else "" for place in places]
    for i, place in enumerate(places):
        letters[i] = letters_by_name(place, "".join(letters[:i] + letters[i + 1 :]))
    return letters


def letters_by_name(text: str, lying: str = "") -> str:
    """Return the letters of cards written by letters or names.

    ``lying`` are the cards of other places. Raise BadValue in the language of the request.
    """
    if is_lettered(text):
        return text
    try:
        return letters_of(text, lying=lying)
    except Malformed as malformed:
        fault = malformed.fault
        message = fault.message(labels.lang())
        if fault.expected:
            values = {"message": message, "names": labels.listed(fault.expected)}
            message = _("%(message)s (nearest: %(names)s)") % values
        raise BadValue(message, code="unknown-name") from malformed


def _put(walked: Walked, at: tuple[int, int], action: str) -> tuple[Walked, tuple[int, int]]:
    """Put an action after a step. Return the record, and the address of the new step.

    The address is the end of the deal if the deal ends with the action, and the old step if the
    action is illegal there.
    """
    deal, step = at
    was_last = walked.at(deal, step) is not None and walked.is_last(deal, step)
    changed = changes.put(walked, deal, step, action)
    if was_last and changed.last[0] == deal:
        return changed, changed.last
    steps = range(step + 1, len(changed.steps(deal))) if changed.at(deal, step) else ()
    for number in steps:
        if changed.steps(deal)[number].place is not None:
            return changed, (deal, number)
    return changed, at if changed.at(*at) else changed.last
