"""The cards that make a month of a score sheet of the 10/5/1 game (S1, S8).

The payments of a month become demands on the cards (`sheets.question`), one for each way in which
the threes of dealt hands can be captured.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.play.table import fours
from kafu.rules.sheets.hand_kinds import ANY, HandKind
from kafu.rules.sheets.question import Demand, DemandedPlayer, find_witness
from kafu.rules.sheets.witness import Undecided, Witness
from kafu.rules.ten_five_one.machine import TenFiveOne, has_dived, points
from kafu.rules.ten_five_one.payments import BIKI, SANBON
from kafu.rules.teyaku import Pattern, patterns
from kafu.rules.yaku import made

DONI_PLACE: Final = 1
BIKI_PLACE: Final = 2
#: The number of ribbons of なさけ.
_RIBBONS: Final = 3
_HAND: Final = 7
#: Three cards of a month on the dealt field lie as one pile; with four it is dealt again (T2).
_MOST_ALIKE: Final = 3


class PaidPlayer(NamedTuple):
    """The payments to a player.

    ``dealt`` and ``captured`` are yaku, ``dives`` says whether 三本 is paid with 飛び込み.
    ``points`` are the points of the captured cards, None for any.
    """

    dealt: frozenset[str] = frozenset()
    dives: bool = False
    captured: frozenset[str] = frozenset()
    points: int | None = None


class PaidMonth(NamedTuple):
    """The payments of a month, by player in play order.

    Each is one that the place in play order may have. ``is_whole``: no captured yaku is missing.
    ``is_ended``: 四三 ended the month before the first turn.
    """

    players: tuple[PaidPlayer, ...]
    is_whole: bool = True
    is_ended: bool = False


def find_cards(month: PaidMonth, machine: TenFiveOne) -> Witness | None:
    """Return cards that make a month of these payments in a house, None if there are none."""
    for demand in _list_demands(month, machine):
        witness = find_witness(demand)
        if witness is not None:
            if not _is_paid(month, machine, witness):
                raise Undecided(demand)
            return witness
    return None


def _list_demands(month: PaidMonth, machine: TenFiveOne) -> Iterator[Demand]:
    """Yield the demands on the cards; the month is possible if cards meet one of them."""
    known = [paid.points for paid in month.players if paid.points is not None]
    if any(not 0 <= number <= points(cards.ALL) for number in known):
        return
    for players in product(*(_list_players(month, machine, number) for number in range(3))):
        yield Demand(
            players,
            machine.captured_yaku,
            cards.CHAFF,
            is_played=not month.is_ended,
            is_played_out=not month.is_ended,
            is_whole=month.is_whole,
            count=points,
            most_alike=_MOST_ALIKE,
        )


def _list_players(month: PaidMonth, machine: TenFiveOne, number: int) -> Iterator[DemandedPlayer]:
    """Yield the possible demands on the cards of a player.

    三本 lays open one three. The other three of a hand with two may be captured whole as well (T5).
    """
    paid = month.players[number]
    doni = number == DONI_PLACE
    ids = paid.dealt - {"nasake"}
    ribbons = machine.house.ribbon_cards(doni=doni) if "nasake" in paid.dealt else 0
    shapes = tuple(patterns(_HAND))
    for id in ids:
        named = _list_patterns(machine, id, doni=doni)
        shapes = tuple(shape for shape in shapes if shape in named)
    captured = frozenset((id, machine.captured_yaku.find(id).value) for id in paid.captured)
    can_jump = machine.tobikomi and SANBON in ids
    player = DemandedPlayer(
        _find_kind(shapes, ribbons) if paid.dealt else ANY,
        can_jump,
        captured,
        None if paid.points is None else (paid.points, paid.points),
        jumps=int(paid.dives),
        unpaid=frozenset() if number == BIKI_PLACE else BIKI,
    )
    yield player
    twice = tuple(shape for shape in shapes if shape.count(3) == 2)
    if can_jump and twice:
        yield player._replace(hand=_find_kind(twice, ribbons), jumps=player.jumps + 1)


def _list_patterns(machine: TenFiveOne, id: str, *, doni: bool) -> set[Pattern]:
    """Return the patterns of hands of which a count yaku is the best that a seat may show (T5)."""
    better: set[Pattern] = set()
    for row in machine.house.count_rows(doni=doni):
        if row.id == id:
            return set(row.patterns) - better
        better.update(row.patterns)
    return set()


@cache
def _find_kind(shapes: tuple[Pattern, ...], ribbons: int) -> HandKind:
    """Return the hands with one of the patterns, and with three of ``ribbons`` (a mask) if any."""
    parts = {part for shape in shapes for size in range(8) for part in combinations(shape, size)}

    def step(state: tuple[Pattern, int], month: int, dealt: int) -> tuple[Pattern, int] | None:
        part, count = state
        if dealt:
            part = tuple(sorted((*part, dealt.bit_count()), reverse=True))
        count += (dealt << 4 * month & ribbons).bit_count()
        return (part, min(count, _RIBBONS)) if part in parts else None

    def accepts(state: tuple[Pattern, int]) -> bool:
        part, count = state
        return part in shapes and (not ribbons or count == _RIBBONS)

    return HandKind(((), 0), step, accepts)


def _is_paid(month: PaidMonth, machine: TenFiveOne, witness: Witness) -> bool:
    """Return whether the rules pay just these payments for cards."""
    if fours(witness.field):
        return False
    for number, (paid, hand, captured) in enumerate(
        zip(month.players, witness.hands, witness.captured, strict=True)
    ):
        declarations = machine.house.declarations(hand, doni=number == DONI_PLACE, chosen=True)
        shown = [show for show in declarations if set(show.yaku) == paid.dealt]
        if paid.dealt and not shown:
            return False
        if month.is_ended:
            continue
        if paid.points not in (None, points(captured)):
            return False
        ids = set(list_captured(machine, witness, number))
        if not paid.captured <= ids or (month.is_whole and ids != paid.captured):
            return False
        if machine.tobikomi and SANBON in paid.dealt:
            dives = {has_dived(show.cards & ~fours(hand), captured) for show in shown}
            if paid.dives not in dives:
                return False
    return True


def list_captured(machine: TenFiveOne, witness: Witness, number: int) -> list[str]:
    """Return the captured yaku that are paid to a player."""
    table = machine.table_of(biki=number == BIKI_PLACE)
    captured = witness.captured[number]
    return [yaku.id for yaku in made(table, captured, rained=False, called=False)]
