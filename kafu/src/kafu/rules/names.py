"""Names of yaku, statuses and ends of deals for people: Japanese, romaji and English.

The Japanese names are the documents'. English follows the house style, the romaji name with a
gloss; see `Name.label`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Name:
    """The names of one thing: id, Japanese term, romaji, English gloss.

    The gloss is the romaji again for a term that English uses as it is.
    """

    id: str
    ja: str
    romaji: str
    en: str

    def label(self, lang: str) -> str:
        """Return the text on a page: ``赤短`` or ``akatan (red poem ribbons)``."""
        if lang == "ja":
            return self.ja
        return self.romaji if self.romaji == self.en else f"{self.romaji} ({self.en})"


def _table(text: str) -> dict[str, Name]:
    rows = (line.split("|") for line in text.strip().splitlines())
    return {row[0]: Name(*row) for row in rows}


_YAKU: Final = _table(
    """
sanbon|三本|sanbon|three of a month
tatesanbon|立三本|tatesanbon|standing three
kuttsuki|喰付|kuttsuki|pairs only
teshi|手四|teshi|four of a month
haneken|はねけん|haneken|two pairs and three
ichinishi|一二四|ichinishi|one, two and four
shiso|四三|shisō|four and three
futasanbon|二三本|futasanbon|two threes
sanbon-tatesanbon|三本立三本|sanbon-tatesanbon|a three and a standing three
futatatesanbon|二立三本|futatatesanbon|two standing threes
aka|赤|aka|red: ribbons and chaff
tanichi|短一|tan'ichi|one ribbon
toichi|十一|tōichi|one animal
pikaichi|光一|pikaichi|one bright
karasu|空素|karasu|chaff only
futasanbon-kuttsuki|二三本喰付|futasanbon-kuttsuki|two threes and a pair
teshi-kuttsuki|手四喰付|teshi-kuttsuki|four and two pairs
futateshi|二手四|futateshi|two fours
rokkasu|六カス|rokkasu|six chaff cards
shichikasu|七カス|shichikasu|seven chaff cards
tsukisante|月三手|tsukisante|three sorts
nasake|なさけ|nasake|ribbons in the hand
nasake-ame|雨入りなさけ|ame-iri nasake|ribbons by counting willow
goko|五光|gokō|five brights
shiko|四光|shikō|four brights
ameshiko|雨四光|ameshikō|rainy four brights
sanko|三光|sankō|three brights
akatan|赤短|akatan|red poem ribbons
aotan|青短|aotan|blue ribbons
akatan-aotan|赤短青短|akatan-aotan|red and blue ribbons
nanatan|七短|nanatan|seven ribbons
rokutan|六短|rokutan|six ribbons
inoshikacho|猪鹿蝶|inoshikachō|boar, deer, butterflies
goun|五雲|goun|five clouds
otori|大鳥|ōtori|all birds
kotori|小鳥|kotori|four birds
teppo|鉄砲|teppō|matchlock: curtain, moon and cup
nomi|のみ|nomi|curtain, moon and cup
hanami|花見酒|hanami-zake|flower viewing
tsukimi|月見酒|tsukimi-zake|moon viewing
tsukifuda|月札|tsukifuda|four of the month
kusa|くさ|kusa|grass ribbons
omotesugawara|表菅原|omotesugawara|pine, plum, cherry
matsukiribozu|松桐坊主|matsukiribōzu|pine, paulownia, moon
fujishima|藤シマ|fujishima|all wisteria
ameshima|雨シマ|ameshima|all willow
kirishima|桐シマ|kirishima|all paulownia
tane|タネ|tane|animals
tan|タン|tan|ribbons
kasu|カス|kasu|chaff
bozuzoro|坊主ゾロ|bōzu-zoro|all pampas
bozukaburi|坊主かぶり|bōzu-kaburi|moon and geese
amezoro|雨ゾロ|ame-zoro|all willow
amekaburi|雨かぶり|ame-kaburi|rain man and swallow
sohachi|総八|sōhachi|all even
futahachi|二八|futahachi|double eight
sujuroku|素十六|sujūroku|sixteen chaff cards
tobikomi|飛込み|tobikomi|the fourth jumps in
nuke|抜け|nuke|eighty-nine points
fuke|ふけ|fuke|thirty points or fewer
points|点数|card points|card points
month|月計|month's sum|month's sum
ori|下り賃|ori|fee of going out
oikomi|追い込み|oikomi|paid to the shut out
mizuten|みずてん|mizuten|blind bonus
kobiki|小引|kobiki|a season won
obiki|大引|ōbiki|two months or more of every season
ginmi|吟味|ginmi|prize of the year
oyaken|親権|oyaken|dealer's privilege
koikoi|こいこい|koi-koi|bonus for playing on
bai|倍|bai|a high total doubled
koikoigaeshi|こいこい返し|koi-koi-gaeshi|doubled against a koi-koi
"""
)
#: Every label of a ledger or a ``show`` (rulings.md, Yaku ids), and every hand in odds. `add` adds
#: the yaku of single registered rulesets.
YAKU: Final[Mapping[str, Name]] = MappingProxyType(_YAKU)


def add(yaku: Iterable[Name]) -> None:
    """Register the yaku of a ruleset. Raise ValueError if any yaku is registered already."""
    by_id = {name.id: name for name in yaku}
    if duplicates := by_id.keys() & _YAKU.keys():
        raise ValueError(f"yaku registered already: {', '.join(sorted(duplicates))}")
    _YAKU.update(by_id)


def remove(yaku: Iterable[Name]) -> None:
    """Remove the yaku of a ruleset. Raise KeyError for an unknown yaku."""
    for name in yaku:
        del _YAKU[name.id]


#: Field grades (場).
GRADES: Final = _table(
    """
small|小場|koba|small field
large|大場|ōba|large field
absolute|絶場|zetsuba|absolute field
"""
)

#: Why a deal was thrown in (``redeal``, ``void``).
REASONS: Final = _table(
    """
ba4|場四|bashi|four of a month on the field
teshi|手四|teshi|four of a month in a hand
tsukisante|月三手|tsukisante|three sorts in a hand
shima|シマ|shima|four of a month
misdeal|配り違い|kubari-chigai|misdealt
mismatch|札の取り違い|tori-chigai|cards wrongly matched
other|その他|sono ta|another reason
"""
)

ENDS: Final = _table(
    """
agari|あがり|agari|stopped and scored
torikeshi|下げの取消し|torikeshi|playing on was called off
shobu|勝負|shōbu|stopped and scored
nagare|流れ|nagare|nobody scored
played-out|打ち切り|uchikiri|hands played out
special|特殊役|special|a special yaku
shiso|四三|shisō|ended by four and three
teyaku|手役|teyaku|ended by a dealt hand
fuke|ふけ|fuke|void for thirty points or fewer
redeal|やり直し|yarinaoshi|dealt again
void|無効|mukō|void, played over
sheet|記入|kinyū|a month of a score sheet
"""
)

#: The steps of a settlement (S11); the documents' words.
STEPS: Final = _table(
    """
total|合計|gōkei|sums of the months
start|持ち点|mochiten|what everybody begins with
board|月石清算|tsukiishi seisan|the month stones, to the lowest
card|月札|tsukifuda|the month card, to the lowest
short|吟味分減算|ginmi-bun gensan|what everybody is short of
kan|貫に切捨て|kan ni kirisute|cut to whole kan
rest|端数処理|hasū shori|what cutting leaves, to the top
ginmi|吟味|ginmi|prize of the year
won|勝った月|katta tsuki|for each month won
prize|トップ賞|toppu-shō|prize of the top
void|無勝負|mushōbu|nobody wins
"""
)
