"""The yaku of こいこい as data: the document's, those of both other houses, what options add."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kafu.cards import (
    ANIMALS,
    BLUE_RIBBONS,
    BOAR,
    BRIDGE,
    BRIGHTS,
    BUTTERFLIES,
    CHAFF,
    CRANE,
    CUCKOO,
    CUP,
    CURTAIN,
    DEER,
    DRY_BRIGHTS,
    GEESE,
    MOON,
    PHOENIX,
    PLAIN_RIBBONS,
    RAIN_MAN,
    RED_POEMS,
    RIBBONS,
    SWALLOW,
    WARBLER,
    WILLOW,
)
from kafu.rules.teyaku import HandYaku
from kafu.rules.yaku import CapturedYaku, YakuTable, counting, whole

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
        CapturedYaku("ameshiko", BRIGHTS, 4, 9, must=RAIN_MAN, over=("sanko",)),
        whole("akatan", RED_POEMS, 7),
        whole("aotan", BLUE_RIBBONS, 7),
        whole("kotori", WARBLER | CUCKOO | GEESE | SWALLOW, 7),
        whole("inoshikacho", BOAR | DEER | BUTTERFLIES, 6),
        whole("teppo", CURTAIN | MOON | CUP, 6, over=("tsukimi", "hanami"), sake=True),
        CapturedYaku("sanko", DRY_BRIGHTS, 3, 6),
        whole("kusa", PLAIN_RIBBONS & ~WILLOW, 5),
        whole("omotesugawara", CRANE | WARBLER | CURTAIN, 4),
        whole("tsukimi", MOON | CUP, 2, sake=True),
        whole("hanami", CURTAIN | CUP, 2, sake=True),
        counting("tane", ANIMALS, 5),
        counting("tan", RIBBONS, 5),
        counting("kasu", CHAFF | CUP, 10, bare=CUP),
    )
)

AI_YAKU: Final = YakuTable(
    (
        whole("goko", BRIGHTS, 10, over=("shiko", "ameshiko", "sanko")),
        whole("shiko", DRY_BRIGHTS, 8, over=("ameshiko", "sanko")),
        CapturedYaku("ameshiko", BRIGHTS, 4, 7, must=RAIN_MAN, over=("sanko",)),
        CapturedYaku("sanko", DRY_BRIGHTS, 3, 5),
        whole("inoshikacho", BOAR | DEER | BUTTERFLIES, 5),
        whole("tsukimi", MOON | CUP, 1, sake=True, called_value=3),
        whole("hanami", CURTAIN | CUP, 1, sake=True, called_value=3),
        whole("akatan-aotan", RED_POEMS | BLUE_RIBBONS, 10),
        whole("akatan", RED_POEMS, 5),
        whole("aotan", BLUE_RIBBONS, 5),
        counting("tane", ANIMALS, 5),
        counting("tan", RIBBONS, 5),
        counting("kasu", CHAFF | CUP, 10),
    )
)

#: Each further card of the kind raises the value of a set, and a set replaces the count yaku of its
#: kind.
NINTENDO_YAKU: Final = YakuTable(
    (
        whole("goko", BRIGHTS, 10, over=("shiko", "ameshiko", "sanko")),
        whole("shiko", DRY_BRIGHTS, 8, over=("ameshiko", "sanko")),
        CapturedYaku("ameshiko", BRIGHTS, 4, 7, must=RAIN_MAN, over=("sanko",)),
        CapturedYaku("sanko", DRY_BRIGHTS, 3, 5),
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
            RED_POEMS | BLUE_RIBBONS,
            10,
            step=1,
            counted=RIBBONS,
            base=6,
            over=("akatan", "aotan", "tan"),
        ),
        whole("akatan", RED_POEMS, 5, step=1, counted=RIBBONS, base=3, over=("tan",)),
        whole("aotan", BLUE_RIBBONS, 5, step=1, counted=RIBBONS, base=3, over=("tan",)),
        counting("tane", ANIMALS, 5),
        counting("tan", RIBBONS, 5),
        counting("kasu", CHAFF | CUP, 10),
    )
)


#: The replaceable yaku of each yaku, including pairs that add up in the document (K5).
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


#: The yaku that can grow: their cards, and the number of cards after which each further card adds
#: to the value.
GROWS: Final[Mapping[str, tuple[int, int]]] = {
    "tane": (ANIMALS, 5),
    "tan": (RIBBONS, 5),
    "kasu": (CHAFF, 10),
    "inoshikacho": (ANIMALS, 3),
    "akatan-aotan": (RIBBONS, 6),
    "akatan": (RIBBONS, 3),
    "aotan": (RIBBONS, 3),
}


#: The captured yaku of all houses; an option adds a yaku by its value.
ROWS: Final = YakuTable(
    (*YAKU[:5], whole("akatan-aotan", RED_POEMS | BLUE_RIBBONS, 10), *YAKU[5:])  # after 雨四光
)
