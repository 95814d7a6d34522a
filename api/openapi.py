"""The OpenAPI document, where the framework cannot derive it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

from django.conf import settings
from django.utils.functional import Promise
from drf_spectacular.openapi import AutoSchema

from api.schemas import COMPONENTS, Component, components
from kafu.notation.json.schema import schema
from records.base.labels import lang

#: The JSON form of Kafu in the document; its parts are KafuMonth, KafuTurn and so on.
KafuGame = Annotated[dict[str, Any], Component("KafuGame")]
KAFU: Final = {"$ref": f"{COMPONENTS}KafuGame"}
_OTHER: Final = {
    "type": "object",
    "description": (
        "A log of another program: its content decides what it is. A list of games or of logs is "
        "read too; send it as application/octet-stream."
    ),
    "additionalProperties": True,
}
#: What JSON may hold where games are sent. No list: clients made by generators could not tell it
#: from the others.
ANY_GAME: Final = {"anyOf": [KAFU, {"$ref": f"{COMPONENTS}OtherLog"}]}


class Operation(AutoSchema):
    """One method of a resource."""

    def _get_parameters(self) -> list[dict[str, Any]]:
        """The parameters, with values known only at request time, such as the rulesets."""
        found: list[dict[str, Any]] = super()._get_parameters()
        return [one | {"schema": _resolved(one["schema"])} for one in found]

    def get_auth(self) -> list[dict[str, Any]]:
        """Who may call: token, session, and anonymous (``{}``) if no account is needed."""
        known: list[dict[str, Any]] = super().get_auth()
        view: Any = self.view
        return known if view.needs_account(self.method) else [*known, {}]

    def _get_response_for_code(
        self,
        serializer: Any,
        status_code: str,
        media_types: list[str] | None = None,
        direction: str = "response",
    ) -> dict[str, Any]:
        """Leave a schema as it is: in a list, the framework takes it for the schema of a row."""
        whole: dict[str, Any] = super()._get_response_for_code(
            {} if isinstance(serializer, dict) else serializer, status_code, media_types, direction
        )
        if isinstance(serializer, dict):
            kinds = media_types or self.map_renderers("media_type")
            whole["description"] = ""
            whole["content"] = {kind: {"schema": serializer} for kind in kinds}
        return whole


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema with its callables called."""
    called = {name: value() if callable(value) else value for name, value in schema.items()}
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in called.items()
    }


def complete(result: dict[str, Any], **_given: Any) -> dict[str, Any]:
    """What no view knows: the address of the archive, the JSON Schema of Kafu's JSON form, and
    the language of the request.

    A hook of drf-spectacular (``POSTPROCESSING_HOOKS``).
    """
    result["servers"] = [{"url": settings.SITE_URL}]
    whole = schema()
    parts = whole.pop("$defs")
    whole["title"] = "KafuGame"  # generators name a class by it
    known = {"KafuGame": whole, "OtherLog": _OTHER} | {
        _component(name): part for name, part in parts.items()
    }
    schemas = result["components"]["schemas"]
    for name, part in known.items():
        schemas[name] = _with_references(part)
    for name, part in components().items():
        assert schemas.get(name, part) == part, f"two components are named {name}"
        schemas[name] = part
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    if lang() == "ja":
        translated: dict[str, Any] = _in_japanese(result)
        return translated
    return result


@cache
def japanese() -> dict[str, str]:
    """The Japanese of each paragraph that is written in English, on one line.

    Texts that pages have too, those of statistics, are in Japanese before: by gettext.
    """
    text = Path(__file__).with_name("reference.ja.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found


def _in_japanese(part: Any) -> Any:
    """A part of the document with its summaries and descriptions in Japanese."""
    if isinstance(part, list):
        return [_in_japanese(one) for one in part]
    if not isinstance(part, dict):
        return part
    return {
        name: _paragraphs(str(value))
        if name in ("summary", "description") and isinstance(value, (str, Promise))
        else _in_japanese(value)
        for name, value in part.items()
    }


def _paragraphs(text: str) -> str:
    known = japanese()
    parts = text.split("\n\n")
    return "\n\n".join(known.get(" ".join(part.split()), part) for part in parts)


def _component(name: str) -> str:
    return f"Kafu{name[0].upper()}{name[1:]}"


def _with_references(schema: Any) -> Any:
    """A schema of Kafu with its references turned into those of the document."""
    if isinstance(schema, list):
        return [_with_references(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: f"{COMPONENTS}{_component(value.removeprefix('#/$defs/'))}"
        if name == "$ref"
        else _with_references(value)
        for name, value in schema.items()
        if name not in ("$schema", "$id")
    }
