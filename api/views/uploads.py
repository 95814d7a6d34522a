"""Uploads: handing games in, and what became of them."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle

from api.filters import SubmissionFilter
from api.paging import PARAMETERS
from api.parsers import WHOLE, FormParser
from api.problems import NOTHING, Problem, too_large
from api.serializers.uploads import FormSerializer, SubmissionSerializer, UploadSerializer
from api.views.base import LANG, Intake, Resource, bodies, problems
from records import queries
from records.models import Submission, Upload
from records.uploads import NothingUploaded, UploadTooLarge, receive

#: What a form may have beside its files: boundaries and headers.
FORM_BYTES = 1 << 20


class Uploads(Intake):
    """Handing games in."""

    parser_classes = (FormParser, *WHOLE)
    throttle_classes = (ScopedRateThrottle,)
    throttle_scope = "uploads"

    @extend_schema(
        operation_id="uploads_create",
        summary="Hand games in",
        description=(
            "Files are stored byte for byte and read by workers; the answer is there at once, and "
            "`Location` says where the counts grow. A body that is one file may be named by "
            "`Content-Disposition: attachment; filename=…`."
        ),
        parameters=[
            LANG,
            OpenApiParameter(
                "Location", str, OpenApiParameter.HEADER, response=[202], description="The upload."
            ),
        ],
        request={
            FormParser.media_type: FormSerializer,
            **bodies(WHOLE),
        },
        responses={202: UploadSerializer, **problems(400, 413, 415, 429)},
    )
    def post(self, request: Request) -> Response:
        """Store what is sent. 202 with the upload."""
        limit = settings.UPLOAD_LIMIT_BYTES
        slack = FORM_BYTES if (request.content_type or "").startswith("multipart/") else 0
        try:
            upload = receive(parts=self.parts(request, limit, slack), via="api")
        except UploadTooLarge as error:
            raise too_large(error.limit) from error
        except NothingUploaded as error:
            raise Problem(NOTHING, _("Send a file or a text.")) from error
        data = UploadSerializer(upload, context={"request": request}).data
        return Response(data, status=202, headers={"Location": data["url"]})


class OneUpload(Resource):
    """One upload."""

    @extend_schema(
        operation_id="uploads_retrieve",
        summary="How far an upload is",
        description="The counts are exact at the moment of the answer; `state` ends as `done`.",
        parameters=[LANG],
        responses={200: UploadSerializer, **problems(400, 404)},
    )
    def get(self, request: Request, key: str) -> Response:
        """The counts, exact at this moment."""
        upload = get_object_or_404(queries.uploads(), key=key)
        response = Response(UploadSerializer(upload, context={"request": request}).data)
        response["Cache-Control"] = "no-store"
        return response


class UploadGames(Resource, ListAPIView[Submission]):
    """The games of an upload."""

    serializer_class = SubmissionSerializer
    filterset_class = SubmissionFilter
    parameters = (*PARAMETERS, *SubmissionFilter.base_filters)

    @extend_schema(
        operation_id="uploads_games_list",
        summary="The games of an upload, with their errors",
        description=(
            "In the order of the files. While the upload is being worked on, games are added "
            "anywhere in it."
        ),
        parameters=[LANG],
        responses={200: SubmissionSerializer(many=True), **problems(400, 404)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One page of them."""
        return self.list(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Submission]:
        """All games of the upload."""
        if getattr(self, "swagger_fake_view", False):
            return Submission.objects.none()
        upload: Upload = get_object_or_404(queries.uploads(), key=self.kwargs["key"])
        return queries.submissions(upload)
