"""Requests of the editor: changes to a record."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from django.utils.translation import gettext as _

from kafu.editing import changes
from kafu.editing.table_at import Walked, walk
from kafu.facade.errors import BadValue
from kafu.importers import read_piece
from kafu.judging.verify import verify
from kafu.naming.statements import is_lettered, letters_of
from kafu.notation.faults import Malformed
from kafu.notation.stream.extent import Piece
from kafu.rules.rulesets import Unsupported
from records.base import labels
from records.pages.editor.instead import put_instead
from records.pages.editor.response import build_response, build_unplayed_response

_AT: Final = re.compile(r"(\d{1,4})\.(-?\d{1,4})", re.ASCII)
_ACTION: Final = re.compile(r"[=/]?[^=/]+")


@dataclass(frozen=True, slots=True)
class DealtCards:
    """The cards to be dealt in deal ``number``.

    ``at_random`` deals random cards, from ``seed`` if set.
    """

    number: int
    hands: Sequence[str] = ()
    field: str | None = None
    stock: str | None = None
    dealer: int | None = None
    at_random: bool = False
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Edits:
    """The changes of a request, in order: deal cards, foresee, take back, act, comment.

    ``foresee`` writes the cards of the deal of ``at`` as shown by the turns. ``take_back`` removes
    all steps after ``at``. ``actions`` are put after ``at``, and ``comment`` is written there.
    ``at`` is a deal and a step, None for the last playable step. Before all other changes
    ``instead`` replaces the fault, and ``compute`` replaces all claims by the computed values.
    """

    at: tuple[int, int] | None = None
    cards: DealtCards | None = None
    foresee: bool = False
    take_back: bool = False
    actions: Sequence[str] = ()
    comment: str | None = None
    instead: str | None = None
    compute: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether the record is unchanged."""
        return replace(self, at=None) == Edits()


def address_of(text: str) -> tuple[int, int]:
    """Return the deal and step of an address such as ``3.14``. Raise BadValue."""
    match = _AT.fullmatch(text)
    if match is None:
        values = {"found": text[:40]}
        raise BadValue(f"{text[:40]!r} is no address of a step", code="bad-step", values=values)
    return int(match[1]), int(match[2])


def edit_text(piece: Piece, edits: Edits) -> dict[str, Any]:
    """Return the response for a sent record. Raise BadValue for impossible changes.

    The text is returned as sent if nothing changes, else in canonical form.
    """
    reading = read_piece(piece)
    game = reading.game
    if game is None or game.is_sheet:
        return build_unplayed_response(verify(reading), piece.text())
    try:
        walked = walk(game)
    except Unsupported:
        return build_unplayed_response(verify(reading), piece.text())
    walked = replace(walked, game=walked.outcome.game)
    if edits.is_empty:
        is_kafu = piece.form == "kafu" and not changes.is_open(walked)
        sent = (piece.text().removeprefix("\ufeff"), verify(reading)) if is_kafu else None
        return build_response(walked, *_check_step(walked, edits.at or walked.last), sent)
    if edits.instead is not None:
        walked = put_instead(walked, piece.text(), verify(reading), edits.instead)
    if edits.compute:
        walked = changes.with_claims(walked, walked.game, 1)
    return apply_edits(walked, edits)


def begin_game(
    rules: str,
    players: Sequence[str],
    options: Mapping[str, str],
    tags: Mapping[str, str],
    edits: Edits,
) -> dict[str, Any]:
    """Return the response for a new game. Raise UnknownRuleset and BadValue."""
    return apply_edits(changes.begun(rules, players, options, tags), edits)


def apply_edits(walked: Walked, edits: Edits) -> dict[str, Any]:
    """Return the response after all changes of a request. Raise BadValue."""
    at = edits.at or walked.last
    if (cards := edits.cards) is not None:
        walked = _deal(walked, cards)
        at = (cards.number, 0) if walked.at(cards.number, 0) else walked.last
    if edits.foresee:
        walked = changes.foreseen(walked, at[0])
    if edits.take_back:
        walked = changes.take_back(walked, *at)
        at = at if walked.at(*at) else walked.last
    for written in edits.actions:
        for action in split_actions(written):
            walked, at = _put(walked, at, action)
    if edits.comment is not None:
        walked = changes.comment(walked, *at, edits.comment)
    return build_response(walked, *_check_step(walked, at))


def _check_step(walked: Walked, at: tuple[int, int]) -> tuple[int, int]:
    """Return a step of the game. Raise BadValue for an unknown step."""
    if at != (0, 0) and walked.at(*at) is None:
        address = f"{at[0]}.{at[1]}"
        raise BadValue(f"the game has no step {address}", code="no-step", values={"at": address})
    return at


def _deal(walked: Walked, cards: DealtCards) -> Walked:
    if cards.at_random:
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


def split_actions(written: str) -> list[str]:
    """Return the actions of a turn separately: three for ``AxD=koikoi/B``."""
    return [written] if " " in written else _ACTION.findall(written) or [written]


def _put(walked: Walked, at: tuple[int, int], action: str) -> tuple[Walked, tuple[int, int]]:
    """Put an action after a step. Return the record, and the address of the new step.

    The address is the end of the deal if the deal ends with the action, and the old step if the
    action is illegal there.
    """
    deal, step = at
    was_last = walked.next_place(deal, step) is None if walked.at(deal, step) else False
    changed = changes.put(walked, deal, step, action)
    if was_last and changed.last[0] == deal:
        return changed, changed.last
    steps = range(step + 1, len(changed.deals[deal - 1])) if changed.at(deal, step) else ()
    for number in steps:
        if changed.deals[deal - 1][number].place is not None:
            return changed, (deal, number)
    return changed, at if changed.at(*at) else changed.last
