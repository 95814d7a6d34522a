"""Answers that are no JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import BaseRenderer


class KafuRenderer(BaseRenderer):
    """The text of a game."""

    media_type = "text/x-kafu"
    format = "kafu"
    charset = "utf-8"

    def render(
        self,
        data: str,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """The text as it is."""
        return data.encode()


class CsvRenderer(BaseRenderer):
    """A sheet as CSV (RFC 4180)."""

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def render(
        self,
        data: str,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """The text as it is."""
        return data.encode()


class NdjsonRenderer(BaseRenderer):
    """JSON, an object a line."""

    media_type = "application/x-ndjson"
    format = "ndjson"
    charset = "utf-8"

    def render(
        self,
        data: str,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """The text as it is."""
        return data.encode()
