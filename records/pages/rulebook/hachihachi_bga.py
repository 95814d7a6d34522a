"""八八 for three to six: its page, from the tables of `kafu.rules.hachihachi_bga.machine`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from kafu import cards
from kafu.notation.vocabulary import KAN, RULES
from kafu.rules.grades import SCALES
from kafu.rules.hachihachi.hands import DREGS, NUKE_KAN
from kafu.rules.hachihachi.hatto import TOBIKOMI_KAN
from kafu.rules.hachihachi_bga import hands as hachihachi_bga_hands
from kafu.rules.hachihachi_bga.ending import START
from kafu.rules.hachihachi_bga.hands import COUNT, HAND, TOBIKOMI, shut_out
from kafu.rules.hachihachi_bga.machine import FIELD, LEAST_TO_CANCEL, HachihachiBga
from kafu.rules.hachihachi_bga.pay import EVEN, MIZUTEN_KAN, PAST, fees
from kafu.rules.hachihachi_bga.state import YAKU
from kafu.rules.play.bidding import Bidding
from kafu.rules.rulesets import ruleset
from records.pages.rulebook import common, tables
from records.pages.rulebook.hachihachi_yaku import COUNT_NOTES, DREGS_NOTES, dealt, graded, specials
from records.pages.rulebook.outline import Cards, Page, RuleEntry, RuleOption, Section, note
from records.pages.rulebook.tables import kan, mon
from records.pages.rulebook.text import Text
from records.pages.rulebook.text import say as _

_ID: Final = "hachihachi-bga"
_MOST: Final = RULES[_ID].seats[-1]
_DEFAULT: Final = HachihachiBga({}, _MOST)
_MARKS: Final = {"tatesanbon": "B6", "tobikomi": "B11", "nuke": "B11"}
_FACTORS: Final = {grade: scale.halves // 2 for grade, scale in SCALES["A"].items()}
_DREGS_NOTES: Final = {
    **DREGS_NOTES,
    "aka": _("Two or more slips, the rest dregs, which are laid open."),
}

RULINGS: Final[Mapping[str, Text]] = {
    "B1": _(
        "Everybody starts some kan below zero, and the top gets all of these kan, shared in a "
        "tie: the sum is zero."
    ),
    "B2": _(
        "Brights on the dealt field join those carried over. The month uses the strongest, the "
        "rest is carried over again; after the last month it lapses. The factor applies to every "
        "payment, fees included."
    ),
    "B3": _(
        "With three players there is no bidding. Otherwise each says in order from the dealer "
        "whether they go in; once three are in, the rest are shut out, and once only three can "
        "remain, those must go in."
    ),
    "B4": _(
        "A player who is shut out collects from each of the three for dealt-hand yaku, for "
        "captured yaku complete in the hand, and for each prized card; the parts add up."
    ),
    "B5": _(
        "The draw pile is written in its order after the hands of those who are out were shuffled "
        "in."
    ),
    "B6": _(
        "Dealt-hand yaku are paid without being declared. Willow is dregs in every "
        "yaku, but not in card points. Shisō does not end the game."
    ),
    "B7": _(
        "A captured yaku is judged after each capture: after the hand card, before the top card "
        "of the draw pile is turned. Where a decision was due and none is written, it is sage."
    ),
    "B8": _(
        "Sage needs a card in hand and another yaku still in reach; otherwise the "
        "month ends by itself. After sage on four brights the fifth is out of "
        "reach."
    ),
    "B9": _(
        "After sage, a further yaku of the same player pays all of theirs in full. If another "
        "player makes one, theirs are worth nothing and they pay both shares; if nobody makes "
        "any, theirs pay half. Sage cannot be cancelled."
    ),
    "B10": _(
        "Hatto applies to akatan, aotan, shikō and gokō: a player who plays the missing card or "
        "one of its month, without capturing, pays both shares if that card takes part in "
        "completing the yaku. The last card of a hand is exempt, and tobikomi has no hatto."
    ),
    "B11": _(
        "Tobikomi is paid at once, but not for haneken; nuke and the blind bonus "
        "when the hands are played out."
    ),
    "B12": _(
        "Special yaku refund what was paid for dealt-hand yaku, but not fees, payments to players "
        "shut out, or the blind bonus. If there are several, all are paid. Another player may say "
        "sage while one is in it; the yaku of the first is void then."
    ),
    "B13": _(
        "The winner of the month takes the fees and deals next: the player who made a yaku, "
        "otherwise the one who captured most, in a tie the earlier in play order."
    ),
    "B14": _(
        "Details: of special yaku of different players, the one worth more wins the month; hatto "
        "on four brights carries over to five; a draw for the first dealer is read but not "
        "checked."
    ),
    "B15": _(
        "What else the document names is played by option only: months after the last while a "
        "field grade is carried over, cancelling sage, hatto for tobikomi, a mon on the month "
        "card, and an end by shisō. Seven players at the table and fewer than three in play are "
        "named without rules: they are not supported."
    ),
}


def _laid(hand: int, yaku: str) -> int:
    found = hachihachi_bga_hands.declaration(hand)
    assert found is not None
    assert found.yaku == (yaku,)
    return found.cards


def _bidding() -> Iterator[RuleEntry]:
    """What bidding costs and pays."""
    left = Bidding(_DEFAULT.seats, (False,) * (_MOST - 3))
    paid = fees(_DEFAULT.start().replace(bidding=left), _MOST)
    amounts = " / ".join(f"{entry.line.amounts[_MOST - 1] / KAN:g}" for entry in paid)
    text = _("Paid for going out, by order of going out, to the winner of the month.")
    yield RuleEntry("ori", _("%(told)s kan", told=amounts), notes=(note(text, "B3", "B13"),))
    prized = sum(card.bit for card in cards.PACK if shut_out(card.bit))
    each = mon(shut_out(cards.mask("A")))
    text = _(
        "Paid to a player who is shut out, by each of the three: half of what the hand is worth "
        "as dealt-hand and captured yaku, and %(each)s for each of these cards.",
        each=each,
    )
    yield RuleEntry("oikomi", None, (Cards(cards.letters(prized)),), (note(text, "B4"),))
    text = _(
        "Paid to a dealer who went in without looking and has captured %(points)d points at the "
        "end, by everybody at the table.",
        points=PAST,
    )
    yield RuleEntry("mizuten", kan(MIZUTEN_KAN), notes=(note(text, "B11"),))


def _deal_section() -> Section:
    return Section(
        "deal",
        common.DEAL,
        (
            note(
                _(
                    "The first dealer is found by chance; after that the winner of a month "
                    "deals the next."
                ),
                "B13",
                "B14",
            ),
            note(_("All four of a month on the field are taken by the first in play order.")),
        ),
    )


def _grade_section() -> Section:
    return Section(
        "grade",
        _("Field grade (場)"),
        (
            note(
                _(
                    "A bright on the dealt field multiplies every payment of the month, by "
                    "%(absolute)d with the first two (zetsuba, 絶場), by %(large)d with the other "
                    "three (ōba, 大場). Further brights are carried over to the following months.",
                    **_FACTORS,
                ),
                "B2",
            ),
        ),
        graded(),
    )


def _bidding_section() -> Section:
    return Section(
        "bidding",
        _("Bidding"),
        (
            note(
                _(
                    "With more than three players each says in turn whether they go in or out, "
                    "until three are in."
                ),
                "B3",
            ),
            note(_("The dealer may go in before looking (mizuten, みずてん)."), "B11"),
            note(_("The hands of those who are out go into the draw pile."), "B5"),
        ),
        tuple(_bidding()),
    )


def _dealt_section() -> Section:
    return Section(
        "dealt",
        _("Dealt-hand yaku (手役)"),
        (
            note(
                _(
                    "Paid by the other two before the first card, in the month's grade, without a "
                    "declaration. One by count and one by dregs add up."
                ),
                "B6",
            ),
            note(_("All willow counts as dregs."), "B6"),
        ),
        (
            *dealt(COUNT, COUNT_NOTES, _laid, TOBIKOMI, marks=_MARKS),
            *dealt(DREGS, _DREGS_NOTES, _laid, TOBIKOMI, marks=_MARKS),
        ),
    )


def _captured_section() -> Section:
    return Section(
        "captured",
        _("Captured yaku (出来役)"),
        (
            note(
                _(
                    "Judged after each capture. Agari ends the month and is paid by each of "
                    "the other two; sage plays on, if another yaku is still in reach."
                ),
                "B7",
                "B8",
            ),
            note(
                _(
                    "A player in sage is paid for all of them in full with a new yaku, and half "
                    "if nobody makes one; if another player makes one, they pay both shares of "
                    "it."
                ),
                "B9",
            ),
            note(_("A player who throws a hatto card pays both shares."), "B10"),
        ),
        tables.captured(YAKU, kan, {"over": "B8"}),
    )


def _special_section() -> Section:
    tobikomi = _(
        "A player with sanbon, tatesanbon or two of them in the dealt hand captures all four "
        "cards of that month: paid at once."
    )
    nuke = _(
        "A player with aka, tan'ichi, tōichi or karasu has captured %(points)d points at the end.",
        points=PAST,
    )
    return Section(
        "special",
        _("Special yaku (特殊役)"),
        (
            note(
                _(
                    "The first three count when the hands are played out and nobody has a "
                    "captured yaku; payments for dealt-hand yaku are refunded then."
                ),
                "B12",
            ),
        ),
        (
            *specials("B12"),
            RuleEntry("tobikomi", kan(TOBIKOMI_KAN), notes=(note(tobikomi, "B11"),)),
            RuleEntry("nuke", kan(NUKE_KAN), notes=(note(nuke, "B11"),)),
        ),
    )


def _end_section() -> Section:
    return Section(
        "end",
        _("How a month ends"),
        (
            note(common.card_points()),
            note(
                _(
                    "If the hands are played out and no yaku was made, each of the three is paid "
                    "for captured points above %(even)d, or pays for those missing, times the "
                    "grade.",
                    even=EVEN,
                ),
                "B2",
            ),
            note(_("The winner of the month takes the fees and deals next."), "B13"),
        ),
    )


def _settlement_section() -> Section:
    values = {"short": kan(START[_DEFAULT.months])}
    return Section(
        "settlement",
        _("How the game ends"),
        (
            note(
                _(
                    "Everybody starts at −%(short)s, and the top gets it for all: %(short)s times "
                    "the number of players.",
                    **values,
                ),
                "B1",
            ),
            *(
                note(
                    _(
                        "In a game of %(months)d months it is %(short)s.",
                        months=months,
                        short=kan(short),
                    ),
                    "B1",
                )
                for months, short in START.items()
                if months != _DEFAULT.months
            ),
        ),
    )


def _options() -> Iterator[RuleOption]:
    def option(name: str, text: Text, ruling: str = "B15") -> RuleOption:
        return tables.option(_ID, {name: ruleset(_ID).defaults()[name]}, note(text, ruling))

    yield option("months", _("How many months are played."), "B1")
    yield option(
        "etsunen",
        _("Whether play goes on after the last month while a field grade is carried over."),
    )
    yield option(
        "torikeshi",
        _(
            "Whether a player in sage may cancel it for half, in their own turn and with "
            "%(cards)d hand cards or more.",
            cards=LEAST_TO_CANCEL,
        ),
    )
    yield option(
        "tobikomi-hatto",
        _(
            "Whether hatto applies to tobikomi: a player who throws the fourth card while the "
            "three are still in hand, or leaves the first of them on the field although they "
            "could capture it with the fourth, pays both shares."
        ),
    )
    yield option(
        "tsukifuda",
        _(
            "Whether each next dealer puts a mon on the month card, which goes to the lowest "
            "total at the end."
        ),
    )
    yield option(
        "shiso",
        _(
            "ends: shisō ends the game before the first card of that month, and those who went "
            "out or were shut out pay for it too."
        ),
    )


PAGES: Final = (
    Page(
        _ID,
        _ID,
        None,
        (
            note(
                _(
                    "Three of up to six players match cards by month, after bidding with their "
                    "dealt hands; those who go out pay a fee. Dealt-hand yaku, captured yaku and "
                    "card points are paid month by month, and brights on the field multiply all "
                    "of it."
                )
            ),
        ),
        (
            (common.PLAYERS, tables.players(_ID)),
            *common.dealt(HAND, FIELD, _DEFAULT.months),
            (common.UNIT, _("mon (文); %(mon)d are a kan (貫)", mon=KAN)),
        ),
        (
            _deal_section(),
            _grade_section(),
            _bidding_section(),
            _dealt_section(),
            common.turn(),
            _captured_section(),
            _special_section(),
            _end_section(),
            _settlement_section(),
        ),
        tuple(_options()),
        RULINGS,
    ),
)
