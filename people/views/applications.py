"""Applications of OAuth 2: pages for users, and endpoints for programs.

Users register applications, give and end their access. Programs get tokens (RFC 6749, 7009, 8628)
and find the endpoints by their metadata (RFC 8414).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from oauth2_provider import views as toolkit
from oauth2_provider.models import Application, DeviceGrant
from oauthlib.oauth2 import DeviceApplicationServer

from people import applications
from people.accounts.sessions import require_confirmation
from people.forms import NewApplicationForm
from people.oauth import DEVICE_INTERVAL
from records.base.release import absolute
from records.base.transient import lock_names
from records.serving.limits import step
from records.serving.senders import anonymous_sender

Respond = Callable[..., HttpResponse]
#: The fields of codes, which are stored as hashes.
_CODES: Final = ("code", "device_code")
#: Parameters of the toolkit that are ignored: consent that can be skipped, and what tokens of the
#: archive do not have (OpenID Connect, RFC 8707).
_IGNORED: Final = ("approval_prompt", "claims", "nonce", "resource")
DEVICE_GRANT: Final = "urn:ietf:params:oauth:grant-type:device_code"


@login_required
def manage_applications(request: HttpRequest) -> HttpResponse:
    """Show the applications with access and the user's own; on POST register one."""
    user: Any = request.user
    form = NewApplicationForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            applications.register(
                user, form.cleaned_data["name"], form.cleaned_data["redirect_uris"]
            )
            messages.success(request, _("The application is registered."))
            return redirect("applications")
        except applications.TooManyApplications:
            form.add_error(
                None,
                _("You already have %(most)d applications, the most that an account can have.")
                % {"most": applications.MAX_APPLICATIONS},
            )
    context = {
        "form": form,
        "accesses": applications.list_access(user),
        "registered": Application.objects.filter(user=user).order_by("-pk"),
        "section": "settings",
    }
    return render(request, "people/applications.html", context)


@login_required
@require_POST
def revoke_access(request: HttpRequest, key: str) -> HttpResponse:
    """End the access of an application to the user's account."""
    connected = Application.objects.filter(refreshtoken__user=request.user).distinct()
    applications.revoke(request.user, application=get_object_or_404(connected, client_id=key))
    messages.success(request, _("The application cannot use your account any more."))
    return redirect("applications")


@login_required
@require_POST
def delete_application(request: HttpRequest, key: str) -> HttpResponse:
    """Delete an application that the user registered, with the access that anybody gave it."""
    get_object_or_404(Application, user=request.user, client_id=key).delete()
    messages.success(request, _("The application is deleted."))
    return redirect("applications")


def refuse_unreadable(view: Respond) -> Respond:
    """Refuse values on which the libraries fail (decorator).

    PostgreSQL cannot compare NUL with a column; the toolkit decodes headers in ASCII alone.
    """

    @wraps(view)  # with Django's mark for programs, which have no CSRF token
    def respond(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        values = [*request.GET.lists(), *request.POST.lists()]
        has_nul = any("\0" in text for _name, texts in values for text in texts)
        if has_nul or not request.headers.get("Authorization", "").isascii():
            raise BadRequest("a value contains NUL, or a header other letters than ASCII")
        return view(request, *args, **kwargs)

    return respond


def allow_form_action(response: Any, address: str) -> None:
    """Let the form of a page lead to an address on another origin (`hanaarchive.http.security`)."""
    target = urlsplit(address)
    response.form_action = f"{target.scheme}://{target.netloc}"


class Authorize(toolkit.AuthorizationView):
    """The page on which a user lets an application into the account, or refuses."""

    template_name = "people/authorize.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the page, without the parameters `_IGNORED`."""
        query: Any = request.GET.copy()
        for name in _IGNORED:
            query.pop(name, None)
        request.GET = query
        response: HttpResponse = super().get(request, *args, **kwargs)
        return response

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return to the application, or 404 if its maker has deleted it since."""
        get_object_or_404(Application, client_id=request.POST.get("client_id", ""))
        response: HttpResponse = super().post(request, *args, **kwargs)
        return response

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        """Let the form of the page lead to the address of the application."""
        response: HttpResponse = super().render_to_response(context, **kwargs)
        if "redirect_uri" in context:
            allow_form_action(response, context["redirect_uri"])
        return response


authorize = require_confirmation(refuse_unreadable(Authorize.as_view()))


@require_confirmation
def connect_device(request: HttpRequest) -> HttpResponse:
    """Ask for the code that a terminal shows, then whether its program may use the account."""
    user: Any = request.user
    written = request.POST.get("code", request.GET.get("code", ""))[:50]
    context: dict[str, Any] = {"code": written}
    if request.method == "POST":
        code = applications.normalize_user_code(written)
        waiting = DeviceGrant.objects.filter(
            user_code=applications.hash_code(code),
            status=DeviceGrant.AUTHORIZATION_PENDING,
            expires__gt=timezone.now(),
        )
        grant = waiting.first()
        if grant is None:
            context["error"] = _(
                "No program waits for this code. Codes are valid for half an hour."
            )
        elif "decision" in request.POST:
            allows = request.POST["decision"] == "allow"
            status = DeviceGrant.AUTHORIZED if allows else DeviceGrant.DENIED
            waiting.filter(pk=grant.pk).update(user=user, status=status)
            if allows:
                messages.success(request, _("The program can use your account. Go back to it."))
            else:
                messages.success(request, _("The program was refused."))
            return redirect("applications")
        else:
            context |= {
                "code": code,
                "application": get_object_or_404(Application, client_id=grant.client_id),
                "scopes_descriptions": applications.describe_scopes(grant.scope),
            }
    return render(request, "people/device.html", context)


def endpoint(view: Respond) -> Respond:
    """Limit the requests of an address to an endpoint, whose responses are JSON."""

    @wraps(view)
    def respond(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        limit = step("applications", anonymous_sender(request))
        if limit.too_fast:
            problem = {"error": "slow_down", "error_description": "Too many requests."}
            return JsonResponse(problem, status=429, headers={"Retry-After": str(limit.left)})
        response = view(request, *args, **kwargs)
        if response.content:  # the toolkit calls some errors HTML
            response["Content-Type"] = "application/json"
        return response

    return respond


class Token(toolkit.TokenView):
    """Exchange of a code, or of a refresh token, for new tokens."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return tokens; `people.oauth` checks the codes of terminals too.

        The libraries see hashes of codes, as they are stored. Requests with the same code or
        refresh token wait for each other, because the toolkit fails on some of them.
        """
        fields: Any = request.POST.copy()
        fields.pop("resource", None)
        for name in _CODES:
            if name in fields:
                fields[name] = applications.hash_code(fields[name])
        request.POST = fields
        with transaction.atomic():
            lock_names(*(fields[name] for name in (*_CODES, "refresh_token") if name in fields))
            response: HttpResponse = self.authorization_flow_token_response(request)
        return response


class Device(toolkit.DeviceAuthorizationView):
    """The codes of a terminal that wants to use an account."""

    @classmethod
    def get_server(cls) -> DeviceApplicationServer:
        """Return oauthlib's server, with our codes and the address of their page."""
        page = absolute(reverse("connect_device"))
        return DeviceApplicationServer(
            cls.get_validator_class()(),
            verification_uri=page,
            verification_uri_complete=f"{page}?code={{user_code}}",
            user_code_generator=applications.generate_user_code,
            interval=DEVICE_INTERVAL,
        )

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the codes. The toolkit's view does not know the scope in oauthlib's response."""
        applications.ensure_command()
        _headers, codes, status = self.create_device_authorization_response(request)
        if status != HTTPStatus.OK:
            return HttpResponse(codes, status=status)
        if not applications.is_of_terminals(request.POST["client_id"]):
            return JsonResponse({"error": "unauthorized_client"}, status=HTTPStatus.BAD_REQUEST)
        DeviceGrant.objects.create(
            client_id=request.POST["client_id"],
            scope=codes["scope"],
            device_code=applications.hash_code(codes["device_code"]),
            user_code=applications.hash_code(codes["user_code"]),
            interval=0,
            expires=timezone.now() + timedelta(seconds=codes["expires_in"]),
        )
        return JsonResponse(codes)


token = endpoint(refuse_unreadable(Token.as_view()))
device = endpoint(refuse_unreadable(Device.as_view()))
revoke = endpoint(refuse_unreadable(toolkit.RevokeTokenView.as_view()))


def show_metadata(request: HttpRequest) -> HttpResponse:
    """Return the endpoints and abilities of the server (RFC 8414)."""
    return JsonResponse(
        {
            "issuer": settings.SITE_URL,
            "authorization_endpoint": absolute(reverse("authorize")),
            "token_endpoint": absolute(reverse("oauth_token")),
            "device_authorization_endpoint": absolute(reverse("oauth_device")),
            "revocation_endpoint": absolute(reverse("oauth_revoke")),
            "scopes_supported": list(settings.OAUTH2_PROVIDER["SCOPES"]),
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code", "refresh_token", DEVICE_GRANT],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
            "revocation_endpoint_auth_methods_supported": ["none"],
            "authorization_response_iss_parameter_supported": True,
            "service_documentation": absolute("/docs/api/"),
        }
    )
