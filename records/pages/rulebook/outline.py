"""The parts of a page of the rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from records.pages.rulebook.text import Text


class Note(NamedTuple):
    """A sentence or two, and the rulings that chose this reading."""

    text: Text
    rulings: tuple[str, ...] = ()


class Cards(NamedTuple):
    """Cards drawn together, with a caption; ``back``: they stay in the hand."""

    letters: str
    label: Text | None = None
    back: bool = False


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """A yaku, or something else that has a value: by its id in `kafu.rules.names`."""

    id: str
    value: Text | None
    cards: tuple[Cards, ...] = ()
    notes: tuple[Note, ...] = ()


class Grid(NamedTuple):
    """A small table: heads of the columns, and rows that begin with their own head."""

    head: tuple[object, ...]
    rows: tuple[tuple[object, ...], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page under its title; entries and a grid come after the notes."""

    id: str
    title: Text
    notes: tuple[Note, ...] = ()
    entries: tuple[RuleEntry, ...] = ()
    grid: Grid | None = None


class RuleOption(NamedTuple):
    """Options that mean alike: each name with its default, what they may be set to, and what for.

    A default of None: this house does not have the subject of the option.
    """

    names: tuple[tuple[str, str | None], ...]
    values: tuple[str, ...]
    note: Note


@dataclass(frozen=True, slots=True)
class Page:
    """The rules of a ruleset as a house plays it; ``profile`` is the ruleset's id if it has only
    one house. ``rulings`` are short explanations by number.
    """

    rules: str
    profile: str
    house: Text | None
    summary: tuple[Note, ...]
    facts: tuple[tuple[Text, Text], ...]
    sections: tuple[Section, ...]
    options: tuple[RuleOption, ...]
    rulings: Mapping[str, Text]
    rulings_note: Text | None = None


def note(text: Text, *rulings: str) -> Note:
    """A note with its rulings."""
    return Note(text, rulings)
