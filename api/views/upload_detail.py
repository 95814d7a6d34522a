"""An upload: its progress, and a change of its visibility."""

from __future__ import annotations

import re
import time
from typing import Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import viewer_of
from api.forms import form_of, read_body
from api.parsers import FieldsParser
from api.problems import CONFLICT, Problem, invalid_parameter
from api.views.base import Resource, document
from api.views.uploads import SECRET_HEADER, get_upload
from people.models import READ, UPLOAD
from records.ingest import reports
from records.models import Job, Visibility
from records.privacy.access import is_sender
from records.search.filters import shown
from records.services import visibility
from records.serving import downloads
from records.serving.limits import account_of, count_change
from records.shapes.uploads import UploadJson, VisibilityJson
from records.shapes.visibilities import VISIBILITIES

WAIT: Final = "wait"
MAX_WAIT_SECONDS: Final = 20
#: Seconds between two queries of a waiting request.
LOOK_SECONDS: Final = 1
#: Seconds until a retry of a request that had no place to wait.
RETRY_SECONDS: Final = 3


def _parse_wait(request: Request) -> int:
    """Return the seconds that a request may wait; raise a 400 problem."""
    value = request.query_params.get(WAIT, "0")
    seconds = int(value) if re.fullmatch("[0-9]{1,2}", value) else -1
    if not 0 <= seconds <= MAX_WAIT_SECONDS:
        values = {"value": shown(value), "least": 0, "most": MAX_WAIT_SECONDS}
        message = _("“%(value)s”: expected a whole number from %(least)d to %(most)d.") % values
        raise invalid_parameter(WAIT, f"{WAIT}: {message}")
    return seconds


def is_over(upload: UploadJson) -> bool:
    """Return whether an upload is read and no change of its visibility is under way."""
    change = upload.change
    return upload.state == "done" and (change is None or change.state not in Job.OPEN)


class UploadDetail(Resource):
    """An upload."""

    http_method_names = ("get", "head", "patch")
    parser_classes = (FieldsParser,)

    def scopes_for(self, request: Request) -> tuple[str, ...]:
        """Return the scope for uploads for changes, or else the scopes for reading."""
        return (UPLOAD,) if request.method == "PATCH" else (READ, UPLOAD)

    @document(
        "uploads_retrieve",
        "The progress of an upload",
        UploadJson,
        description=(
            "The counts are exact at the moment of the response; `state` ends as `done`. With "
            "`wait` the response comes when anything changed, or after so many seconds. It comes "
            "immediately if nothing will change any more, and, with `Retry-After`, if too many "
            "requests are waiting."
        ),
        parameters=[
            SECRET_HEADER,
            OpenApiParameter(
                WAIT,
                {"type": "integer", "minimum": 0, "maximum": MAX_WAIT_SECONDS, "default": 0},
                description="How many seconds to wait for a change.",
            ),
            OpenApiParameter(
                "Retry-After",
                int,
                OpenApiParameter.HEADER,
                response=[200],
                description="Seconds after which to repeat a request that could not wait.",
            ),
        ],
        problems=(404,),
    )
    def get(self, request: Request, key: str) -> Response:
        """Return the upload with its current counts, after a change if the request waits."""
        seconds = _parse_wait(request)
        response = self._load(request, key)
        if seconds and not is_over(response.data):
            with downloads.room(account_of(request)) as is_room:
                if is_room:
                    return self._wait_for_change(request, key, response, seconds)
            response["Retry-After"] = str(RETRY_SECONDS)
        return response

    def _load(self, request: Request, key: str) -> Response:
        upload = get_upload(request, key)
        return Response(reports.show_upload(upload), headers={"Cache-Control": "no-store"})

    def _wait_for_change(
        self, request: Request, key: str, response: Response, seconds: int
    ) -> Response:
        """Return the first response that differs from ``response``, or the last."""
        before = response.data
        end = time.monotonic() + seconds
        while response.data == before and (left := end - time.monotonic()) > 0:
            if not downloads.pause(min(LOOK_SECONDS, left)):
                break  # The server ends.
            response = self._load(request, key)
        return response

    @document(
        "uploads_change",
        "Set who can see an upload and all its games",
        {202: UploadJson},
        description=(
            "Only the uploader may do this. The response comes immediately, and `change` counts "
            "the changed games, including games that are still being read. A `withdrawn` upload "
            "can be restored for 7 days by any other visibility; after that its games have to be"
            " uploaded again. Each game has the most public visibility that an owner chose. "
            "Without an account, send the header `Upload-Secret` of the upload."
        ),
        parameters=[SECRET_HEADER],
        request=form_of(VisibilityJson),
        problems=(404, 409, 413, 415),
    )
    def patch(self, request: Request, key: str) -> Response:
        """Change the visibility; return 202 with the upload."""
        upload = get_upload(request, key)
        viewer = viewer_of(request)
        if not is_sender(upload, viewer):
            if viewer.user is None:
                raise NotAuthenticated(_("This needs a token, or the secret of the upload."))
            raise PermissionDenied(_("Only its uploader can change it."))
        level = VISIBILITIES[read_body(request, VisibilityJson).visibility]
        if level is Visibility.PRIVATE and upload.owner_id is None:
            raise NotAuthenticated(
                _("A private upload needs a token: without one nobody could see it.")
            )
        if upload.visibility != level:
            count_change(request)
        try:
            if upload.visibility == Visibility.WITHDRAWN and level != Visibility.WITHDRAWN:
                visibility.restore(upload)
            if upload.visibility != level:
                visibility.request_change(upload, level)
        except visibility.Withdrawn as error:
            text = _("This upload is withdrawn. To restore its games, upload them again.")
            raise Problem(CONFLICT, text) from error
        return Response(reports.show_upload(upload), status=202)
