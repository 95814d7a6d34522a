"""Authentication by a bearer token or by the session of the archive's own pages.

Rate limits by token, user or address.
"""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.urls import reverse
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
from records.base.release import absolute
from records.privacy.access import ANONYMOUS, Viewer, with_secret
from records.serving.limits import RateLimit, count, limits_of
from records.serving.senders import sender_of

#: Header that proves ownership of an anonymous upload.
SECRET: Final = "Upload-Secret"
#: The limit of views without a ``throttle_scope``.
READING: Final = "read"
REALM: Final = 'Bearer realm="HanaArchive"'


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
    """Bearer authentication in the OpenAPI document: tokens of users, and OAuth 2."""

    target_class = "api.authentication.BearerAuthentication"
    name = ["token", "oauth"]  # noqa: RUF012 - as declared by drf-spectacular

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[str]]]:
        """Return the alternatives: a token, or an access token with one of the view's scopes."""
        view = auto_schema.view
        alternatives = [[scope] for scope in view.scopes_for(view.request)] or [[]]
        return [{"token": []}, *({"oauth": scopes} for scopes in alternatives)]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, Any]]:
        """Return the security schemes of a bearer token and of OAuth 2."""
        token_url = absolute(reverse("oauth_token"))
        flow = {
            "authorizationUrl": absolute(reverse("authorize")),
            "tokenUrl": token_url,
            "refreshUrl": token_url,
            "scopes": {
                scope: str(words) for scope, words in settings.OAUTH2_PROVIDER["SCOPES"].items()
            },
        }
        return [
            {
                "type": "http",
                "scheme": "bearer",
                "description": "`hana_…`, created at /me/tokens/",
            },
            {
                "type": "oauth2",
                "description": (
                    "PKCE with `S256` is required. Terminals get tokens by the device flow "
                    "(RFC 8628) at `/oauth/device`, which OpenAPI 3.1 cannot describe. "
                    "`/.well-known/oauth-authorization-server` lists all endpoints."
                ),
                "flows": {"authorizationCode": flow},
            },
        ]


class Throttle(BaseThrottle):
    """Throttle by the limit of `settings.RATES` with the name ``throttle_scope``."""

    limit: RateLimit | None = None

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count the request once, and return whether it is within the limit."""
        name = getattr(view, "throttle_scope", READING)
        self.limit = limits_of(request).get(name) or count(request, name, sender_of(request))
        return not self.limit.too_fast

    def wait(self) -> float | None:
        """Return the seconds until the next request is allowed."""
        return self.limit.left if self.limit is not None else None
