"""The form of quotas."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

Serializer = serializers.Serializer[Any]


class QuotaSerializer(Serializer):
    """One quota; `limit` and `left` are null if it is unlimited."""

    limit = serializers.IntegerField(allow_null=True)
    used = serializers.IntegerField()
    left = serializers.IntegerField(allow_null=True)


class QuotaNamesSerializer(Serializer):
    """All quotas of a sender."""

    bytes = QuotaSerializer(
        help_text=(
            "On the disk of the archive, packed; what was unpacked too. An unfinished upload in "
            "parts counts with its whole length."
        )
    )
    games = QuotaSerializer(help_text="Those found in uploads, malformed ones too.")
    malformed = QuotaSerializer(help_text="Those that could not be read.")


class QuotasSerializer(Serializer):
    """What the caller may upload in a day, and has uploaded today (UTC)."""

    reset = serializers.DateTimeField(help_text="When all quotas are free again.")
    quotas = QuotaNamesSerializer()
