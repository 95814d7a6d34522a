"""Renderers of answers that are not JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import BaseRenderer


class TextRenderer(BaseRenderer):
    """What is text already."""

    charset = "utf-8"

    def render(
        self,
        data: str,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """The text, unchanged."""
        return data.encode()


class KafuRenderer(TextRenderer):
    """The text of a game."""

    media_type = "text/x-kafu"
    format = "kafu"


class CsvRenderer(TextRenderer):
    """A table as CSV (RFC 4180)."""

    media_type = "text/csv"
    format = "csv"


class NdjsonRenderer(TextRenderer):
    """JSON, an object a line."""

    media_type = "application/x-ndjson"
    format = "ndjson"


class EventStreamRenderer(TextRenderer):
    """Server-sent events, which a browser's `EventSource` reads."""

    media_type = "text/event-stream"
    format = "events"


class VegaLiteRenderer(TextRenderer):
    """A chart, with its data."""

    media_type = "application/vnd.vegalite.v6+json"
    format = "vega-lite"
