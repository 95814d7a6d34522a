"""Entries of the rulebook: yaku with their cards and values, from a ruleset's description."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from kafu import cards
from kafu.notation.vocabulary import KAN
from kafu.rules.description import Ruleset
from kafu.rules.names import YAKU
from kafu.rules.teyaku import HandYaku, Pattern
from kafu.rules.yaku import CapturedYaku
from records.base import labels

#: Months in their order of use by example hands.
_EXAMPLE: Final = (1, 9, 6, 3, 11, 8, 5, 10)


class CardGroup(NamedTuple):
    """Cards drawn together, with a caption. ``back``: the cards stay in the hand."""

    letters: str
    label: str = ""
    back: bool = False


@dataclass(frozen=True, slots=True)
class RulebookEntry:
    """A yaku or another valued item, by its id in `kafu.rules.names`.

    A ruling in brackets, such as ``[K5]``, follows its sentence of ``notes``.
    """

    id: str
    worth: str
    groups: tuple[CardGroup, ...] = ()
    notes: tuple[str, ...] = ()


def is_drawn(entry: RulebookEntry) -> bool:
    """Return whether an entry belongs on a poster: it has cards, and is no field grade."""
    return entry.id in YAKU and bool(entry.groups)


def format_worth(description: Ruleset, value: int) -> str:
    """Return a value in the unit of a ruleset's document, such as ``7 mon``."""
    return format_amount(description, description.unit * value)


def format_amount(description: Ruleset, amount: int) -> str:
    """Return an amount in the small unit as text, in kan if half a kan divides it."""
    unit, number = labels.single_unit(description.id, amount), f"{amount}"
    if description.kan:
        unit = labels.small_unit(description.id)
        if amount % (KAN // 2) == 0:
            unit, number = _("kan"), f"{amount / KAN:g}"
    return f"{number}{'' if labels.lang() == 'ja' else ' '}{unit}"


def captured_entry(
    description: Ruleset, row: CapturedYaku, rulings: Mapping[str, str], *, rain: bool
) -> RulebookEntry:
    """Return a captured yaku.

    ``rulings`` are the rulings on fields of `CapturedYaku`. ``rain``: rain voids sake yaku.
    """
    return RulebookEntry(
        row.id,
        format_worth(description, row.value),
        tuple(card_groups(row)),
        tuple(_notes(description, row, rulings, rain=rain)),
    )


def card_groups(row: CapturedYaku) -> Iterator[CardGroup]:
    """Yield the cards of a captured yaku: required cards, then cards to choose from."""
    eligible = row.cards & ~row.must
    needed = row.need - row.must.bit_count()
    if row.must:
        yield CardGroup(cards.letters(row.must))
    if needed == eligible.bit_count():
        yield CardGroup(cards.letters(eligible))
    else:
        text = _("and any %(count)d of these") if row.must else _("any %(count)d of these")
        yield CardGroup(cards.letters(eligible), text % {"count": needed})


def _notes(
    description: Ruleset, row: CapturedYaku, rulings: Mapping[str, str], *, rain: bool
) -> Iterator[str]:
    def cite(text: str, field: str) -> str:
        return f"{text} [{rulings[field]}]" if field in rulings else text

    if row.step:
        kinds = {
            cards.ANIMALS: _("animal"),
            cards.RIBBONS: _("ribbon"),
            cards.CHAFF: _("chaff card"),
        }
        kind = kinds[row.counted if row.counted in kinds else row.counted & ~cards.CUP]
        growth = _("%(more)s more for each further %(kind)s.")
        yield cite(growth % {"more": format_worth(description, row.step), "kind": kind}, "step")
    if row.called_value is not None:
        called = _("%(value)s once its player has said koi-koi.")
        yield cite(called % {"value": format_worth(description, row.called_value)}, "called_value")
    if row.over:
        yield cite(_("Replaces %(yaku)s.") % {"yaku": _list_yaku(row.over)}, "over")
    if row.sake and rain:
        yield cite(_("A sake yaku (sakazuki-yaku, 盃役): rain voids it."), "sake")
    if row.cards & cards.CUP and not row.cards & ~cards.CUP & ~cards.CHAFF:
        yield cite(_("The sake cup counts as chaff too."), "cup")
    if row.bare:
        bare = _("Exactly %(count)d with the sake cup are scored, but give no right to declare.")
        yield cite(bare % {"count": row.need}, "bare")


def _list_yaku(ids: Iterable[str]) -> str:
    """Return the names of yaku in a sentence: ``四光・三光`` or ``shikō, sankō``."""
    if labels.lang() == "ja":
        return "・".join(YAKU[id].ja for id in ids)
    return ", ".join(YAKU[id].romaji for id in ids)


def dealt_entry(description: Ruleset, row: HandYaku) -> RulebookEntry:
    """Return a dealt-hand yaku by count, with an example hand of each pattern, laid open."""
    patterns = _(" or ").join(map(_format_pattern, row.patterns))
    return RulebookEntry(
        row.id,
        format_worth(description, row.value) if row.value else "",
        tuple(CardGroup(example_hand(shape)) for shape in row.patterns),
        (_("%(patterns)s cards of the same months.") % {"patterns": patterns},),
    )


def _format_pattern(shape: Pattern) -> str:
    """Return the numbers of cards of each month: ``3 + 2 + 2 + 1`` or ``3枚・2枚・2枚・1枚``."""
    if labels.lang() == "ja":
        return "・".join(f"{count}枚" for count in shape)
    return " + ".join(map(str, shape))


def example_hand(shape: Pattern) -> str:
    """Return a hand with a pattern.

    >>> example_hand((4, 4))
    'ABCDghij'
    """
    months = (cards.letters(cards.MONTHS[month]) for month in _EXAMPLE)
    return "".join(letters[:count] for count, letters in zip(shape, months, strict=False))


def points_entry(description: Ruleset) -> RulebookEntry:
    """Return the points of captured cards: the whole pack by the points of each card."""
    count = description.card_points or cards.points
    letters_by_points: dict[int, str] = {}
    for card in cards.PACK:
        value = count(card.bit)
        letters_by_points[value] = letters_by_points.get(value, "") + card.letter
    groups = (
        CardGroup(letters, format_amount(description, value))
        for value, letters in sorted(letters_by_points.items(), reverse=True)
    )
    whole = _("%(all)s in all.") % {"all": format_amount(description, count(cards.ALL))}
    return RulebookEntry("points", "", tuple(groups), (whole,))
