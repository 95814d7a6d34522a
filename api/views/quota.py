"""The daily quotas of a sender."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypedDict

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import viewer_of
from api.schemas import schema_of
from api.views.base import LANG, Resource, problem_responses
from records.ingest import quotas
from records.models import Visibility
from records.privacy.access import mark
from records.serving.senders import hashed, sender_of


class QuotaJson(TypedDict):
    """A quota; `limit` and `left` are null for an unlimited quota."""

    limit: int | None
    used: int
    left: int | None


class QuotaNames(TypedDict):
    """All quotas of a sender."""

    bytes: Annotated[
        QuotaJson,
        "Compressed size on the archive's disk, including unpacked files. An unfinished upload "
        "in parts counts with its whole length.",
    ]
    games: Annotated[QuotaJson, "Games found in uploads, including malformed games."]
    malformed: Annotated[QuotaJson, "Games that could not be read."]


class Quotas(TypedDict):
    """The caller's daily limits of uploads, and today's usage (UTC)."""

    reset: Annotated[datetime, "When all quotas are reset."]
    quotas: QuotaNames


class OwnQuota(Resource):
    """The quotas of the caller's account, or of the caller's address without an account."""

    scopes = ()

    @extend_schema(
        operation_id="quota",
        summary="Daily upload quotas and today's usage",
        description="The quotas of your account with all its tokens, or of your address without "
        "a token.",
        parameters=[LANG],
        responses={200: schema_of(Quotas), **problem_responses(400)},
    )
    def get(self, request: Request) -> Response:
        """Return all quotas with today's usage."""
        mark(request._request, Visibility.PRIVATE)
        usage_by_quota = quotas.standing(hashed(sender_of(request)), viewer_of(request).user)
        data = {
            name: {"limit": quota.limit or None, "used": quota.used, "left": quota.left}
            for name, quota in usage_by_quota.items()
        }
        return Response({"reset": quotas.reset(), "quotas": data})
