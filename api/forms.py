"""Bodies of requests as types: their fields, limits and checks, by Django REST framework.

msgspec's own validation has no Japanese messages, and stops at the first fault of a body.
"""

from __future__ import annotations

from datetime import date, datetime
from functools import cache
from typing import Annotated, Any, ClassVar, Final, TypeVar, cast, get_args, get_origin

import msgspec
from drf_spectacular.utils import extend_schema_field
from msgspec import Meta
from rest_framework import serializers
from rest_framework.request import Request

from api.openapi import schema_of
from kafu.notation.json_types import OneOf
from records.shapes.hints import read_hints, unwrap
from records.shapes.shape import NULLABLE, VERBATIM, Shape, check_names

FormShape = TypeVar("FormShape", bound=Shape)
#: The fields of types without limits.
_FIELDS: Final[dict[Any, Any]] = {
    bool: serializers.BooleanField,
    date: serializers.DateField,
    datetime: serializers.DateTimeField,
}


class NameField(serializers.ChoiceField):
    """A name of a closed list; the refusal of a value other than text does not quote the value."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "invalid": serializers.CharField.default_error_messages["invalid"]
    }

    def to_internal_value(self, data: Any) -> Any:
        """Return the name; raise ValidationError for an invalid value."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class BoundedListField(serializers.ListField):
    """A list whose length is checked before its items."""

    def run_child_validation(self, data: Any) -> list[Any]:
        """Return the checked items. Raise ValidationError."""
        if self.max_length is not None and len(data) > self.max_length:
            self.fail("max_length", max_length=self.max_length)
        checked: list[Any] = super().run_child_validation(data)
        return checked


class Form(serializers.Serializer[Any]):
    """A body of the type ``shape``, or with ``has_fields`` the sent fields as a dictionary."""

    shape: ClassVar[type[Shape]]
    has_fields = False

    def get_fields(self) -> dict[str, Any]:
        """Return the fields of the type."""
        hints, fields = read_hints(self.shape), {}
        for field in msgspec.structs.fields(self.shape):
            has_default = isinstance(field.default, bool | int | str)
            option = {"default": field.default} if has_default else {"required": field.required}
            fields[field.name] = _make_field(hints[field.name], **option)
        return fields

    def validate(self, attrs: dict[str, Any]) -> Any:
        """Return the body. Raise ValidationError."""
        body = attrs if self.has_fields else self.shape(**attrs)
        if self.shape.__struct_config__.forbid_unknown_fields:
            check_names(self.initial_data, self.fields)
        return body


@cache
def form_of(shape: type[Shape]) -> type[Form]:
    """Return the serializer of a type of body; its checks run after those of the fields."""
    checks = {
        f"validate_{name}": staticmethod(note)
        for name, kind in read_hints(shape).items()
        for note in unwrap(kind)[1]
        if callable(note)
    }
    name = f"{shape.__name__.removesuffix('Json')}Serializer"
    return type(name, (Form,), {"__doc__": shape.__doc__, "shape": shape, **checks})


def read_body(request: Request, shape: type[FormShape]) -> FormShape:
    """Return the body of a request. Raise ValidationError."""
    form = form_of(shape)(data=request.data)
    form.is_valid(raise_exception=True)
    return cast(FormShape, form.validated_data)


def read_fields(request: Request, shape: type[Shape], *, is_change: bool) -> dict[str, Any]:
    """Return the sent fields of a body; all may be omitted in a change. Raise ValidationError."""
    form = form_of(shape)(data=request.data)
    form.has_fields = True
    for field in form.fields.values():
        field.required = field.required and not is_change
    form.is_valid(raise_exception=True)
    return dict(form.validated_data)


def _make_field(kind: Any, **options: Any) -> Any:
    kind, notes = unwrap(kind)
    limits: Any = next((note for note in notes if isinstance(note, Meta)), Meta())
    options["help_text"] = next((note for note in notes if isinstance(note, str)), None)
    options["allow_null"] = NULLABLE in notes
    names = next((note for note in notes if isinstance(note, OneOf)), None)
    if names is not None:
        described = extend_schema_field(schema_of(Annotated[str, names]))
        return described(type("Name", (NameField,), {}))(choices=list(names.values), **options)
    if kind in _FIELDS:
        return _FIELDS[kind](**options)
    if kind is int:
        return serializers.IntegerField(min_value=limits.ge, max_value=limits.le, **options)
    if kind is str:
        return serializers.CharField(
            max_length=limits.max_length,
            allow_blank=not limits.min_length,
            trim_whitespace=VERBATIM not in notes,
            **options,
        )
    if isinstance(kind, type) and issubclass(kind, Shape):
        return form_of(kind)(**options)
    inner = get_args(kind)[-1]
    if inner is not Any:
        options["child"] = _make_field(inner)
    if get_origin(kind) is dict:
        return serializers.DictField(**options)
    return BoundedListField(min_length=limits.min_length, max_length=limits.max_length, **options)
