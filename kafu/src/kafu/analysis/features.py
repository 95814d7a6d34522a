"""Features of the decision to play on after a yaku (こいこい, 下げ), for play-outs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.play.machine import State

#: A yaku: its cards, their necessary number, its value and its step (in the small unit), and its
#: indispensable cards.
YakuRow = tuple[int, int, float, float, int]
#: The chance of any card to be captured in a player's next turn, and groups of cards (masks) with
#: their additional chances.
CardChances = tuple[float, int, float, int, float, int, float]
#: Features of the decision to play on, weighted by `PolicyWeights.play_on`. Amounts are
#: in the small unit, chances from 0 to 1.
FEATURES: Final = (
    "unit",  # the unit of the ruleset, as the constant
    "held",  # the value of stopping
    "promise",  # the value of playing on if an opponent's yaku halves it
    "more",  # the expected value of further yaku
    "threat",  # the expected value of the opponents' yaku, on average
    "risk",  # the unit, times the chance of any opponent's yaku
    "contest",  # the same, times the chance of any further yaku
    "soon",  # the unit, times the chance of any further yaku in the next turn
    "soon_threat",  # the expected value of the opponents' yaku in their next turn, on average
    "lasting",  # the value held, times the turns left
)

#: Chances of the seat in turn to capture a card in the next turn. A ready card matches a card on
#: the other side of hand and field. A linked card has an unseen match, or is unseen with a match.
_READY: Final = 0.41
_HAND: Final = 0.20
_LINKED: Final = 0.06
_LOOSE: Final = 0.03
#: Chances of an opponent: a card of the field with several unseen matches, such a card with a
#: single unseen match or an unseen card with a match on the field, and any other unseen card.
_SOUGHT: Final = 0.19
_SOUGHT_ONCE: Final = 0.11
_UNSEEN: Final = 0.036
#: Factors of these chances from one turn to the next, for the seat in turn and for an opponent.
_FADING: Final = 0.5
_FADING_THREAT: Final = 0.79
#: The maximal chance of a yaku that lacks a card.
_MAX_CHANCE: Final = 0.95


class Prospects(NamedTuple):
    """The prospects of the seat in turn at a decision.

    ``gone`` are all captured cards, ``threats`` the chances of an opponent to capture cards.
    ``more``, ``odds`` and ``soon`` are what the seat may expect of further yaku (see `_promise`).
    """

    unit: float
    held: float
    turns: int
    gone: int
    threats: CardChances
    more: float
    odds: float
    soon: float

    def list_features(self, threat: float, soon_threat: float, beaten: float) -> list[float]:
        """Return the values of `FEATURES`; ``beaten`` is the chance of any opponent's yaku."""
        unit, held, turns, _, _, more, odds, soon = self
        promise = (1.0 - beaten / 2) * (odds * held + more) - (1.0 - odds / 2) * threat
        return [
            *(unit, held, promise, more, threat, beaten * unit, beaten * odds * unit),
            *(soon * unit, soon_threat, turns * held),
        ]


def find_prospects(
    state: State, rows: Sequence[YakuRow], small_units: int, stake: float
) -> Prospects:
    """Return the prospects of the seat in turn at a decision.

    ``rows`` are the yaku of the month. ``stake`` is the value of stopping in the unit of the
    ruleset, which has a number of ``small_units``.
    """
    table, i, unit = state.table, state.seat - 1, float(small_units)
    hand, field, gone = table.hands[i], table.field, 0
    for captured in table.captured:
        gone |= captured
    unseen = cards.ALL & ~(gone | hand | field)
    captured, turns = table.captured[i], hand.bit_count()
    own_chances, threats = _list_chances(hand, field, unseen)
    left = _sum_turns(turns, _FADING)
    more, odds, _, soon = _promise(rows, captured, gone & ~captured, own_chances, left)
    return Prospects(unit, stake * unit, turns, gone, threats, more, odds, soon)


def list_features(
    state: State, playing: Sequence[int], rows: Sequence[YakuRow], prospects: Prospects
) -> list[float]:
    """Return the values of `FEATURES` for a decision of the seat in turn.

    ``playing`` are the seats in play, ``rows`` the yaku of the month.
    """
    table, gone, threats = state.table, prospects.gone, prospects.threats
    opponents = [seat for seat in playing if seat != state.seat]
    threat = soon_threat = beaten = 0.0
    for seat in opponents:
        captured = table.captured[seat - 1]
        left = _sum_turns(table.hands[seat - 1].bit_count(), _FADING_THREAT)
        worth, chance, early, _ = _promise(rows, captured, gone & ~captured, threats, left)
        threat += worth / len(opponents)
        soon_threat += early / len(opponents)
        beaten = 1.0 - (1.0 - beaten) * (1.0 - chance)
    return prospects.list_features(threat, soon_threat, beaten)


def is_deterred(play_on: Sequence[float]) -> bool:
    """Return whether yaku of opponents never speak for playing on, by weights of `FEATURES`.

    The worth of playing on is linear in each of the three features of opponents.
    """
    _, _, promise, _, threat, risk, contest, _, soon_threat, _ = play_on[: len(FEATURES)]
    return (
        promise >= 0.0
        and threat <= promise / 2
        and max(risk, risk + contest) <= 0.0
        and soon_threat <= 0.0
    )


def _list_chances(hand: int, field: int, unseen: int) -> tuple[CardChances, CardChances]:
    """Return the chances of the seat in turn and of an opponent to capture cards."""
    of_hand, of_field, of_unseen = _find_matches(hand), _find_matches(field), _find_matches(unseen)
    once = 0b1111 * cards.by_count(unseen)[0]
    ready = hand & of_field | field & of_hand
    linked = (field & of_unseen | unseen & (of_field | of_hand)) & ~ready
    sought = field & of_unseen & ~once
    sought_once = field & once | unseen & of_field
    waiting, far = hand & ~ready, unseen & ~of_field
    return (
        (_LOOSE, ready, _READY - _LOOSE, waiting, _HAND - _LOOSE, linked, _LINKED - _LOOSE),
        (0.0, sought, _SOUGHT, sought_once, _SOUGHT_ONCE, far, _UNSEEN),
    )


def _find_matches(group: int) -> int:
    """Return all cards of the months of some cards."""
    return 0b1111 * ((group | group >> 1 | group >> 2 | group >> 3) & cards.FIRSTS)


def _sum_turns(turns: int, fading: float) -> float:
    """Return the turns left, each weighted by its chance as a factor of the next turn's."""
    return (1.0 - fading**turns) / (1.0 - fading)


def _promise(
    rows: Sequence[YakuRow],
    captured: int,
    gone: int,
    chances: CardChances,
    turns: float,
) -> tuple[float, float, float, float]:
    """Return what a player may expect of further yaku.

    That is the expected value and the chance of any, of all ``turns`` and of the next turn alone.
    ``gone`` are cards out of reach.
    """
    if not turns:
        return 0.0, 0.0, 0.0, 0.0
    base, first, first_chance, second, second_chance, third, third_chance = chances
    unavailable = captured | gone
    worth = soon_worth = 0.0
    none = none_soon = 1.0
    for cards_, need, value, step, must in rows:
        available = cards_ & ~unavailable
        if not available:
            continue
        lacking, free = need - (captured & cards_).bit_count(), available.bit_count()
        if lacking <= 0:
            if not step:
                continue
            lacking, value = 1, step
        elif free < lacking or must & gone:
            continue
        soon = base * free
        if group := available & first:
            soon += first_chance * group.bit_count()
        if group := available & second:
            soon += second_chance * group.bit_count()
        if group := available & third:
            soon += third_chance * group.bit_count()
        soon /= lacking
        odds = soon * turns
        if odds > _MAX_CHANCE:
            odds = _MAX_CHANCE
        if soon > _MAX_CHANCE:
            soon = _MAX_CHANCE
        if lacking > 1:
            odds, soon = odds**lacking, soon**lacking
        worth += value * odds
        none *= 1.0 - odds
        soon_worth += value * soon
        none_soon *= 1.0 - soon
    return worth, 1.0 - none, soon_worth, 1.0 - none_soon
