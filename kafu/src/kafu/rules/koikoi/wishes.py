"""Rare events of koi-koi to simulate, apart from its yaku (`kafu.rules.play.wishes`)."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Final

from kafu.rules.koikoi.machine import Koikoi
from kafu.rules.play.wishes import Programme, Spec, Wish, Wishes, two_yaku


def _both_show(random: Random) -> Spec:
    """K3: two dealt hands, of the same value or not."""
    return Spec(held={0: "ABEFIJMN", 1: random.choice(("QRUVYZcd", "QRSUVYZc"))})


def _ten_with_the_cup(random: Random) -> Spec:
    return Spec({0: "CD GH KL OP gi"})


def _shown_by(seat: int, dealer: int) -> Wish:
    """喰付 of one seat, and no yaku of the other."""
    place = 0 if seat == dealer else 1
    return Wish(
        "shown", lambda _: Spec(held={place: "ABEFIJMN", 1 - place: "CGKOQUYc"}), shows=(place,)
    )


_DEALS: Final = (
    Wish("both show", _both_show, shows=(0, 1)),
    Wish("two yaku", partial(two_yaku, 2), words=("koikoi",)),
    Wish("many calls", partial(two_yaku, 2), words=("koikoi",) * 4),
    Wish("ten with the cup", _ten_with_the_cup),
)
_GAMES: Final = (
    Programme("all months to one", lambda month, dealer: _shown_by(1, dealer)),
    Programme("a tie", lambda month, dealer: _shown_by(1 + month % 2, dealer)),
)


def wishes(rules: Koikoi) -> Wishes:
    """Those of a house; with dealt hands, if they are played, these decide who wins."""
    return Wishes(_DEALS, _GAMES if rules.profile.teyaku else ())
