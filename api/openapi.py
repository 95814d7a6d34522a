"""Additions to the OpenAPI document that drf-spectacular cannot derive from the code.

JSON Schema of response types for the OpenAPI document.

A field is declared once, in a type of a response (`records.shapes`) or of the library. Each class
is a component with the name of the class, and so is each list of texts (`OneOf`, `Enum`). A text in
`Annotated` is the description of a field.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from enum import Enum
from functools import cache
from http import HTTPStatus
from pathlib import Path
from types import FunctionType, NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import msgspec
from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiResponse
from msgspec import UnsetType

from api.policy import DEPRECATIONS
from kafu.notation.faults import Fault, FaultJson
from kafu.notation.json.schema import schema
from kafu.notation.json_types import NOT_WRITTEN, OneOf
from records.base.json_types import Component, Format
from records.base.labels import lang

Schema = dict[str, Any]
COMPONENTS: Final = "#/components/schemas/"
NULL: Final[Schema] = {"type": "null"}
#: Types that are written as another type in JSON.
_WRITTEN_AS: Final = {Fault: FaultJson}
_SIMPLE: Final[Mapping[Any, Schema]] = {
    Any: {},
    NoneType: NULL,
    bool: {"type": "boolean"},
    date: {"type": "string", "format": "date"},
    datetime: {"type": "string", "format": "date-time"},
    float: {"type": "number", "format": "double"},
    int: {"type": "integer"},
    object: {},
    str: {"type": "string"},
}
#: The types of the document by component name.
_types: Final[dict[str, Any]] = {}
#: The JSON form of Kafu. The components KafuMonth, KafuTurn and so on describe its parts.
KAFU: Final = {"$ref": f"{COMPONENTS}KafuGame"}
_OTHER: Final = {
    "type": "object",
    "description": (
        "A log of another program, recognised by its content. Lists of games or logs are read "
        "too; send them as application/octet-stream."
    ),
    "additionalProperties": True,
}
#: Schema of JSON in an upload. Lists are omitted, because generated clients could not distinguish a
#: list from objects.
ANY_GAME: Final = {"anyOf": [KAFU, {"$ref": f"{COMPONENTS}OtherLog"}]}

#: The headers of every response (`api.headers`).
_LIMIT_HEADERS: Final = {
    "RateLimit-Policy": {
        "description": "The limits that counted the request: `q` requests or units in `w` seconds.",
        "schema": {"type": "string"},
        "example": '"read";q=3000;w=60',
    },
    "RateLimit": {
        "description": "What remains of each limit: `r` requests or units for `t` seconds.",
        "schema": {"type": "string"},
        "example": '"read";r=2999;t=42',
    },
}
_LIMIT_REFERENCES: Final = {
    name: {"$ref": f"#/components/headers/{name}"} for name in _LIMIT_HEADERS
}

#: Descriptions of the tags of operations.
TAGS: Final = {
    "api": "The API about itself.",
    "cards": "Cards by name.",
    "clubs": "Clubs: their members, seasons, standings, evenings and games.",
    "comments": "Comments at steps of games.",
    "me": "Your own data: account, games, uploads, studies, drafts.",
    "names": "Names of cards, yaku, rulesets and ends.",
    "notebooks": "Score notebooks as score sheets; nothing is stored.",
    "odds": "Exact odds of dealt hands and field grades.",
    "positions": "Games written down step by step; nothing is stored.",
    "problems": "The kinds of errors.",
    "quota": "Daily upload quotas.",
    "records": "The games of the archive, each with its replay, score sheet and analysis.",
    "sheets": "Score sheets written month by month; nothing is stored.",
    "statistics": "Figures of public games.",
    "studies": "Collections of steps of games, with notes and branches.",
    "uploads": "Sending games, and the results.",
    "verify": "Verdicts on games; nothing is stored.",
}


def schema_of(form: Any) -> Schema:
    """Return the schema of a type; a class becomes a reference to its component."""
    origin, parts = get_origin(form), get_args(form)
    if origin is NotRequired:
        return schema_of(parts[0])
    if origin is Annotated:
        return _build_annotated(parts[0], form.__metadata__)
    if origin in (Union, UnionType):
        return _build_union([schema_of(part) for part in parts if part is not UnsetType])
    if origin is Literal:
        return {"type": "string", "enum": [*parts]}
    if origin in (list, tuple, Sequence):
        return {"type": "array", "items": schema_of(parts[0])}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": schema_of(parts[1])}
    return dict(_SIMPLE[form]) if form in _SIMPLE else _refer(form)


def collect_components() -> dict[str, Schema]:
    """Return the components of all referenced types, including their own references."""
    schemas: dict[str, Schema] = {}
    while missing := _types.keys() - schemas:
        schemas |= {name: build_component(_types[name]) for name in missing}
    return schemas


def register_component(name: str, make: Callable[[], Schema]) -> Schema:
    """Register a component that ``make`` builds per document, and return a reference."""
    _types[name] = make
    return {"$ref": f"{COMPONENTS}{name}"}


def describe(schema: Schema, text: str) -> Schema:
    """Return a schema with a description; ``allOf`` wraps a reference, which takes none."""
    wrapped = {"allOf": [schema]} if "$ref" in schema else schema
    return {**wrapped, "description": text}


def _refer(form: Any) -> Schema:
    form = _WRITTEN_AS.get(form, form)
    is_list = isinstance(form, OneOf) or issubclass(form, Enum)
    name = form.name if isinstance(form, OneOf) else form.__name__.removesuffix("Json")
    name += "Enum" * is_list
    first = _types.setdefault(name, form)
    assert first == form, f"two types are named {name}: {first}, {form}"
    return {"$ref": f"{COMPONENTS}{name}"}


def _build_annotated(form: Any, notes: Iterable[Any]) -> Schema:
    schema = schema_of(form)
    for note in notes:
        if isinstance(note, OneOf):
            schema = _refer(note)
        elif isinstance(note, str):
            schema = describe(schema, note)
        elif isinstance(note, Component):
            schema = {"$ref": f"{COMPONENTS}{note.name}"}
        elif isinstance(note, Format):
            schema = {**schema, "format": note.name}
    return schema


def _build_union(schemas: list[Schema]) -> Schema:
    """Return the schema of a union; simple types and null become a list of types."""
    wholes = [schema for schema in schemas if schema.keys() - {"type"}]
    if len(schemas) == 1:
        return schemas[0]
    types = [schema["type"] for schema in schemas if schema.keys() == {"type"}]
    if not wholes:
        return {"type": types}
    if len(wholes) == 1 and "type" in wholes[0]:
        return {**wholes[0], "type": [wholes[0]["type"], *types]}
    return {"oneOf": schemas}


def build_component(form: Any) -> Schema:
    """Return the component of a type: a list of texts, or an object with its fields."""
    if isinstance(form, FunctionType):
        built: Schema = form()
        return built
    if isinstance(form, OneOf):
        return {"type": "string", "enum": [*form.values]}
    if issubclass(form, Enum):
        return {"type": "string", "enum": [member.value for member in form]}
    fields = dict(_iterate_fields(form))
    required = sorted(name for name, kind in fields.items() if not _is_optional(kind))
    return {
        "type": "object",
        "description": _describe_class(form),
        "properties": {name: schema_of(kind) for name, kind in fields.items()},
    } | ({"required": required} if required else {})


def _is_optional(kind: Any) -> bool:
    while get_origin(kind) is Annotated:
        kind = kind.__origin__
    return get_origin(kind) is NotRequired or UnsetType in get_args(kind)


def _iterate_fields(form: Any) -> Iterator[tuple[str, Any]]:
    # The types of an inherited TypedDict field are names of the module that declares the field.
    is_dict = is_typeddict(form)
    module_names = vars(sys.modules[form.__module__]) if is_dict else None
    class_names: dict[str, Any] | None = {} if is_dict else None
    for name, kind in get_type_hints(form, module_names, class_names, include_extras=True).items():
        if NOT_WRITTEN not in getattr(kind, "__metadata__", ()):
            yield name, kind


def _describe_class(form: Any) -> str:
    """Return a class docstring as Markdown.

    Only a type of a response is described by all paragraphs; later paragraphs of another class are
    for its users in Python.
    """
    text = inspect.getdoc(form)
    assert text, f"{form} has no docstring"
    is_response = is_typeddict(form) or issubclass(form, msgspec.Struct)
    return (text if is_response else text.partition("\n\n")[0]).replace("``", "`")


#: Descriptions of `{key}` by the preceding part of an address.
_KEYS: Final = {
    "clubs": "The key of the club: the last part of the address of its page.",
    "comments": "The key of the comment.",
    "drafts": "The key of the draft, chosen by the browser.",
    "records": "The key of the game.",
    "resumable": "The key of the upload in parts.",
    "studies": "The key of the study.",
    "uploads": "The key of the upload.",
}


class Operation(AutoSchema):
    """Schema of a method of a resource."""

    def _get_parameters(self) -> list[dict[str, Any]]:
        """Add values known only at request time, such as the rulesets, and descriptions of keys."""
        parameters: list[dict[str, Any]] = super()._get_parameters()
        for parameter in parameters:
            parameter["schema"] = _resolve(parameter["schema"])
            if parameter["name"] == "key" and parameter["in"] == "path":
                before = self.path.partition("/{key}")[0].rpartition("/")[2]
                parameter["description"] = _KEYS[before]
        return parameters

    def get_tags(self) -> list[str]:
        """Return the first part of the path, without the ending of a file."""
        return [tag.partition(".")[0] for tag in super().get_tags()]

    def get_auth(self) -> list[dict[str, Any]]:
        """Return the accepted authentication: token, session, or none (``{}``) if allowed."""
        schemes: list[dict[str, Any]] = super().get_auth()
        view: Any = self.view
        return schemes if view.needs_account(self.method) else [*schemes, {}]

    def _get_request_body(self, direction: Any = "request") -> dict[str, Any] | None:
        """Return the body, which is always required."""
        body: dict[str, Any] | None = super()._get_request_body(direction)
        return body and {**body, "required": True}

    def _get_response_for_code(
        self,
        serializer: Any,
        status_code: str,
        media_types: list[str] | None = None,
        direction: str = "response",
    ) -> dict[str, Any]:
        """Return a response with its schema unchanged, by default in the format of the address.

        drf-spectacular would wrap the schema of a list as the schema of one row, and add the
        formats that `NegotiatedResource` keeps.
        """
        text = ""
        if isinstance(serializer, OpenApiResponse):
            serializer, text = serializer.response, serializer.description
        schema = serializer if isinstance(serializer, dict) else None
        described: dict[str, Any] = super()._get_response_for_code(
            None if schema else serializer, status_code, media_types, direction
        )
        if schema:
            kinds = media_types or self.map_renderers("media_type")[:1]
            described["content"] = {kind: {"schema": schema} for kind in kinds}
        phrase = HTTPStatus(int(status_code)).phrase if status_code < "300" else ""
        return described | {"description": str(text) or phrase}


def _resolve(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with callables replaced by results."""
    called = {name: value() if callable(value) else value for name, value in schema.items()}
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in called.items()
    }


def complete_document(result: dict[str, Any], **_kwargs: Any) -> dict[str, Any]:
    """Add server, licence, the JSON Schema of Kafu and examples, then translate.

    A hook of drf-spectacular (``POSTPROCESSING_HOOKS``).
    """
    result["servers"] = [{"url": settings.SITE_URL}]
    result["info"] |= {
        "license": {"name": "MIT", "identifier": "MIT"},
        "contact": {"name": "The operators of this archive", "url": settings.SITE_URL},
    }
    result["tags"] = [{"name": name, "description": text} for name, text in TAGS.items()]
    game_schema = schema()
    parts = game_schema.pop("$defs")
    game_schema["title"] = "KafuGame"  # client generators name the class after it
    kafu_schemas = {"KafuGame": game_schema, "OtherLog": _OTHER} | {
        _component_name(name): part for name, part in parts.items()
    }
    schemas = result["components"].setdefault("schemas", {})
    for name, part in kafu_schemas.items():
        schemas[name] = _rewrite_references(part)
    for name, part in collect_components().items():
        assert schemas.get(name, part) == part, f"two components are named {name}"
        schemas[name] = part
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    result["components"]["headers"] = _LIMIT_HEADERS
    translated: dict[str, Any] = _translate(result) if lang() == "ja" else result
    for methods in translated["paths"].values():
        for operation in methods.values():
            _add_examples(operation)
            for response in operation["responses"].values():
                response["headers"] = response.get("headers", {}) | _LIMIT_REFERENCES
    _mark_deprecations(translated["paths"])
    return translated


def _mark_deprecations(paths: dict[str, Any]) -> None:
    """Mark the operations and parameters that the API will remove (`api.policy`)."""
    for row in DEPRECATIONS:
        text = _("Deprecated until %(day)s: use `%(successor)s`.")
        text %= {"day": row.until, "successor": row.successor}
        for operation in paths.get(row.path, {}).values():
            parts = operation["parameters"] if row.parameter else [operation]
            for part in parts:
                if part.get("name", "") == row.parameter:
                    part["description"] = f"{part.get('description', '')}\n\n{text}".strip()
                    part["deprecated"] = True


@cache
def load_examples() -> dict[str, dict[str, Any]]:
    """Return the examples by operation id, each with a request and a response.

    `make examples` writes them from real requests (tests/api/tour.py).
    """
    text = Path(__file__).with_name("examples.json").read_text(encoding="utf-8")
    examples_by_id: dict[str, dict[str, Any]] = json.loads(text)
    return examples_by_id


def _add_examples(operation: dict[str, Any]) -> None:
    example = load_examples().get(operation["operationId"], {})
    if sent := example.get("request"):
        operation["requestBody"]["content"][sent["media"]]["example"] = sent["value"]
    if received := example.get("response"):
        contents = operation["responses"][received["status"]]["content"]
        contents[received["media"]]["example"] = received["value"]


@cache
def load_translations() -> dict[str, str]:
    """Return the Japanese translation of each English paragraph, written on one line.

    Texts of statistics also occur on pages and are translated by gettext instead.
    """
    text = Path(__file__).with_name("reference.ja.json").read_text(encoding="utf-8")
    translations: dict[str, str] = json.loads(text)
    return translations


def _translate(part: Any) -> Any:
    """Return a part of the document with its summaries and descriptions in Japanese."""
    if isinstance(part, list):
        return [_translate(element) for element in part]
    if not isinstance(part, dict):
        return part
    return {
        name: _translate_paragraphs(str(value))
        if name in ("summary", "description") and isinstance(value, (str, Promise))
        else _translate(value)
        for name, value in part.items()
    }


def _translate_paragraphs(text: str) -> str:
    translations = load_translations()
    parts = text.split("\n\n")
    return "\n\n".join(translations.get(" ".join(part.split()), part) for part in parts)


def _component_name(name: str) -> str:
    return f"Kafu{name[0].upper()}{name[1:]}"


def _rewrite_references(schema: Any) -> Any:
    """Return a schema of Kafu with references to the components of this document."""
    if isinstance(schema, list):
        return [_rewrite_references(element) for element in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: f"{COMPONENTS}{_component_name(value.removeprefix('#/$defs/'))}"
        if name == "$ref"
        else _rewrite_references(value)
        for name, value in schema.items()
        if name not in ("$schema", "$id")
    }
