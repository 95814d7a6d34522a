"""こいこい as a description: what others ask of it, for each of its houses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from kafu.notation.vocabulary import YES_NO, Values
from kafu.rules.description import CardIndex, Cell, Choice, Dealt, Ruleset
from kafu.rules.koikoi.machine import FIELD, HAND, Koikoi
from kafu.rules.koikoi.profiles import PROFILES, TEYAKU, Profile, profile
from kafu.rules.names import Name
from kafu.rules.rulesets import Unsupported
from kafu.rules.teyaku import NONE, find, pattern

_VALUE: Final = Values(high=999)
#: Captured yaku whose value is an option; 0 takes one out of play (K15).
_YAKU: Final = (
    *("goko", "otori", "shiko", "goun", "ameshiko", "akatan", "aotan", "kotori", "inoshikacho"),
    *("teppo", "sanko", "kusa", "omotesugawara", "tsukimi", "hanami", "tane", "tan", "kasu"),
)


def _machine(options: Mapping[str, str], players: int) -> Koikoi:
    house = profile(options)
    if house is None:
        raise Unsupported(f"koikoi profile={options['profile']}")
    return Koikoi(house)


def _judge(hand: int) -> Cell:
    yaku = find(TEYAKU, hand)
    return yaku.id if yaku else NONE, NONE


def _defaults(house: Profile) -> Iterator[tuple[str, str]]:
    """The options of a house; a yaku that it does not have is 0 in it."""
    yield "months", str(house.months)
    yield "start", str(house.start)
    yield "teyaku", _yes_no(bool(house.teyaku))
    yield "rain", _yes_no(house.rain)
    yield "shibori", str(house.floor)
    yield "kobiki", str(house.season)
    yield "ginmi", _yes_no(house.prize is not None)
    values = {row.id: row.value for row in house.yaku}
    for yaku in _YAKU:
        yield yaku, str(values.get(yaku, 0))


def _yes_no(answer: bool) -> str:
    return "yes" if answer else "no"


KOIKOI: Final = Ruleset(
    id="koikoi",
    name=Name("koikoi", "こいこい", "koikoi", "koi-koi"),
    seats=range(2, 3),
    hand=HAND,
    field=FIELD,
    round=Koikoi.round,
    machine=_machine,
    mon=True,
    options={
        "profile": Values(*PROFILES),
        "months": Values(low=1, high=48),
        "start": _VALUE,
        "teyaku": YES_NO,
        "rain": YES_NO,
        "shibori": Values(high=9),
        "kobiki": Values(high=99),
        "ginmi": YES_NO,
        **dict.fromkeys(_YAKU, _VALUE),
    },
    houses={house.id: dict(_defaults(house)) for house in PROFILES.values()},
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
    dealt=Dealt(rows={row.id: row.value for row in TEYAKU}, judge=_judge, key=pattern),
    columns=3,
    bins=(1, 10),
)
