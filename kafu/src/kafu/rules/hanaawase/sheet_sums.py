"""The months of 三人花合わせ that a sum on a score sheet can stand for (S2).

The captured yaku that the cards of one player can make, and the points that these cards can count,
are computed once. A sum is divided among three such players in every way. The exact question
(`sheets.question`) decides about each division.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial, reduce
from itertools import combinations, product
from operator import or_
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.hanaawase.machine import EVEN, FUKE, SEATS
from kafu.rules.hanaawase.payments import VALUES, YAKU
from kafu.rules.hanaawase.sheet_cards import KASU, HanaawaseMonth
from kafu.rules.payments import POINTS, PaymentKind
from kafu.rules.sheets.lines import PaymentLine
from kafu.rules.sheets.sums import explain_sum
from kafu.rules.sheets.witness import Undecided
from kafu.rules.yaku import YakuTable, made

#: The possible points of a player in a month without ふけ, and those of all cards.
_POINTS: Final = range(FUKE + 1, len(SEATS) * EVEN - 2 * FUKE - 1)
_ALL_POINTS: Final = cards.points(cards.ALL)
_ALL_CHAFF: Final = cards.CHAFF.bit_count()
#: The months in an order in which yaku are soon complete or impossible.
_MONTHS: Final = tuple(cards.MONTHS[month] for month in (1, 3, 8, 12, 2, 11, 4, 9, 6, 10, 5, 7))
#: The yaku of certain cards with the cards, and the yaku of ribbons by their number.
_CERTAIN: Final = YakuTable(row for row in YAKU if row.cards not in (cards.RIBBONS, cards.CHAFF))
_CARDS: Final = reduce(or_, (row.cards for row in _CERTAIN))
_RIBBONS: Final = {row.need: row for row in YAKU if row.cards == cards.RIBBONS}
#: The mark of a yaku of ribbons above the bits of the cards: two players never have one.
_HAS_RIBBONS: Final = 1 << 48
#: The values of three dealt hands, few yaku first, and the most that all yaku are worth.
_HANDS: Final = sorted(product((0, *VALUES.values()), repeat=3), key=sum)
_MOST: Final = sum(_HANDS[-1]) + sum(max(row.values) for row in YAKU)


class _Captures(NamedTuple):
    """The captures of a player that make some yaku, カス apart.

    ``values`` are the yaku with their values, ``needed`` are their cards (a mask, with
    `_HAS_RIBBONS`), and ``counts`` the possible points and chaff cards, as bits (`_find_bit`).
    """

    values: tuple[tuple[str, int], ...]
    needed: int
    counts: int


def _find_bit(points: int, chaff: int) -> int:
    """Return the position of the bit for numbers of points and of chaff cards."""
    return chaff * (_ALL_POINTS + 1) + points


def _find_kasu(chaff: int) -> int:
    """Return the value of カス, 0 for too few chaff cards."""
    return KASU.values[chaff - KASU.base] if chaff >= KASU.base else 0


def check_sum(line: PaymentLine, order: tuple[int, ...]) -> None:
    """Raise Illegal unless cards make a month with the sum of a line.

    Raise `Undecided` if neither such cards nor a proof are found.
    """
    if any(line.amounts) and not _is_possible(line.amounts, order):
        raise explain_sum(line, kan=False)


@lru_cache(maxsize=1024)
def _is_possible(sums: tuple[int, ...], order: tuple[int, ...]) -> bool:
    """Return whether cards make a month with a sum."""
    undecided: Undecided | None = None
    for lines in _list_months(sums):
        try:
            if HanaawaseMonth.read(lines, order, is_over=True).find_cards():
                return True
        except Undecided as error:
            undecided = error
    if undecided:
        raise undecided
    return False


def _list_months(sums: Sequence[int]) -> Iterator[list[PaymentLine]]:
    """Yield the lines of the months with a sum that the cards of each player alone permit."""
    list_captures = cache(_list_captures)

    def join(
        players: Sequence[tuple[int, int, int]], used: int, chaff: int
    ) -> Iterator[dict[int, tuple[_Captures, int]]]:
        """Yield captures and numbers of chaff cards by seat, without the cards that are used."""
        (value, points, seat), *others = players
        for captures, count in list_captures(value, points):
            if captures.needed & used:
                continue
            if others:
                for by_seat in join(others, used | captures.needed, chaff - count):
                    yield {**by_seat, seat: (captures, count)}
            elif count == chaff:
                yield {seat: (captures, count)}

    for values, points in _list_divisions(sums):
        for hands in _HANDS:
            left = [value - hand for value, hand in zip(values, hands, strict=True)]
            # Few cards make yaku of a high value.
            players = sorted(zip(left, points, SEATS, strict=True), reverse=True)
            for joined in join(players, 0, _ALL_CHAFF):
                yield _list_lines(joined, hands, points)


def _list_divisions(sums: Sequence[int]) -> list[tuple[Sequence[int], Sequence[int]]]:
    """Return the values of each player's yaku, with the points that they leave to a sum.

    Divisions of which cards are likely, those with few yaku and even points, come first.
    """
    # Yaku and hands are worth tens.
    possible = [_POINTS[(sum_ + EVEN - _POINTS.start) % 10 :: 10] for sum_ in sums]
    divisions = []
    for first, second in product(*possible[:2]):
        points = (first, second, _ALL_POINTS - first - second)
        # A player gets three times the value of the own yaku, less that of all yaku.
        thirds = [sum_ + EVEN - count for sum_, count in zip(sums, points, strict=True)]
        if points[2] in possible[2] and len({third % 30 for third in thirds}) == 1:
            uneven = sum(abs(count - EVEN) for count in points)
            for paid in range(-min(thirds), _MOST + 1, 30):
                values = [(third + paid) // 3 for third in thirds]
                divisions.append((paid // 10 + uneven, values, points))
    return [division[1:] for division in sorted(divisions)]


def _list_lines(
    captured: Mapping[int, tuple[_Captures, int]], hands: Sequence[int], points: Sequence[int]
) -> list[PaymentLine]:
    """Return the lines of captures with their chaff cards by seat, of hands and of points."""
    lines = []
    for seat, hand in zip(SEATS, hands, strict=True):
        captures, chaff = captured[seat]
        yaku = [(PaymentKind.DEALT, id, value) for id, value in VALUES.items() if value == hand]
        yaku += [(PaymentKind.CAPTURED, *value) for value in captures.values]
        if kasu := _find_kasu(chaff):
            yaku.append((PaymentKind.CAPTURED, KASU.id, kasu))
        for kind, id, each in yaku:
            amounts = tuple(each * (3 * (other == seat) - 1) for other in SEATS)
            lines.append(PaymentLine(kind, (id,), seat, amounts, False, "month"))
    left = tuple(count - EVEN for count in points)
    return [*lines, PaymentLine(PaymentKind.OTHER, (POINTS,), 0, left, False, "month")]


def _list_captures(value: int, points: int) -> list[tuple[_Captures, int]]:
    """Return captures of one player with this value and points, each with its chaff cards."""
    listed = []
    for chaff in range(points % 5, _ALL_CHAFF + 1, 5):
        bit = 1 << _find_bit(points, chaff)
        alike = _group_captures().get(value - _find_kasu(chaff), ())
        listed += [(captures, chaff) for captures in alike if captures.counts & bit]
    return listed


@cache
def _group_captures() -> Mapping[int, Sequence[_Captures]]:
    """Return the captures of a player by the value of the yaku, カス apart.

    A state after some months has the captured cards of yaku that are still possible, and the number
    of ribbons. A month is captured as a whole, as a pair or not at all.
    """
    states, left = {(0, 0): 1}, cards.ALL
    for month in _MONTHS:
        left &= ~month
        pairs = [first | second for first, second in combinations(cards.bits(month), 2)]
        effects = {
            (
                captured & _CARDS,
                (captured & cards.RIBBONS).bit_count(),
                _find_bit(cards.points(captured), (captured & cards.CHAFF).bit_count()),
            )
            for captured in (0, *pairs, month)
        }
        find_useful = cache(partial(_find_useful, left=left))
        ribbons_left = (left & cards.RIBBONS).bit_count()
        after: dict[tuple[int, int], int] = {}
        for (held, ribbons), counts in states.items():
            for captured, more, shift in effects:
                count = min(ribbons + more, max(_RIBBONS))
                if count + ribbons_left < min(_RIBBONS):
                    count = 0
                state = find_useful(held | captured), count
                after[state] = after.get(state, 0) | counts << shift
        states = after
    by_value: dict[int, list[_Captures]] = {}
    for (held, ribbons), counts in states.items():
        values = [
            (yaku.id, yaku.value) for yaku in made(_CERTAIN, held, rained=False, called=False)
        ]
        if ribbons:
            values.append((_RIBBONS[ribbons].id, _RIBBONS[ribbons].value))
        captures = _Captures(tuple(values), held | _HAS_RIBBONS * bool(ribbons), counts)
        by_value.setdefault(sum(dict(values).values()), []).append(captures)
    return by_value


def _find_useful(held: int, left: int) -> int:
    """Return those of a player's cards that a yaku has, or may have with cards ``left`` (masks)."""
    possible, useful = held | left, 0
    for must, group, need, _ in _CERTAIN.needs:
        if not must & ~possible and (group & possible).bit_count() >= need:
            useful |= group
    return held & useful
