"""Renderers of response formats other than JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import BaseRenderer


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
