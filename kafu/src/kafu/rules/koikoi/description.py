"""Description of こいこい for the rest of the library, for every house."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kafu.rules.description import CardIndex, Cell, Choice, Dealt, Played, Ruleset, Steps
from kafu.rules.house_rules import read_options
from kafu.rules.koikoi.machine import FIELD, HAND, Koikoi
from kafu.rules.koikoi.policy import find_weights
from kafu.rules.koikoi.presets import PRESETS, QUESTIONS
from kafu.rules.koikoi.profiles import HOUSE_RULES, OPTIONS, PROFILES, find_profile
from kafu.rules.koikoi.sheet import KoikoiSheet
from kafu.rules.koikoi.yaku import TEYAKU
from kafu.rules.names import Name
from kafu.rules.rulesets import Unsupported
from kafu.rules.teyaku import NONE, find, in_house, pattern


def _machine(options: Mapping[str, str], players: int) -> Koikoi:
    """Return the state machine of the house with these options.

    Raises `Unsupported` for an unknown profile.
    """
    profile = find_profile(options)
    if profile is None:
        raise Unsupported(f"koikoi profile={options['profile']}")
    return Koikoi(profile)


def _sheet(options: Mapping[str, str], players: int) -> KoikoiSheet:
    """Return the score sheet of the house with these options."""
    return KoikoiSheet(_machine(options, players).profile)


def _judge(hand: int) -> Cell:
    """Return the row and column of a dealt hand (mask) in the table of odds."""
    yaku = find(TEYAKU, hand)
    return yaku.id if yaku else NONE, NONE


def _settlement(game: Played) -> Steps:
    """Yield the settlement after the months: starting points, 吟味, bonus for months won (K14)."""
    profile = find_profile(game.options) or PROFILES["koikoi"]
    if profile.start:
        yield "start", (profile.start,) * 2
    prize = [end - sum_ - profile.start for end, sum_ in zip(game.final, game.totals, strict=True)]
    if any(prize):
        base = tuple((profile.prize or 0) * (amount > 0) for amount in prize)
        yield "ginmi", base
        yield "won", tuple(map(int.__sub__, prize, base))


def _is_zero_sum(options: Mapping[str, str]) -> bool:
    """Return whether the loser pays in a house (K15)."""
    profile = find_profile(options)
    return profile is not None and profile.zero_sum


# The ruleset --------------------------------------------------------------------------------------

KOIKOI: Final = Ruleset(
    id="koikoi",
    name=Name("koikoi", "こいこい", "koi-koi", "koi-koi"),
    seats=range(2, 3),
    hand=HAND,
    field=FIELD,
    round=Koikoi.round,
    machine=_machine,
    sheet=_sheet,
    dealer="胴",
    mon=True,
    zero_sum=_is_zero_sum,
    monthly=("tsukifuda",),
    options=OPTIONS,
    questions=QUESTIONS,
    presets=PRESETS,
    houses={id: read_options(HOUSE_RULES, profile) for id, profile in PROFILES.items()},
    decisions={"shobu": "勝負", "koikoi": "こいこい"},
    choice=Choice("koikoi", "shobu"),
    # 札の価値指数
    card_index=CardIndex(
        0.22,
        (
            *(6.91, 6.24, 5.03, 4.27, 3.53, 1.36, 1.31, 1.29, 1.18, 1.02),
            *(0.53, 0.50, 0.31, 0.17, 0.14),
        ),
    ),
    dealt=Dealt(
        rows={row.id: row.value for row in TEYAKU},
        judge=_judge,
        key=pattern,
        in_house=lambda machine, yaku, doni: in_house(TEYAKU, machine.profile.teyaku, yaku),
    ),
    columns=3,
    settlement=_settlement,
    bins=(1, 10),
    policy=find_weights,
)
