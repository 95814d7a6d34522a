"""Types of responses as JSON Schema."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest

from api import openapi
from api.openapi import build_component, collect_components, schema_of
from kafu.notation.faults import Fault
from kafu.notation.json_types import Internal, OneOf
from records.base.json_types import Url
from records.shapes.records import Export, GameJson

#: A name that another module gives to the type of a field of `GameJson`.
Status = int


class Colour(StrEnum):
    """A colour."""

    RED = "red"


class Inherited(GameJson):
    """A game of this module."""


@dataclass
class Fan:
    """A fan: ``wide`` or not.

    More for those who write Python.
    """

    colour: Colour
    size: Annotated[int | None, "In sun."]
    owner: Internal[str]


class Shelf(TypedDict):
    """A shelf.

    It has fans.
    """

    fans: list[Fan]
    link: Url | None
    kind: NotRequired[Annotated[str, OneOf("ShelfKind", ("tall", "low")), "Its form."]]


@pytest.fixture(autouse=True)
def own_types(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a test refer to types that are in no response."""
    monkeypatch.setattr(openapi, "_types", {})
    yield


@pytest.mark.parametrize(
    ("form", "schema"),
    [
        (str, {"type": "string"}),
        (int | None, {"type": ["integer", "null"]}),
        (list[str] | None, {"type": ["array", "null"], "items": {"type": "string"}}),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Url | None, {"type": ["string", "null"], "format": "uri"}),
        (
            Fan | None,
            {"oneOf": [{"$ref": "#/components/schemas/Fan"}, {"type": "null"}]},
        ),
    ],
)
def test_type_has_its_schema(form: Any, schema: dict[str, Any]) -> None:
    assert schema_of(form) == schema


def test_class_is_a_component_with_those_that_it_refers_to() -> None:
    assert schema_of(Shelf) == {"$ref": "#/components/schemas/Shelf"}
    openapi = collect_components()
    assert openapi["Shelf"]["description"] == "A shelf.\n\nIt has fans."
    assert openapi["Shelf"]["required"] == ["fans", "link"]
    assert openapi["Shelf"]["properties"]["kind"] == {
        "allOf": [{"$ref": "#/components/schemas/ShelfKindEnum"}],
        "description": "Its form.",
    }
    assert openapi["ShelfKindEnum"] == {"type": "string", "enum": ["tall", "low"]}
    assert openapi["ColourEnum"] == {"type": "string", "enum": ["red"]}
    assert openapi["Fan"] == {
        "type": "object",
        "description": "A fan: `wide` or not.",
        "properties": {
            "colour": {"$ref": "#/components/schemas/ColourEnum"},
            "size": {"type": ["integer", "null"], "description": "In sun."},
        },
        "required": ["colour", "size"],
    }


def test_inherited_field_has_the_type_of_its_own_module() -> None:
    fields = build_component(Inherited)["properties"]
    assert fields["status"] == {"$ref": "#/components/schemas/StatusEnum"}
    assert fields.items() <= build_component(Export)["properties"].items()


def test_fault_is_written_with_its_message() -> None:
    assert schema_of(Fault) == {"$ref": "#/components/schemas/Fault"}
    assert "message" in collect_components()["Fault"]["properties"]


def test_second_type_of_a_name_is_refused() -> None:
    schema_of(Fan)
    with pytest.raises(AssertionError, match="two types are named Fan"):
        schema_of(dataclass(type("Fan", (), {"__doc__": "Another."})))
