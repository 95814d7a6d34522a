"""Drafts of games and score sheets that the caller is writing."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.parsers import FieldsParser
from api.problems import DRAFTS, Problem, invalid_parameter, too_large
from api.serializers.me import DraftSerializer, SentDraftSerializer, WholeDraftSerializer
from api.views.base import LANG, problem_responses
from api.views.me import AccountResource
from people import drafts
from people.models import READ, UPLOAD, Draft
from records.serving.body_limits import SMALL_BYTES, Limit

#: Maximum length of a key.
_KEY: Final = 44


class Drafts(AccountResource):
    """The caller's drafts."""

    @extend_schema(
        operation_id="drafts_list",
        summary="The caller's drafts, the newest first",
        description=f"At most {drafts.MAX_DRAFTS}, without their states.",
        parameters=[LANG],
        responses={200: DraftSerializer(many=True), **problem_responses(400)},
    )
    def get(self, request: Request) -> Response:
        """Return all drafts without states."""
        stored_drafts = Draft.objects.filter(owner=request.user.pk).defer("state")[
            : drafts.MAX_DRAFTS
        ]
        return Response(DraftSerializer(stored_drafts, many=True).data)


class DraftDetail(AccountResource):
    """A draft of the caller."""

    http_method_names = ("get", "head", "put", "delete")
    parser_classes = (FieldsParser,)
    # JSON escapes may double the size: a kanji of three bytes takes six.
    body_limit = Limit(lambda: 2 * drafts.MAX_BYTES, more=SMALL_BYTES)

    def scopes_for(self, request: Request) -> tuple[str, ...]:
        """Return the scope for uploads for every method that changes data."""
        return (READ,) if request.method in ("GET", "HEAD") else (UPLOAD,)

    @extend_schema(
        operation_id="draft_retrieve",
        summary="A draft with its state",
        parameters=[LANG],
        responses={200: WholeDraftSerializer, **problem_responses(400, 404)},
    )
    def get(self, request: Request, key: str) -> Response:
        """Return the whole draft."""
        draft = Draft.objects.filter(owner=request.user.pk, key=key).first()
        if draft is None:
            raise Http404
        return Response(WholeDraftSerializer(draft).data)

    @extend_schema(
        operation_id="draft_keep",
        summary="Store a draft",
        description=(
            "Returns the stored draft. A newer stored draft stays, and is returned with its later "
            f"`changed`. An account has at most {drafts.MAX_DRAFTS} drafts; none is dropped for a "
            "new draft (`too-many-drafts`)."
        ),
        parameters=[LANG],
        request=SentDraftSerializer,
        responses={200: DraftSerializer, **problem_responses(400, 404, 409, 413, 415)},
    )
    def put(self, request: Request, key: str) -> Response:
        """Store the draft unless a newer version is stored."""
        if len(key) > _KEY:
            raise invalid_parameter(
                "key", _("A key has at most %(most)d characters.") % {"most": _KEY}
            )
        form = SentDraftSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        fields: dict[str, Any] = form.validated_data
        owner = request.user.pk
        assert owner is not None, "it needs an account"
        try:
            draft = drafts.store(owner, key, **fields)
        except drafts.DraftTooLarge as error:
            raise too_large(drafts.MAX_BYTES) from error
        except drafts.TooManyDrafts as error:
            text = _(
                "You have %(most)d drafts on the server, the most there can be: delete one first."
            )
            raise Problem(
                DRAFTS, text % {"most": drafts.MAX_DRAFTS}, limit=drafts.MAX_DRAFTS
            ) from error
        return Response(DraftSerializer(draft).data)

    @extend_schema(
        operation_id="draft_delete",
        summary="Delete a draft",
        parameters=[LANG],
        responses={
            204: OpenApiResponse(description="The object does not exist any more."),
            **problem_responses(400, 404),
        },
    )
    def delete(self, request: Request, key: str) -> HttpResponse:
        """Delete the draft; deleting a missing draft has no effect."""
        Draft.objects.filter(owner=request.user.pk, key=key).delete()
        return HttpResponse(status=204)
