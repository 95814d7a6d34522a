"""Faults of nested values in a body: each has a place, and none quotes Python."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import reduce
from typing import Any

import pytest
from django.test import Client
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.test import APIRequestFactory

from api.problems import MAX_ERRORS, handle_exception
from tests.api.contract import Api, document, problem
from tests.people.world import token, user

JSON = "application/json"
KOIKOI = {"ruleset": "koikoi", "players": ["Aya", "Ben"]}
#: A key that a JSON pointer has to escape.
KEY = "a/b~c"


def sent_serializers() -> list[type[serializers.Serializer[Any]]]:
    """Return the serializers of all JSON request bodies in the OpenAPI document."""
    operations = [operation for path in document()["paths"].values() for operation in path.values()]
    bodies = [
        operation["requestBody"]["content"]
        for operation in operations
        if "requestBody" in operation
    ]
    references = [body.get(JSON, {}).get("schema", {}).get("$ref", "") for body in bodies]
    names = {name.rpartition("/")[2].removeprefix("Patched") for name in references} - {""}
    queue = list(serializers.Serializer.__subclasses__())
    serializers_by_name = {}
    while queue:
        kind = queue.pop()
        queue += kind.__subclasses__()
        serializers_by_name[kind.__name__.removesuffix("Serializer")] = kind
    return [serializers_by_name[name] for name in sorted(names)]


def wrong(
    field: serializers.Field[Any, Any, Any, Any] | None,
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield invalid nested values, each with the path to its fault."""
    match field:
        case serializers.Serializer():
            yield (), 1
            for name, child in field.fields.items():
                if not child.read_only:
                    yield from (((name, *at), {name: value}) for at, value in wrong(child))
        case serializers.ListSerializer() | serializers.ListField():
            yield (), {"no": "list"}
            yield from (((0, *at), [value]) for at, value in wrong(field.child))
        case serializers.DictField():
            yield (), ["no object"]
            yield from (((KEY, *at), {KEY: value}) for at, value in wrong(field.child))
        case _ if type(field).__name__ != "_UnvalidatedField":
            yield (), [[1]]


def errors_of(error: ValidationError) -> list[dict[str, str]]:
    response: Any = handle_exception(error, {"request": APIRequestFactory().post("/api/v1/x")})
    assert response.status_code == 400
    errors: list[dict[str, str]] = json.loads(response.content)["errors"]
    return errors


def value_at(value: Any, pointer: str) -> Any:
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    return reduce(lambda at, step: at[int(step) if isinstance(at, list) else step], steps, value)


def test_nested_fault_has_the_pointer_of_its_value() -> None:
    kinds = sent_serializers()
    assert kinds
    faults = [(kind, *fault) for kind in kinds for fault in wrong(kind())]
    for kind, path, value in faults:
        form = kind(data=value, partial=True)
        assert not form.is_valid(), (path, value)
        errors = errors_of(ValidationError(form.errors))
        pointer = "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)
        assert pointer in [error["pointer"] for error in errors], (path, errors)
        assert all("ErrorDetail" not in error["message"] for error in errors)
        value_at(value, pointer)


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        (1, ""),
        (KOIKOI | {"months": 1}, "/months"),
        (KOIKOI | {"months": [{}, {"lines": [1]}]}, "/months/1/lines/0"),
        (KOIKOI | {"months": [{"sums": ["1", [2]]}]}, "/months/0/sums/1"),
        (KOIKOI | {"months": [{"ba": {"a": 1}}]}, "/months/0/ba"),
        (KOIKOI | {"ruleset": {"a": 1}}, "/ruleset"),
        (KOIKOI | {"options": {KEY: [1]}}, "/options/a~1b~0c"),
    ],
)
def test_sheet_with_a_nested_fault_is_refused_with_its_pointer(
    db: None, body: Any, pointer: str
) -> None:
    answer = Api().post("sheets", json.dumps(body), JSON)
    (error,) = answer.json()["errors"]
    assert error["pointer"] == pointer
    name = pointer[1:].replace("/", ".").replace("a~1b~0c", KEY)
    assert error["name"] == name or (not name and error["name"] == "non_field_errors")
    assert "ErrorDetail" not in answer.content.decode() and "{" not in error["message"]
    assert error["message"].startswith(f"{name}: " if name else "Invalid data.")


def test_study_and_position_with_nested_faults_are_refused_with_pointers(db: None) -> None:
    study = {"title": "T", "visibility": {"a": 1}, "entries": [{"record": "x", "at": [1]}, 2]}
    headers = token(user("owner"), "read", "upload")
    answer = Client().post("/api/v1/studies", study, JSON, headers=headers)
    pointers = {error["pointer"] for error in answer.json()["errors"]}
    assert pointers == {"/visibility", "/entries/0/at", "/entries/1"}
    answer = Client().post("/api/v1/positions", {"do": ["A", [1]], "deal": [1]}, JSON)
    assert {error["pointer"] for error in answer.json()["errors"]} == {"/deal", "/do/1"}


def test_many_faults_and_long_names_are_cut() -> None:
    detail: Any = {"a" * 1000: {number: [ErrorDetail("No.")] for number in range(1000)}}
    errors = errors_of(ValidationError(detail))
    assert len(errors) == MAX_ERRORS
    assert len(errors[0]["name"]) == 200


@pytest.mark.parametrize("place", ["key", "value", "choice"])
def test_half_a_surrogate_pair_is_refused_like_other_faults(db: None, place: str) -> None:
    half = "\ud800"
    wrong_fields: dict[str, Any] = {
        "key": {"tags": {half: [1]}},
        "value": {"players": ["Aya", half]},
        "choice": {"ruleset": half},
    }
    pointers = {"key": f"/tags/{half}", "value": "/players/1", "choice": "/ruleset"}
    answer = Api().post("sheets", json.dumps(KOIKOI | wrong_fields[place]), JSON)
    (error,) = problem(answer, "invalid-parameter", 400)["errors"]
    assert error["pointer"] == pointers[place]
