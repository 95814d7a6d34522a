"""The house rules of 八八 (B1, B15)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from kafu.rules.house_rules import change_house, list_house_rules, rule_field

#: The kan that every player starts short, by the number of months (B1).
_START: Final = {12: 5, 6: 3}


@dataclass(frozen=True, slots=True)
class HachihachiBgaHouse:
    """The rules of one house, each with its option."""

    months: int = rule_field(
        12,
        "months | settlement | 6=6か月（半年）/6 months; 12=12か月（1年）/12 months"
        " | 月数 | Length",
    )
    etsunen: bool = rule_field(
        False,
        "etsunen | settlement | | 越年（場の持ち越しが残れば続ける）"
        " | Play on after the last month while a grade is carried",
    )
    torikeshi: bool = rule_field(
        False, "torikeshi | captured | | 下げの取消し（半額） | Sage can be cancelled for half"
    )
    tobikomi_hatto: bool = rule_field(
        False, "tobikomi-hatto | dealt | | 飛込みの法度 | Hatto for tobikomi"
    )
    tsukifuda: bool = rule_field(
        False,
        "tsukifuda | settlement | | 月札（最下位が1か月1文を受け取る）"
        " | A mon a month for the lowest total (tsukifuda)",
    )
    shiso_ends: bool = rule_field(
        False,
        "shiso | dealt | no=20貫の手役/is a yaku of 20 kan;"
        " ends=全員が払って対局が終わる/is paid by all and ends the game"
        " | 四三ができたら | Four and three (shisō)",
        true="ends",
    )

    @property
    def start_kan(self) -> int:
        """The kan that every player starts short."""
        return _START[self.months]


HOUSE_RULES: Final = list_house_rules(HachihachiBgaHouse)


def read_house(options: Mapping[str, str]) -> HachihachiBgaHouse:
    """Return the house of a record's options."""
    return change_house(HOUSE_RULES, HachihachiBgaHouse(), options)
