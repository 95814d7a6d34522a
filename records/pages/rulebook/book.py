"""All pages of the rulebook. A written page is a row of its module's ``PAGES``; a ruleset without
one gets a page generated from its description.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.pages.rulebook import (
    hachihachi,
    hachihachi_bga,
    hanaawase,
    koikoi,
    plain,
    ten_five_one,
)
from records.pages.rulebook.outline import Page

#: Those with prose.
PAGES: Final[tuple[Page, ...]] = (
    *koikoi.PAGES,
    *hachihachi.PAGES,
    *hachihachi_bga.PAGES,
    *hanaawase.PAGES,
    *ten_five_one.PAGES,
)
#: A yaku of more cards is not drawn in lists.
FEW: Final = 5
_WRITTEN: Final = frozenset(page.rules for page in PAGES)


def pages() -> tuple[Page, ...]:
    """The pages of all registered rulesets, written ones first."""
    others = (rules for id, rules in RULESETS.items() if id not in _WRITTEN)
    return (*PAGES, *(page for rules in others for page in plain.pages(rules)))


def find(rules: str, profile: str = "") -> Page | None:
    """The page of a ruleset as a house plays it, by default its document; None if there is none."""
    house = (rules, profile or rules)
    return next((page for page in pages() if (page.rules, page.profile) == house), None)


def house(ruleset: str, profile: str) -> str:
    """Return the name of house rules in the rulebook; the ruleset's where it has one house only."""
    page = find(ruleset, profile)
    if page is None:
        return profile
    return str(page.house) if page.house else labels.ruleset(ruleset)


@cache
def yaku_cards(rules: str, profile: str) -> Mapping[str, str]:
    """The cards that a house's page draws for yaku of few cards: id to letters, in its order."""
    page = find(rules, profile) or find(rules)
    entries = [one for section in page.sections for one in section.entries] if page else []
    return {
        one.id: one.cards[0].letters
        for one in entries
        if len(one.cards) == 1 and len(one.cards[0].letters) <= FEW
    }
