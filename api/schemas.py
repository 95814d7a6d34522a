"""JSON Schema of response types for the OpenAPI document.

A field is declared once, in a TypedDict, named tuple or dataclass where the response is made. Each
class is a component with the name of the class, and so is each list of texts (`OneOf`, `Enum`). A
text in `Annotated` is the description of a field.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import Enum
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

from kafu.notation.faults import Fault, FaultJson
from kafu.notation.json_types import NOT_WRITTEN, OneOf
from records.base.json_types import Component, Format

Schema = dict[str, Any]
COMPONENTS: Final = "#/components/schemas/"
NULL: Final[Schema] = {"type": "null"}
#: Types that are written as another type in JSON.
_WRITTEN_AS: Final = {Fault: FaultJson}
_SIMPLE: Final[Mapping[Any, Schema]] = {
    Any: {},
    NoneType: NULL,
    bool: {"type": "boolean"},
    datetime: {"type": "string", "format": "date-time"},
    float: {"type": "number", "format": "double"},
    int: {"type": "integer"},
    object: {},
    str: {"type": "string"},
}
#: The types of the document by component name.
_types: Final[dict[str, Any]] = {}


def schema_of(form: Any) -> Schema:
    """Return the schema of a type; a class becomes a reference to its component."""
    origin, parts = get_origin(form), get_args(form)
    if origin is NotRequired:
        return schema_of(parts[0])
    if origin is Annotated:
        return _build_annotated(parts[0], form.__metadata__)
    if origin in (Union, UnionType):
        return _build_union([schema_of(part) for part in parts])
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
    return {
        "type": "object",
        "description": _describe_class(form),
        "properties": {name: schema_of(kind) for name, kind in fields.items()},
        "required": sorted(
            name for name, kind in fields.items() if get_origin(kind) is not NotRequired
        ),
    }


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

    Only a TypedDict is described by all paragraphs; later paragraphs of another class are for its
    users in Python.
    """
    text = inspect.getdoc(form)
    assert text, f"{form} has no docstring"
    return (text if is_typeddict(form) else text.partition("\n\n")[0]).replace("``", "`")
