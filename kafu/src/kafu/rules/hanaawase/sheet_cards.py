"""The cards that make a month of a score sheet of 三人花合わせ (S6).

The lines of a month become demands on the cards (`sheets.question`), one for each division of
the chaff cards, or for each maker of ふけ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.hanaawase.machine import CHAFF, FUKE, SEATS
from kafu.rules.hanaawase.payments import YAKU
from kafu.rules.payments import PaymentKind
from kafu.rules.play.seating import turn_order
from kafu.rules.sheets.capture_rules import weigh
from kafu.rules.sheets.dealt_hands import Brights
from kafu.rules.sheets.hand_kinds import ANY, HAND, HandKind
from kafu.rules.sheets.lines import PaymentLine
from kafu.rules.sheets.question import Demand, DemandedPlayer, find_witness
from kafu.rules.sheets.witness import Undecided, Witness
from kafu.rules.yaku import made

#: Every number of brights may lie on the field.
_BRIGHTS: Final[Brights] = frozenset(product(range(3), range(4)))
_KASU: Final = YAKU.find("kasu")
#: The points of a card in fives, without the one point of chaff.
_FIVES: Final = tuple(cards.points(1 << card) // 5 for card in range(48))
#: The number of chaff cards of each dealt hand.
_CHAFF_OF_HAND: Final = {id: count for count, id in CHAFF.items()}


class MonthSituation(NamedTuple):
    """The context of a month's lines.

    ``points`` are the captured points by seat, None if unknown. ``makers`` are the seats of whom
    one made ふけ in a month that is struck out, none in another. ``whole`` are the seats whose
    captured yaku are all written.
    """

    dealer: int
    points: tuple[int, ...] | None
    makers: tuple[int, ...]
    whole: tuple[int, ...]

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in play order."""
        return turn_order(self.dealer, len(SEATS))


@cache
def find_kind(yaku: str | None) -> HandKind:
    """Return the hands with a dealt yaku: six chaff cards, or seven (A1)."""
    if yaku is None:
        return ANY
    due = _CHAFF_OF_HAND[yaku]

    def step(state: tuple[int, int], month: int, dealt: int) -> tuple[int, int] | None:
        chaff, others = state
        count = (dealt << 4 * month & cards.CHAFF).bit_count()
        chaff, others = chaff + count, others + dealt.bit_count() - count
        return (chaff, others) if chaff <= due and others <= HAND - due else None

    return HandKind((0, 0), step, lambda state: state == (due, HAND - due))


def read_values(line: PaymentLine) -> dict[str, int]:
    """Return the value of each yaku of a line of captured yaku. Only カス has several."""
    values = {id: YAKU.find(id).value for id in line.yaku}
    if _KASU.id in values:
        values[_KASU.id] += max(line.amounts) // 2 - sum(values.values())
    return values


def list_demands(lines: Sequence[PaymentLine], month: MonthSituation) -> Iterator[Demand]:
    """Yield the demands on the cards; the month is possible if cards meet one of them."""
    players = {seat: DemandedPlayer(ANY) for seat in SEATS}
    for line in lines:
        if line.kind is PaymentKind.DEALT:
            players[line.seat] = players[line.seat]._replace(hand=find_kind(line.label))
        elif line.kind is PaymentKind.CAPTURED:
            player = players[line.seat]
            players[line.seat] = player._replace(yaku=player.yaku.union(read_values(line).items()))
    for seat in SEATS:
        points = None
        if month.points is not None:
            points = month.points[seat - 1], month.points[seat - 1]
        is_whole = seat in month.whole
        players[seat] = players[seat]._replace(points=points, has_more_yaku=not is_whole)
    if month.points is None and month.makers:
        for maker in month.makers:
            poor = players[maker]._replace(points=(0, FUKE))
            yield _demand(month, {**players, maker: poor})
    elif month.points is not None and month.whole == SEATS:
        yield from _list_divisions(players, month.points, month)
    else:
        yield _demand(month, players)


def _demand(month: MonthSituation, players: Mapping[int, DemandedPlayer]) -> Demand:
    """Return a demand with the players in play order."""
    return Demand(
        tuple(players[seat] for seat in month.order),
        YAKU,
        cards.CHAFF,
        _BRIGHTS,
        is_played_out=True,
        is_whole=bool(month.whole),
    )


def _list_divisions(
    players: Mapping[int, DemandedPlayer], points_by_seat: Sequence[int], month: MonthSituation
) -> Iterator[Demand]:
    """Yield a demand for each division of the chaff cards with which the points are possible.

    The points leave the number of a player's chaff cards when divided by five.
    """
    counts = []
    for seat, points in zip(SEATS, points_by_seat, strict=True):
        value = dict(players[seat].yaku).get(_KASU.id)
        possible = range(_KASU.base)
        if value is not None:
            count = _KASU.base + (value - _KASU.value) // _KASU.step
            possible = range(count, count + 1)
        counts.append(
            [count for count in possible if count <= points and (points - count) % 5 == 0]
        )
    for division in product(*counts):
        if sum(division) == cards.CHAFF.bit_count():
            demanded = {
                seat: players[seat]._replace(
                    points=None,
                    counts=(
                        (weigh(cards.CHAFF), count),
                        (_FIVES, (points - count) // 5),
                    ),
                )
                for seat, points, count in zip(SEATS, points_by_seat, division, strict=True)
            }
            yield _demand(month, demanded)


def find_cards(lines: Sequence[PaymentLine], month: MonthSituation) -> Witness | None:
    """Return cards that make a month of these lines, None if there are none."""
    demands = tuple(list_demands(lines, month))
    witness = find_witness(*demands)
    if witness is not None and not _are_paid(lines, month, witness):
        raise Undecided(demands)
    return witness


def list_made(witness: Witness, month: MonthSituation) -> dict[int, dict[str, int]]:
    """Return the captured yaku with their values by seat."""
    return {
        seat: {yaku.id: yaku.value for yaku in made(YAKU, captured, rained=False, called=False)}
        for seat, captured in zip(month.order, witness.captured, strict=True)
    }


def _are_paid(lines: Sequence[PaymentLine], month: MonthSituation, witness: Witness) -> bool:
    """Return whether the rules pay these lines for the cards, and no others to the whole seats."""
    due = list_made(witness, month)
    points = dict(zip(month.order, map(cards.points, witness.captured), strict=True))
    hands = dict(zip(month.order, witness.hands, strict=True))
    written: dict[int, dict[str, int]] = {seat: {} for seat in SEATS}
    is_right = True
    for line in lines:
        if line.kind is PaymentKind.CAPTURED:
            written[line.seat] |= read_values(line)
        elif line.kind is PaymentKind.DEALT:
            is_right &= CHAFF.get((hands[line.seat] & cards.CHAFF).bit_count()) == line.label
    for seat in SEATS:
        is_right &= written[seat].items() <= due[seat].items()
        is_right &= seat not in month.whole or written[seat] == due[seat]
        is_right &= month.points is None or points[seat] == month.points[seat - 1]
    return is_right and (not month.makers or any(points[seat] <= FUKE for seat in month.makers))
