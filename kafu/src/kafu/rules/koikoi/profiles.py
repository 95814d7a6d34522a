"""House rules of koi-koi as data (K15–K19). A new house is a new `Profile`; no code knows its name.

``koikoi`` is the document; ``koikoi-ai`` and ``koikoi-nintendo`` are the rules of the KoiKoi-AI and
the open-hanafuda-ai logs (rulings/koikoi.md). Options change single rules of a house:
`kafu.rules.koikoi.overrides`.
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

#: 手役 of the document in mon, named by how many cards of each month they hold (K4).
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

#: 出来役 of the document; ``over`` names those that a better one replaces (K5).
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

#: Named sets grow with each further card of their kind, and stand for the plain count of it.
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
    """The rules of one house. Values in mon (or the house's points).

    - ``months`` deals to a game, ``start`` points a seat; ``zero_sum``: the loser pays what the
      winner gets; ``bust``: the game ends when somebody is at 0 or below.
    - ``tsukifuda``: the value of all four cards of the month that is played (月札, K16), 0 for
      none; ``yaku`` leaves it out, `table` has it.
    - ``first_to``: the game ends when somebody has so much (K18), 0 for never.
    - ``rain``: willow captured voids the sake yaku (K7), with ``crane`` not if A is captured too.
    - ``floor``: the least total that gives the right to declare in a month played over (K9).
    - ``last_card_koikoi``: こいこい may be said on the last card too (K10).
    - ``replay``: a deal nobody scored is played over (流れ, K11); else the game goes on to the
      next. The dealer then changes if ``exhausted_change``. If played-out hands bring the
      dealer ``exhausted_gain`` (親権) the month is not played over, and with ``exhausted_wins``
      the dealer wins it. With ``exhausted_higher`` who then has yaku of the higher total has won
      before any of that (K19).
    - ``succession``: who deals after a month that somebody won: its "winner", its "loser", or both
      by "turns".
    - ``again_field``: so many cards of a month on the field are dealt again (シマ: four);
      ``again_hand``: so is a four of a month in a hand.
    - ``most_calls``: how often a player may say こいこい in a deal, None for any number.
    - ``call_bonus``: mon added to the winner's total for each of their calls of こいこい; with more
      calls than ``call_times`` the total is taken (calls − ``call_times`` + 1) times instead, 0 for
      never. With ``calls_multiply`` the total, with what was added, is taken (calls of both + 1)
      times (K17).
    - ``double_from``: the winner's total counts twice from so much on, None for never;
      ``double_called``: and twice (again) if the other has said こいこい.
    - ``season``: mon for all three months of a season (小引, K12), 0 for none; ``grand``: for two
      months or more of every season (大引), with the last month; ``extend``: a tie adds a season
      (K13); ``prize``: 吟味 is this and ``prize_month`` for each month won (K14), None for none.
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
        """The captured yaku of a month, by its number from 1 on: after twelve the months of the
        pack begin anew (K16).
        """
        if not self.tsukifuda:
            return self.yaku
        return YakuTable((*self.yaku, _tsukifuda(month, self.tsukifuda)))

    def is_decided(self, totals: Sequence[int]) -> bool:
        """Whether the sums after a month end the game: one is bust (K15), or has reached the sum
        that is played for (K18).
        """
        is_bust = self.bust and min(totals) <= 0
        return is_bust or 0 < self.first_to <= max(totals)

    def added(self, total: int, *, own: int, others: int) -> Iterator[tuple[str, int]]:
        """The ledger labels of what is added to a winner's ``total`` of yaku, each with its sum.

        ``own`` counts the winner's calls of こいこい, ``others`` the other's. 倍 goes by the total
        before it is multiplied by the calls (K17).
        """
        bonus = self._bonus(total, own)
        once = total + bonus
        if self.calls_multiply:
            bonus += once * (own + others)
        if bonus:
            yield "koikoi", bonus
        total += bonus
        if self.double_from is not None and once >= self.double_from:
            yield "bai", total
            total *= 2
        if self.double_called and others:
            yield "koikoigaeshi", total

    def _bonus(self, total: int, calls: int) -> int:
        """What こいこい adds to a winner's ``total`` after so many of their own ``calls`` (K15)."""
        if self.call_times and calls > self.call_times:
            return total * (calls - self.call_times)
        return self.call_bonus * calls


def _tsukifuda(month: int, value: int) -> Yaku:
    """月札 of a month, by its number from 1 on (K16)."""
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
