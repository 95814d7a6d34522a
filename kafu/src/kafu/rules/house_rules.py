"""Options, house rules and presets of a ruleset, with their texts in Japanese and English."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from kafu.notation.vocabulary import Values
from kafu.rules.names import YAKU


class Words(NamedTuple):
    """A text for people in both languages."""

    ja: str
    en: str

    def label(self, lang: str) -> str:
        """Return the text in a language, ``ja`` or any other for English."""
        return self.ja if lang == "ja" else self.en


class HouseOption(Values):
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


def yaku_words(id: str) -> Words:
    """Return the name of a yaku in both languages, with a capital."""
    label = YAKU[id].label("en")
    return Words(YAKU[id].ja, f"{label[:1].upper()}{label[1:]}")


def parse_option(row: str) -> tuple[str, HouseOption]:
    """Return the id and the option of a row ``id | section | values | Japanese | English``.

    Values are words with their texts (``yes=あり/yes; no=なし/no``, the default), or a range with a
    unit and the texts of numbers that are no amount (``0…9 回/times; 0=なし/never``).

    >>> id, option = parse_option("most | turn | 0…9 回/times; 0=無制限/any | 上限 | At most")
    >>> id, option.expected, option.value("0", "en"), option.value("2", "en")
    ('most', ('0…9',), 'any', '2 times')
    """
    id, section, values, ja, en = (cell.strip() for cell in row.split("|"))
    parts = [part.strip() for part in (values or "yes=あり/yes; no=なし/no").split(";")]
    numbers = unit = None
    if "…" in parts[0]:
        span, unit_text = parts.pop(0).split(" ")
        low, high = span.split("…")
        numbers, unit = range(int(low), int(high) + 1), Words(*unit_text.split("/"))
    names = {value: Words(*texts.split("/")) for value, texts in (p.split("=") for p in parts)}
    return id, HouseOption(section, Words(ja, en), names, numbers, unit)


def parse_options(*rows: str) -> dict[str, HouseOption]:
    """Return the options of rows (see `parse_option`), by id."""
    return dict(map(parse_option, rows))


def yaku_row(section: str, id: str) -> str:
    """Return the row of the option for the value of a yaku; with 0 it is not played."""
    ja, en = yaku_words(id)
    return f"{id} | {section} | 0…999 文/points; 0=なし/none | {ja} | {en}"


class HouseRule(NamedTuple):
    """A house rule: its option, and its effect on a field of the house.

    ``read`` returns the option's value for a value of the field. ``change`` returns the field's
    value after setting the option, from the value before. ``field`` is "" for the field whose
    metadata has the rule.
    """

    id: str
    option: HouseOption
    read: Callable[[Any], str]
    change: Callable[[Any, str], Any]
    field: str = ""


def make_rule(
    row: str, read: Callable[[Any], str], change: Callable[[Any, str], Any], field: str = ""
) -> HouseRule:
    """Return the house rule with the option of a row (see `parse_option`)."""
    return HouseRule(*parse_option(row), read, change, field)


def yes_no(value: object) -> str:
    """Return "yes" or "no"."""
    return "yes" if value else "no"


_T = TypeVar("_T")


def rules_field(default: Any, *house_rules: HouseRule) -> Any:
    """Return a field of a house with a default and house rules.

    Like that of `dataclasses.field`, the result has the type of a field, not of the default, which
    compiled code would check.
    """
    return dataclasses.field(default=default, metadata={rule.id: rule for rule in house_rules})


def rule_field(default: Any, row: str, true: str = "yes") -> Any:
    """Return a field of a house with a default, and the house rule of a row (`parse_option`).

    A boolean is true with the value ``true`` of the option. The value 0 of a number is None if the
    default is None.
    """
    if isinstance(default, str):
        return rules_field(default, make_rule(row, str, lambda _, value: value))
    if not isinstance(default, bool):
        zero = None if default is None else 0
        return rules_field(
            default,
            make_rule(row, lambda number: str(number or 0), lambda _, value: int(value) or zero),
        )
    id, option = parse_option(row)
    (false,) = option.names.keys() - {true}
    read = {True: true, False: false}.__getitem__
    return rules_field(default, HouseRule(id, option, read, lambda _, value: value == true))


def list_house_rules(house_type: Any) -> dict[str, HouseRule]:
    """Return the house rules of a dataclass by option, from the metadata of its fields.

    They are applied in this order, regardless of the order of options in a record.
    """
    return {
        id: rule._replace(field=rule.field or field.name)
        for field in dataclasses.fields(house_type)
        for id, rule in field.metadata.items()
    }


def read_options(house_rules: Mapping[str, HouseRule], house: object) -> dict[str, str]:
    """Return the options that spell out a house."""
    return {id: rule.read(getattr(house, rule.field)) for id, rule in house_rules.items()}


def change_house(house_rules: Mapping[str, HouseRule], house: _T, options: Mapping[str, str]) -> _T:
    """Return the house with the house rules of ``options``."""
    for id, rule in house_rules.items():
        if id in options:
            value = rule.change(getattr(house, rule.field), options[id])
            house = dataclasses.replace(house, **{rule.field: value})  # type: ignore[type-var]
    return house
