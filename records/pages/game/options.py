"""The options that a game was played by, in the rulebook's words."""

from __future__ import annotations

from records.base import labels
from records.models import Record
from records.pages.rulebook.book import find


def options_of(record: Record) -> list[tuple[str, str]]:
    """The options that a game names, each with what it is about, as the rulebook says it.

    ``months=8`` comes with ``How many months are played.``; one that the rulebook does not have
    comes with nothing.
    """
    page = find(record.ruleset, record.profile)
    about = {
        name: (labels.yaku(name), option.about)
        for option in (page.options if page else ())
        for name in option.defaults
    }
    lines = []
    for text in record.options.split():
        name = text.partition("=")[0]
        words, note = about.get(name, (name, ""))
        lines.append((text, f"{words}: {note}" if note and words != name else note))
    return lines
