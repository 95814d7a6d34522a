"""The words of the game with their readings, and links from the rules to their first use.

The words are a table in ``templates/rules/``, a file a language, with the same ids in each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from django.urls import reverse
from markdown_it.token import Token

_FILES: Final = Path(__file__).parents[3] / "templates/rules"
_HEAD_LINES: Final = 2
_KANJI: Final = "一-龠々"


class Word(NamedTuple):
    """A word of the game: the anchor of its explanation, reading and meaning."""

    id: str
    term: str
    reading: str
    meaning: str


@cache
def load_words(language: str) -> tuple[Word, ...]:
    """Return the words in the order of the file."""
    text = (_FILES / f"glossary.{language}.md").read_text(encoding="utf-8")
    rows = (line.strip("| ").split(" | ") for line in text.splitlines()[_HEAD_LINES:])
    return tuple(Word(*row) for row in rows)


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """Return the pattern of all words, longer ones first.

    A Japanese word is not a part of a longer word in kanji; an English word may be in the plural.
    """
    terms = sorted((word.term for word in load_words(language)), key=len, reverse=True)
    words = "|".join(map(re.escape, terms))
    if language == "ja":
        return re.compile(f"(?<![{_KANJI}])({words})(?![{_KANJI}])")
    return re.compile(rf"\b({words})(?:s\b|\b)", re.IGNORECASE)


def link_words(tokens: Sequence[Token], language: str) -> None:
    """Link the first use of each word in the paragraphs of a text to its explanation."""
    ids = {word.term: word.id for word in load_words(language)}
    for opening, inline in pairwise(tokens):
        if opening.type == "paragraph_open" and inline.children:
            inline.children = list(_link_text(inline.children, ids, _pattern(language)))


def _link_text(
    children: Sequence[Token], ids: dict[str, str], pattern: re.Pattern[str]
) -> Iterator[Token]:
    """Yield the tokens of a line with links, and remove the linked words from ``ids``."""
    glossary = reverse("glossary")
    for child in children:
        if child.type != "text":
            yield child
            continue
        start = 0
        for match in pattern.finditer(child.content):
            id = ids.pop(match[1].lower(), "")
            if not id:
                continue
            yield Token("text", "", 0, content=child.content[start : match.start()])
            yield Token("link_open", "a", 1, attrs={"href": f"{glossary}#{id}", "class": "word"})
            yield Token("text", "", 0, content=match[0])
            yield Token("link_close", "a", -1)
            start = match.end()
        yield Token("text", "", 0, content=child.content[start:])
