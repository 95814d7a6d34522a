"""One request of the editor: a record, and what is to be done with it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from django.utils.translation import gettext as _

from kafu.editing import changes
from kafu.editing.walked import Walked, walk
from kafu.facade.errors import BadValue
from kafu.importers import read_piece
from kafu.judging.verify import verify
from kafu.naming.statements import is_lettered, letters_of
from kafu.notation.faults import Malformed
from kafu.notation.stream.extent import Piece
from kafu.rules.rulesets import Unsupported
from records.base import labels
from records.pages.editor.answer import answer, unplayed
from records.pages.editor.instead import put_instead

_AT: Final = re.compile(r"(\d{1,4})\.(-?\d{1,4})", re.ASCII)
_ACTION: Final = re.compile(r"[=/]?[^=/]+")


@dataclass(frozen=True, slots=True)
class CardsWanted:
    """The cards of deal ``number``; ``at_random`` deals them by chance, from a seed if one is
    given.
    """

    number: int
    hands: Sequence[str] = ()
    field: str | None = None
    stock: str | None = None
    dealer: int | None = None
    at_random: bool = False
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be done, in this order: cards are dealt, those of the deal of ``at`` are written
    as its turns tell them, what follows step ``at`` is taken back, actions are put behind it, a
    comment is written there.

    ``at`` is a deal and a step, None for the last that can be played. Before all else ``instead``
    is put in the place of the fault, and ``compute`` replaces all claims by what the rules give.
    """

    at: tuple[int, int] | None = None
    cards: CardsWanted | None = None
    foresee: bool = False
    take_back: bool = False
    actions: Sequence[str] = ()
    comment: str | None = None
    instead: str | None = None
    compute: bool = False

    @property
    def is_nothing(self) -> bool:
        """Whether the record stays as it is."""
        return replace(self, at=None) == Wanted()


def address_of(text: str) -> tuple[int, int]:
    """A step's address, such as ``3.14``. Raises BadValue."""
    found = _AT.fullmatch(text)
    if found is None:
        values = {"found": text[:40]}
        raise BadValue(f"{text[:40]!r} is no address of a step", code="bad-step", values=values)
    return int(found[1]), int(found[2])


def of_text(piece: Piece, wanted: Wanted) -> dict[str, Any]:
    """What becomes of a record that was sent: as it was written where nothing is to be done, else
    canonical. Raises BadValue for what cannot be done.
    """
    reading = read_piece(piece)
    game = reading.game
    if game is None or game.is_sheet:
        return unplayed(verify(reading), piece.text())
    try:
        walked = walk(game)
    except Unsupported:
        return unplayed(verify(reading), piece.text())
    walked = replace(walked, game=walked.outcome.game)
    if wanted.is_nothing:
        is_kafu = piece.form == "kafu" and not changes.is_open(walked)
        sent = (piece.text().removeprefix("\ufeff"), verify(reading)) if is_kafu else None
        return answer(walked, *_existing(walked, wanted.at or walked.last), sent)
    if wanted.instead is not None:
        walked = put_instead(walked, piece.text(), verify(reading), wanted.instead)
    if wanted.compute:
        walked = changes.with_claims(walked, walked.game, 1)
    return done(walked, wanted)


def of_new(
    rules: str,
    players: Sequence[str],
    options: Mapping[str, str],
    tags: Mapping[str, str],
    wanted: Wanted,
) -> dict[str, Any]:
    """A game that begins now. Raises UnknownRuleset and BadValue."""
    return done(changes.begun(rules, players, options, tags), wanted)


def done(walked: Walked, wanted: Wanted) -> dict[str, Any]:
    """The answer after all that is wanted was done. Raises BadValue."""
    at = wanted.at or walked.last
    if (cards := wanted.cards) is not None:
        walked = _dealt(walked, cards)
        at = (cards.number, 0) if walked.at(cards.number, 0) else walked.last
    if wanted.foresee:
        walked = changes.foreseen(walked, at[0])
    if wanted.take_back:
        walked = changes.take_back(walked, *at)
        at = at if walked.at(*at) else walked.last
    for written in wanted.actions:
        for action in split_actions(written):
            walked, at = _put(walked, at, action)
    if wanted.comment is not None:
        walked = changes.comment(walked, *at, wanted.comment)
    return answer(walked, *_existing(walked, at))


def _existing(walked: Walked, at: tuple[int, int]) -> tuple[int, int]:
    """A step that the game has. Raises BadValue."""
    if at != (0, 0) and walked.at(*at) is None:
        address = f"{at[0]}.{at[1]}"
        raise BadValue(f"the game has no step {address}", code="no-step", values={"at": address})
    return at


def _dealt(walked: Walked, cards: CardsWanted) -> Walked:
    if cards.at_random:
        return changes.deal_at_random(walked, cards.number, Random(cards.seed))
    *hands, field, stock = _lettered([*cards.hands, cards.field or "", cards.stock or ""])
    return changes.deal_cards(
        walked,
        cards.number,
        hands,
        field if cards.field is not None else None,
        stock if cards.stock is not None else None,
        dealer=cards.dealer,
    )


def _lettered(places: Sequence[str]) -> list[str]:
    """The cards of each place as letters, where they are written by letters or names. Raises
    BadValue.
    """
    found = [place if is_lettered(place) else "" for place in places]
    for i, place in enumerate(places):
        found[i] = letters_by_name(place, "".join(found[:i] + found[i + 1 :]))
    return found


def letters_by_name(text: str, lying: str = "") -> str:
    """The letters of cards that are written by letters or names, where ``lying`` lie elsewhere.
    Raises BadValue in the language of the request.
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
    """Return the actions of a turn one by one: of ``AxD=koikoi/B`` three."""
    return [written] if " " in written else _ACTION.findall(written) or [written]


def _put(walked: Walked, at: tuple[int, int], action: str) -> tuple[Walked, tuple[int, int]]:
    """Put an action behind a step; the record, and the address of the new step.

    That is the end of the deal where it ends with the action, and the old one where the action is
    illegal there.
    """
    deal, step = at
    was_last = walked.next_place(deal, step) is None if walked.at(deal, step) else False
    changed = changes.put(walked, deal, step, action)
    if was_last and changed.last[0] == deal:
        return changed, changed.last
    steps = range(step + 1, len(changed.deals[deal - 1])) if changed.at(deal, step) else ()
    for one in steps:
        if changed.deals[deal - 1][one].place is not None:
            return changed, (deal, one)
    return changed, at if changed.at(*at) else changed.last
