"""こいこい: a page for each house, written from its `Profile` (K15)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from kafu.notation.vocabulary import RULES
from kafu.rules.koikoi import machine as koikoi
from kafu.rules.koikoi.overrides import OVERRIDES, ROWS
from kafu.rules.koikoi.profiles import PROFILES, TEYAKU, Profile
from records.pages.rulebook import common, tables
from records.pages.rulebook.koikoi_rulings import RULINGS
from records.pages.rulebook.outline import Note, Page, RuleEntry, RuleOption, Section, note
from records.pages.rulebook.tables import mon
from records.pages.rulebook.text import Text
from records.pages.rulebook.text import say as _

_ID: Final = "koikoi"
_MARKS: Final = {
    "step": "K5",
    "over": "K5",
    "sake": "K7",
    "cup": "K6",
    "bare": "K6",
}
#: A rule that only a house has is no reading of the document.
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
                        "difference; if they are equal, nobody wins."
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
                    "Judged when the whole turn is over, hand card and card from the draw pile. "
                    "Yaku that do not exclude each other add up."
                ),
                "K5",
            ),
            *_rain(house),
        ),
        tables.captured(
            house.yaku, mon, _MARKS if _is_document(house) else _HOUSE_MARKS, rain=house.rain
        ),
    )
    if other_rules := tuple(_other_rules(house)):
        yield Section("beside", _("In addition to the yaku"), (), other_rules)
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
        yield note(_("Also with all four of a month in a hand."), "K15")


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
                "In a month played again there is no right to declare below %(floor)s"
                " (shibori, しぼり).",
                floor=mon(house.floor),
            ),
            "K9",
        )


def _rain(house: Profile) -> Iterator[Note]:
    if house.rain:
        yield note(
            _(
                "Rain (amanagare, 雨流れ): sake yaku are void while their player has captured any "
                "willow card, unless they have pine with crane. A yaku that the crane brings back "
                "(hinode, 日の出) is scored but gives no right to declare."
            ),
            "K7",
            "K8",
        )
    else:
        yield note(_("Rain (amanagare, 雨流れ) is not played: willow voids nothing."), "K15")


def _other_rules(house: Profile) -> Iterator[RuleEntry]:
    """Every ledger label of the house that is no yaku."""
    if house.call_bonus:
        each = mon(house.call_bonus)
        text = _(
            "Added to the winner's total for each of their calls of koi-koi: %(each)s.", each=each
        )
        notes = [note(text, "K15")]
        if house.call_times:
            many = {"most": house.call_times, "less": house.call_times - 1}
            text = _(
                "With more calls than %(most)d the total counts (calls − %(less)d) times instead.",
                **many,
            )
            notes.append(note(text, "K15"))
        yield RuleEntry("koikoi", None, notes=tuple(notes))
    if house.double_from is not None:
        text = _("A total of %(least)s or more counts twice.", least=mon(house.double_from))
        yield RuleEntry("bai", _("twice"), notes=(note(text, "K15"),))
    if house.double_called:
        text = _("The winner's total counts twice if the other has said koi-koi in the month.")
        yield RuleEntry("koikoigaeshi", _("twice"), notes=(note(text, "K15"),))
    if house.exhausted_gain:
        text = _("To the dealer, if the hands are played out and nobody has stopped.")
        yield RuleEntry("oyaken", mon(house.exhausted_gain), notes=(note(text, "K15"),))
    if house.season:
        text = _("To the winner of all three months of a season: 1–3, 4–6, 7–9, 10–12.")
        yield RuleEntry("kobiki", mon(house.season), notes=(note(text, "K12"),))
    if house.prize is not None:
        text = _(
            "To the winner of the game: %(prize)d and the number of months they won. Nobody pays "
            "it.",
            prize=house.prize,
        )
        yield RuleEntry(
            "ginmi", _("%(prize)d + months", prize=house.prize), notes=(note(text, "K14"),)
        )


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
                "(nagare, 流れ): the month is played again, and the dealer changes."
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


def _options(house: Profile) -> Iterator[RuleOption]:
    def group(names: Iterable[str], text: Text) -> RuleOption:
        defaults = {name: OVERRIDES[name].read(house) for name in names}
        rulings = {_OWN_RULINGS.get(name, "K15") for name in defaults}
        return tables.option(_ID, dict(defaults), note(text, *rulings))

    yield tables.option(
        _ID, {"profile": house.id}, note(_("The house whose rules are played."), "K15")
    )
    for names, text in _TEXTS.items():
        yield group(names.split(), text)


def _named(*patterns: str) -> str:
    """The options with named ends, in their order, with blanks between."""
    return " ".join(name for name in RULES[_ID].options if name.endswith(patterns))


#: Options with a ruling of their own.
_OWN_RULINGS: Final = {"tsukifuda": "K16", "calls": "K17", "first-to": "K18", "exhausted": "K19"}
#: The subjects of options, those with the same subject together.
_TEXTS: Final[Mapping[str, Text]] = {
    "months": _("How many months are played."),
    "first-to": _(
        "The sum with which a player ends the game before its months are over; 0 for none."
    ),
    "start": _("Points of each player at the start."),
    "pays": _("Whether the loser pays what the winner gets."),
    "bust": _("Whether the game ends when a player has no points left."),
    "teyaku": _("Whether dealt-hand yaku are played."),
    " ".join(row.id for row in TEYAKU): _(
        "What a dealt-hand yaku is worth, where they are played; 0 takes it out of play."
    ),
    " ".join(row.id for row in ROWS): _("What a captured yaku is worth; 0 takes it out of play."),
    "tsukifuda": _(
        "What all four cards of the month are worth (tsukifuda, 月札); 0 takes it out of play."
    ),
    "sakazuki": _(
        "Whether the sake cup counts as dregs; scored: ten with it give no right to declare."
    ),
    _named("-step"): _("What each further card of its kind adds to a yaku; 0 for nothing."),
    _named("-over"): _("Whether a yaku replaces the lesser ones that its cards make too."),
    _named("-called"): _(
        "What a sake yaku is worth once its player has said koi-koi; 0 for no change."
    ),
    "rain": _("Whether rain voids sake yaku."),
    "hinode": _("Whether pine with crane brings back what rain voids (hinode, 日の出)."),
    "shibori": _("The least total that gives the right to declare in a month played again."),
    "shima": _("With how many cards of a month on the field the month is dealt again."),
    "shima-hand": _("Whether the month is also dealt again with four of a month in a hand."),
    "dealer": _("Who deals after a month that somebody won."),
    "nagare": _("Whether a month that nobody won is played again, or the next is played."),
    "nagare-dealer": _("Who deals after a month that nobody won."),
    "oyaken": _("What hands played out bring to the dealer (oyaken, 親権); 0 for nothing."),
    "oyaken-wins": _("Whether that makes the month the dealer's."),
    "exhausted": _(
        "Whether hands played out are a nagare, or won by the player whose yaku are worth more."
    ),
    "koikoi-last": _("Whether koi-koi may be said with the last card of the hand."),
    "koikoi-most": _("How often a player may say koi-koi in a month; 0 for any number."),
    "koikoi-bonus": _("What each call of koi-koi adds to its player's total when they win."),
    "koikoi-times": _(
        "With one call more than this number the total is doubled instead, with two tripled, and "
        "so on; 0 for never."
    ),
    "calls": _(
        "Whether the winner's total is multiplied by the number of calls of koi-koi, of both "
        "players, and one more."
    ),
    "koikoigaeshi": _("Whether the winner's total counts twice if the other has said koi-koi."),
    "bai": _("From what total on the winner's counts twice; 0 for never."),
    "kobiki": _("The sum for a season won, 0 for none."),
    "obiki": _("The sum for two months or more of every season (ōbiki, 大引), 0 for none."),
    "kaeriharu": _("Whether a tie after the last month adds a season (kaeriharu, 返り春)."),
    "ginmi": _("Whether the winner gets the prize of the year."),
    "ginmi-base": _("The prize, in addition to the months won."),
    "ginmi-month": _("What each month won adds to the prize of the year."),
}

PAGES: Final = tuple(page(house) for house in PROFILES.values())
