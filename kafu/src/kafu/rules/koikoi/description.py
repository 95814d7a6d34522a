"""The description of こいこい for the rest of the library, for each of its houses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kafu.notation.vocabulary import YES_NO, Values
from kafu.rules.description import CardIndex, Cell, Choice, Dealt, Played, Ruleset, Steps
from kafu.rules.koikoi.machine import FIELD, HAND, Koikoi
from kafu.rules.koikoi.overrides import GROWS, OVERRIDES, REPLACES, ROWS, profile
from kafu.rules.koikoi.profiles import PROFILES, TEYAKU
from kafu.rules.koikoi.sheet import KoikoiSheet
from kafu.rules.koikoi.wishes import wishes
from kafu.rules.names import Name
from kafu.rules.rulesets import Unsupported
from kafu.rules.teyaku import NONE, find, in_house, pattern

_VALUE: Final = Values(high=999)
_SMALL: Final = Values(high=99)


def _machine(options: Mapping[str, str], players: int) -> Koikoi:
    house = profile(options)
    if house is None:
        raise Unsupported(f"koikoi profile={options['profile']}")
    return Koikoi(house)


def _sheet(options: Mapping[str, str], players: int) -> KoikoiSheet:
    return KoikoiSheet(_machine(options, players).profile)


def _judge(hand: int) -> Cell:
    yaku = find(TEYAKU, hand)
    return yaku.id if yaku else NONE, NONE


def _settlement(game: Played) -> Steps:
    """What the house gives everybody; the winner's prize, and more for each month won (K14)."""
    house = profile(game.options) or PROFILES["koikoi"]
    if house.start:
        yield "start", (house.start,) * 2
    prize = [end - sum_ - house.start for end, sum_ in zip(game.final, game.totals, strict=True)]
    if any(prize):
        base = tuple((house.prize or 0) * (one > 0) for one in prize)
        yield "ginmi", base
        yield "won", tuple(map(int.__sub__, prize, base))


#: The values of each option (K15–K19). That of a yaku is its value; 0 takes it out of play.
_OPTIONS: Final[Mapping[str, Values]] = {
    "profile": Values(*PROFILES),
    "months": Values(low=1, high=48),
    "first-to": _VALUE,
    "start": _VALUE,
    "pays": YES_NO,
    "bust": YES_NO,
    "teyaku": YES_NO,
    **{row.id: _VALUE for row in TEYAKU},
    **{row.id: _VALUE for row in ROWS},
    "tsukifuda": _VALUE,
    "sakazuki": Values("yes", "scored", "no"),
    **{f"{yaku}-step": _SMALL for yaku in GROWS},
    **{f"{yaku}-over": YES_NO for yaku in REPLACES},
    "hanami-called": _VALUE,
    "tsukimi-called": _VALUE,
    "rain": YES_NO,
    "hinode": YES_NO,
    "shibori": Values(high=9),
    "shima": Values("3", "4"),
    "shima-hand": YES_NO,
    "dealer": Values("winner", "loser", "turns"),
    "nagare": Values("again", "next"),
    "nagare-dealer": Values("changes", "stays"),
    "oyaken": _SMALL,
    "oyaken-wins": YES_NO,
    "exhausted": Values("nagare", "higher"),
    "koikoi-last": YES_NO,
    "koikoi-most": Values(high=9),
    "koikoi-bonus": _SMALL,
    "koikoi-times": Values(high=9),
    "calls": Values("no", "multiply"),
    "koikoigaeshi": YES_NO,
    "bai": _VALUE,
    "kobiki": _SMALL,
    "obiki": _SMALL,
    "kaeriharu": YES_NO,
    "ginmi": YES_NO,
    "ginmi-base": _SMALL,
    "ginmi-month": Values(high=9),
}

KOIKOI: Final = Ruleset(
    id="koikoi",
    name=Name("koikoi", "こいこい", "koikoi", "koi-koi"),
    seats=range(2, 3),
    hand=HAND,
    field=FIELD,
    round=Koikoi.round,
    machine=_machine,
    sheet=_sheet,
    dealer="胴",
    mon=True,
    zero_sum=False,
    monthly=("tsukifuda",),
    options=_OPTIONS,
    houses={
        house.id: {name: override.read(house) for name, override in OVERRIDES.items()}
        for house in PROFILES.values()
    },
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
    wishes=wishes,
)
