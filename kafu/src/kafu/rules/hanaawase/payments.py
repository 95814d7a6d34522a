"""The payments of 三人花合わせ (A1–A4), and the captured yaku."""

from __future__ import annotations

from typing import Final

from kafu import cards
from kafu.rules.payments import (
    POINTS,
    Payers,
    PaymentKind,
    PaymentRow,
    PaymentTable,
    list_captured,
    list_dealt,
)
from kafu.rules.yaku import CapturedYaku, YakuTable, counting, whole

#: The values of paid 手役, in points.
VALUES: Final = {"rokkasu": 20, "shichikasu": 40}
#: 出来役 in points; ``over`` names the yaku replaced by a better one (A2).
YAKU: Final = YakuTable(
    (
        whole("goko", cards.BRIGHTS, 160, over=("shiko", "ameshiko", "matsukiribozu")),
        whole("shiko", cards.DRY_BRIGHTS, 80, over=("ameshiko", "matsukiribozu")),
        whole(
            "otori",
            cards.CRANE
            | cards.WARBLER
            | cards.CUCKOO
            | cards.GEESE
            | cards.SWALLOW
            | cards.PHOENIX,
            80,
            over=("kotori",),
        ),
        whole(
            "goun", cards.WARBLER | cards.BRIDGE | cards.BUTTERFLIES | cards.BOAR | cards.CUP, 60
        ),
        CapturedYaku("nanatan", cards.RIBBONS, 7, 40, over=("rokutan",)),
        whole("akatan", cards.RED_POEMS, 40),
        whole("aotan", cards.BLUE_RIBBONS, 40),
        CapturedYaku(
            "ameshiko", cards.BRIGHTS, 4, 30, must=cards.RAIN_MAN, over=("matsukiribozu",)
        ),
        whole("inoshikacho", cards.BOAR | cards.DEER | cards.BUTTERFLIES, 30),
        whole("nomi", cards.CURTAIN | cards.MOON | cards.CUP, 30, over=("hanami", "tsukimi")),
        whole("kotori", cards.WARBLER | cards.CUCKOO | cards.GEESE | cards.SWALLOW, 30),
        CapturedYaku("rokutan", cards.RIBBONS, 6, 20),
        whole("omotesugawara", cards.CRANE | cards.WARBLER | cards.CURTAIN, 20),
        whole("kusa", cards.PLAIN_RIBBONS & ~cards.WILLOW, 20),
        whole("matsukiribozu", cards.CRANE | cards.MOON | cards.PHOENIX, 10),
        whole("hanami", cards.CURTAIN | cards.CUP, 10),
        whole("tsukimi", cards.MOON | cards.CUP, 10),
        whole("fujishima", cards.WISTERIA, 10),
        whole("ameshima", cards.WILLOW, 10),
        whole("kirishima", cards.PAULOWNIA, 10),
        counting("kasu", cards.CHAFF, 12, value=10, step=10),
    )
)
#: The id of a month of ふけ on a score sheet without points (S6).
FUKE: Final = "fuke"

PAYMENTS: Final = PaymentTable(
    (
        *list_dealt(VALUES, "A1", struck=True),
        *(row._replace(struck=True) for row in list_captured(YAKU, "A2")),
        PaymentRow(FUKE, PaymentKind.OTHER, (0,), "A3", Payers.NOBODY, marks=True),
        PaymentRow(POINTS, PaymentKind.OTHER, (1,), "A4", Payers.BALANCE, struck=True),
    )
)
