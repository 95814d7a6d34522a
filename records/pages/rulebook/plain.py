"""Pages of rulesets without a written page: their descriptions, without prose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final

from kafu import cards
from kafu.cards import Kind
from kafu.rules.description import Ruleset
from records.pages.rulebook import common, tables
from records.pages.rulebook.outline import Page, RuleEntry, RuleOption, Section, note
from records.pages.rulebook.text import Text
from records.pages.rulebook.text import say as _

_UNITS: Final[Mapping[str, Text]] = {"kan": _("kan"), "mon": _("mon"), "points": _("points")}
_WORTH: Final = {"kan": tables.kan, "mon": tables.mon, "points": tables.points}
_KINDS: Final[Mapping[Kind, Text]] = {
    Kind.BRIGHT: _("brights"),
    Kind.ANIMAL: _("animals"),
    Kind.SLIP: _("slips"),
    Kind.DREGS: _("dregs"),
}


@cache
def pages(rules: Ruleset) -> tuple[Page, ...]:
    """A page a house, the document's first."""
    return tuple(_page(rules, profile) for profile in rules.profiles)


def _page(rules: Ruleset, profile: str) -> Page:
    several = len(rules.profiles) > 1
    return Page(
        rules.id,
        profile,
        Text(profile, {}) if several else None,
        (),
        tuple(_facts(rules, profile)),
        tuple(_sections(rules, {"profile": profile} if several else {})),
        tuple(_options(rules, profile)),
        {},
    )


def _facts(rules: Ruleset, profile: str) -> Iterator[tuple[Text, Text]]:
    seats = rules.seats
    yield common.PLAYERS, tables.players(rules.id) if len(seats) > 1 else Text(str(seats[0]), {})
    months = rules.defaults(profile).get("months", rules.months)
    yield from common.dealt(rules.hand, rules.field, months)
    yield common.UNIT, _UNITS[rules.counted]


def _sections(rules: Ruleset, options: Mapping[str, str]) -> Iterator[Section]:
    worth = _WORTH[rules.counted]
    if rules.dealt:
        rows = {**rules.dealt.rows, **rules.dealt.columns}
        entries = (
            RuleEntry(id, worth(value // rules.unit) if value else None)
            for id, value in rows.items()
        )
        yield Section("dealt", _("Dealt-hand yaku (手役)"), (), tuple(entries))
    yield common.turn()
    if table := rules.captured_yaku(options):
        yield Section(
            "captured", _("Captured yaku (出来役)"), (), tables.captured(table, worth, {})
        )
    if rules.card_points:
        whole = _("%(all)d points in all.", all=rules.card_points(cards.ALL))
        of_kinds = (_("each card"), *(_each(rules, kind) for kind in _KINDS))
        yield Section(
            "points",
            _("Points of cards"),
            (note(whole),),
            grid=common.grid(("", *_KINDS.values()), of_kinds),
        )


def _each(rules: Ruleset, kind: Kind) -> str:
    """The value of a card of a kind: a number, or several."""
    count = rules.card_points or cards.points
    return _listed({count(card.bit) for card in cards.PACK if card.kind is kind})


def _listed(numbers: Iterable[int]) -> str:
    return " / ".join(map(str, sorted(numbers)))


def _options(rules: Ruleset, profile: str) -> Iterator[RuleOption]:
    defaults = rules.defaults(profile)
    for name, values in rules.options.items():
        if name != "profile":
            texts = note(_("An option of these rules."))
            yield RuleOption(((name, defaults.get(name)),), values.expected, texts)
