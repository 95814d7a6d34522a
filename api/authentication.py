"""Authentication by a bearer token or by the session of the archive's own pages.

Rate limits by token, user or address, reported in every response.
"""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import (
    AuthenticationFailed,
    NotAuthenticated,
    PermissionDenied,
)
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from people.models import ADMIN
from people.tokens import Access, find_access
from records.privacy.access import ANONYMOUS, Viewer, with_secret
from records.serving.limits import RateLimit, step
from records.serving.senders import sender_of

#: Header that proves ownership of an anonymous upload.
SECRET: Final = "Upload-Secret"
REALM: Final = 'Bearer realm="HanaArchive"'
#: The limit of views without a ``throttle_scope``.
READING: Final = "read"
_LIMIT: Final = "_hana_limit"


class BearerAuthentication(BaseAuthentication):
    """Authentication by the header ``Authorization: Bearer hana_…`` (RFC 6750).

    The token is an API token of the user, or an access token of an application.
    """

    def authenticate(self, request: Request) -> tuple[Any, Access] | None:
        """Return the user and the access of the program, or None without the header.

        Raise 401 for a token that is unknown, revoked or expired.
        """
        scheme, _blank, text = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != "bearer":
            return None
        access = find_access(text.strip())
        if access is None:
            raise AuthenticationFailed(_("This token is unknown, revoked or expired."))
        return access.owner, access

    def authenticate_header(self, request: Request) -> str:
        """Return the `WWW-Authenticate` challenge of a 401 response."""
        is_refused = get_authorization_header(request)[:7].lower() == b"bearer "
        return f'{REALM}, error="invalid_token"' if is_refused else REALM


class HasScope(BasePermission):
    """Permission for accounts, and for tokens with one of the view's ``scopes``."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return True, or raise the error that names the missing permission.

        Raise 401 if the view needs an account and the caller has none, and `ScopeMissing` for a
        token without a required scope.
        """
        access = access_of(request)
        scopes = view.scopes_for(request)
        if access is not None and scopes and not access.allows(*scopes):
            raise ScopeMissing(scopes[0])
        if view.needs_account(request.method) and not request.user.is_authenticated:
            raise NotAuthenticated(_("This needs a token."))
        return True


class ScopeMissing(PermissionDenied):
    """403 for a token without the required ``scope``."""

    def __init__(self, scope: str) -> None:
        super().__init__(_("This token lacks the scope “%(scope)s”.") % {"scope": scope})
        self.scope = scope


def access_of(request: Request) -> Access | None:
    """Return the access of the program with the token of a request, None for a session."""
    return request.auth if isinstance(request.auth, Access) else None


def viewer_of(request: Request) -> Viewer:
    """Return the viewer that a request acts for.

    A token has staff rights only with the scope ``admin``. Without an account, the header `SECRET`
    gives access to the upload at the requested address.
    """
    user = request.user
    if not user.is_authenticated:
        secret = request.headers.get(SECRET, "")
        key = request.parser_context["kwargs"].get("key", "") if request.parser_context else ""
        return with_secret(ANONYMOUS, key, secret) if secret and key else ANONYMOUS
    access = access_of(request)
    staff = user.is_staff and (access is None or access.allows(ADMIN))
    return Viewer(user.pk, staff)


class BearerScheme(OpenApiAuthenticationExtension):
    """Bearer authentication in the OpenAPI document."""

    target_class = "api.authentication.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return the OpenAPI security scheme of a bearer token."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "`hana_…`, created at /me/tokens/",
        }


class Throttle(BaseThrottle):
    """Throttle by the limit of `settings.RATES` with the name ``throttle_scope``."""

    limit: RateLimit | None = None

    def allow_request(self, request: Request, view: Any) -> bool:
        """Return whether this request is within the limit."""
        name = getattr(view, "throttle_scope", READING)
        self.limit = step(name, sender_of(request))
        setattr(request._request, _LIMIT, self.limit)  # for `add_rate_limit_headers`
        return not self.limit.too_fast

    def wait(self) -> float | None:
        """Return the seconds until the next request is allowed."""
        return self.limit.left if self.limit is not None else None


def add_rate_limit_headers(request: HttpRequest, response: HttpResponse) -> None:
    """Add the limit and the remaining requests (draft-ietf-httpapi-ratelimit-headers)."""
    limit: RateLimit | None = getattr(request, _LIMIT, None)
    if limit is not None:
        response["RateLimit-Policy"] = f'"{limit.name}";q={limit.most};w={limit.seconds}'
        response["RateLimit"] = f'"{limit.name}";r={limit.rest};t={limit.left}'
