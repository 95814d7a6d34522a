"""The OpenAPI document in Japanese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from drf_spectacular.generators import SchemaGenerator

from api.openapi import load_translations
from tests.api.contract import document

TEXTS = ("summary", "description")
VALUES = re.compile(r"\* `[^`]*` - .*")


@cache
def build_in_japanese() -> dict[str, Any]:
    """Return the document in Japanese, as data."""
    with translation.override("ja"):
        translated: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return translated


def iterate_texts(part: Any) -> Iterator[str]:
    """Yield the summaries and descriptions of a part of the document, in its order."""
    members = part.items() if isinstance(part, dict) else enumerate(part)
    for name, value in members:
        if name in TEXTS and isinstance(value, str):
            yield value
        elif isinstance(value, (dict, list)):
            yield from iterate_texts(value)


def remove_texts(part: Any) -> Any:
    """Return a part of the document without its summaries and descriptions."""
    if isinstance(part, list):
        return [remove_texts(element) for element in part]
    if not isinstance(part, dict):
        return part
    return {
        name: list(value) if name == "scopes" else remove_texts(value)
        for name, value in part.items()
        if not (name in TEXTS and isinstance(value, str))
    }


def split_paragraphs(part: Any) -> list[str]:
    """Return the paragraphs of the summaries and descriptions of a part of the document."""
    return [paragraph for text in iterate_texts(part) for paragraph in text.split("\n\n")]


def needs_no_translation(paragraph: str) -> bool:
    """Tell whether a paragraph has no words: it is a list of values, code, or empty."""
    lines = paragraph.splitlines()
    return all(map(VALUES.fullmatch, lines)) or not re.search(
        r"[A-Za-z]", re.sub(r"`[^`]*`", "", paragraph)
    )


def test_every_paragraph_has_a_translation() -> None:
    """Add missing translations to `api/reference.ja.json`, or for statistics to the catalogue."""
    pairs = zip(split_paragraphs(document()), split_paragraphs(build_in_japanese()), strict=True)
    missing = {
        english
        for english, translated in pairs
        if english == translated and not needs_no_translation(english)
    }
    assert sorted(missing) == []


def test_translations_are_sorted_and_all_are_used() -> None:
    paragraphs = {" ".join(paragraph.split()) for paragraph in split_paragraphs(document())}
    assert sorted(set(load_translations()) - paragraphs) == []
    assert list(load_translations()) == sorted(load_translations())


def test_translation_keeps_the_code_of_its_original() -> None:
    """A translation may name more code, such as the field in question."""
    for english, translated in load_translations().items():
        code, translated_code = (
            set(re.findall(r"`[^`]+`", text)) for text in (english, translated)
        )
        assert code <= translated_code, english


def test_documents_of_both_languages_differ_only_in_texts() -> None:
    """Then the Japanese document is valid if the English one is (test_schema.py)."""
    assert remove_texts(build_in_japanese()) == remove_texts(document())


def test_document_is_served_in_the_language_of_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    def get_schema(*_: Any, **__: Any) -> dict[str, Any]:
        return build_in_japanese() if translation.get_language() == "ja" else document()

    monkeypatch.setattr(SchemaGenerator, "get_schema", get_schema)  # built once
    response = Client().get("/api/v1/schema", headers={"Accept-Language": "ja"}).json()
    summary = response["paths"]["/api/v1/uploads"]["post"]["summary"]
    assert summary == "対局をアップロードする"
