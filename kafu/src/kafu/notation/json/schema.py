"""The JSON Schema of the JSON form, for other programs, and the check by it, without a library."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from importlib.resources import files
from typing import Any, Final, NoReturn

from kafu.notation import codes
from kafu.notation.reading.source import clip, fail
from kafu.notation.vocabulary import DECISIONS, RULES

#: The schema without the registered rulesets and their decisions.
_SCHEMA: Final[dict[str, Any]] = json.loads(
    (files(__package__) / "kafu.schema.json").read_text(encoding="utf-8")
)
_TYPES: Final[dict[str, Any]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
}


def schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12), with the registered rulesets and their decisions."""
    document: dict[str, Any] = deepcopy(_SCHEMA)
    document["$defs"]["rules"]["enum"] = list(RULES)
    document["$defs"]["decision"]["enum"] = list(dict.fromkeys(DECISIONS.values()))
    return document


def fail_shape(pointer: str, expected: str) -> NoReturn:
    """Raise ``bad-json-form`` at ``pointer``."""
    fail(codes.BAD_JSON_FORM, None, expected, pointer=clip(pointer, 200) or "/", wanted=expected)


def _resolve(node: Any) -> Any:
    """Return a node of the schema with its references resolved and its patterns compiled."""
    if isinstance(node, list):
        return [_resolve(item) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _resolve(_SCHEMA["$defs"][node["$ref"].removeprefix("#/$defs/")])
    return {
        key: re.compile(value[1:-1], re.DOTALL) if key == "pattern" else _resolve(value)
        for key, value in node.items()
    }


_SHAPE: Final[dict[str, Any]] = _resolve(_SCHEMA)


def check(value: Any, pointer: str = "", shape: dict[str, Any] = _SHAPE) -> None:
    """Raise Malformed (``bad-json-form``) for a value of another shape than a node of the schema.

    Words with a pattern are not compared with their list: the text reader refuses unknown words.
    """
    kind = shape.get("type")
    if kind is None:
        _check_choice(value, pointer, shape)
    elif type(value) is not _TYPES[kind]:
        fail_shape(pointer, _describe(shape))
    elif kind == "object":
        _check_object(value, pointer, shape)
    elif kind == "array":
        if not shape.get("minItems", 0) <= len(value) <= shape["maxItems"]:
            fail_shape(pointer, _describe(shape))
        items = shape.get("prefixItems") or [shape["items"]] * len(value)
        for index, (item, element) in enumerate(zip(items, value, strict=True)):
            check(element, f"{pointer}/{index}", item)
    elif kind == "integer":
        if not shape["minimum"] <= value <= shape["maximum"]:
            fail_shape(pointer, _describe(shape))
    elif "pattern" in shape and not (
        len(value) <= shape.get("maxLength", len(value)) and shape["pattern"].fullmatch(value)
    ):
        fail_shape(pointer, _describe(shape))


def _check_choice(value: Any, pointer: str, shape: dict[str, Any]) -> None:
    """Check a constant, a word of a list, or a turn or call."""
    if "oneOf" in shape:
        turn, call = shape["oneOf"]
        check(value, pointer, call if isinstance(value, dict) and "call" in value else turn)
        return
    words = [shape["const"]] if "const" in shape else shape["enum"]
    if value not in words:
        fail_shape(pointer, f"string {'|'.join(words)}")


def _check_object(value: dict[str, Any], pointer: str, shape: dict[str, Any]) -> None:
    for key in shape.get("required", ()):
        if key not in value:
            fail_shape(pointer, f'key "{key}"')
    if len(value) > shape.get("maxProperties", len(value)):
        fail_shape(pointer, _describe(shape))
    properties, names = shape.get("properties", {}), shape.get("propertyNames")
    for key, element in value.items():
        place = f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"
        if names is not None:
            if not isinstance(key, str) or not names["pattern"].fullmatch(key):
                fail_shape(place, f"key {names['pattern'].pattern}")
            check(element, place, shape["additionalProperties"])
        elif key not in properties:
            fail_shape(place, f"key {' | '.join(properties)}")
        else:
            check(element, place, properties[key])


def _describe(shape: dict[str, Any]) -> str:
    """Return the expected value of a node, for messages."""
    match shape:
        case {"pattern": pattern}:
            return f"string {pattern.pattern}"
        case {"minimum": low, "maximum": high}:
            return f"integer {low} … {high}"
        case {"prefixItems": items}:
            return f"array ({len(items)})"
        case {"maxItems": longest}:
            return f"array ({shape.get('minItems', 0)} … {longest})"
    return str(shape["type"])
