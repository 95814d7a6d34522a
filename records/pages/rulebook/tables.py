"""Entries of the rulebook from the engine's tables of yaku."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from kafu import cards
from kafu.notation.vocabulary import RULES
from kafu.rules.teyaku import HandYaku, Pattern
from kafu.rules.yaku import Yaku, YakuTable
from records.pages.rulebook.outline import Cards, Note, RuleEntry, RuleOption, note
from records.pages.rulebook.text import Text, YakuNames
from records.pages.rulebook.text import say as _

Worth = Callable[[int], Text]

_CUP: Final = cards.mask("g")
_KINDS: Final[Mapping[int, Text]] = {
    cards.ANIMALS: _("animal"),
    cards.SLIPS: _("slip"),
    cards.DREGS: _("card of dregs"),
}
#: Months in the order in which an example hand takes them.
_EXAMPLE: Final = (1, 9, 6, 3, 11, 8, 5, 10)


def mon(amount: int) -> Text:
    """A value in mon."""
    return _("%(amount)d mon", amount=amount)


def kan(amount: int) -> Text:
    """A value in kan."""
    return _("%(amount)d kan", amount=amount)


def points(amount: int) -> Text:
    """A value in points."""
    if amount == 1:
        return _("1 point")
    return _("%(amount)d points", amount=amount)


def captured(
    table: YakuTable,
    worth: Worth,
    marks: Mapping[str, str],
    more: Mapping[str, tuple[Note, ...]] | None = None,
    *,
    rain: bool = False,
) -> tuple[RuleEntry, ...]:
    """The captured yaku of a house's table, dearest first as they stand there.

    ``marks`` are the rulings on what every table may have, by the field of `Yaku`; ``more`` are
    further notes by yaku id; ``rain`` voids the sake yaku.
    """
    return tuple(
        RuleEntry(
            row.id,
            worth(row.value),
            tuple(_groups(row)),
            (*_notes(row, worth, marks, rain=rain), *(more or {}).get(row.id, ())),
        )
        for row in table
    )


def _groups(row: Yaku) -> Iterator[Cards]:
    rest = row.cards & ~row.must
    needed = row.need - row.must.bit_count()
    if row.must:
        yield Cards(cards.letters(row.must))
    if needed == rest.bit_count():
        yield Cards(cards.letters(rest))
    elif row.must:
        label = _("and any %(count)d of these", count=needed)
        yield Cards(cards.letters(rest), label)
    else:
        label = _("any %(count)d of these", count=needed)
        yield Cards(cards.letters(rest), label)


def _notes(row: Yaku, worth: Worth, marks: Mapping[str, str], *, rain: bool) -> Iterator[Note]:
    if row.step:
        kind = _KINDS[row.counted if row.counted in _KINDS else row.counted & ~_CUP]
        growth = _(
            "%(more)s more for each further %(kind)s.",
            more=worth(row.step),
            kind=kind,
        )
        yield _marked(growth, marks, "step")
    if row.called_value is not None:
        text = _(
            "%(value)s once its player has said koi-koi.",
            value=worth(row.called_value),
        )
        yield _marked(text, marks, "called_value")
    if row.over:
        barred = _("Replaces %(yaku)s.", yaku=YakuNames(row.over))
        yield _marked(barred, marks, "over")
    if row.sake and rain:
        void = _("A sake yaku (sakazuki-yaku, 盃役): rain voids it.")
        yield _marked(void, marks, "sake")
    if row.cards & _CUP and not row.cards & ~_CUP & ~cards.DREGS:
        yield _marked(_("The sake cup counts as dregs too."), marks, "cup")
    if row.bare:
        right = _(
            "Exactly %(count)d with the sake cup are scored, but give no right to declare.",
            count=row.need,
        )
        yield _marked(right, marks, "bare")


def _marked(text: Text, marks: Mapping[str, str], field: str) -> Note:
    return note(text, *marks.get(field, "").split())


def by_pattern(table: Iterable[HandYaku], worth: Worth | None) -> tuple[RuleEntry, ...]:
    """Dealt-hand yaku by count, with a hand of each pattern; all of the hand is laid open."""
    return tuple(
        RuleEntry(
            row.id,
            worth(row.value) if worth else None,
            tuple(Cards(example(shape)) for shape in row.patterns),
            (note(shapes(row.patterns)),),
        )
        for row in table
    )


def shapes(patterns: Iterable[Pattern]) -> Text:
    """The patterns of months that make a yaku."""
    text = " / ".join("-".join(map(str, shape)) for shape in patterns)
    return _("Cards of a month: %(patterns)s.", patterns=text)


def example(shape: Pattern) -> str:
    """A hand with this pattern.

    >>> example((4, 4))
    'ABCDghij'
    """
    months = (cards.letters(cards.MONTHS[month]) for month in _EXAMPLE)
    return "".join(of[:count] for count, of in zip(shape, months, strict=False))


def opened(hand: str, laid: int) -> tuple[Cards, ...]:
    """A hand with the cards (mask) that a declaration lays open."""
    shown = cards.letters(laid)
    rest = "".join(letter for letter in hand if letter not in shown)
    label = _("laid open")
    return (Cards(shown, label), *([Cards(rest, _("kept hidden"), back=True)] if rest else []))


def players(rules: str) -> Text:
    """How many may play a ruleset."""
    seats = RULES[rules].seats
    return _("%(least)d to %(most)d", least=seats[0], most=seats[-1])


def option(rules: str, names: Mapping[str, str | None], text: Note) -> RuleOption:
    """Options of a ruleset with their defaults; all must have the same values."""
    known = {RULES[rules].options[name].expected for name in names}
    (values,) = known
    return RuleOption(tuple(names.items()), values, text)


def yes(holds: object) -> str:
    """The text of a boolean option."""
    return "yes" if holds else "no"
