"""The conditions on captured cards, and the options of each month that satisfy them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.sheets.capture_ways import (
    FIELD,
    NOBODY,
    PILE,
    PLAYERS,
    WHOLE,
    Owners,
    Places,
    Ways,
    group_ways,
    list_captures,
    list_outcomes,
)
from kafu.rules.sheets.dealt_hands import choose_apart
from kafu.rules.sheets.hand_kinds import MONTHS, HandKind


class CaptureEffort(NamedTuple):
    """A measure of a player's captures: cards in hand and turned, and cards on the dealt field.

    A player has seven cards in hand and turns seven, each for one capture. Only three or four cards
    on the field give more cards with one capture, or with none.
    """

    by_card: int
    by_field: int

    @property
    def limit(self) -> int:
        """The most that a player can reach."""
        return self.by_card * 14 + self.by_field * 6


#: The most cards of a player: fourteen pairs, and four more of months with three or four cards on
#: the field.
MOST_CARDS: Final = 32
#: The efforts that are measured, without and with `CaptureRules.tells_fours`.
_EFFORTS: Final = (CaptureEffort(3, 1), CaptureEffort(2, 1))
_EFFORTS_OF_FOURS: Final = (CaptureEffort(1, 0), CaptureEffort(0, 1))


class Counter(NamedTuple):
    """A number of captured cards or points of a player, from ``least`` to ``limit``.

    ``weights`` are the numbers by card. Without weights the number is an `CaptureEffort`.
    """

    player: int
    weights: tuple[int, ...]
    least: int
    limit: int
    effort: CaptureEffort | None = None


class WholeSet(NamedTuple):
    """Cards (a mask) of which no player may capture all, but those of ``allowed``."""

    cards: int
    allowed: frozenset[int] = frozenset()


class DealtHand(NamedTuple):
    """The kind of the hand of a player, or of the brights on the field (`FIELD`).

    If it is not precise, it has threes and fours only, and other cards lie anywhere; so do those of
    players without such a hand. ``jumps``: all four cards of a three are paid when
    the player has captured them (飛込み).
    """

    player: int
    kind: HandKind
    jumps: bool
    is_precise: bool


class Help(NamedTuple):
    """A capture for which ``payer`` pays alone: of a card of ``maker`` among ``cards`` (a mask).

    The payer held one of the two cards (法度). Without ``cards`` the capture is that of the fourth
    card of a dealt three (飛込み).
    """

    maker: int
    payer: int
    cards: int = 0


class CaptureRules(NamedTuple):
    """The conditions for captures that are known from the beginning.

    ``owners`` are cards (masks) by their player. ``wanted`` are further cards that a player may
    need. ``jumps`` are the 飛込み of each player, or with ``has_more_jumps`` the least number of
    them. ``tells_fours``: options tell whether three or four cards of the month lie on the field.
    ``most_alike`` is the most cards of a month there.
    """

    is_played_out: bool
    owners: tuple[int, ...] = (0, 0, 0)
    wanted: int = 0
    hands: tuple[DealtHand, ...] = ()
    jumps: tuple[int, ...] = (0, 0, 0)
    has_more_jumps: bool = False
    helps: tuple[Help, ...] = ()
    tells_fours: bool = False
    most_alike: int = 4


class CaptureOption(NamedTuple):
    """A capture of a month: owners, cards in the hands of the rules, and ways to deal the month.

    ``jump`` is the player of a 飛込み or -1, ``helps`` are those of the rules (a mask).
    """

    owners: Owners
    dealt: tuple[int, ...]
    ways: Ways
    jump: int
    helps: int


@lru_cache(maxsize=128)
def list_options(rules: CaptureRules, position: int) -> tuple[CaptureOption, ...]:
    """Return the options of the month at a position of `MONTHS`."""
    month = MONTHS[position]
    shift = 4 * month
    has_bright = bool(cards.BRIGHTS >> shift & 1)
    due = [
        (card, player)
        for player in PLAYERS
        for card in range(4)
        if rules.owners[player] >> shift + card & 1
    ]
    is_wanted = rules.is_played_out or due or rules.wanted >> shift & WHOLE
    options = []
    for dealt in choose_apart([hand.kind.dealt[month] for hand in rules.hands]):
        by_hand = list(zip(rules.hands, dealt, strict=True))
        jumper = next(
            (hand.player for hand, held in by_hand if hand.jumps and held.bit_count() == 3), -1
        )
        can_jump = jumper >= 0 and (rules.jumps[jumper] > 0 or rules.has_more_jumps)
        known = tuple(
            (hand.player, held)
            for hand, held in by_hand
            if held or (hand.is_precise and (hand.player != FIELD or has_bright))
        )
        places = [
            next((player for player, held in known if held >> card & 1), PILE) for card in range(4)
        ]
        outcomes = list_outcomes(tuple(places))
        for owners in list_captures(is_played_out=rules.is_played_out):
            if (
                owners not in outcomes
                or any(owners[card] != player for card, player in due)
                or (not (is_wanted or can_jump) and owners != (NOBODY,) * 4)
            ):
                continue
            jump = jumper if owners == (jumper,) * 4 else -1
            is_four = owners[0] != NOBODY and owners == owners[:1] * 4
            for fours in ((0, 3, 4) if is_four else (0,)) if rules.tells_fours else (None,):
                ways = _select_ways(owners, known, fours, rules.most_alike)
                options += [
                    CaptureOption(owners, dealt, helpful, jump, helps)
                    for helps, helpful in _list_helped(rules.helps, ways, month, owners, jump)
                ]
    return tuple(options)


def _list_helped(
    helps: Sequence[Help], ways: Ways, month: int, owners: Owners, jump: int
) -> list[tuple[int, Ways]]:
    """Return the helps (a mask) that a capture can give, with the ways that give them.

    A 飛込み is paid by one player alone.
    """
    listed = [(0, ways)] if ways.ways else []
    dives = sum(1 << number for number, help_ in enumerate(helps) if not help_.cards)
    for number, help_ in enumerate(helps):
        if help_.cards or jump == help_.maker:
            listed += [
                (mask | 1 << number, helpful)
                for mask, possible in listed
                if (help_.cards or not mask & dives)
                and (helpful := _select_helpful(possible, help_, month, owners)).ways
            ]
    return listed


@lru_cache(maxsize=4096)
def _select_helpful(ways: Ways, help_: Help, month: int, owners: Owners) -> Ways:
    """Return the ways of a month (from 0 on) in which the payer of a `Help` held the card."""
    return Ways([way for way in ways.ways if _is_helped(help_, month, way.places, owners)])


def _is_helped(help_: Help, month: int, places: Places, owners: Owners) -> bool:
    """Return whether the payer of a `Help` held the card, with which the maker captured."""
    captured = [card for card in range(4) if owners[card] == help_.maker]
    if not help_.cards:
        others = [place for place in places if place != help_.maker]
        return len(captured) == 4 and others == [help_.payer]
    needed = [card for card in captured if help_.cards >> 4 * month + card & 1]
    return any(
        places[thrown] == help_.payer and places[taking] in (help_.maker, PILE)
        for card in needed
        for other in captured
        if other != card
        for thrown, taking in ((card, other), (other, card))
    )


class Solution(NamedTuple):
    """An option for each month, from 0 on."""

    options: tuple[CaptureOption, ...]

    @property
    def captured(self) -> tuple[int, ...]:
        """The captured cards of the three players, as masks."""
        captured = [0, 0, 0]
        for month, option in enumerate(self.options):
            for card, owner in enumerate(option.owners):
                if owner != NOBODY:
                    captured[owner] |= 1 << 4 * month + card
        return tuple(captured)


@lru_cache(maxsize=16384)
def _select_ways(
    owners: Owners, known: tuple[tuple[int, int], ...], fours: int | None, most_alike: int
) -> Ways:
    """Return the ways with just the known cards in hands, and the known bright on the field.

    ``fours`` is the number of cards on the field if three or four, 0 for fewer, None for any.
    """
    sizes = (0, 1, 2) if fours == 0 else range(most_alike + 1)
    return Ways(
        [
            way
            for way in group_ways()[owners]
            if way.measures[FIELD] in sizes
            and fours in (None, 0, way.measures[FIELD])
            and all(
                way.masks[place] & (1 if place == FIELD else WHOLE) == held for place, held in known
            )
        ]
    )


@lru_cache(maxsize=16384)
def find_least_effort(effort: CaptureEffort, player: int, ways: Ways) -> int:
    """Return the least effort of a player for captures in one of the ways."""
    used = player - len(PLAYERS)
    return min(
        effort.by_card * measures[used] + effort.by_field * measures[FIELD]
        for measures in ways.measures
    )


def list_excessive_efforts(rules: CaptureRules, solution: Solution) -> Iterator[Counter]:
    """Yield the limits that the captures of a solution exceed."""
    for player, captured in enumerate(solution.captured):
        if captured.bit_count() > MOST_CARDS:
            yield Counter(player, weigh(cards.ALL), 0, MOST_CARDS)
    efforts = _EFFORTS_OF_FOURS if rules.tells_fours else _EFFORTS
    for player, effort in product(PLAYERS, efforts):
        least = sum(find_least_effort(effort, player, option.ways) for option in solution.options)
        if least > effort.limit:
            yield Counter(player, (), 0, effort.limit, effort)


@lru_cache(maxsize=8)
def weigh_points(count: Callable[[int], int]) -> tuple[int, ...]:
    """Return the weights of a counter of points, which ``count`` returns for cards (a mask)."""
    return tuple(count(1 << card) for card in range(48))


@lru_cache(maxsize=64)
def weigh(counted: int) -> tuple[int, ...]:
    """Return the weights of a counter of ``counted`` cards (a mask)."""
    return tuple(counted >> card & 1 for card in range(48))
