"""Options and presets of a ruleset, with their texts for people in Japanese and English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from kafu.notation.vocabulary import Values
from kafu.rules.names import YAKU


class Words(NamedTuple):
    """A text for people in both languages."""

    ja: str
    en: str

    def label(self, lang: str) -> str:
        """Return the text in a language, ``ja`` or any other for English."""
        return self.ja if lang == "ja" else self.en


class Option(Values):
    """A house rule that can be set: its values, and what people call it.

    - ``label`` is what the rule is called, or the question that its values answer.
    - ``names`` are the values in words: every value of an option with words, and of numbers those
      that mean something else than their amount, such as 0 for a yaku that is not played.
    - ``numbers`` are the values of an option with numbers, None for words; ``unit`` is what the
      numbers count.
    - ``section`` is the part of the rule page about it, by its anchor.
    """

    __slots__ = ("label", "names", "numbers", "section", "unit")

    def __init__(
        self,
        section: str,
        label: Words,
        names: Mapping[str, Words],
        numbers: range | None = None,
        unit: Words | None = None,
    ) -> None:
        if numbers is None:
            super().__init__(*names)
        else:
            super().__init__(low=numbers[0], high=numbers[-1])
        self.section, self.label, self.names = section, label, names
        self.numbers, self.unit = numbers, unit

    def value(self, value: str, lang: str) -> str:
        """Return a value in words: ``6文``, ``6 points``, ``あり``."""
        if value in self.names:
            return self.names[value].label(lang)
        unit = self.unit.label(lang) if self.unit else ""
        return f"{value}{unit}" if lang == "ja" else f"{value} {unit}".strip()


class Preset(NamedTuple):
    """House rules under a name: the options that are set, and one line that says what differs.

    Options that are not named have the defaults of the house.
    """

    id: str
    name: Words
    differs: Words
    options: Mapping[str, str]


YES: Final = Words("あり", "yes")
NO: Final = Words("なし", "no")
MON: Final = Words("文", "points")
MONTHS: Final = Words("か月", "months")
NONE: Final = Words("なし", "none")


def switch(section: str, ja: str, en: str, yes: Words = YES, no: Words = NO) -> Option:
    """Return an option with the values ``yes`` and ``no``."""
    return Option(section, Words(ja, en), {"yes": yes, "no": no})


def number(
    section: str,
    label: Words,
    numbers: range,
    unit: Words | None = None,
    zero: Words | None = None,
) -> Option:
    """Return an option with numbers; ``zero`` is what 0 means, if it is no amount."""
    return Option(section, label, {"0": zero} if zero else {}, numbers, unit)


def yaku_words(id: str) -> Words:
    """Return the name of a yaku in both languages, with a capital."""
    label = YAKU[id].label("en")
    return Words(YAKU[id].ja, f"{label[:1].upper()}{label[1:]}")


def yaku_value(section: str, id: str) -> Option:
    """Return the option for the value of a yaku; with 0 it is not played."""
    return number(section, yaku_words(id), range(1000), MON, NONE)
