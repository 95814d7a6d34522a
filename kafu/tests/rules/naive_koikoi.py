"""Koi-koi of the document with the rules of programs (K16–K19), scored from a record's cards.

The code is short and slow, and uses none of the engine's tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final, NamedTuple

from kafu import cards
from kafu.notation.game import Game, Month

#: 手役 in mon.
_SHOWN: Final = {
    **{"haneken": 3, "teshi": 6, "futasanbon": 9, "kuttsuki": 10, "futasanbon-kuttsuki": 20},
    **{"teshi-kuttsuki": 40, "shiso": 45, "futateshi": 360},
}
_ANIMALS: Final = set("EMQUYdgkp")
_RIBBONS: Final = set("BFJNRVZhlq")
_CHAFF: Final = set(cards.LETTERS) - _ANIMALS - _RIBBONS - set("AIcos") | {"g"}


class Scored(NamedTuple):
    """A scored month: its number, its winner (0: nobody) and the score by seat."""

    month: int
    winner: int
    score: tuple[int, int]


def yaku_total(captured: set[str], month: int, tsukifuda: int, voiding: str) -> int:
    """Return the total of all yaku in captured cards; ``voiding`` cards void the sake yaku."""

    def of(letters: str, value: int) -> int:
        return value if captured >= set(letters) else 0

    dry = len(captured & set("AIcs"))
    brights = {(4, True): 24, (4, False): 16, (3, True): 9, (3, False): 6}
    total = brights.get((dry, "o" in captured), 0)
    total += of("AEMdps", 18) or of("EMdp", 7)
    for letters, value in (
        *(("EQUYg", 15), ("BFJ", 7), ("Vhl", 7), ("YkU", 6), ("NRZ", 5), ("AEI", 4)),
        (cards.LETTERS[(month - 1) % 12 * 4 :][:4], tsukifuda),
    ):
        total += of(letters, value)
    if not captured & set(voiding) or "A" in captured:
        total += of("Icg", 6) or of("cg", 2) + of("Ig", 2)
    for group, free in ((_ANIMALS, 4), (_RIBBONS, 4), (_CHAFF, 9)):
        total += max(0, len(captured & group) - free)
    return total


def scored(game: Game) -> Iterator[Scored]:
    """Yield the months of a game whose number advances, with 小引, in order."""
    options = game.options
    winners: list[int] = []
    for month, following in pairwise([*game.months, None]):
        if month is None or month.actions("void") or _is_misdealt(month):
            continue
        winner, gain = _shown(month) if month.actions("show") else _played(month, options)
        if not winner:
            assert following is None or following.month == month.month
            continue
        winners.append(winner)
        third = month.month % 3 == 0 and set(winners[-3:]) == {winner}
        gain += 5 if third else 0
        yield Scored(month.month, winner, (gain, 0) if winner == 1 else (0, gain))


def _is_misdealt(month: Month) -> bool:
    return any(end.say == "misdeal" for end in month.actions("redeal"))


def _shown(month: Month) -> tuple[int, int]:
    """Return the winner by shown hands, and the value."""
    values = {show.seat: _SHOWN[show.say] for show in month.actions("show")}
    first, second = values.get(1, 0), values.get(2, 0)
    return (1 if first > second else 2 if second > first else 0), abs(first - second)


def _played(month: Month, options: Mapping[str, str]) -> tuple[int, int]:
    """Return the winner by play, and the value."""
    captured: dict[int, set[str]] = {1: set(), 2: set()}
    calls, seat, winner = {1: 0, 2: 0}, month.dealer, 0
    for turn in month.turns:
        for action in turn.value:
            captured[seat] |= {action.card, *action.take} if action.take else set()
            calls[seat] += action.say == "koikoi"
            winner = seat if action.say == "shobu" else winner
        seat = 3 - seat
    value = int(options.get("tsukifuda", 0))
    voiding = "opqrstuv" if options.get("mist") == "yes" else "opqr"
    totals = {
        player: yaku_total(captured[player], month.month, value, voiding) for player in (1, 2)
    }
    if not winner and len(month.turns) == 16 and options.get("exhausted") == "higher":
        winner = 1 if totals[1] > totals[2] else 2 if totals[2] > totals[1] else 0
    if not winner:
        return 0, 0
    total = gain = totals[winner]
    if options.get("calls") == "multiply":
        gain *= 1 + sum(calls.values())
    if 0 < int(options.get("bai", 0)) <= total:
        gain *= 2
    if options.get("koikoigaeshi") == "yes" and calls[3 - winner]:
        gain *= 2
    return winner, gain


def final(game: Game, months: list[Scored]) -> tuple[int, int]:
    """Return the final sums, with 吟味, and check the end of the game."""
    target = int(game.options.get("first-to", 0)) or 10**9
    first = second = 0
    for number, month in enumerate(months, start=1):
        first, second = first + month.score[0], second + month.score[1]
        whole = number - int(game.options.get("months", 12))
        over = max(first, second) >= target or (whole >= 0 and first != second and whole % 3 == 0)
        assert over == (number == len(months)), number
    if first == second:
        return first, second
    best = 1 if first > second else 2
    prize = 5 + sum(month.winner == best for month in months)
    return (first + prize, second) if best == 1 else (first, second + prize)
