"""The OpenAPI document in Japanese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from django.test import Client
from django.utils import translation
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

from api.openapi import japanese
from tests.api.contract import document

TEXTS = ("summary", "description")
VALUES = re.compile(r"\* `[^`]*` - .*")


@cache
def in_japanese() -> dict[str, Any]:
    """The document in Japanese, as data."""
    with translation.override("ja"):
        found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return found


def texts(part: Any) -> Iterator[str]:
    """The summaries and descriptions of a part of the document, in its order."""
    members = part.items() if isinstance(part, dict) else enumerate(part)
    for name, value in members:
        if name in TEXTS and isinstance(value, str):
            yield value
        elif isinstance(value, (dict, list)):
            yield from texts(value)


def without_texts(part: Any) -> Any:
    """All else of it."""
    if isinstance(part, list):
        return [without_texts(one) for one in part]
    if not isinstance(part, dict):
        return part
    return {
        name: without_texts(value)
        for name, value in part.items()
        if not (name in TEXTS and isinstance(value, str))
    }


def paragraphs(part: Any) -> list[str]:
    """Its texts paragraph by paragraph."""
    return [one for text in texts(part) for one in text.split("\n\n")]


def needs_none(paragraph: str) -> bool:
    """Whether it has no words: it is a list of values, code, or empty."""
    lines = paragraph.splitlines()
    return all(map(VALUES.fullmatch, lines)) or not re.search(
        r"[A-Za-z]", re.sub(r"`[^`]*`", "", paragraph)
    )


def test_every_text_is_in_japanese() -> None:
    """If not: write it into `api/reference.ja.json`, or into the catalogue for statistics."""
    pairs = zip(paragraphs(document()), paragraphs(in_japanese()), strict=True)
    missing = {one for one, other in pairs if one == other and not needs_none(one)}
    assert sorted(missing) == []


def test_no_translation_is_left_over_and_they_are_sorted() -> None:
    written = {" ".join(one.split()) for one in paragraphs(document())}
    assert sorted(set(japanese()) - written) == []
    assert list(japanese()) == sorted(japanese())


def test_code_is_the_same_in_both() -> None:
    """A translation may name more, such as the field that it is about."""
    for english, translated in japanese().items():
        named = [set(re.findall(r"`[^`]+`", text)) for text in (english, translated)]
        assert named[0] <= named[1], english


def test_the_texts_alone_differ() -> None:
    assert without_texts(in_japanese()) == without_texts(document())
    validate_schema(in_japanese())


def test_it_is_served_in_the_language_of_the_reader() -> None:
    for language, summary in (("ja", "対局をアップロードする"), ("en", "Upload games")):
        found = Client().get("/api/v1/schema", headers={"Accept-Language": language}).json()
        assert found["paths"]["/api/v1/uploads"]["post"]["summary"] == summary
