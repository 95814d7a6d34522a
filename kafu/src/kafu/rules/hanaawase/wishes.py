"""Rare events of 三人花合わせ to simulate, apart from its yaku (`kafu.rules.play.wishes`)."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from kafu.rules.play.wishes import Programme, Spec, Wish, Wishes, even


def _two_fuke(random: Random) -> Spec:
    one, other, third = random.sample(range(3), 3)
    most = "AB EF IJ MN QR UV YZ cd gh kl op qr st uv"
    return Spec({one: most, other: "CD GH KL OP ST", third: "WX ab ef ij mn"})


def _one_fuke(random: Random) -> Spec:
    one, other, third = random.sample(range(3), 3)
    return Spec(
        {one: "AB EF IJ MN QR UV", other: "YZ cd gh kl op st", third: "CD GH KL OP ST WX ab"}
    )


_EVEN: Final = Wish("even", even)
_WISHES: Final = Wishes(
    (_EVEN, Wish("two fuke", _two_fuke), Wish("fuke", _one_fuke)),
    (Programme("all equal", lambda month, dealer: _EVEN),),
)


def wishes(rules: Any) -> Wishes:
    """It has no options."""
    return _WISHES
