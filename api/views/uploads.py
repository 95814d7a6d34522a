"""Uploads: sending games, and their results."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from django.conf import settings
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import SECRET, viewer_of
from api.filters import parse_submission_filters, submission_parameters
from api.openapi import schema_of
from api.paging import PAGE_PARAMETERS, page_of, page_response
from api.parsers import WHOLE, FormParser
from api.problems import (
    CONFLICT,
    KEY_REUSED,
    NOTHING,
    ONE_GAME,
    Problem,
    invalid_header,
    quota_exceeded,
    storage_full,
    too_large,
)
from api.upload_checks import (
    ANOTHER_GAME,
    CLUB,
    REPLACES,
    VISIBILITY,
    allows_another_game,
    find_club,
    find_replaced_game,
    hash_request_secret,
    parse_visibility,
    refuse_foreign_pages,
)
from api.views.base import BodyResource, Resource, body_schemas, document
from people.models import READ, UPLOAD
from records.ingest import reports
from records.ingest.quotas import QuotaExceeded
from records.ingest.receiving import NothingUploaded, Part, UploadTooLarge
from records.models import Upload, Visibility
from records.privacy.access import SECRET_PATTERN, mark
from records.privacy.redaction import redaction_for
from records.services import claims
from records.services.submit import (
    KeyReused,
    NotOneGame,
    Received,
    ReplacementRefused,
    submit,
)
from records.serving.limits import FORM_BYTES, Limit, count_change
from records.serving.senders import sender_of
from records.shapes.uploads import FileJson, Form, SubmissionJson, UploadJson

SECRET_HEADER = OpenApiParameter(
    SECRET,
    {"type": "string", "pattern": f"^{SECRET_PATTERN.pattern}$"},
    OpenApiParameter.HEADER,
    description=(
        "A secret of your own choice, with which you can later change and withdraw an upload "
        "that you sent without an account."
    ),
)
KEY = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"


class Uploads(BodyResource):
    """Creation of uploads."""

    parser_classes = (FormParser, *WHOLE)
    body_limit = Limit(lambda: settings.UPLOAD_LIMIT_BYTES, more=FORM_BYTES)
    throttle_scope = "uploads"
    scopes = (UPLOAD,)

    def needs_account(self, method: str) -> bool:
        """Return True if the archive accepts uploads from accounts only."""
        return not settings.ANONYMOUS_UPLOAD

    @document(
        "uploads_create",
        "Upload games",
        {202: UploadJson},
        description=(
            "Files are stored byte for byte and read by workers. The response comes immediately,"
            " and `Location` is the address of the progress. `Content-Disposition: attachment; "
            "filename=…` may name a body that is one file. A request with an `Idempotency-Key` "
            "may be repeated: the same key and files are one upload, with the same response."
        ),
        parameters=[
            OpenApiParameter(
                VISIBILITY,
                str,
                enum=["public", "unlisted", "private"],
                description=(
                    "Who can see the games: everybody, anybody with the address, or only you; "
                    "`private` needs a token. Without it games are public, or as visible as the "
                    "club of `club`."
                ),
            ),
            OpenApiParameter(
                CLUB,
                str,
                description=(
                    "The key of a club of yours, which gets the games. Its members see them too "
                    "if they are private."
                ),
            ),
            OpenApiParameter(
                REPLACES,
                str,
                description=(
                    "The key of a game of yours, to be replaced by the one game in this request."
                    " Its address then redirects to the new game. Without `visibility` the new "
                    "game keeps the visibility of the old. Without an account, send the "
                    "`Upload-Secret` of the old game; the new upload keeps it."
                ),
            ),
            OpenApiParameter(
                ANOTHER_GAME,
                bool,
                default=False,
                description=(
                    "Whether the game may replace one with another ruleset, other players and "
                    "other deals; otherwise the response is 409."
                ),
            ),
            OpenApiParameter(
                KEY,
                {"type": "string", "pattern": "^[ -~]{1,255}$"},
                OpenApiParameter.HEADER,
                description="Up to 255 characters of ASCII.",
            ),
            SECRET_HEADER,
            OpenApiParameter(
                REPLAYED,
                str,
                OpenApiParameter.HEADER,
                response=[202],
                description="`true` if the upload was received before.",
            ),
            OpenApiParameter(
                "Location", str, OpenApiParameter.HEADER, response=[202], description="The upload."
            ),
        ],
        request={
            FormParser.media_type: schema_of(Form),
            **body_schemas(WHOLE),
        },
        problems=(404, 409, 410, 413, 415, 422, 429, 507),
    )
    def post(self, request: Request) -> Response:
        """Store the files; return 202 with the upload."""
        refuse_foreign_pages(request)
        limit = settings.UPLOAD_LIMIT_BYTES
        slack = FORM_BYTES if (request.content_type or "").startswith("multipart/") else 0
        parts = self.parts(request, limit, slack)
        try:
            received = self.receive_files(request, parts)
        except UploadTooLarge as error:
            raise too_large(error.limit) from error
        except QuotaExceeded as error:
            raise quota_exceeded(error) from error
        except NotOneGame as error:
            raise Problem(ONE_GAME, error.words) from error
        except ReplacementRefused as error:
            raise Problem(CONFLICT, error.words) from error
        except NothingUploaded as error:
            raise Problem(NOTHING, _("Send a file or a text.")) from error
        except OSError as error:
            raise storage_full(error) from error
        data = reports.show_upload(received.upload)
        headers = {"Location": data.url}
        if received.is_repeated:
            headers[REPLAYED] = "true"
        return Response(data, status=202, headers=headers)

    def receive_files(self, request: Request, parts: Iterable[Part]) -> Received:
        """Return the upload; the former one if the request has a known Idempotency-Key."""
        secret = hash_request_secret(request)
        former = find_replaced_game(request)
        if former is not None:
            count_change(request)
        level = request.query_params.get(VISIBILITY, "")
        club = find_club(request, request.query_params.get(CLUB, ""))
        key = request.headers.get(KEY)
        if key is not None and not (0 < len(key) <= 255 and key.isascii() and key.isprintable()):
            text = _("%(name)s: expected 1 to 255 characters of ASCII.") % {"name": KEY}
            raise invalid_header(KEY, text)
        try:
            return submit(
                parts,
                via="api",
                sender=sender_of(request),
                viewer=viewer_of(request),
                secret=secret,
                visibility=parse_visibility(request, level),
                circle=club,
                former=former,
                allow_other=allows_another_game(request),
                key=key or "",
            )
        except KeyReused as error:
            raise Problem(KEY_REUSED, _("This key was already used, with other files.")) from error


def get_upload(request: Request, key: str) -> Upload:
    """Return the upload with this key if the caller may see it, or raise Http404."""
    upload = reports.uploads(viewer_of(request)).filter(key=key).first()
    if upload is None:
        raise Http404
    mark(request._request, min(upload.visibility, Visibility.UNLISTED))
    return upload


class UploadClaim(Resource):
    """Claim of an upload that was sent without an account."""

    http_method_names = ("post",)
    scopes = (UPLOAD,)

    def needs_account(self, method: str) -> bool:
        """Return True: a claim needs the account of the new owner."""
        return True

    @document(
        "uploads_claim",
        "Add an upload that was sent without an account to yours",
        {202: UploadJson},
        description=(
            "Send the `Upload-Secret` of the upload. All uploads with this secret then belong to"
            " your account, and so do their games: `change` counts them. The secret is invalid "
            "afterwards. 404 if the secret is wrong or the upload has an owner; a repeated claim"
            " changes nothing."
        ),
        parameters=[SECRET_HEADER],
        request=None,
        problems=(404, 409),
    )
    def post(self, request: Request, key: str) -> Response:
        """Claim the upload for the caller; return 202 with the upload."""
        owner = viewer_of(request).user
        assert owner is not None, "needs_account"
        count_change(request)
        try:
            upload = claims.claim(key, request.headers.get(SECRET, ""), owner)
        except claims.NotClaimable as error:
            raise Http404 from error
        except claims.Changing as error:
            text = _("The visibility of this upload is being changed: claim it after that.")
            raise Problem(CONFLICT, text) from error
        mark(request._request, Visibility.PRIVATE)
        return Response(reports.show_upload(upload), status=202)


class UploadFiles(Resource):
    """The files of an upload."""

    scopes = (READ, UPLOAD)

    @document(
        "uploads_files_list",
        "The files of an upload, with their faults",
        page_of(FileJson),
        description="First the sent files, then the files found in archives.",
        parameters=PAGE_PARAMETERS,
        problems=(404,),
    )
    def get(self, request: Request, key: str) -> Response:
        """Return a page of files."""
        upload = get_upload(request, key)
        redaction = redaction_for(upload, viewer_of(request))
        show = partial(reports.show_file, redaction=redaction)
        return page_response(request, reports.files(upload), partial(map, show))


class UploadGames(Resource):
    """The games of an upload."""

    scopes = (READ, UPLOAD)

    @document(
        "uploads_games_list",
        "The games of an upload, with their errors",
        page_of(SubmissionJson),
        description=(
            "In the order of the files. While the upload is being worked on, games are added "
            "anywhere in it."
        ),
        parameters=[*PAGE_PARAMETERS, *submission_parameters()],
        problems=(404,),
    )
    def get(self, request: Request, key: str) -> Response:
        """Return a page of games."""
        upload, viewer = get_upload(request, key), viewer_of(request)
        rows = reports.submissions(upload, viewer, **parse_submission_filters(request))
        return page_response(request, rows, partial(reports.show_submissions, upload, viewer))
