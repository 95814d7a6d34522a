"""Renderers of response formats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.utils.encoders import JSONEncoder

from records.shapes.shape import Shape, to_values


class _Encoder(JSONEncoder):
    def default(self, value: Any) -> Any:
        """Return a response (`records.shapes`) or another object as values of JSON."""
        return to_values(value) if isinstance(value, Shape) else super().default(value)


class JsonRenderer(JSONRenderer):
    """Renderer of JSON with responses of the types of `records.shapes`."""

    encoder_class = _Encoder


class TextRenderer(BaseRenderer):
    """Renderer of data that is already text."""

    charset = "utf-8"

    def render(
        self,
        data: str,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Return the text encoded as UTF-8."""
        return data.encode()


class KafuRenderer(TextRenderer):
    """Renderer of the text of a game."""

    media_type = "text/x-kafu"
    format = "kafu"


class CsvRenderer(TextRenderer):
    """Renderer of a table as CSV (RFC 4180)."""

    media_type = "text/csv"
    format = "csv"


class NdjsonRenderer(TextRenderer):
    """Renderer of NDJSON, an object per line."""

    media_type = "application/x-ndjson"
    format = "ndjson"
