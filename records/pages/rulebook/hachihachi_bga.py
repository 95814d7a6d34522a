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
from records.pages.rulebook.hachihachi import COUNT_NOTES, DREGS_NOTES, dealt, graded, specials
from records.pages.rulebook.outline import Cards, Entry, Option, Page, Section, note
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
    "aka": _("Two slips or more, the rest dregs, which are laid open."),
}

RULINGS: Final[Mapping[str, Text]] = {
    "B1": _(
        "All start short of some kan, and the top gets what all were short of, a "
        "tie sharing it: the sum is zero."
    ),
    "B2": _(
        "Brights on the dealt field join those carried. The month takes the "
        "strongest, the rest is carried on; after the last month it lapses. Every "
        "payment takes the factor, fees too."
    ),
    "B3": _(
        "With three players nobody bids. Else each says in order from the dealer "
        "whether he goes in; once three are in the rest are shut out, and once "
        "only three can remain they are in by force."
    ),
    "B4": _(
        "Who is shut out collects from each of the three for his dealt-hand yaku, "
        "for captured yaku complete in his hand, and for each prized card; the "
        "parts add up."
    ),
    "B5": _(
        "The stock is written as it lies after the hands of those who are out were shuffled in."
    ),
    "B6": _(
        "Dealt-hand yaku are paid without being declared. Willow is dregs in every "
        "yaku, but not in card points. Shisō does not end the game."
    ),
    "B7": _(
        "A captured yaku is judged after each capture: after the hand card before "
        "the stock card is turned. Where a decision was due and none is written, "
        "it is sage."
    ),
    "B8": _(
        "Sage needs a card in hand and another yaku still in reach; otherwise the "
        "month ends by itself. After sage on four brights the fifth is out of "
        "reach."
    ),
    "B9": _(
        "After sage one's own next yaku pays all in full; another's makes it "
        "worthless, and its player pays both shares; if nobody makes any, half. It "
        "cannot be called off."
    ),
    "B10": _(
        "Hatto stands for akatan, aotan, shikō and gokō: who plays the missing "
        "card or one of its month, uncaptured, pays both shares if it takes part "
        "in completing the yaku. The last card of a hand is exempt, and tobikomi "
        "has none."
    ),
    "B11": _(
        "Tobikomi is paid at once, but not for haneken; nuke and the blind bonus "
        "when the hands are played out."
    ),
    "B12": _(
        "Special yaku refund what was paid for dealt hands, not fees, what the "
        "shut out got, or the blind bonus. Several are all paid. Another may say "
        "sage while one is in it; the first one's yaku is dead then."
    ),
    "B13": _(
        "The month's winner takes the fees and deals next: the maker of a yaku, "
        "else who captured most, of equals the earlier in play."
    ),
    "B14": _(
        "Corners: of special yaku of different players the dearer wins the month; "
        "hatto on four brights carries over to five; a drawn first dealer is read "
        "but not checked."
    ),
    "B15": _(
        "What else the document names is played by option only: months after the last "
        "while a field grade is due, torikeshi, hatto for tobikomi, a mon on the month "
        "card, and an end by shiso. Seven players at the table and fewer than three in "
        "play are named without rules: they are not supported."
    ),
}


def _laid(hand: int, yaku: str) -> int:
    found = hachihachi_bga_hands.declaration(hand)
    assert found is not None
    assert found.yaku == (yaku,)
    return found.cards


def _bidding() -> Iterator[Entry]:
    """What bidding costs and pays."""
    left = Bidding(_DEFAULT.seats, (False,) * (_MOST - 3))
    paid = fees(_DEFAULT.start()._replace(bidding=left), _MOST)
    told = " / ".join(f"{entry.line.amounts[_MOST - 1] / KAN:g}" for entry in paid)
    text = _("For going out, by order of going out, to the winner of the month.")
    yield Entry("ori", _("%(told)s kan", told=told), notes=(note(text, "B3", "B13"),))
    prized = sum(card.bit for card in cards.PACK if shut_out(card.bit))
    each = mon(shut_out(cards.mask("A")))
    text = _(
        "To one who is shut out, from each of the three: half of what his hand is "
        "worth as dealt-hand and captured yaku, and %(each)s for each of these "
        "cards.",
        each=each,
    )
    yield Entry("oikomi", None, (Cards(cards.letters(prized)),), (note(text, "B4"),))
    text = _(
        "To a dealer who went in without looking at his hand and has captured "
        "%(points)d points at the end, from everybody at the table.",
        points=PAST,
    )
    yield Entry("mizuten", kan(MIZUTEN_KAN), notes=(note(text, "B11"),))


def _sections() -> Iterator[Section]:
    yield Section(
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
    yield Section(
        "grade",
        _("Field grade (場)"),
        (
            note(
                _(
                    "A bright on the dealt field multiplies every payment of the month, by "
                    "%(absolute)d with the first two (zetsuba, 絶場), by %(large)d with the "
                    "other three (ōba, 大場). More than one are carried to the months after.",
                    **_FACTORS,
                ),
                "B2",
            ),
        ),
        graded(),
    )
    yield Section(
        "bidding",
        _("Bidding"),
        (
            note(
                _(
                    "With more than three players each says in turn whether he goes in or out, "
                    "until three are in."
                ),
                "B3",
            ),
            note(_("The dealer may go in before he looks (mizuten, みずてん)."), "B11"),
            note(_("The hands of those who are out go into the stock."), "B5"),
        ),
        tuple(_bidding()),
    )
    yield Section(
        "dealt",
        _("Dealt-hand yaku (手役)"),
        (
            note(
                _(
                    "Paid by the other two before the first card, in the month's grade, "
                    "without being asked for. One by count and one by dregs add up."
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
    yield common.turn()
    yield Section(
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
                    "Who is in sage gets all in full with a new yaku, half if nobody makes "
                    "one, and pays both shares of another's."
                ),
                "B9",
            ),
            note(_("Hatto makes the player of a fatal card pay both shares."), "B10"),
        ),
        tables.captured(YAKU, kan, {"over": "B8"}),
    )
    tobikomi = _(
        "A player with sanbon, tatesanbon or two of them in his dealt hand "
        "captures all four cards of that month: paid at once."
    )
    nuke = _(
        "A player with aka, tan'ichi, tōichi or karasu has captured %(points)d points at the end.",
        points=PAST,
    )
    yield Section(
        "special",
        _("Special yaku (特殊役)"),
        (
            note(
                _(
                    "The first three stand when the hands are played out and nobody has a "
                    "captured yaku; dealt hands are refunded then."
                ),
                "B12",
            ),
        ),
        (
            *specials("B12"),
            Entry("tobikomi", kan(TOBIKOMI_KAN), notes=(note(tobikomi, "B11"),)),
            Entry("nuke", kan(NUKE_KAN), notes=(note(nuke, "B11"),)),
        ),
    )
    yield Section(
        "end",
        _("How a month ends"),
        (
            note(common.card_points()),
            note(
                _(
                    "Hands played out with nothing made: each of the three is paid what he has "
                    "captured above %(even)d points, or pays what is missing, times the grade.",
                    even=EVEN,
                ),
                "B2",
            ),
            note(_("The winner of the month takes the fees and deals next."), "B13"),
        ),
    )
    told = {"short": kan(START[_DEFAULT.months])}
    yield Section(
        "settlement",
        _("How the game ends"),
        (
            note(
                _(
                    "Everybody starts %(short)s short, and the top gets it back for all: "
                    "%(short)s times the number of players.",
                    **told,
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


def _options() -> Iterator[Option]:
    def option(name: str, text: Text, ruling: str = "B15") -> Option:
        return tables.option(_ID, {name: ruleset(_ID).defaults()[name]}, note(text, ruling))

    yield option("months", _("How many months are played."), "B1")
    yield option(
        "etsunen", _("Whether play goes on after the last month while a field grade is carried on.")
    )
    yield option(
        "torikeshi",
        _(
            "Whether a player in sage may call it off for half, in his turn and with "
            "%(cards)d hand cards or more.",
            cards=LEAST_TO_CANCEL,
        ),
    )
    yield option(
        "tobikomi-hatto",
        _(
            "Whether hatto stands for tobikomi: who throws the fourth card while the three are "
            "still in hand, or lets the first of them lie that he could take with it, pays "
            "both shares."
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
            "out or were shut out pay it too."
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
                    "Three of up to six players match cards by month, having bid for it with "
                    "their dealt hands; who goes out pays a fee. Dealt hands, captured yaku "
                    "and card points are paid month by month, and brights on the field "
                    "multiply it all."
                )
            ),
        ),
        (
            (common.PLAYERS, tables.players(_ID)),
            *common.dealt(HAND, FIELD, _DEFAULT.months),
            (common.UNIT, _("mon (文); %(mon)d are a kan (貫)", mon=KAN)),
        ),
        tuple(_sections()),
        tuple(_options()),
        RULINGS,
    ),
)
