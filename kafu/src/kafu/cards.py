"""The pack: 48 hanafuda cards with letter, month, kind and names, and card sets as bit masks.

A card is one ASCII letter (``A``–``Z``, ``a``–``v``; kafu.md §1). Its *index* is the letter's
position in this order, 0 to 47, with four cards per month, highest first. Card ``i`` is bit ``1 <<
i`` of a mask. The blank card ``_`` of the seven-player deal has index 48, so that every set of
cards is an int.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv"
BLANK: Final = "_"
UNKNOWN: Final = "?"
#: Sorting order of the canonical form: card letters, then the blank, then unknown cards.
ORDER: Final = LETTERS + BLANK + UNKNOWN
INDEX: Final[dict[str, int]] = {letter: i for i, letter in enumerate(LETTERS + BLANK)}
BIT: Final[dict[str, int]] = {letter: 1 << i for letter, i in INDEX.items()}


class Kind(StrEnum):
    """The four kinds of cards, with their value in card points (88-point count)."""

    BRIGHT = "bright"
    ANIMAL = "animal"
    RIBBON = "slip"
    CHAFF = "dregs"

    @property
    def points(self) -> int:
        """Card points: 20, 10, 5 or 1."""
        return {"bright": 20, "animal": 10, "slip": 5, "dregs": 1}[self.value]

    @property
    def ja(self) -> str:
        """The kind's name in the rule documents."""
        return {"bright": "光", "animal": "タネ", "slip": "短冊", "dregs": "カス"}[self.value]


@dataclass(frozen=True, slots=True)
class Plant:
    """The plant of a month (1–12): 松 matsu, pine."""

    month: int
    ja: str
    romaji: str
    en: str


@dataclass(frozen=True, slots=True)
class Card:
    """One card of the pack."""

    letter: str
    index: int
    month: int
    kind: Kind
    ja: str
    romaji: str
    en: str

    @property
    def bit(self) -> int:
        """The card as a mask of one bit."""
        return 1 << self.index

    @property
    def plant(self) -> Plant:
        """The plant of the card's month."""
        return PLANTS[self.month - 1]


PLANTS: Final = tuple(
    Plant(month, *names.split())
    for month, names in enumerate(
        (
            "松 matsu pine",
            "梅 ume plum",
            "桜 sakura cherry",
            "藤 fuji wisteria",
            "菖蒲 ayame iris",
            "牡丹 botan peony",
            "萩 hagi clover",
            "芒 susuki pampas",
            "菊 kiku chrysanthemum",
            "紅葉 momiji maple",
            "柳 yanagi willow",
            "桐 kiri paulownia",
        ),
        start=1,
    )
)

# One line per month: the kind initials of its four cards, then the names of all cards except chaff.
_MONTHS: Final = (
    ("BSDD", "鶴 tsuru crane", "赤短 akatan red-poem-ribbon"),
    ("ASDD", "鶯 uguisu warbler", "赤短 akatan red-poem-ribbon"),
    ("BSDD", "幕 maku curtain", "赤短 akatan red-poem-ribbon"),
    ("ASDD", "時鳥 hototogisu cuckoo", "短冊 tanzaku plain-ribbon"),
    ("ASDD", "八橋 yatsuhashi bridge", "短冊 tanzaku plain-ribbon"),
    ("ASDD", "蝶 chō butterflies", "青短 aotan blue-ribbon"),
    ("ASDD", "猪 inoshishi boar", "短冊 tanzaku plain-ribbon"),
    ("BADD", "月 tsuki moon", "雁 kari geese"),
    ("ASDD", "盃 sakazuki sake-cup", "青短 aotan blue-ribbon"),
    ("ASDD", "鹿 shika deer", "青短 aotan blue-ribbon"),
    (
        "BASD",
        "小野道風 Ono-no-Michikaze rain-man",
        "燕 tsubame swallow",
        "短冊 tanzaku plain-ribbon",
    ),
    ("BDDD", "鳳凰 hōō phoenix"),
)
_KINDS: Final = {"B": Kind.BRIGHT, "A": Kind.ANIMAL, "S": Kind.RIBBON, "D": Kind.CHAFF}


def _build_pack() -> Iterator[Card]:
    for plant, (kinds, *pictures) in zip(PLANTS, _MONTHS, strict=True):
        for place, initial in enumerate(kinds):
            index = 4 * (plant.month - 1) + place
            kind = _KINDS[initial]
            if kind is Kind.CHAFF:
                ja, romaji, en = "カス", "kasu", "chaff"
            else:
                ja, romaji, en = pictures[place].split()
            yield Card(
                LETTERS[index],
                index,
                plant.month,
                kind,
                f"{plant.ja}に{ja}" if kind is not Kind.CHAFF else f"{plant.ja}のカス",
                f"{plant.romaji} ni {romaji.replace('-', ' ')}"
                if kind is not Kind.CHAFF
                else f"{plant.romaji} no kasu",
                f"{plant.en} with {en.replace('-', ' ')}"
                if kind is not Kind.CHAFF
                else f"{plant.en} chaff",
            )


PACK: Final[tuple[Card, ...]] = tuple(_build_pack())
CARD: Final[dict[str, Card]] = {card.letter: card for card in PACK}
ALL: Final[int] = (1 << 48) - 1


def unique_name(letter: str, lang: str) -> str:
    """Return the name of a card in "ja" or "en", with a number if other cards share it.

    >>> unique_name("A", "ja"), unique_name("D", "en")
    ('松に鶴', 'pine chaff-2')
    """
    card = CARD[letter]
    name = card.ja if lang == "ja" else card.en
    alike = [other.letter for other in PACK if other.en == card.en]
    if len(alike) == 1:
        return name
    return f"{name}{'' if lang == 'ja' else '-'}{alike.index(letter) + 1}"


def mask(letters: Iterable[str]) -> int:
    """Return the set of ``letters`` as a mask; a repeated letter counts once.

    >>> mask("AB")
    3

    Raises KeyError for a character that is no card, such as ``?``.
    """
    result = 0
    for letter in letters:
        result |= BIT[letter]
    return result


@lru_cache(maxsize=1 << 14)  # hands and fields recur with every step of a game
def letters(cards: int) -> str:
    """Return the cards of a mask as letters in card order.

    >>> letters(0b11)
    'AB'
    """
    result = ""
    while cards:
        low = cards & -cards
        result += (LETTERS + BLANK)[low.bit_length() - 1]
        cards ^= low
    return result


def bits(cards: int) -> Iterator[int]:
    """Yield the cards of a mask, each as a mask of one bit, lowest first."""
    while cards:
        low = cards & -cards
        yield low
        cards ^= low


def sort(cards: Iterable[str]) -> str:
    """Return letters in the order of the canonical form: card letters, then ``_``, then ``?``."""
    letters = "".join(sorted(cards))
    if BLANK in letters or UNKNOWN in letters:
        return "".join(sorted(letters, key=ORDER.index))
    return letters  # A–Z, a–v is ASCII order


#: The four cards of each month; MONTHS[1] is January. MONTHS[0] is empty, so months count from 1.
MONTHS: Final[tuple[int, ...]] = (0, *(0b1111 << 4 * m for m in range(12)))
#: The month mask of each card (a mask of one bit); the blank matches no month.
MATCH: Final[dict[int, int]] = {bit: 0b1111 << (i & ~3) & ALL for i, bit in enumerate(BIT.values())}


#: The first card of every month.
FIRSTS: Final[int] = sum(month & -month for month in MONTHS)


def by_count(cards: int) -> tuple[int, int, int, int]:
    """Return the months with exactly one, two, three and four cards in a mask.

    A month is represented by its first card (`FIRSTS`).

    >>> [letters(months) for months in by_count(mask("ABEFGHI"))]
    ['I', 'A', '', 'E']
    """
    # The cards of all months are counted together, in the four bits of each month.
    pairs = cards - (cards >> 1 & 0x555555555555)
    counts = (pairs & 0x333333333333) + (pairs >> 2 & 0x333333333333)
    low, high = counts & FIRSTS, counts >> 1 & FIRSTS
    return low & ~high, high & ~low, low & high, counts >> 2 & FIRSTS


def _cards_of_kind(kind: Kind) -> int:
    return sum(card.bit for card in PACK if card.kind is kind)


BRIGHTS: Final[int] = _cards_of_kind(Kind.BRIGHT)
ANIMALS: Final[int] = _cards_of_kind(Kind.ANIMAL)
RIBBONS: Final[int] = _cards_of_kind(Kind.RIBBON)
CHAFF: Final[int] = _cards_of_kind(Kind.CHAFF)

#: The cards of each month by its plant.
PINE: Final[int] = MONTHS[1]
PLUM: Final[int] = MONTHS[2]
CHERRY: Final[int] = MONTHS[3]
WISTERIA: Final[int] = MONTHS[4]
IRIS: Final[int] = MONTHS[5]
PEONY: Final[int] = MONTHS[6]
CLOVER: Final[int] = MONTHS[7]
PAMPAS: Final[int] = MONTHS[8]
CHRYSANTHEMUM: Final[int] = MONTHS[9]
MAPLE: Final[int] = MONTHS[10]
WILLOW: Final[int] = MONTHS[11]
PAULOWNIA: Final[int] = MONTHS[12]
#: The brights and the animals by their pictures, and the brights without the rain man.
CRANE: Final[int] = BIT["A"]
CURTAIN: Final[int] = BIT["I"]
MOON: Final[int] = BIT["c"]
RAIN_MAN: Final[int] = BIT["o"]
PHOENIX: Final[int] = BIT["s"]
WARBLER: Final[int] = BIT["E"]
CUCKOO: Final[int] = BIT["M"]
BRIDGE: Final[int] = BIT["Q"]
BUTTERFLIES: Final[int] = BIT["U"]
BOAR: Final[int] = BIT["Y"]
GEESE: Final[int] = BIT["d"]
CUP: Final[int] = BIT["g"]
DEER: Final[int] = BIT["k"]
SWALLOW: Final[int] = BIT["p"]
DRY_BRIGHTS: Final[int] = BRIGHTS & ~RAIN_MAN
#: The ribbons by their pictures.
RED_POEMS: Final[int] = RIBBONS & (PINE | PLUM | CHERRY)
BLUE_RIBBONS: Final[int] = RIBBONS & (PEONY | CHRYSANTHEMUM | MAPLE)
PLAIN_RIBBONS: Final[int] = RIBBONS & ~(RED_POEMS | BLUE_RIBBONS)


@lru_cache(maxsize=1 << 10)  # each rule needs the points of the same captured cards
def points(cards: int) -> int:
    """Return the card points of a mask in the 88-point count.

    A bright is 20 points, an animal 10, a ribbon 5, a chaff card 1; the pack has 264 points.
    """
    return (
        20 * (cards & BRIGHTS).bit_count()
        + 10 * (cards & ANIMALS).bit_count()
        + 5 * (cards & RIBBONS).bit_count()
        + (cards & CHAFF).bit_count()
    )
