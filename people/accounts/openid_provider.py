"""The other site as a provider of django-allauth, with checks that django-allauth leaves out.

The query of a log-in address cannot change the request to the other site. An ID token must answer
that request (`nonce`), be issued to this archive and now, and name its user by a short text.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from typing import Any, Final

import jwt
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import (
    OAuth2CallbackView,
    OAuth2LoginView,
    OAuth2View,
)
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

#: Maximum length of a user id at the other site, by the column of django-allauth.
MAX_SUBJECT: Final = 191
#: Maximum lead of the other site's clock in seconds.
LEEWAY: Final = 120


class TokenAdapter(OpenIDConnectOAuth2Adapter):
    """The exchange of a code for an ID token."""

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: Any, **kwargs: Any
    ) -> Any:
        """Return the log-in of a signed ID token. Raise OAuth2Error."""
        try:
            algorithm = jwt.get_unverified_header(kwargs["response"].get("id_token")).get("alg")
        except jwt.PyJWTError as error:
            raise OAuth2Error("no ID token") from error
        if not isinstance(algorithm, str) or algorithm.lower() == "none":
            raise OAuth2Error("the ID token is not signed")
        return super().complete_login(request, app, token, **kwargs)


class SiteProvider(OpenIDConnectProvider):
    """The provider class of SOCIALACCOUNT_PROVIDERS."""

    oauth2_adapter_class = TokenAdapter

    def redirect(
        self,
        request: HttpRequest,
        process: str,
        next_url: str | None = None,
        data: Any = None,
        **_of_query: Any,
    ) -> Any:
        """Redirect to the other site with a nonce, without parameters and scopes of the query."""
        nonce = secrets.token_urlsafe(16)
        parameters = {"nonce": nonce}
        return super().redirect(
            request, process, next_url, data, auth_params=parameters, nonce=nonce
        )

    def sociallogin_from_response(self, request: HttpRequest, response: Mapping[str, Any]) -> Any:
        """Return the log-in of an ID token's claims. Raise OAuth2Error."""
        _check_claims(response["id_token"], self.app.client_id)
        return super().sociallogin_from_response(request, response)


def _check_claims(claims: Mapping[str, Any], client: str) -> None:
    """Check what django-allauth does not: it checks issuer, audience and expiry.

    Raise OAuth2Error.
    """
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= MAX_SUBJECT:
        raise OAuth2Error(f"sub: expected a text of 1 to {MAX_SUBJECT} characters")
    if not subject.isprintable():
        raise OAuth2Error("sub: expected printable characters")
    if claims.get("azp", client) != client:
        raise OAuth2Error("azp: another client")
    for name in ("iat", "nbf"):
        moment = claims.get(name, 0)
        if not isinstance(moment, int | float) or moment > time.time() + LEEWAY:
            raise OAuth2Error(f"{name}: expected a time that is not in the future")


def check_nonce(login: Any) -> None:
    """Check that a log-in has the ID token of its own request. Raise OAuth2Error."""
    if login.account.extra_data["id_token"].get("nonce") != login.state["nonce"]:
        raise OAuth2Error("nonce: another log-in's")


def _respond(request: HttpRequest, view: type[OAuth2View], provider_id: str) -> HttpResponseBase:
    try:
        response: HttpResponseBase = view.adapter_view(TokenAdapter(request, provider_id))(request)
    except SocialApp.DoesNotExist as error:
        raise Http404 from error
    return response


def login(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """Redirect to the other site. Raise Http404 for an unknown site."""
    return _respond(request, OAuth2LoginView, provider_id)


def callback(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """Log in a user who comes back from the other site. Raise Http404 for an unknown site."""
    return _respond(request, OAuth2CallbackView, provider_id)
