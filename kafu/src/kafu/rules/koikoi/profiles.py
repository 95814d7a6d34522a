"""Profiles and options: the house rules of こいこい as data (K15–K20).

A new house is a new `Profile`; no code depends on a profile's name. ``koikoi`` is the document.
``koikoi-ai`` and ``koikoi-nintendo`` are the rules of the KoiKoi-AI and open-hanafuda-ai logs
(rulings/koikoi.md).

Options change single rules of a house, with an `Override` per option. Overrides are applied in the
order of `OVERRIDES`, regardless of the order of options in the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from kafu.cards import (
    ANIMALS,
    BLUE_SLIPS,
    BOAR,
    BRIDGE,
    BRIGHTS,
    BUTTERFLIES,
    CRANE,
    CUCKOO,
    CUP,
    CURTAIN,
    DEER,
    DREGS,
    DRY_BRIGHTS,
    GEESE,
    MONTHS,
    MOON,
    PAULOWNIA,
    PHOENIX,
    PLAIN_SLIPS,
    RAIN_MAN,
    RED_POEMS,
    SLIPS,
    SWALLOW,
    WARBLER,
    WILLOW,
)
from kafu.rules.teyaku import HandYaku, patterns
from kafu.rules.yaku import Yaku, YakuTable, counting, whole

#: 手役 of the document in mon, with the number of cards of each month (K4).
TEYAKU: Final = (
    HandYaku("haneken", 3, ((3, 2, 2, 1),)),
    HandYaku("teshi", 6, ((4, 2, 1, 1), (4, 1, 1, 1, 1))),
    HandYaku("futasanbon", 9, ((3, 3, 1, 1),)),
    HandYaku("kuttsuki", 10, ((2, 2, 2, 2),)),
    HandYaku("futasanbon-kuttsuki", 20, ((3, 3, 2),)),
    HandYaku("teshi-kuttsuki", 40, ((4, 2, 2),)),
    HandYaku("shiso", 45, ((4, 3, 1),)),
    HandYaku("futateshi", 360, ((4, 4),)),
)

#: 出来役 of the document in mon; ``over`` names the yaku that a better yaku replaces (K5).
YAKU: Final = YakuTable(
    (
        whole("goko", BRIGHTS, 24, over=("shiko", "ameshiko", "sanko")),
        whole("otori", CRANE | WARBLER | CUCKOO | GEESE | SWALLOW | PHOENIX, 18, over=("kotori",)),
        whole("shiko", DRY_BRIGHTS, 16, over=("ameshiko", "sanko")),
        whole("goun", WARBLER | BRIDGE | BUTTERFLIES | BOAR | CUP, 15),
        Yaku("ameshiko", BRIGHTS, 4, 9, must=RAIN_MAN, over=("sanko",)),
        whole("akatan", RED_POEMS, 7),
        whole("aotan", BLUE_SLIPS, 7),
        whole("kotori", WARBLER | CUCKOO | GEESE | SWALLOW, 7),
        whole("inoshikacho", BOAR | DEER | BUTTERFLIES, 6),
        whole("teppo", CURTAIN | MOON | CUP, 6, over=("tsukimi", "hanami"), sake=True),
        Yaku("sanko", DRY_BRIGHTS, 3, 6),
        whole("kusa", PLAIN_SLIPS & ~WILLOW, 5),
        whole("omotesugawara", CRANE | WARBLER | CURTAIN, 4),
        whole("tsukimi", MOON | CUP, 2, sake=True),
        whole("hanami", CURTAIN | CUP, 2, sake=True),
        counting("tane", ANIMALS, 5),
        counting("tan", SLIPS, 5),
        counting("kasu", DREGS | CUP, 10, bare=CUP),
    )
)

_AI_YAKU: Final = YakuTable(
    (
        whole("goko", BRIGHTS, 10, over=("shiko", "ameshiko", "sanko")),
        whole("shiko", DRY_BRIGHTS, 8, over=("ameshiko", "sanko")),
        Yaku("ameshiko", BRIGHTS, 4, 7, must=RAIN_MAN, over=("sanko",)),
        Yaku("sanko", DRY_BRIGHTS, 3, 5),
        whole("inoshikacho", BOAR | DEER | BUTTERFLIES, 5),
        whole("tsukimi", MOON | CUP, 1, sake=True, called_value=3),
        whole("hanami", CURTAIN | CUP, 1, sake=True, called_value=3),
        whole("akatan-aotan", RED_POEMS | BLUE_SLIPS, 10),
        whole("akatan", RED_POEMS, 5),
        whole("aotan", BLUE_SLIPS, 5),
        counting("tane", ANIMALS, 5),
        counting("tan", SLIPS, 5),
        counting("kasu", DREGS | CUP, 10),
    )
)

#: Sets grow with each further card of their kind, and replace the yaku that counts this kind.
_NINTENDO_YAKU: Final = YakuTable(
    (
        whole("goko", BRIGHTS, 10, over=("shiko", "ameshiko", "sanko")),
        whole("shiko", DRY_BRIGHTS, 8, over=("ameshiko", "sanko")),
        Yaku("ameshiko", BRIGHTS, 4, 7, must=RAIN_MAN, over=("sanko",)),
        Yaku("sanko", DRY_BRIGHTS, 3, 5),
        whole("tsukimi", MOON | CUP, 5, sake=True),
        whole("hanami", CURTAIN | CUP, 5, sake=True),
        whole(
            "inoshikacho",
            BOAR | DEER | BUTTERFLIES,
            5,
            step=1,
            counted=ANIMALS,
            base=3,
            over=("tane",),
        ),
        whole(
            "akatan-aotan",
            RED_POEMS | BLUE_SLIPS,
            10,
            step=1,
            counted=SLIPS,
            base=6,
            over=("akatan", "aotan", "tan"),
        ),
        whole("akatan", RED_POEMS, 5, step=1, counted=SLIPS, base=3, over=("tan",)),
        whole("aotan", BLUE_SLIPS, 5, step=1, counted=SLIPS, base=3, over=("tan",)),
        counting("tane", ANIMALS, 5),
        counting("tan", SLIPS, 5),
        counting("kasu", DREGS | CUP, 10),
    )
)


#: The yaku that a yaku may replace, including pairs that add up in the document (K5).
REPLACES: Final[Mapping[str, tuple[str, ...]]] = {
    "goko": ("shiko", "ameshiko", "sanko"),
    "shiko": ("ameshiko", "sanko"),
    "ameshiko": ("sanko",),
    "otori": ("kotori",),
    "goun": ("tane",),
    "inoshikacho": ("tane",),
    "teppo": ("tsukimi", "hanami"),
    "akatan-aotan": ("akatan", "aotan", "tan"),
    "akatan": ("tan",),
    "aotan": ("tan",),
}


#: The yaku that can grow: the cards that count, and the number beyond which each adds to the value.
GROWS: Final[Mapping[str, tuple[int, int]]] = {
    "tane": (ANIMALS, 5),
    "tan": (SLIPS, 5),
    "kasu": (DREGS, 10),
    "inoshikacho": (ANIMALS, 3),
    "akatan-aotan": (SLIPS, 6),
    "akatan": (SLIPS, 3),
    "aotan": (SLIPS, 3),
}


#: The captured yaku that a house can have; an option adds a yaku by its value.
ROWS: Final = YakuTable(
    (*YAKU[:5], whole("akatan-aotan", RED_POEMS | BLUE_SLIPS, 10), *YAKU[5:])  # after 雨四光
)


_ORDER: Final = {row.id: place for place, row in enumerate(ROWS)}


#: The sake cup as カス by option: the cup if it counts, and the cup if ten with it give no right.
_CUP_AS: Final[Mapping[str, tuple[int, int]]] = {
    "yes": (CUP, 0),
    "scored": (CUP, CUP),
    "no": (0, 0),
}


#: 手四: the patterns with a four of a month, apart from those that another yaku lists (K4).
_FOURS: Final = frozenset(shape for shape in patterns(8) if shape[0] == 4)


@dataclass(frozen=True, slots=True)
class Profile:
    """The rules of one house. Values are in mon, or in the house's points.

    - ``yaku``, ``teyaku``: captured and dealt-hand yaku. ``tsukifuda``: the value of 月札, all four
      cards of the month in play (K16), 0 for none; `table` includes it, ``yaku`` does not.
    - ``months``: deals of a game. ``start``: starting points per seat. ``zero_sum``: the loser pays
      the winner's gain.
    - ``bust``: the game ends when a seat has 0 points or less. ``first_to``: it ends when a seat
      has this many points (K18), 0 for never.
    - ``rain``: captured willow voids 盃役 (K7). ``mist``: captured paulownia does (K20). With
      ``crane`` neither does if the crane is captured too (日の出).
    - ``floor``: the least total that gives the right to declare in a month played over (K9).
    - ``last_card_koikoi``: こいこい may be said on the last card too (K10).
    - ``replay``: a deal that nobody wins is played over (流れ, K11); otherwise the next month
      follows. ``exhausted_change``: the dealer then changes.
    - ``exhausted_gain``: mon paid to the dealer when the hands run out (親権); the month is not
      played over. ``exhausted_wins``: the dealer then wins the month. ``exhausted_higher``: the
      seat with the higher total of yaku wins the month instead (K19).
    - ``succession``: the dealer after a month that was won: its "winner", its "loser", or both by
      "turns".
    - ``again_field``: number of cards of a month on the field for which the month is dealt again
      (シマ: four). ``again_hand``: four of a month in a hand are dealt again too.
    - ``most_calls``: maximum number of こいこい per player and deal, None for no limit.
    - ``call_bonus``: mon added to the winner's total for each こいこい of their own. With more
      calls than ``call_times`` the total is multiplied by (calls − ``call_times`` + 1) instead, 0
      for never. ``calls_multiply``: the total, bonus included, is multiplied by (calls of both
      players + 1) (K17).
    - ``double_from``: the winner's total is doubled from this many mon on (倍), None for never.
      ``double_called``: it is doubled, again, if the opponent said こいこい (こいこい返し).
    - ``season``: mon for all three months of a season (小引, K12), 0 for none. ``grand``: mon for
      two months or more of every season, with the last month (大引), 0 for none.
    - ``extend``: a tie adds a season (返り春, K13).
    - ``prize``, ``prize_month``: 吟味 is ``prize`` plus ``prize_month`` for each month won (K14);
      None for no 吟味.
    """

    id: str
    yaku: YakuTable = YAKU
    teyaku: tuple[HandYaku, ...] = TEYAKU
    tsukifuda: int = 0
    months: int = 12
    first_to: int = 0
    start: int = 0
    zero_sum: bool = False
    bust: bool = False
    rain: bool = True
    mist: bool = False
    crane: bool = True
    floor: int = 3
    last_card_koikoi: bool = True
    replay: bool = True
    exhausted_change: bool = True
    exhausted_gain: int = 0
    exhausted_wins: bool = True
    exhausted_higher: bool = False
    succession: str = "winner"
    again_field: int = 4
    again_hand: bool = False
    most_calls: int | None = None
    call_bonus: int = 0
    call_times: int = 0
    calls_multiply: bool = False
    double_from: int | None = None
    double_called: bool = False
    season: int = 5
    grand: int = 0
    extend: bool = True
    prize: int | None = 5
    prize_month: int = 1

    def table(self, month: int) -> YakuTable:
        """Return the yaku table of a month, 月札 included (K16).

        Months are numbered from 1; after twelve the months of the pack begin again.
        """
        if not self.tsukifuda:
            return self.yaku
        return YakuTable((*self.yaku, _tsukifuda(month, self.tsukifuda)))

    def is_decided(self, totals: Sequence[int]) -> bool:
        """Return whether the totals end the game: a seat is bust (K15) or at the target (K18)."""
        is_bust = self.bust and min(totals) <= 0
        return is_bust or 0 < self.first_to <= max(totals)

    @property
    def voiding(self) -> int:
        """The cards that void 盃役 (a mask): willow by rain (K7), paulownia by mist (K20)."""
        return WILLOW * self.rain | PAULOWNIA * self.mist

    def rains(self, captured: int) -> bool:
        """Return whether captured willow or paulownia voids 盃役 (K7, K20).

        With the crane captured too it does not (日の出), unless the house lacks that rule (K15).
        """
        revived = self.crane and captured & CRANE
        return bool(captured & self.voiding) and not revived

    def added(
        self, total: int, *, own_calls: int, opponent_calls: int
    ) -> Iterator[tuple[str, int]]:
        """Yield what is added to a winner's ``total`` of yaku, as ledger labels with amounts.

        ``own_calls`` is the number of the winner's calls of こいこい, ``opponent_calls`` that of
        the opponent. 倍 is decided by the total before the calls multiply it (K17). 倍 and
        こいこい返し each add the total once more.
        """
        bonus = self._bonus(total, own_calls)
        sum_before_calls = total + bonus
        if self.calls_multiply:
            bonus += sum_before_calls * (own_calls + opponent_calls)
        if bonus:
            yield "koikoi", bonus
        total += bonus
        if self.double_from is not None and sum_before_calls >= self.double_from:
            yield "bai", total
            total *= 2
        if self.double_called and opponent_calls:
            yield "koikoigaeshi", total

    def _bonus(self, total: int, calls: int) -> int:
        """Return the mon that the winner's own ``calls`` of こいこい add to ``total`` (K15)."""
        if self.call_times and calls > self.call_times:
            return total * (calls - self.call_times)
        return self.call_bonus * calls


def _tsukifuda(month: int, value: int) -> Yaku:
    """Return 月札, the yaku of all four cards of a month (K16); months are numbered from 1."""
    return Yaku("tsukifuda", MONTHS[(month - 1) % 12 + 1], 4, value)


PROFILES: Final[Mapping[str, Profile]] = {
    profile.id: profile
    for profile in (
        Profile("koikoi"),
        Profile(
            "koikoi-ai",
            yaku=_AI_YAKU,
            teyaku=(),
            months=8,
            start=30,
            zero_sum=True,
            bust=True,
            rain=False,
            floor=0,
            last_card_koikoi=False,
            replay=False,
            exhausted_change=False,
            exhausted_gain=1,
            again_hand=True,
            exhausted_wins=False,
            call_bonus=1,
            call_times=3,
            season=0,
            extend=False,
            prize=None,
        ),
        Profile(
            "koikoi-nintendo",
            yaku=_NINTENDO_YAKU,
            teyaku=(),
            rain=False,
            floor=0,
            last_card_koikoi=False,
            replay=False,
            again_field=3,
            most_calls=1,
            double_from=7,
            double_called=True,
            season=0,
            extend=False,
            prize=None,
        ),
    )
}


class Override(NamedTuple):
    """An option, with functions to read its value from a house and to change a house."""

    read: Callable[[Profile], str]
    change: Callable[[Profile, str], Profile]


def _row(house: Profile, id: str) -> Yaku | None:
    """Return the row of a yaku in the house, None if not played."""
    return next((row for row in house.yaku if row.id == id), None)


def _with_row(house: Profile, id: str, change: Callable[[Yaku], Yaku]) -> Profile:
    """Return the house with a yaku changed, or the same house if the yaku is not played."""
    return replace(
        house, yaku=YakuTable(change(row) if row.id == id else row for row in house.yaku)
    )


# Captured yaku ------------------------------------------------------------------------------------


def _value(id: str) -> Override:
    """Return the option for the value of a captured yaku.

    A missing yaku is added; the value 0 removes the yaku.
    """

    def read(house: Profile) -> str:
        row = _row(house, id)
        return str(row.value if row else 0)

    def change(house: Profile, value: str) -> Profile:
        worth = int(value)
        if not worth:
            return replace(house, yaku=YakuTable(row for row in house.yaku if row.id != id))
        if _row(house, id):
            return _with_row(house, id, lambda row: row._replace(value=worth))
        rows = [*house.yaku, ROWS.find(id)._replace(value=worth)]
        return replace(house, yaku=YakuTable(sorted(rows, key=lambda row: _ORDER[row.id])))

    return Override(read, change)


def _step(id: str) -> Override:
    """Return the option for the growth of a yaku with each further card, 0 for none."""

    def read(house: Profile) -> str:
        return str((_row(house, id) or ROWS.find(id)).step)

    def change(house: Profile, value: str) -> Profile:
        step = int(value)

        def grow(row: Yaku) -> Yaku:
            if not step:
                return row._replace(step=0, counted=0, base=0)
            group, base = GROWS[id]
            # Count the sake cup if the house counts it as カス.
            counted = row.cards if id == "kasu" else group
            return row._replace(step=step, counted=counted, base=base)

        return _with_row(house, id, grow)

    return Override(read, change)


def _over(id: str) -> Override:
    """Return the option for whether a yaku replaces the lesser yaku of `REPLACES`."""

    def read(house: Profile) -> str:
        return _yes_no((_row(house, id) or ROWS.find(id)).over)

    def change(house: Profile, value: str) -> Profile:
        over = REPLACES[id] if value == "yes" else ()
        return _with_row(house, id, lambda row: row._replace(over=over))

    return Override(read, change)


def _called(id: str) -> Override:
    """Return the option for the value of a yaku after its player's こいこい, 0 for no change."""

    def read(house: Profile) -> str:
        row = _row(house, id)
        return str((row and row.called_value) or 0)

    def change(house: Profile, value: str) -> Profile:
        return _with_row(house, id, lambda row: row._replace(called_value=int(value) or None))

    return Override(read, change)


def _read_cup(house: Profile) -> str:
    """Return how the house counts the sake cup: a key of `_CUP_AS`."""
    row = _row(house, "kasu") or ROWS.find("kasu")
    current = row.cards & CUP, row.bare
    return next(word for word, cup in _CUP_AS.items() if cup == current)


def _change_cup(house: Profile, value: str) -> Profile:
    """Return the house with another rule for the sake cup (K6)."""
    cup, bare = _CUP_AS[value]

    def change(row: Yaku) -> Yaku:
        group = row.cards & ~CUP | cup
        return row._replace(cards=group, counted=group if row.step else 0, bare=bare)

    return _with_row(house, "kasu", change)


# Dealt-hand yaku ----------------------------------------------------------------------------------


def _dealt(id: str) -> Override:
    """Return the option for the value of a dealt-hand yaku, 0 for none.

    A house without dealt-hand yaku stays unchanged.
    """
    (standard,) = (row for row in TEYAKU if row.id == id)

    def read(house: Profile) -> str:
        table = house.teyaku or TEYAKU
        return str(next((row.value for row in table if row.id == id), 0))

    def change(house: Profile, value: str) -> Profile:
        if not house.teyaku:
            return house
        rows = [row for row in house.teyaku if row.id != id]
        if int(value):
            rows.append(standard._replace(value=int(value)))
        order = [row.id for row in TEYAKU]
        rows.sort(key=lambda row: order.index(row.id))
        return replace(house, teyaku=tuple(_with_teshi(rows)))

    return Override(read, change)


def _with_teshi(rows: list[HandYaku]) -> Iterator[HandYaku]:
    """Yield the rows, with 手四 covering the patterns with a four not listed elsewhere (K4)."""
    listed = {shape for row in rows if row.id != "teshi" for shape in row.patterns}
    for row in rows:
        if row.id == "teshi":
            further = sorted(_FOURS - listed - set(row.patterns), reverse=True)
            row = row._replace(patterns=(*row.patterns, *further))
        yield row


# Table of options ---------------------------------------------------------------------------------


def _yes_no(value: object) -> str:
    """Return "yes" or "no"."""
    return "yes" if value else "no"


def _set(house: Profile, **fields: Any) -> Profile:
    """Return the house with other fields, named by `OVERRIDES`."""
    return replace(house, **fields)


def _number(field: str, zero: int | None = 0) -> Override:
    """Return the option for a number field; ``zero`` is the field's value for 0."""
    return Override(
        lambda house: str(getattr(house, field) or 0),
        lambda house, value: _set(house, **{field: int(value) or zero}),
    )


def _switch(field: str) -> Override:
    """Return the option for a boolean field, written "yes" or "no"."""
    return Override(
        lambda house: _yes_no(getattr(house, field)),
        lambda house, value: _set(house, **{field: value == "yes"}),
    )


def _word(field: str) -> Override:
    """Return the option for a text field."""
    return Override(
        lambda house: str(getattr(house, field)),
        lambda house, value: _set(house, **{field: value}),
    )


def _either(field: str, true: str, false: str) -> Override:
    """Return the option for a boolean field, written as either word."""
    return Override(
        lambda house: true if getattr(house, field) else false,
        lambda house, value: _set(house, **{field: value == true}),
    )


#: The part of 吟味 that does not depend on the months won, by default (K14).
_PRIZE: Final = Profile("koikoi").prize


def _change_prize(house: Profile, value: str) -> Profile:
    """Return the house with or without 吟味 (K14)."""
    if value == "no":
        return replace(house, prize=None)
    return house if house.prize is not None else replace(house, prize=_PRIZE)


#: The options except ``profile``, in the order in which they are applied.
OVERRIDES: Final[Mapping[str, Override]] = {
    "months": _number("months"),
    "first-to": _number("first_to"),
    "start": _number("start"),
    "pays": _switch("zero_sum"),
    "bust": _switch("bust"),
    "teyaku": Override(
        lambda house: _yes_no(house.teyaku),
        lambda house, value: replace(
            house, teyaku=(house.teyaku or TEYAKU) if value == "yes" else ()
        ),
    ),
    **{row.id: _dealt(row.id) for row in TEYAKU},
    **{row.id: _value(row.id) for row in ROWS},
    "tsukifuda": _number("tsukifuda"),
    "sakazuki": Override(_read_cup, _change_cup),
    **{f"{id}-step": _step(id) for id in GROWS},
    **{f"{id}-over": _over(id) for id in REPLACES},
    "hanami-called": _called("hanami"),
    "tsukimi-called": _called("tsukimi"),
    "rain": _switch("rain"),
    "mist": _switch("mist"),
    "hinode": _switch("crane"),
    "shibori": _number("floor"),
    "shima": _number("again_field"),
    "shima-hand": _switch("again_hand"),
    "dealer": _word("succession"),
    "nagare": _either("replay", "again", "next"),
    "nagare-dealer": _either("exhausted_change", "changes", "stays"),
    "oyaken": _number("exhausted_gain"),
    "oyaken-wins": _switch("exhausted_wins"),
    "exhausted": _either("exhausted_higher", "higher", "nagare"),
    "koikoi-last": _switch("last_card_koikoi"),
    "koikoi-most": _number("most_calls", None),
    "koikoi-bonus": _number("call_bonus"),
    "koikoi-times": _number("call_times"),
    "calls": _either("calls_multiply", "multiply", "no"),
    "koikoigaeshi": _switch("double_called"),
    "bai": _number("double_from", None),
    "kobiki": _number("season"),
    "obiki": _number("grand"),
    "kaeriharu": _switch("extend"),
    "ginmi": Override(lambda house: _yes_no(house.prize is not None), _change_prize),
    "ginmi-base": Override(
        lambda house: str(_PRIZE if house.prize is None else house.prize),
        lambda house, value: house if house.prize is None else replace(house, prize=int(value)),
    ),
    "ginmi-month": _number("prize_month"),
}


def profile(options: Mapping[str, str]) -> Profile | None:
    """Return the profile named by a game's options, with all overrides applied (K15).

    Returns None for an unknown profile.
    """
    house = PROFILES.get(options.get("profile", "koikoi"))
    if house is None:
        return None
    for name, override in OVERRIDES.items():
        if name in options:
            house = override.change(house, options[name])
    return house
