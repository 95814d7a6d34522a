"""House rules of a ruleset as data of a page: presets, questions and all other options."""

from __future__ import annotations

from typing import Any

from kafu.rules.description import Ruleset
from kafu.rules.house_rules import HouseOption
from records.base import labels
from records.pages.rulebook.book import OPTIONS, find, section_address


def describe_house_rules(description: Ruleset) -> dict[str, Any]:
    """Return the house rules of a ruleset in the language of the request.

    - ``houses``: the default of every option but ``profile``, by house.
    - ``presets``: named sets of options, with one line that says what differs.
    - ``questions``: the options asked first. ``sections``: the other options by part of the rule
      page, with its heading and address.
    """
    page = find(description.id)
    lang = labels.lang()
    headings = dict(page.contents) if page else {}
    others: dict[str, list[dict[str, Any]]] = {anchor: [] for anchor in headings}
    for id, option in description.options.items():
        if id not in (*description.questions, "profile"):
            others.setdefault(option.section, []).append(_describe(description, id, option))
    return {
        "houses": {
            profile: dict(description.defaults(profile)) for profile in description.profiles
        },
        "presets": [
            {
                "id": preset.id,
                "name": preset.name.label(lang),
                "differs": preset.differs.label(lang),
                "options": dict(preset.options),
            }
            for preset in description.presets
        ],
        "questions": [
            _describe(description, id, description.options[id]) for id in description.questions
        ],
        "sections": [
            {
                "title": headings.get(anchor, ""),
                "href": section_address(description.id, anchor),
                "options": options,
            }
            for anchor, options in others.items()
            if options
        ],
    }


def _describe(description: Ruleset, id: str, option: HouseOption) -> dict[str, Any]:
    """Return an option in words: ``values`` to choose from, or ``low`` and ``high`` of a number."""
    lang = labels.lang()
    described = {
        "id": id,
        "label": option.label.label(lang),
        "href": f"{section_address(description.id, OPTIONS)}#option-{id}",
        "names": {value: words.label(lang) for value, words in option.names.items()},
    }
    if option.numbers is None:
        return described
    unit = option.unit.label(lang) if option.unit else ""
    low, high = option.numbers[0], option.numbers[-1]
    return {**described, "low": low, "high": high, "unit": unit}
