"""Months of `hanaawase` (三人花合わせ): which cards make them.

Every month is played out, and every captured yaku is paid; ふけ strikes all lines out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from kafu.notation.game import Month
from sheet_model.deal import Bool, Cards, Deal
from sheet_model.lines import Impossible, Line, play_order, points_of, read_line, unique_yaku
from sheet_model.pack import AKATAN, AOTAN, CHAFF, GOKO, RIBBONS, SHIKO, indices

PAR: Final = 88
#: The most points of ふけ.
FUKE: Final = 30
DEALT: Final[Mapping[str, int]] = {"rokkasu": 20, "shichikasu": 40}
CHAFF_DEALT: Final = {"rokkasu": 6, "shichikasu": 7}
#: 得点 of the captured yaku; カス is 10 points more a card from the thirteenth on.
CAPTURED: Final[Mapping[str, int]] = {
    **{"goko": 160, "shiko": 80, "otori": 80, "goun": 60, "nanatan": 40, "akatan": 40},
    **{"aotan": 40, "ameshiko": 30, "inoshikacho": 30, "nomi": 30, "kotori": 30, "rokutan": 20},
    **{"omotesugawara": 20, "kusa": 20, "matsukiribozu": 10, "hanami": 10, "tsukimi": 10},
    **{"fujishima": 10, "ameshima": 10, "kirishima": 10, "kasu": 10},
}
SETS: Final = {
    **{"goko": GOKO, "shiko": SHIKO, "otori": indices("AEMdps"), "goun": indices("EQUYg")},
    **{"akatan": AKATAN, "aotan": AOTAN, "inoshikacho": indices("YkU"), "nomi": indices("Icg")},
    **{"kotori": indices("EMdp"), "omotesugawara": indices("AEI"), "kusa": indices("NRZ")},
    **{"matsukiribozu": indices("Acs"), "hanami": indices("Ig"), "tsukimi": indices("cg")},
    **{"fujishima": indices("MNOP"), "ameshima": indices("opqr"), "kirishima": indices("stuv")},
}
#: 複合しない: what each yaku replaces (A2).
REPLACED: Final = {
    "goko": ("shiko", "ameshiko", "matsukiribozu"),
    "shiko": ("matsukiribozu",),
    "ameshiko": ("matsukiribozu",),
    "otori": ("kotori",),
    "nanatan": ("rokutan",),
    "nomi": ("hanami", "tsukimi"),
}
LEAST_CHAFF: Final = 12


def find_cards(month: Month) -> Cards | None:
    """Return cards that make the month, or None."""
    order = play_order(month.dealer, 3)
    try:
        lines = [
            read_line(payment, order)
            for payment in month.payments
            if payment.label not in ("points", "fuke")
        ]
        points, amounts = points_of(month, order)
        struck = {payment.void for payment in month.payments if payment.label != "fuke"}
        bare = [payment for payment in month.payments if payment.label == "fuke"]
        if len(struck) > 1 or (bare and False in struck):
            raise Impossible("ふけ strikes out all lines or none")
        if bare and (len(bare) > 1 or any(bare[0].amounts) or points is not None):
            raise Impossible("fuke: once, with nothing paid, where no points are known")
        if True in struck and points is None and not bare:
            raise Impossible("a month without points or a mark is 88 each, and not struck out")
        for fuke in (False, True):
            if fuke is (False in struck) or (not fuke and (bare or True in struck)):
                continue
            deal = Deal()
            deal.play_out()
            for player in deal.players:
                total = deal.points(player)
                if points is not None or not fuke:
                    deal.add(total == PAR + amounts[player])
            _require_fuke(deal, fuke=fuke)
            _require_yaku(deal, lines, due=not fuke)
            cards = deal.solve()
            if cards is not None:
                return cards
    except Impossible:
        pass
    return None


def _require_fuke(deal: Deal, *, fuke: bool) -> None:
    few = [~deal.reaches(deal.points(player), FUKE + 1) for player in deal.players]
    if fuke:
        deal.add_bool_or(few)
    else:
        deal.add_bool_and(~player for player in few)


def _require_yaku(deal: Deal, lines: Sequence[Line], *, due: bool) -> None:
    """Require the written yaku; with ``due`` also that no other captured one was made."""
    by_player = unique_yaku(lines)
    for player in deal.players:
        named = dict(by_player.get(player, []))
        if not named.keys() <= {*DEALT, *CAPTURED}:
            raise Impossible("a label that the ruleset lacks")
        made = captured_yaku(deal, player)
        for name, has in made.items():
            if name in named:
                deal.add(has == 1)
            elif due:
                deal.add(has == 0)
        chaff = deal.count(player, CHAFF)
        extra = deal.new_int_var(0, 12, "")
        if "kasu" in named:
            deal.add(chaff == LEAST_CHAFF + extra)
        elif due:
            deal.add(chaff <= LEAST_CHAFF - 1)
        for name, number in CHAFF_DEALT.items():
            if name in named:
                deal.add(sum(deal.hands[player][card] for card in CHAFF) == number)
        for line in set(named.values()):
            if line.payer is not None:
                raise Impossible(f"{line.label}: paid by one")
            kinds = {name in DEALT for name in line.labels}
            if len(kinds) > 1:
                raise Impossible(f"{line.label}: yaku of two kinds")
            value = sum(DEALT.get(name) or CAPTURED[name] for name in line.labels)
            more = 10 * extra if "kasu" in line.labels else 0
            deal.add(value + more == line.each)


def captured_yaku(deal: Deal, player: int) -> dict[str, Bool]:
    """Return whether a player makes each yaku but カス, replaced ones left out."""
    complete = {
        name: deal.reaches(deal.count(player, cards), len(cards)) for name, cards in SETS.items()
    }
    rain = deal.reaches(deal.count(player, indices("o")), 1)
    three = deal.reaches(deal.count(player, SHIKO), 3)
    complete["ameshiko"] = deal.all_of([rain, three])
    ribbons = deal.count(player, RIBBONS)
    complete["rokutan"] = deal.reaches(ribbons, 6)
    complete["nanatan"] = deal.reaches(ribbons, 7)
    made = {}
    for name, has in complete.items():
        better = [complete[other] for other, lesser in REPLACED.items() if name in lesser]
        made[name] = deal.all_of([has, *(1 - other for other in better)])
    return made
