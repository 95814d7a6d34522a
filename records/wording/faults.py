"""The faults of a game for its pages.

A fault is shown with its message, an excerpt of the text, the table before it and the legal moves.
Wrong claims are shown with the computed values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from kafu import cards
from kafu.judging.outcome import Outcome
from kafu.judging.playthrough import Playthrough
from kafu.judging.position import Position
from kafu.notation.faults import caret
from kafu.notation.game import Game
from kafu.notation.vocabulary import GRADES
from kafu.rules.rulesets import Unsupported
from kafu.rules.verdict import DealResult
from records.base import labels
from records.wording.cards import CardView, card_views
from records.wording.steps import amount_in_sentence, move_words

EXCERPT_WIDTH = 96
#: Maximum number of legal moves that are written out.
MAX_MOVES: Final = 24
_NAMELESS: Final = cards.BLANK + cards.UNKNOWN
#: A card, and whether it is part of the fault.
Spot = tuple[CardView, bool]


@dataclass(frozen=True, slots=True)
class ExcerptLine:
    """A line of an excerpt: its number in the file, its shortened text, and the caret below."""

    number: int
    text: str
    caret: str = ""
    fault: bool = False


def excerpt(text: str, *, first: int, line: int | None, column: int | None) -> list[ExcerptLine]:
    """Return a line with two lines before and one line after.

    ``text`` begins in line ``first`` of its file; ``line`` is a line of the file. Return an empty
    list if ``line`` is None or not in the text.
    """
    if line is None:
        return []
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    place = line - first
    if not 0 <= place < len(lines):
        return []
    rows = []
    for index in range(max(0, place - 2), min(len(lines), place + 2)):
        if index == place and column:
            short, _newline, mark = caret(lines[index], column, EXCERPT_WIDTH).partition("\n")
            rows.append(ExcerptLine(first + index, short, mark, fault=True))
        else:
            short = lines[index][:EXCERPT_WIDTH].replace("\t", " ")
            rows.append(ExcerptLine(first + index, short, fault=index == place))
    return rows


@dataclass(frozen=True, slots=True)
class FaultSeat:
    """A seat of the table.

    ``mark`` is the badge of the dealer, "" for other seats. ``moving`` marks the seat to move.
    """

    name: str
    mark: str
    moving: bool
    hand: list[Spot]
    captured: list[Spot]


@dataclass(frozen=True, slots=True)
class FaultMove:
    """A legal move in Kafu and in words, with the played and the captured cards."""

    text: str
    words: str
    cards: list[CardView]


@dataclass(frozen=True, slots=True)
class PositionView:
    """The table at a fault.

    ``at`` is the step in the replay and ``href`` its address, ``due`` a sentence about the expected
    action. ``questioned`` has the cards of the fault with their places, ``absent`` the cards
    missing from a wrong deal. ``more`` is the number of legal moves exceeding `MAX_MOVES`.
    """

    title: str
    due: str
    seats: list[FaultSeat]
    field: list[Spot]
    stock: int
    questioned: list[tuple[CardView, str]]
    absent: list[CardView]
    written: str
    legal: list[FaultMove]
    more: int
    omit: str
    as_known: bool
    at: str
    href: str


@dataclass(frozen=True, slots=True)
class ClaimView:
    """A claim of the record, the computed value, and the ledger lines of the computed value.

    ``sentence`` says how the two differ.
    """

    what: str
    sentence: str
    claimed: str
    computed: str
    difference: str
    made_of: str
    href: str


@dataclass(frozen=True, slots=True)
class FaultView:
    """The context of templates/records/_fault.html. Parts may be None or empty.

    ``place`` is the month and turn of the error.
    """

    error: Mapping[str, Any] | None
    place: str
    rows: list[ExcerptLine]
    position: PositionView | None
    claims: list[ClaimView]


def fault_view(
    *,
    error: Mapping[str, Any] | None,
    mismatches: Sequence[Mapping[str, Any]],
    text: str,
    first: int,
    game: Game | None,
    place: Position | None,
    address: str,
) -> FaultView | None:
    """Return the view of a verdict's error and mismatches, or None if there are none.

    ``text`` is the source of the game, which begins in line ``first`` of its file. ``game`` is the
    game read from it, if any, ``place`` the position of the error in the game, and ``address`` the
    address of its replay or "".
    """
    if error is None and not mismatches:
        return None
    rows = []
    if error is not None:
        rows = excerpt(text, first=first, line=error["line"], column=error["column"])
    return FaultView(
        error=error,
        place=labels.fault_place(error, [deal.month for deal in game.months] if game else [])
        if error
        else "",
        rows=rows,
        position=_position(place, game, address, error["deal"])
        if place and game and error
        else None,
        claims=claim_views(mismatches, game, address) if game else [],
    )


# The position ---------------------------------------------------------------------------------


def _position(place: Position, game: Game, address: str, number: int) -> PositionView:
    """Return the view of a position in deal ``number``."""
    players = [labels.person(name) for name in game.players]
    at = f"{place.deal}.{place.step}" if place.deal else ""
    stock = (game.months[number - 1].stock or "") if place.undealt else ""

    def spots(letters: str) -> list[Spot]:
        return [(card, card.letter in place.marked) for card in card_views(letters)]

    return PositionView(
        title=_("The cards as recorded.") if place.undealt else _("The table just before."),
        due=_due_sentence(place, players),
        seats=[
            FaultSeat(
                name=name,
                mark=labels.dealer_mark(game.rules) if seat == place.dealer else "",
                moving=seat == place.seat,
                hand=spots(place.table.hands[seat - 1]),
                captured=spots(place.table.captured[seat - 1]),
            )
            for seat, name in enumerate(players, start=1)
        ],
        field=spots(place.table.field),
        stock=place.table.stock,
        questioned=_questioned_cards(place, players, stock),
        absent=card_views(place.absent),
        written=place.written,
        legal=[
            FaultMove(
                move.text,
                move_words(move, players, units=labels.units(game.rules)),
                card_views(move.card + move.take),
            )
            for move in place.legal[:MAX_MOVES]
        ],
        more=max(0, len(place.legal) - MAX_MOVES),
        omit=place.omit,
        as_known=place.as_known,
        at=at,
        href=f"{address}#{at}" if address and at else "",
    )


def _due_sentence(place: Position, players: Sequence[str]) -> str:
    """Return a sentence about the expected action."""
    name = {"name": players[place.seat - 1] if place.seat else ""}
    if place.omit.startswith("=") and " " not in place.omit and not place.legal:
        return _("%(name)s has no decision to make here.") % name
    if place.legal and place.legal[0].kind == "say":
        return _("%(name)s has a decision to make.") % name
    match place.phase:
        case "hand":
            return _("It is %(name)s's turn to play a card from the hand.") % name
        case "stock":
            return _("It is %(name)s's turn to turn over a card from the draw pile.") % name
        case "bid":
            return _("%(name)s has to say whether they go in or out.") % name
        case "show" if place.written.startswith("show"):
            return _("Dealt-hand yaku are being declared; this is %(name)s's hand.") % name
        case "show":
            return _("Dealt-hand yaku are being declared.")
        case "pile":
            return _("The draw pile is to be laid out.")
        case "over":
            return _("The game is over.")
    return _("The month is to be dealt.") if place.undealt else _("The month is over.")


def _questioned_cards(
    place: Position, players: Sequence[str], stock: str
) -> list[tuple[CardView, str]]:
    """Return the cards that a fault is about, each with its places in words.

    ``stock`` is the draw pile as far as it is recorded.
    """
    cards_with_places = []
    for card in card_views("".join(c for c in place.marked if c not in _NAMELESS)):
        places = [
            _("in the hand of %(name)s") % {"name": name}
            for name, hand in zip(players, place.table.hands, strict=True)
            for _copy in range(hand.count(card.letter))
        ]
        places += [_("on the field")] * place.table.field.count(card.letter)
        places += [
            _("captured by %(name)s") % {"name": name}
            for name, captured in zip(players, place.table.captured, strict=True)
            if card.letter in captured
        ]
        places += [_("in the draw pile")] * stock.count(card.letter)
        cards_with_places.append((card, ", ".join(places) or _("not on the table")))
    return cards_with_places


# Claims ---------------------------------------------------------------------------------------


def claim_views(
    mismatches: Sequence[Mapping[str, Any]], game: Game, address: str = ""
) -> list[ClaimView]:
    """Return the wrong claims of a game in words, with links into the replay at ``address``."""
    outcome = None
    if mismatches:
        with suppress(Unsupported):  # a score sheet has no steps
            outcome = Playthrough.of(game).run()
    return [_claim(mismatch, game, outcome, address) for mismatch in mismatches]


def _claim(
    mismatch: Mapping[str, Any], game: Game, outcome: Outcome | None, address: str
) -> ClaimView:
    deal, seat = mismatch["deal"], mismatch["seat"]
    format_value = _formatter(game.rules)
    claimed, computed = mismatch["claimed"], mismatch["computed"]
    results = outcome.deals if outcome else []
    number = deal or len(results)
    result = results[number - 1] if 0 < number <= len(results) else None
    is_difference = isinstance(claimed, int) and isinstance(computed, int)
    texts = {
        "score": _("%(month)s, %(name)s"),
        "final": _("Final score of %(name)s"),
        "result": _("Result"),
        "ba": _("%(month)s, field grade"),
    }
    subject = texts[mismatch["where"]] % {
        "month": labels.month(game.months[deal - 1].month) if deal else "",
        "name": labels.person(game.players[seat - 1]) if seat else "",
    }
    values = {"what": subject, "claimed": format_value(claimed), "computed": format_value(computed)}
    return ClaimView(
        what=subject,
        sentence=_("%(what)s: recorded %(claimed)s, computed %(computed)s") % values,
        claimed=values["claimed"],
        computed=values["computed"],
        difference=format_value(computed - claimed) if is_difference else "",
        made_of=_ledger(result, seat, format_value) if result and seat and deal else "",
        href=f"{address}#{number}.{outcome.steps[number - 1]}"
        if outcome and result and address
        else "",
    )


def _ledger(result: DealResult, seat: int, format_value: Callable[[Any], str]) -> str:
    """Return the ledger lines of a deal for a seat."""
    lines = [
        f"{labels.yaku(line.label)} {format_value(line.amounts[seat - 1])}"
        for line in result.ledger
        if line.amounts[seat - 1] and not line.void
    ]
    return labels.listed(lines)


def _formatter(ruleset: str) -> Callable[[Any], str]:
    """Return a function that writes a sum of a ruleset or a field grade, ``–`` for None."""

    def format_value(value: Any) -> str:
        if isinstance(value, int):
            return amount_in_sentence(value, ruleset)
        return labels.grade(value) if value in GRADES else str(value or "–")

    return format_value
