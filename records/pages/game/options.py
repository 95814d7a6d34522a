"""The options of a game, with the explanations of the rule page."""

from __future__ import annotations

from records.base import labels
from records.models import Record
from records.pages.rulebook.book import find


def options_of(record: Record) -> list[tuple[str, str]]:
    """Return the options in a game's text, each with the explanation of the rule page.

    ``months=8`` has the explanation ``How many months are played.``. An option without an entry on
    the rule page has an empty explanation.
    """
    page = find(record.ruleset, record.profile)
    explanations = {
        name: (labels.yaku(name), option.about)
        for option in (page.options if page else ())
        for name in option.defaults
    }
    lines = []
    for text in record.options.split():
        name = text.partition("=")[0]
        words, note = explanations.get(name, (name, ""))
        lines.append((text, f"{words}: {note}" if note and words != name else note))
    return lines
