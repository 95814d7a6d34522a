"""Errors as RFC 9457 problem details: the closed list of kinds, the handler, the middleware.

A problem is ``{"type", "title", "status", "detail", "instance", "code", "request_id"}``.
``request_id`` equals the header ``X-Request-ID`` and the id in the logs. ``errors`` lists faults of
single fields or parameters; faults of a body have the JSON pointer of the value. Some kinds have
members of their own, such as ``limit``.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Annotated, Any, Final, NotRequired, TypedDict

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from rest_framework import exceptions
from rest_framework.settings import api_settings

from api.headers import add_headers
from clubs.refused import Refused
from kafu.notation.json_types import OneOf
from records.base.tracing import request_id
from records.base.transient import RETRY_AFTER
from records.facts.database import RETRY_SECONDS, QueryTimeout, StatisticsAway
from records.ingest import quotas
from records.models import Gone
from records.search.filters import BadParameter
from records.search.games import GameGone
from records.serving.computing import TooCostly
from records.serving.gates import Busy, TooMany
from records.serving.moved import NO_CACHE, redirect_to_game

MEDIA_TYPE: Final = "application/problem+json"
#: The paths whose error pages the middleware replaces.
PREFIX: Final = "/api/"


#: Maximum number of listed faults of a body, and maximum length of a field name.
MAX_ERRORS: Final = 50
MAX_NAME_LENGTH: Final = 200


#: All kinds by code.
KINDS: Final[dict[str, ProblemKind]] = {}
Code = Annotated[str, OneOf("Code", KINDS)]


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """Kind of problem: ``code`` never changes its meaning, ``title`` is for people."""

    code: str
    status: int
    title: str | Promise


class FieldError(TypedDict):
    """A fault of one parameter, part or field."""

    name: Annotated[str, "The name; for a nested field the whole path, `months.0.lines`."]
    pointer: NotRequired[
        Annotated[str, "JSON pointer (RFC 6901) of a value in the body; empty for the whole body."]
    ]
    message: str


class ProblemJson(TypedDict):
    """An error. The closed list of `code` is at `/api/v1/problems`."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: Code
    request_id: Annotated[str, "Mention this id to the operators of the server."]
    errors: NotRequired[list[FieldError]]
    limit: NotRequired[Annotated[int, "The exceeded limit."]]
    quota: NotRequired[Annotated[str, OneOf("Quota", quotas.NAMES), "The exhausted quota."]]
    used: NotRequired[Annotated[int, "Today's usage of `limit`."]]
    reset: NotRequired[Annotated[datetime, "When the quota is reset."]]
    expected: NotRequired[list[str]]
    reason: NotRequired[Annotated[str, "Why a game is gone, or why a club refuses a change."]]
    gone: NotRequired[Annotated[datetime, "When the game was withdrawn, replaced or removed."]]
    scope: NotRequired[Annotated[str, "The scope that the token lacks."]]
    successor: NotRequired[Annotated[str, "The address that replaces a removed address."]]


def _register(code: str, status: int, title: str | Promise) -> ProblemKind:
    """Register a kind in `KINDS`, and return the kind."""
    KINDS[code] = ProblemKind(code, status, title)
    return KINDS[code]


BAD_REQUEST: Final = _register("bad-request", 400, gettext_lazy("Bad request"))
PARAMETER: Final = _register("invalid-parameter", 400, gettext_lazy("Invalid parameter"))
HEADER: Final = _register("invalid-header", 400, gettext_lazy("Invalid header"))
NOTHING: Final = _register("nothing-sent", 400, gettext_lazy("Nothing was sent"))
INCOMPLETE: Final = _register("incomplete-body", 400, gettext_lazy("The body is incomplete"))
FORM: Final = _register("bad-form", 400, gettext_lazy("The form cannot be read"))
FILES: Final = _register("too-many-files", 400, gettext_lazy("Too many files"))
ONE_GAME: Final = _register("one-game-only", 400, gettext_lazy("Not exactly one game"))
UNAUTHORISED: Final = _register("not-signed-in", 401, gettext_lazy("A token is needed"))
FORBIDDEN: Final = _register("forbidden", 403, gettext_lazy("Forbidden"))
SCOPE: Final = _register("scope-missing", 403, gettext_lazy("The token lacks a scope"))
NOT_FOUND: Final = _register("not-found", 404, gettext_lazy("Not found"))
NO_REPLAY: Final = _register("no-replay", 404, gettext_lazy("No replay"))
NO_ANALYSIS: Final = _register("no-analysis", 404, gettext_lazy("No analysis"))
NO_PROBLEM: Final = _register("no-problem", 404, gettext_lazy("No problem of this day"))
NO_SHEET: Final = _register("no-sheet", 404, gettext_lazy("No score sheet"))
METHOD: Final = _register("method-not-allowed", 405, gettext_lazy("Method not allowed"))
NOT_ACCEPTABLE: Final = _register("not-acceptable", 406, gettext_lazy("Not acceptable"))
GONE: Final = _register("gone", 410, gettext_lazy("Gone"))
CONFLICT: Final = _register("conflict", 409, gettext_lazy("Conflict"))
DRAFTS: Final = _register("too-many-drafts", 409, gettext_lazy("Too many drafts"))
FULL: Final = _register("full", 409, gettext_lazy("Nothing more can be added"))
REFUSED: Final = _register("refused", 409, gettext_lazy("The club does not allow this"))
PRECONDITION: Final = _register(
    "precondition-failed", 412, gettext_lazy("The answer has changed since")
)
TUS_VERSION: Final = _register("tus-version", 412, gettext_lazy("Unsupported tus version"))
TOO_LARGE: Final = _register("too-large", 413, gettext_lazy("Too large"))
MEDIA: Final = _register("unsupported-media-type", 415, gettext_lazy("Unsupported media type"))
KEY_REUSED: Final = _register(
    "key-reused", 422, gettext_lazy("The key was used for another request")
)
TOO_COSTLY: Final = _register("too-costly", 422, gettext_lazy("Too costly"))
LOCKED: Final = _register("locked", 423, gettext_lazy("In use by another request"))
TOO_MANY: Final = _register("too-many-requests", 429, gettext_lazy("Too many requests"))
PENDING: Final = _register("too-much-pending", 429, gettext_lazy("Too many unfinished uploads"))
QUOTA: Final = _register("quota-used-up", 429, gettext_lazy("Daily quota used up"))
ANALYSES: Final = _register("too-many-analyses", 429, gettext_lazy("Too many games are waiting"))
CHECKSUM: Final = _register("wrong-checksum", 460, gettext_lazy("Wrong checksum"))
SERVER: Final = _register("server-error", 500, gettext_lazy("Server error"))
UNAVAILABLE: Final = _register("unavailable", 503, gettext_lazy("Temporarily unavailable"))
BUSY: Final = _register("busy", 503, gettext_lazy("Server busy"))
STORAGE: Final = _register("no-room", 507, gettext_lazy("Storage full"))
#: The kinds of refusals by clubs (`clubs.refused`) that are not `REFUSED`, by their codes.
_REFUSALS: Final = {
    "not-allowed": FORBIDDEN,
    "not-own": FORBIDDEN,
    "no-season": NOT_FOUND,
    "full": FULL,
}
#: The general kind of a status: the first registered kind with this status.
_BY_STATUS: Final = {kind.status: kind for kind in reversed(list(KINDS.values()))}


class Problem(exceptions.APIException):
    """An error of a registered kind, to be raised in a view.

    ``errors`` are objects ``{"name", "message"}`` for single fields; ``wait`` is Retry-After in
    seconds; ``members`` are further members.
    """

    def __init__(
        self,
        kind: ProblemKind,
        detail: str,
        *,
        errors: Iterable[dict[str, Any]] = (),
        wait: int = 0,
        **members: Any,
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.status_code = kind.status
        self.errors = list(errors)
        self.members = members
        self.wait = wait


def too_large(limit: int) -> Problem:
    """Return a 413 problem for a body of more than ``limit`` bytes."""
    text = _("At most %(limit)d bytes can be sent here.") % {"limit": limit}
    return Problem(TOO_LARGE, text, limit=limit)


def quota_exceeded(error: quotas.QuotaExceeded) -> Problem:
    """Return a 429 problem with the exceeded quota of the sender and its reset time."""
    return Problem(
        QUOTA,
        error.words(),
        wait=quotas.seconds_left(),
        quota=error.quota.name,
        limit=error.quota.limit,
        used=error.quota.used,
        reset=quotas.reset().strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


def invalid_header(name: str, message: str) -> Problem:
    """Return a 400 problem for a request header."""
    return Problem(HEADER, message, errors=[{"name": name, "message": message}])


def storage_full(error: OSError) -> Problem | OSError:
    """Return a 507 problem for a full disk, or the error unchanged; the caller raises it."""
    if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return error
    text = _("There is not enough storage for this now; try again later.")
    return Problem(STORAGE, text, wait=RETRY_AFTER)


#: Messages of Django REST framework without a Japanese translation, for the project's catalogue.
REST_FRAMEWORK: Final = (
    gettext_noop("Ensure this field has no more than {max_length} elements."),
    gettext_noop("Ensure this field has at least {min_length} elements."),
    gettext_noop("Must be a valid boolean."),
    gettext_noop("Not a valid string."),
)


def invalid_parameter(name: str, message: str) -> Problem:
    """Return a 400 problem for a query parameter."""
    return Problem(PARAMETER, message, errors=[{"name": name, "message": message}])


def invalid_parameters(faults: Iterable[BadParameter]) -> Problem:
    """Return a 400 problem for all invalid query parameters."""
    errors = [{"name": fault.name, "message": f"{fault.name}: {fault.message}"} for fault in faults]
    return Problem(PARAMETER, "; ".join(error["message"] for error in errors), errors=errors)


def handle_exception(exc: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """Return the problem response of an exception (DRF's EXCEPTION_HANDLER).

    Return None for errors that the caller did not cause; Django then returns a 500.
    """
    if isinstance(exc, GameGone):
        return _gone_response(exc, context["request"])
    if isinstance(exc, Http404):
        # Django's message names the database query, an internal detail.
        exc = exceptions.NotFound(_("There is nothing at this address."))
    elif isinstance(exc, PermissionDenied):
        exc = exceptions.PermissionDenied(*exc.args)
    elif isinstance(exc, Busy):
        text = _("The server is busy with large requests; try again in %(seconds)d seconds.")
        exc = Problem(BUSY, text % {"seconds": exc.again}, wait=exc.again)
    elif isinstance(exc, TooMany):
        text = _("Too many requests in a short time; try again in %(seconds)d seconds.")
        exc = Problem(TOO_MANY, text % {"seconds": exc.again}, wait=exc.again)
    elif isinstance(exc, Refused):
        exc = _refusal(exc)
    elif isinstance(exc, TooCostly):
        exc = Problem(TOO_COSTLY, exc.describe())
    elif isinstance(exc, QueryTimeout):
        text = _(
            "The query took too long; ask about fewer games, or try again in %(seconds)d seconds."
        )
        exc = Problem(UNAVAILABLE, text % {"seconds": RETRY_SECONDS}, wait=RETRY_SECONDS)
    elif isinstance(exc, StatisticsAway):
        text = _("Statistics are unavailable right now; try again in %(seconds)d seconds.")
        exc = Problem(UNAVAILABLE, text % {"seconds": RETRY_AFTER}, wait=RETRY_AFTER)
    if not isinstance(exc, exceptions.APIException):
        return None
    path = context["request"].path
    if isinstance(exc, Problem):
        response = problem_response(
            exc.kind, str(exc.detail), path, errors=exc.errors, **exc.members
        )
        if exc.wait:
            response["Retry-After"] = str(exc.wait)
        return response
    kind = kind_of(exc.status_code)
    if isinstance(exc, exceptions.ValidationError):
        errors = list(islice(_iterate_errors(exc.detail), MAX_ERRORS))
        return problem_response(
            PARAMETER, "; ".join(e["message"] for e in errors), path, errors=errors
        )
    scope = getattr(exc, "scope", None)
    if scope is not None:
        response = problem_response(SCOPE, str(exc.detail), path, scope=scope)
        response["WWW-Authenticate"] = f'Bearer error="insufficient_scope", scope="{scope}"'
        return response
    response = problem_response(kind, str(exc.detail), path)
    if exc.status_code == 401:
        response["WWW-Authenticate"] = getattr(exc, "auth_header", "Bearer")
    wait = getattr(exc, "wait", None)
    if wait is not None:
        response["Retry-After"] = str(max(1, round(wait)))
    return response


def _refusal(exc: Refused) -> Problem:
    """Return the problem of a refusal by a club."""
    errors = [{"name": exc.field, "message": exc.words}] if exc.field else []
    kind = _REFUSALS.get(exc.code, REFUSED)
    return Problem(kind, exc.words, errors=errors, reason=exc.code)


def _gone_response(exc: GameGone, request: Any) -> HttpResponse:
    """Return a redirect to the game's successor, or 410 with the reason."""
    if exc.gone.successor and request.method in ("GET", "HEAD"):
        return redirect_to_game(request, exc.gone.successor)
    why = {
        Gone.REPLACED: _("This game was replaced by a corrected one."),
        Gone.REMOVED: _("This game was removed from the archive."),
    }
    text = why.get(Gone(exc.gone.why), _("This game was withdrawn by its sender."))
    when = exc.gone.when.strftime("%Y-%m-%dT%H:%M:%SZ")
    response = problem_response(GONE, text, request.path, reason=exc.gone.why, gone=when)
    response["Cache-Control"] = NO_CACHE
    return response


def problem_response(
    kind: ProblemKind,
    detail: str,
    path: str,
    *,
    status: int | None = None,
    errors: list[dict[str, Any]] | None = None,
    **members: Any,
) -> HttpResponse:
    """Return a problem response with the media type `MEDIA_TYPE`, whatever Accept says."""
    status = status or kind.status
    body: dict[str, Any] = {
        "type": f"{reverse('api:problems')}#{kind.code}",
        "title": str(kind.title),
        "status": status,
        "detail": detail,
        "instance": path,
        "code": kind.code,
        "request_id": request_id(),
    }
    if errors:
        body["errors"] = errors
    # The caller's JSON may hold a lone surrogate, which is written as an escape.
    content = json.dumps(body | members, ensure_ascii=False).encode(errors="backslashreplace")
    return HttpResponse(content, status=status, content_type=MEDIA_TYPE)


def kind_of(status: int) -> ProblemKind:
    """Return the general kind for an HTTP status."""
    return _BY_STATUS.get(status, BAD_REQUEST if status < 500 else SERVER)


def _iterate_errors(detail: Any, path: tuple[str, ...] = ()) -> Iterator[dict[str, Any]]:
    """Yield each message of a ValidationError with the JSON pointer (RFC 6901) of its value.

    Field names and list indices lead to a value; values may be nested.
    """
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            is_whole = name == api_settings.NON_FIELD_ERRORS_KEY
            yield from _iterate_errors(inner, path if is_whole else (*path, str(name)))
    elif isinstance(detail, list):
        for number, inner in enumerate(detail):
            is_message = isinstance(inner, str)
            yield from _iterate_errors(inner, path if is_message else (*path, str(number)))
    else:
        name = ".".join(path)[:MAX_NAME_LENGTH]
        yield {
            "name": name or api_settings.NON_FIELD_ERRORS_KEY,
            "pointer": "".join(f"/{_escape(step)}" for step in path),
            "message": f"{name}: {detail}" if name else str(detail),
        }


def _escape(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")


def middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Turn Django's own error pages below /api/ into problems.

    The middleware wraps every middleware that can fail, and also covers unknown addresses, invalid
    host names and crashes.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not request.path_info.startswith(PREFIX):
            return response
        add_headers(request, response)
        if response.status_code >= 400 and response.get("Content-Type") != MEDIA_TYPE:
            _replace_error_page(response, request)
        return response

    return respond


def _replace_error_page(response: HttpResponse, request: HttpRequest) -> None:
    """Turn an error page into a problem, and keep its other headers (Allow)."""
    status = response.status_code
    kind = kind_of(status)
    details = {
        404: _("There is nothing at this address."),
        405: _("The method %(method)s is not allowed at this address.")
        % {"method": request.method},
        412: _("The answer is not the one that If-Match names."),
        503: _("The data cannot be read or written right now; try again later."),
    }
    detail = details.get(status) or (
        _("The request cannot be understood.")
        if status < 500
        else _("Something failed on the server; the request is not at fault.")
    )
    problem = problem_response(kind, detail, request.path, status=status)
    response.content = problem.content
    response["Content-Type"] = MEDIA_TYPE
    if "Content-Length" in response:
        response["Content-Length"] = str(len(response.content))
