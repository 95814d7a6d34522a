"""Profiles: the house rules of こいこい as data (K15–K20).

A new house is a new `Profile`; no code depends on a profile's name. ``koikoi`` is the document.
``koikoi-ai`` and ``koikoi-nintendo`` are the rules of the KoiKoi-AI and open-hanafuda-ai logs
(rulings/koikoi.md). Options of a game change single rules of a house.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from kafu.cards import CRANE, MONTHS, PAULOWNIA, WILLOW
from kafu.rules.house_rules import (
    HouseOption,
    HouseRule,
    change_house,
    list_house_rules,
    make_rule,
    parse_options,
    rule_field,
    rules_field,
    yes_no,
)
from kafu.rules.koikoi.yaku import AI_YAKU, NINTENDO_YAKU, TEYAKU, YAKU
from kafu.rules.koikoi.yaku_rules import CAPTURED, DEALT
from kafu.rules.teyaku import HandYaku
from kafu.rules.yaku import CapturedYaku, YakuTable

#: The part of 吟味 that does not depend on the months won, by default (K14).
_PRIZE: Final = 5


@dataclass(frozen=True, slots=True)
class Profile:
    """The rules of one house. Values are in mon, or in the house's points.

    The metadata of the fields are the options that change them, in the order of application. The
    text of an option says what its field means; the following is not in the texts:

    - ``tsukifuda``: the value of 月札, all four cards of the month in play (K16). `table` includes
      it, ``yaku`` does not.
    - ``first_to``, ``most_calls`` and ``double_from`` have no limit with the option 0.
    - ``bust``: a seat with 0 points or less ends the game.
    - ``rain`` voids 盃役 (K7), ``mist`` too (K20); with ``crane`` neither does if the crane is
      captured too (日の出).
    - ``floor`` is the least total that gives the right to declare in a month played over (K9).
    - ``exhausted_gain`` is paid when the hands run out; the month is then not played over (K11).
    - ``call_times``: with more calls the total is multiplied by (calls − ``call_times`` + 1),
      instead of adding ``call_bonus`` for each. ``calls_multiply``: the total, bonus included, is
      multiplied by (calls of both players + 1) (K17).
    - ``season`` and ``grand`` are 小引 (K12) and 大引, which is added to the last month.
    - ``prize``, ``prize_month``: 吟味 is ``prize`` plus ``prize_month`` for each month won (K14);
      None for no 吟味.
    """

    id: str
    months: int = rule_field(12, "months | settlement | 1…48 か月/months | 月数 | Length")
    first_to: int = rule_field(
        0,
        "first-to | settlement | 0…999 文/points; 0=なし/none"
        " | 先取する得点 | First to reach, wins",
    )
    start: int = rule_field(
        0, "start | deal | 0…999 文/points | 最初の持ち点 | Points at the start"
    )
    zero_sum: bool = rule_field(
        False, "pays | end | | 敗者の支払い | The loser pays the winner's points"
    )
    bust: bool = rule_field(
        False,
        "bust | settlement | yes=終わる/the game ends; no=続ける/play goes on"
        " | 持ち点がなくなったら | When a player has no points left",
    )
    teyaku: tuple[HandYaku, ...] = rules_field(TEYAKU, *DEALT)
    yaku: YakuTable = field(default=YAKU, metadata={rule.id: rule for rule in CAPTURED})
    tsukifuda: int = 0
    rain: bool = rule_field(
        True,
        "rain | captured |"
        " | 雨流れ（柳を取ると花見・月見が無効） | Rain: willow voids hanami and tsukimi",
    )
    mist: bool = rule_field(
        False,
        "mist | captured |"
        " | 霧流れ（桐を取ると花見・月見が無効） | Mist: paulownia voids hanami and tsukimi",
    )
    crane: bool = rule_field(
        True,
        "hinode | captured |"
        " | 日の出（松に鶴で雨流れ・霧流れを取り消す） | The crane undoes rain and mist (hinode)",
    )
    floor: int = rule_field(
        3,
        "shibori | turn | 0…9 文/points; 0=なし/none"
        " | やり直しの月に宣言できる合計（しぼり） | Least total to stop in a month played again",
    )
    again_field: int = rule_field(
        4,
        "shima | deal | 3=3枚から/3 or more; 4=4枚/4"
        " | 配り直す場札の同月札 | Field cards of one month for a new deal",
    )
    again_hand: bool = rule_field(
        False,
        "shima-hand | deal |"
        " | 手札の同月札4枚でも配り直し | A new deal with four of a month in a hand, too",
    )
    succession: str = rule_field(
        "winner",
        "dealer | deal | winner=勝者/the winner; loser=敗者/the loser;"
        " turns=交替/each player in turn"
        " | 勝者のある月の次の親 | The dealer after a month that was won",
    )
    replay: bool = rule_field(
        True,
        "nagare | end | again=やり直す/is played again;"
        " next=次の月に進む/is over: the next month follows | 流れた月 | A month that nobody won",
        true="again",
    )
    exhausted_change: bool = rule_field(
        True,
        "nagare-dealer | deal | changes=交替/changes; stays=そのまま/stays"
        " | 流れた後の親 | The dealer after a month that nobody won",
        true="changes",
    )
    exhausted_gain: int = rule_field(
        0,
        "oyaken | end | 0…99 文/points; 0=なし/none | 親権（手札が尽きたとき親が得る）"
        " | The dealer gets, when hands run out (oyaken)",
    )
    exhausted_wins: bool = rule_field(
        True, "oyaken-wins | end | | 親権で親の勝ちとする | Oyaken wins the month for the dealer"
    )
    exhausted_higher: bool = rule_field(
        False,
        "exhausted | end | nagare=流れ/nobody wins;"
        " higher=役代の高い人の勝ち/the higher total of yaku wins"
        " | 手札が尽きたとき | When hands run out",
        true="higher",
    )
    last_card_koikoi: bool = rule_field(
        True, "koikoi-last | turn | | 最後の手札でのこいこい | Koi-koi on the last card"
    )
    most_calls: int | None = rule_field(
        None,
        "koikoi-most | turn | 0…9 回/times; 0=無制限/any number"
        " | 1人1か月のこいこいの上限 | Koi-koi of a player a month, at most",
    )
    call_bonus: int = rule_field(
        0,
        "koikoi-bonus | beside | 0…99 文/points; 0=なし/none"
        " | 勝者のこいこい1回ごとに | Each koi-koi of the winner adds",
    )
    call_times: int = rule_field(
        0,
        "koikoi-times | beside | 0…9 回/times; 0=なし/never"
        " | 勝者のこいこいがこれを超えたら合計を倍に | The winner's koi-koi multiply, if more than",
    )
    calls_multiply: bool = rule_field(
        False,
        "calls | beside | no=なし/no; multiply=（回数＋1）倍/by their number + 1"
        " | 双方のこいこいの回数による倍 | Koi-koi of both players multiply the total",
        true="multiply",
    )
    double_called: bool = rule_field(
        False,
        "koikoigaeshi | beside |"
        " | 相手のこいこいで2倍（こいこい返し） | Doubled if the opponent said koi-koi",
    )
    double_from: int | None = rule_field(
        None,
        "bai | beside | 0…999 文/points; 0=なし/never | 2倍になる合計 | Doubled from a total of",
    )
    season: int = rule_field(
        5,
        "kobiki | beside | 0…99 文/points; 0=なし/none"
        " | 季節の3か月に全勝（小引） | All months of a season won (kobiki)",
    )
    grand: int = rule_field(
        0,
        "obiki | beside | 0…99 文/points; 0=なし/none"
        " | 全季節で2か月以上勝つ（大引） | Two months of every season won (ōbiki)",
    )
    extend: bool = rule_field(
        True,
        "kaeriharu | settlement | | 同点なら一季節延長（返り春） | A tie adds a season (kaeriharu)",
    )
    prize: int | None = rules_field(
        _PRIZE,
        make_rule(
            "ginmi | beside | | 吟味（対局の勝者の賞） | A prize for the winner (ginmi)",
            lambda prize: yes_no(prize is not None),
            lambda prize, value: None if value == "no" else _PRIZE if prize is None else prize,
        ),
        make_rule(
            "ginmi-base | beside | 0…99 文/points; 0=なし/none"
            " | 吟味：基本 | The prize: fixed part",
            lambda prize: str(_PRIZE if prize is None else prize),
            lambda prize, value: prize if prize is None else int(value),
        ),
    )
    prize_month: int = rule_field(
        1,
        "ginmi-month | beside | 0…9 文/points; 0=なし/none"
        " | 吟味：勝った月ごとに | The prize: for each month won",
    )

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


def _tsukifuda(month: int, value: int) -> CapturedYaku:
    """Return 月札, the yaku of all four cards of a month (K16); months are numbered from 1."""
    return CapturedYaku("tsukifuda", MONTHS[(month - 1) % 12 + 1], 4, value)


PROFILES: Final[Mapping[str, Profile]] = {
    profile.id: profile
    for profile in (
        Profile("koikoi"),
        Profile(
            "koikoi-ai",
            yaku=AI_YAKU,
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
            yaku=NINTENDO_YAKU,
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

#: The house rules of every option except ``profile``, in the order of their application.
HOUSE_RULES: Final[Mapping[str, HouseRule]] = list_house_rules(Profile)

OPTIONS: Final[Mapping[str, HouseOption]] = parse_options(
    "profile | options | koikoi=規則書/the document;"
    " koikoi-ai=持ち点のやりとり/points paid by the loser;"
    " koikoi-nintendo=任天堂系/Nintendo style | もとになるルール | House"
) | {id: rule.option for id, rule in HOUSE_RULES.items()}


def find_profile(options: Mapping[str, str]) -> Profile | None:
    """Return the profile named by a game's options, with all house rules applied (K15).

    Returns None for an unknown profile.
    """
    profile = PROFILES.get(options.get("profile", "koikoi"))
    return profile and change_house(HOUSE_RULES, profile, options)
