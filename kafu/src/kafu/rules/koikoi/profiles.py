"""Profiles: the house rules of こいこい as data (K15–K19).

A new house is a new `Profile`; no code depends on a profile's name. ``koikoi`` is the document.
``koikoi-ai`` and ``koikoi-nintendo`` are the rules of the KoiKoi-AI and open-hanafuda-ai logs
(rulings/koikoi.md). Options change single rules of a house: see `kafu.rules.koikoi.overrides`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

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
    PHOENIX,
    PLAIN_SLIPS,
    RAIN_MAN,
    RED_POEMS,
    SLIPS,
    SWALLOW,
    WARBLER,
    WILLOW,
)
from kafu.rules.teyaku import HandYaku
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


@dataclass(frozen=True, slots=True)
class Profile:
    """The rules of one house. Values are in mon, or in the house's points.

    - ``yaku``, ``teyaku``: captured and dealt-hand yaku. ``tsukifuda``: the value of 月札, all four
      cards of the month in play (K16), 0 for none; `table` includes it, ``yaku`` does not.
    - ``months``: deals of a game. ``start``: starting points per seat. ``zero_sum``: the loser pays
      the winner's gain.
    - ``bust``: the game ends when a seat has 0 points or less. ``first_to``: it ends when a seat
      has this many points (K18), 0 for never.
    - ``rain``: captured willow voids 盃役 (K7); with ``crane`` it does not if the crane is captured
      too (日の出).
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

    def rains(self, captured: int) -> bool:
        """Return whether captured willow voids 盃役 (K7).

        With the crane captured too it does not (日の出), unless the house lacks that rule (K15).
        """
        revived = self.crane and captured & CRANE
        return self.rain and bool(captured & WILLOW) and not revived

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
