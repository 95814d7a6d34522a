"""Resumable uploads by tus 1.0 (https://tus.io/protocols/resumable-upload).

Supported are the core protocol and the extensions creation, termination, expiration and checksum.
A client creates an upload of a declared length (POST), appends to it (PATCH), and queries its
offset (HEAD).
"""

from __future__ import annotations

import base64
import binascii
from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.http import http_date
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.request import Request

from api.authentication import viewer_of
from api.parsers import Body
from api.problems import (
    CHECKSUM,
    CONFLICT,
    GONE,
    LOCKED,
    MEDIA,
    PENDING,
    TUS_VERSION,
    Problem,
    invalid_header,
    quota_exceeded,
    storage_full,
    too_large,
)
from api.upload_checks import (
    CLUB,
    VISIBILITY,
    find_club,
    hash_request_secret,
    parse_visibility,
    refuse_foreign_pages,
)
from api.views.base import BodyResource, document
from people.models import UPLOAD
from records.ingest import parts, resumable
from records.ingest.quotas import QuotaExceeded
from records.models import PartialUpload, Visibility
from records.serving.limits import Limit
from records.serving.senders import sender_of

VERSION: Final = "1.0.0"
EXTENSIONS: Final = "creation,termination,expiration,checksum"
#: Algorithms of Upload-Checksum: tus requires sha1; sha256 is stronger.
ALGORITHMS: Final = ("sha1", "sha256")
MEDIA_TYPE: Final = "application/offset+octet-stream"
MAX_METADATA: Final = 2048


def header_parameter(
    name: str, description: str, *, status: int = 0, required: bool = False, pattern: str = ""
) -> Any:
    """Return a request header for the OpenAPI document, or a response header of ``status``."""
    return OpenApiParameter(
        name,
        {"type": "string", "pattern": pattern} if pattern else str,
        OpenApiParameter.HEADER,
        description=description,
        required=required,
        response=[status] if status else False,
    )


TUS = header_parameter("Tus-Resumable", "`1.0.0`", required=True, pattern=r"^1\.0\.0$")
#: Patterns of tus headers.
NUMBER: Final = "^[0-9]{1,18}$"
CHECKSUM_FORM: Final = "^(sha1|sha256) [A-Za-z0-9+/]+={0,2}$"


class Tus(BodyResource):
    """Base of both tus resources: protocol version and response headers."""

    scopes = (UPLOAD,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check the protocol version; raise a 412 problem for any other version."""
        super().initial(request, *args, **kwargs)
        if request.method != "OPTIONS" and request.headers.get("Tus-Resumable") != VERSION:
            raise Problem(TUS_VERSION, _("Tus-Resumable header: expected %(v)s.") % {"v": VERSION})

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> Any:
        """Add the protocol version to the response."""
        answer: Any = super().finalize_response(request, response, *args, **kwargs)
        answer["Tus-Resumable"] = VERSION
        if answer.status_code == TUS_VERSION.status:
            answer["Tus-Version"] = VERSION
        return answer

    def options(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:  # type: ignore[override]
        """Return the capabilities of the server."""
        return HttpResponse(
            status=204,
            headers={
                "Tus-Version": VERSION,
                "Tus-Extension": EXTENSIONS,
                "Tus-Max-Size": str(settings.RESUMABLE_LIMIT_BYTES),
                "Tus-Checksum-Algorithm": ",".join(ALGORITHMS),
            },
        )


class Resumables(Tus):
    """Creation of resumable uploads."""

    http_method_names = ("post", "options")
    throttle_scope = "uploads"

    def needs_account(self, method: str) -> bool:
        """Return True if the archive accepts uploads from accounts only."""
        return not settings.ANONYMOUS_UPLOAD

    @document(
        "resumable_create",
        "Begin an upload in parts (tus)",
        {201: OpenApiResponse(description="The upload was created.")},
        description=(
            "`Location` is the address of the parts. The bytes may be anything that `POST "
            "uploads` accepts. An upload without a new part for a day is deleted."
        ),
        parameters=[
            TUS,
            header_parameter(
                "Upload-Length",
                "Length of the whole upload in bytes.",
                required=True,
                pattern=NUMBER,
            ),
            header_parameter(
                "Upload-Metadata",
                "`filename` and the name in base64, for the report; `visibility` and `club` "
                "as in `uploads`.",
            ),
            header_parameter("Location", "The upload in parts.", status=201),
            header_parameter("Upload-Expires", "When the upload expires.", status=201),
        ],
        request=None,
        problems=(412, 413, 429, 507),
    )
    def post(self, request: Request) -> HttpResponse:
        """Create an upload; return 201 with its address."""
        refuse_foreign_pages(request)
        length = parse_number(request, "Upload-Length")
        if length > settings.RESUMABLE_LIMIT_BYTES:
            raise too_large(settings.RESUMABLE_LIMIT_BYTES)
        metadata = request.headers.get("Upload-Metadata", "")
        fields = parse_metadata(metadata)
        club = find_club(request, fields.get(CLUB, ""))
        visibility = parse_visibility(request, fields.get(VISIBILITY, ""))
        if visibility is None:
            visibility = Visibility.PUBLIC if club is None else Visibility(club.visibility)
        try:
            partial = resumable.begin(
                sender=sender_of(request),
                name=parse_filename(metadata) or "body",
                metadata=metadata,
                length=length,
                owner=viewer_of(request).user,
                visibility=visibility,
                circle=club.id if club is not None else "",
                secret=hash_request_secret(request),
            )
            resumable.finish(partial)  # an upload without bytes is complete
        except QuotaExceeded as error:
            raise quota_exceeded(error) from error
        except resumable.TooMuchPending as error:
            text = _(
                "You have too many unfinished uploads, or too many bytes in them: finish or "
                "delete some first."
            )
            raise Problem(PENDING, text, limit=error.limit) from error
        except OSError as error:
            raise storage_full(error) from error
        path = reverse("api:resumable", args=[partial.key])
        headers = {"Location": path, **upload_headers(partial)}
        return HttpResponse(status=201, headers=headers)


class Resumable(Tus):
    """A resumable upload."""

    http_method_names = ("head", "patch", "delete", "post", "options")
    throttle_scope = "parts"
    body_limit = Limit(lambda: settings.PART_LIMIT_BYTES)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse a POST without a method override with a 405 problem."""
        if request.method == "POST" and _override_method(request) not in ("PATCH", "DELETE"):
            raise MethodNotAllowed("POST")
        super().initial(request, *args, **kwargs)

    def head(self, request: Request, key: str) -> HttpResponse:
        """Return the offset and length of the upload."""
        partial = get_partial_upload(request, key)
        try:
            resumable.finish(partial)  # in case the process ended after the last byte
        except resumable.Assembling:
            pass  # another process is creating the upload
        except PartialUpload.DoesNotExist as error:
            raise Http404 from error
        except parts.Lost as error:
            raise _lost() from error
        headers = upload_headers(partial) | {"Cache-Control": "no-store"}
        if partial.metadata:
            headers["Upload-Metadata"] = partial.metadata
        return HttpResponse(headers=headers | {"Upload-Length": str(partial.length)})

    @document(
        "resumable_patch",
        "Add a part to an upload (tus)",
        {204: OpenApiResponse(description="The part was added.")},
        description=(
            "Adds bytes from `Upload-Offset` on. A part is stored completely or not at all: after "
            "an interruption `HEAD` returns in `Upload-Offset` where to continue. After the last "
            "byte the workers take over, and `Upload-Result` is the address of the upload, also in "
            "the response to `HEAD`."
        ),
        parameters=[
            TUS,
            header_parameter("Upload-Offset", "Offset of the part.", required=True, pattern=NUMBER),
            header_parameter(
                "Upload-Checksum",
                "`sha1` or `sha256`, a space, and the checksum in base64.",
                pattern=CHECKSUM_FORM,
            ),
            header_parameter("Upload-Offset", "Offset of the next part.", status=204),
            header_parameter(
                "Upload-Result", "The upload, once all bytes have arrived.", status=204
            ),
            header_parameter("Upload-Expires", "When the upload expires.", status=204),
        ],
        request={MEDIA_TYPE: OpenApiTypes.BINARY},
        problems=(404, 409, 410, 412, 413, 415, 423, 429, 460, 507),
    )
    def patch(self, request: Request, key: str) -> HttpResponse:
        """Append a part."""
        partial = get_partial_upload(request, key)
        if (request.content_type or "").partition(";")[0].strip() != MEDIA_TYPE:
            text = _("Content-Type header: expected %(type)s.") % {"type": MEDIA_TYPE}
            raise Problem(MEDIA, text, expected=[MEDIA_TYPE])
        offset = parse_number(request, "Upload-Offset")
        checksum = parse_checksum(request)
        body = Body(request._request, partial.length - min(offset, partial.length))
        try:
            resumable.append(partial, offset, body.read, checksum)
        except resumable.WrongOffset as error:
            text = _("Expected bytes from offset %(offset)d.") % {"offset": error.offset}
            raise Problem(CONFLICT, text) from error
        except resumable.WrongSum as error:
            text = _("The checksum does not match; nothing of this part was stored.")
            raise Problem(CHECKSUM, text) from error
        except resumable.Assembling as error:
            text = _("All bytes have arrived; another request is making the upload of them.")
            raise Problem(LOCKED, text) from error
        except PartialUpload.DoesNotExist as error:
            raise Http404 from error
        except parts.Lost as error:
            raise _lost() from error
        except OSError as error:
            raise storage_full(error) from error
        return HttpResponse(status=204, headers=upload_headers(partial))

    @document(
        "resumable_delete",
        "Cancel an upload in parts (tus)",
        {204: OpenApiResponse(description="The upload was removed.")},
        description=(
            "Removes the received bytes. 409 if all bytes had arrived, because they are "
            "an upload then."
        ),
        parameters=[TUS],
        problems=(404, 409, 412, 429),
    )
    def delete(self, request: Request, key: str) -> HttpResponse:
        """Remove the unfinished upload."""
        partial = get_partial_upload(request, key)
        if partial.offset == partial.length:
            raise Problem(CONFLICT, _("All bytes have arrived: this is an upload now."))
        resumable.remove(partial)
        return HttpResponse(status=204)

    @extend_schema(exclude=True)
    def post(self, request: Request, key: str) -> HttpResponse:
        """Run the method of the override header, for clients limited to POST."""
        return (self.patch if _override_method(request) == "PATCH" else self.delete)(request, key)


def _override_method(request: Request) -> str:
    """Return the method of the override header of a POST."""
    return request.headers.get("X-HTTP-Method-Override", "").upper()


def get_partial_upload(request: Request, key: str) -> PartialUpload:
    """Return the resumable upload, or raise Http404."""
    partial = resumable.find(key)
    if partial is None or partial.owner_id not in (None, viewer_of(request).user):
        raise Http404
    return partial


def _lost() -> Problem:
    text = _("Bytes of this upload are lost: please send it again from the beginning.")
    return Problem(GONE, text)


def upload_headers(partial: PartialUpload) -> dict[str, str]:
    """Return offset, and expiry or result, as headers."""
    headers = {"Upload-Offset": str(partial.offset)}
    if partial.upload is None:
        headers["Upload-Expires"] = http_date(partial.expires.timestamp())
    else:
        headers["Upload-Result"] = reverse("api:upload", args=[partial.upload.key])
    return headers


def parse_number(request: Request, name: str) -> int:
    """Return the value of an integer header; raise a 400 problem if it is no integer."""
    text = request.headers.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise invalid_header(name, _("%(name)s: expected a whole number.") % {"name": name})
    return int(text)


def parse_filename(metadata: str) -> str:
    """Return the file name in Upload-Metadata, or ""."""
    names = parse_metadata(metadata)
    return names.get("filename") or names.get("name") or ""


def parse_metadata(metadata: str) -> dict[str, str]:
    """Return the decoded pairs of Upload-Metadata.

    The format is names, each with a blank and a base64 value, separated by commas. Raise a 400
    problem if the format is wrong.
    """
    if len(metadata) > MAX_METADATA or not metadata.isascii():
        text = _("Upload-Metadata: expected at most %(most)d characters of ASCII.")
        raise invalid_header("Upload-Metadata", text % {"most": MAX_METADATA})
    names: dict[str, str] = {}
    for pair in filter(None, map(str.strip, metadata.split(","))):
        name, _blank, value = pair.partition(" ")
        try:
            names[name] = base64.b64decode(value, validate=True).decode(errors="replace")
        except binascii.Error as error:
            text = _("Upload-Metadata: the value of “%(name)s” is not base64.") % {"name": name}
            raise invalid_header("Upload-Metadata", text) from error
    return names


def parse_checksum(request: Request) -> tuple[str, bytes] | None:
    """Return algorithm and digest of Upload-Checksum, or None; raise a 400 problem."""
    header_text = request.headers.get("Upload-Checksum")
    if header_text is None:
        return None
    algorithm, _blank, value = header_text.partition(" ")
    try:
        digest = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        digest = b""
    if algorithm not in ALGORITHMS or not digest:
        text = _("Upload-Checksum: expected one of %(known)s, a space and the checksum in base64.")
        raise invalid_header("Upload-Checksum", text % {"known": ", ".join(ALGORITHMS)})
    return algorithm, digest
