"""こいこい: a page for each house, written from its `Profile` (K15)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from kafu.notation.vocabulary import RULES
from kafu.rules.koikoi import machine as koikoi
from kafu.rules.koikoi.profiles import PROFILES, Profile
from records.rulebook import common, tables
from records.rulebook.koikoi_rulings import RULINGS
from records.rulebook.pages import Entry, Note, Option, Page, Section, note
from records.rulebook.tables import mon
from records.rulebook.text import Text
from records.rulebook.text import say as _

_ID: Final = "koikoi"
_MARKS: Final = {
    "step": "K5",
    "over": "K5",
    "sake": "K7",
    "cup": "K6",
    "bare": "K6",
}
#: What a house has of its own is no reading of the document.
_HOUSE_MARKS: Final = {**dict.fromkeys((*_MARKS, "called_value"), "K15"), "cup": "K6"}
#: Who plays so, by profile.
_HOUSES: Final[Mapping[str, Text]] = {
    "koikoi": _("the rules of the document"),
    "koikoi-ai": _("house rules of the KoiKoi-AI logs"),
    "koikoi-nintendo": _("house rules of the open-hanafuda-ai logs"),
}


def page(house: Profile) -> Page:
    """The page of one house."""
    return Page(
        _ID,
        house.id,
        _HOUSES.get(house.id),
        (
            note(
                _(
                    "Two players match cards by month. Whoever makes a yaku may stop and score "
                    "it (shōbu, 勝負), or say koi-koi and play on for more, while the other "
                    "may stop first."
                )
            ),
        ),
        tuple(_facts(house)),
        tuple(_sections(house)),
        tuple(_options(house)),
        RULINGS,
        None
        if _is_document(house)
        else _(
            "These are readings of the document of koi-koi. Where this house plays "
            "otherwise, the page above says so."
        ),
    )


def _is_document(house: Profile) -> bool:
    return house == Profile(house.id)


def _facts(house: Profile) -> Iterator[tuple[Text, Text]]:
    yield common.PLAYERS, _("two")
    yield from common.dealt(koikoi.HAND, koikoi.FIELD, house.months)
    yield common.UNIT, _("mon (文)")
    if house.start:
        yield _("At the start"), mon(house.start)


def _sections(house: Profile) -> Iterator[Section]:
    yield Section("deal", common.DEAL, tuple(_deal(house)))
    yield common.turn(*_turn(house))
    if house.teyaku:
        yield Section(
            "dealt",
            _("Dealt-hand yaku (手役)"),
            (
                note(
                    _(
                        "Shown before the first card, the whole hand laid open. They exclude each "
                        "other, and nobody has to show one."
                    ),
                    "K3",
                    "K4",
                ),
                note(
                    _(
                        "A shown yaku wins the month. If both show, the dearer wins the "
                        "difference; of equal ones nobody wins."
                    ),
                    "K3",
                ),
            ),
            tables.by_pattern(house.teyaku, mon),
        )
    yield Section(
        "captured",
        _("Captured yaku (出来役)"),
        (
            note(
                _(
                    "Judged when the whole turn is over, hand card and stock card. What does "
                    "not exclude each other adds up."
                ),
                "K5",
            ),
            *_rain(house),
        ),
        tables.captured(
            house.yaku, mon, _MARKS if _is_document(house) else _HOUSE_MARKS, rain=house.rain
        ),
    )
    if beside := tuple(_beside(house)):
        yield Section("beside", _("Beside the yaku"), (), beside)
    yield Section("end", _("How a month ends"), tuple(_end(house)))
    yield Section("settlement", _("How the game ends"), tuple(_settlement(house)))


def _deal(house: Profile) -> Iterator[Note]:
    yield note(
        _("In January two drawn cards and a split of the field may settle the dealer."), "K1"
    )
    if house.exhausted_change:
        yield note(
            _(
                "After that the winner of a month deals the next. If nobody won, the "
                "dealer changes."
            ),
            "K2",
        )
    else:
        yield note(
            _("After that the winner of a month deals the next. If nobody won, the dealer stays."),
            "K15",
        )
    count = {"count": house.again_field}
    if house.replay:
        text = _(
            "With %(count)d cards of a month on the field nobody wins (nagare, 流れ), "
            "unless a dealt-hand yaku is shown.",
            **count,
        )
        yield note(text, "K3")
    else:
        text = _(
            "With %(count)d cards of a month on the field, or more, the cards are dealt again.",
            **count,
        )
        yield note(text, "K15")
    if house.again_hand:
        yield note(_("So they are with all four of a month in a hand."), "K15")


def _turn(house: Profile) -> Iterator[Note]:
    yield note(
        _(
            "A turn that makes a yaku, or adds a card to one that grows, gives the "
            "right to declare: shōbu ends the month, koi-koi plays on."
        ),
        "K8",
        "K10",
    )
    if not house.last_card_koikoi:
        yield note(_("With the last card of the hand only shōbu is possible."), "K15")
    if house.most_calls is not None:
        yield note(
            _(
                "The most calls of koi-koi by a player in a month: %(count)d.",
                count=house.most_calls,
            ),
            "K15",
        )
    if house.floor:
        yield note(
            _(
                "In a month played over there is no right to declare under %(floor)s "
                "(shibori, しぼり).",
                floor=mon(house.floor),
            ),
            "K9",
        )


def _rain(house: Profile) -> Iterator[Note]:
    if house.rain:
        yield note(
            _(
                "Rain (amanagare, 雨流れ): sake yaku are void while their player has "
                "captured any willow card, unless he has pine with crane. A yaku that the "
                "crane brings back (hinode, 日の出) is scored but gives no right to "
                "declare."
            ),
            "K7",
            "K8",
        )
    else:
        yield note(_("There is no rain: willow voids nothing."), "K15")


def _beside(house: Profile) -> Iterator[Entry]:
    """Every ledger label of the house that is no yaku."""
    if house.calls:
        told = " / ".join(f"+{more}" for more in house.calls)
        notes = [
            note(
                _(
                    "Added to the winner's total for his calls of koi-koi, one by one: %(told)s.",
                    told=told,
                ),
                "K15",
            )
        ]
        if house.calls_less is not None:
            many = {"most": len(house.calls), "less": house.calls_less}
            notes.append(
                note(
                    _(
                        "With more calls than %(most)d the total counts (calls − %(less)d) times.",
                        **many,
                    ),
                    "K15",
                )
            )
        yield Entry("koikoi", None, notes=tuple(notes))
    if house.double_from is not None:
        text = _("A total of %(least)s or more counts twice.", least=mon(house.double_from))
        yield Entry("bai", _("twice"), notes=(note(text, "K15"),))
    if house.double_called:
        text = _("The winner's total counts twice if the other has said koi-koi in the month.")
        yield Entry("koikoigaeshi", _("twice"), notes=(note(text, "K15"),))
    if house.exhausted_gain:
        text = _("To the dealer, if the hands are played out and nobody has stopped.")
        yield Entry("oyaken", mon(house.exhausted_gain), notes=(note(text, "K15"),))
    if house.season:
        text = _("To the winner of all three months of a season: 1–3, 4–6, 7–9, 10–12.")
        yield Entry("kobiki", mon(house.season), notes=(note(text, "K12"),))
    if house.prize is not None:
        text = _(
            "To the winner of the game: %(prize)d and the number of months he won. Nobody pays it.",
            prize=house.prize,
        )
        yield Entry("ginmi", _("%(prize)d + months", prize=house.prize), notes=(note(text, "K14"),))


def _end(house: Profile) -> Iterator[Note]:
    yield note(_("Shōbu wins the month with all valid yaku of its player."), "K10")
    if house.zero_sum:
        yield note(_("The loser pays what the winner gets."), "K15")
    else:
        yield note(_("The winner gets it and nobody pays."), "C4")
    if house.replay:
        yield note(
            _(
                "If the hands are played out without it, also after koi-koi, nobody scores "
                "(nagare, 流れ): the month is played over, and the dealer changes."
            ),
            "K11",
        )
    else:
        yield note(
            _(
                "If the hands are played out without it, also after koi-koi, no yaku is "
                "scored, and the game goes on to the next month."
            ),
            "K15",
        )


def _settlement(house: Profile) -> Iterator[Note]:
    values = {"months": house.months}
    yield note(_("The game is over after %(months)d months.", **values), "K15")
    if house.bust:
        yield note(_("It ends earlier when a player has no points left."), "K15")
    if house.extend:
        yield note(
            _("If the totals are equal then, another season of three months is played, and so on."),
            "K13",
        )
    if house.prize is None:
        yield note(_("There is no prize for the winner."), "K15")


def _options(house: Profile) -> Iterator[Option]:
    def option(name: str, default: object, text: Text, ruling: str = "K15") -> Option:
        return tables.option(_ID, {name: str(default)}, note(text, ruling))

    yield option("profile", house.id, _("The house whose rules are played."))
    yield option("months", house.months, _("How many months are played."))
    yield option("start", house.start, _("Points of each player at the start."))
    yield option("teyaku", tables.yes(house.teyaku), _("Whether dealt-hand yaku are played."))
    yield option("rain", tables.yes(house.rain), _("Whether rain voids sake yaku."))
    yield option(
        "shibori",
        house.floor,
        _("The least total that gives the right to declare in a month played over."),
    )
    yield option("kobiki", house.season, _("The sum for a season won, 0 for none."))
    yield option(
        "ginmi",
        tables.yes(house.prize is not None),
        _("Whether the winner gets the prize of the year."),
    )
    values = {row.id: str(row.value) for row in house.yaku}
    others = {name: values.get(name) for name in RULES[_ID].options if name in _CAPTURED}
    text = _("What a captured yaku is worth; 0 takes it out of play.")
    yield tables.option(_ID, others, note(text, "K15"))


_CAPTURED: Final = frozenset(row.id for house in PROFILES.values() for row in house.yaku)

PAGES: Final = tuple(page(house) for house in PROFILES.values())
