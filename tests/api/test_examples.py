"""The examples of the OpenAPI document: each operation has a valid example."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.conf import LazySettings

from api.openapi import load_examples
from tests.api.contract import check, document
from tests.api.tour import Body, visit_every_operation
from tests.conftest import ROOT

#: Members of a list, or of a table by names, and characters of a text that an example has.
MOST_MEMBERS: Final = 3
#: Minimum number of objects with the same fields in a table.
TABLE: Final = 8
MOST_CHARACTERS: Final = 400


def iterate_operations() -> Iterator[dict[str, Any]]:
    """Yield the operations of the document."""
    for methods in document()["paths"].values():
        yield from methods.values()


def contents_of(operation: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the bodies of an operation by media type."""
    bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
    return [content for body in bodies for content in body.get("content", {}).values()]


def test_every_operation_has_an_example_of_its_schema() -> None:
    for operation in iterate_operations():
        contents = [content for content in contents_of(operation) if "example" in content]
        assert contents, f"{operation['operationId']} has no example: make examples"
        for content in contents:
            check(content["schema"], content["example"])


def test_every_example_is_of_an_operation() -> None:
    assert {operation["operationId"] for operation in iterate_operations()} == set(load_examples())


@pytest.mark.long_only
@pytest.mark.django_db
def test_examples_are_written(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """`make examples` copies the written examples from `var`."""
    settings.ANALYSIS_DEALS = 2
    settings.SITE_URL = "https://archive.example"
    exchanges = visit_every_operation(monkeypatch)
    lines = []
    for name, exchange in sorted(exchanges.items()):
        bodies = {"request": exchange.request, "response": exchange.response}
        example = {part: as_example(body) for part, body in bodies.items() if body}
        lines.append(f"{json.dumps(name)}: {json.dumps(example, ensure_ascii=False)}")
    (ROOT / "var").mkdir(exist_ok=True)
    output = ROOT / "var" / "examples.json"
    output.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    assert exchanges.keys() == {operation["operationId"] for operation in iterate_operations()}


def as_example(body: Body) -> dict[str, Any]:
    """Return a body in the form of `api/examples.json`."""
    example = {"media": body.media, "value": shorten(body.content)}
    return example | ({"status": body.status} if body.status else {})


def shorten(value: Any) -> Any:
    """Return a JSON value with few members in each list and table, and without long texts."""
    if isinstance(value, str) and len(value) > MOST_CHARACTERS:
        return f"{value[:MOST_CHARACTERS]}…"
    if isinstance(value, list):
        return [shorten(member) for member in value[:MOST_MEMBERS]]
    if not isinstance(value, dict):
        return value
    members = list(value.values())
    is_table = all(isinstance(member, dict) for member in members) and len(members) > TABLE
    if is_table and len({frozenset(member) for member in members}) == 1:
        return {name: shorten(value[name]) for name in list(value)[:MOST_MEMBERS]}
    return {name: shorten(member) for name, member in value.items()}
