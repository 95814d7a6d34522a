"""Webhooks of the caller, notified when an upload is done."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.parsers import FieldsParser
from api.problems import UNCONFIRMED, WEBHOOKS, Problem, invalid_parameter
from api.serializers.me import (
    NewWebhookSerializer,
    SentWebhookSerializer,
    WebhookSerializer,
    WebhookStateSerializer,
)
from api.views.base import LANG, problem_responses
from api.views.me import AccountResource
from people import webhooks
from people.accounts.reauthentication import is_confirmed
from people.delivery.outgoing import NotAllowed
from people.models import READ, UPLOAD, Webhook


class Webhooks(AccountResource):
    """The caller's webhooks."""

    parser_classes = (FieldsParser,)

    def scopes_for(self, request: Request) -> tuple[str, ...]:
        """Return the scope for uploads for every method that changes data."""
        return (UPLOAD,) if request.method == "POST" else (READ,)

    @extend_schema(
        operation_id="webhooks_list",
        summary="The caller's webhooks",
        description=f"The newest first, at most {webhooks.MAX_WEBHOOKS}; without their secrets.",
        parameters=[LANG],
        responses={200: WebhookSerializer(many=True), **problem_responses(400)},
    )
    def get(self, request: Request) -> Response:
        """Return all webhooks without secrets."""
        hooks = webhooks.webhooks_of(request.user).select_related("token")[: webhooks.MAX_WEBHOOKS]
        return Response(WebhookSerializer(hooks, many=True).data)

    @extend_schema(
        operation_id="webhooks_create",
        summary="Add a webhook",
        description=(
            "Sends a `POST` of JSON to this address for each finished upload of the account, "
            "signed by [Standard Webhooks](https://www.standardwebhooks.com) and retried for about "
            "two hours. Only `https` and only hosts of the public internet are allowed; a name "
            "that cannot be resolved within 3 seconds is refused too. The `secret` for the "
            "signatures is in this response and on the page of tokens. After 20 consecutive "
            "failures the webhook is disabled. A webhook that was added with a token ends with "
            "the token."
        ),
        parameters=[LANG],
        request=SentWebhookSerializer,
        responses={201: NewWebhookSerializer, **problem_responses(400, 403, 409, 413, 415, 503)},
    )
    def post(self, request: Request) -> Response:
        """Add a webhook; return 201 with the secret."""
        if request.auth is None and not is_confirmed(request._request):
            raise Problem(UNCONFIRMED, _("Use a token, or enter your password again on a page."))
        form = SentWebhookSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        token: Any = request.auth
        try:
            hook = webhooks.add(request.user, form.validated_data["url"], token)
        except NotAllowed as error:
            raise invalid_parameter("url", f"url: {error}.") from error
        except webhooks.TooManyWebhooks as error:
            text = _("You have %(most)d webhooks, the most there can be: delete one first.")
            raise Problem(
                WEBHOOKS, text % {"most": webhooks.MAX_WEBHOOKS}, limit=webhooks.MAX_WEBHOOKS
            ) from error
        return Response(NewWebhookSerializer(hook).data, status=201)


class WebhookDetail(AccountResource):
    """A webhook of the caller."""

    http_method_names = ("patch", "delete")
    parser_classes = (FieldsParser,)
    scopes = (UPLOAD,)

    @extend_schema(
        operation_id="webhooks_update",
        summary="Enable a disabled webhook",
        description="The webhook is notified of uploads that are sent from now on.",
        parameters=[LANG],
        request=WebhookStateSerializer,
        responses={200: WebhookSerializer, **problem_responses(400, 404, 413, 415)},
    )
    def patch(self, request: Request, key: str) -> Response:
        """Enable the webhook."""
        form = WebhookStateSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        hook = get_object_or_404(webhooks.webhooks_of(request.user), key=key)
        webhooks.enable(hook)
        return Response(WebhookSerializer(hook).data)

    @extend_schema(
        operation_id="webhooks_delete",
        summary="Delete a webhook",
        parameters=[LANG],
        responses={
            204: OpenApiResponse(description="The object does not exist any more."),
            **problem_responses(400, 404),
        },
    )
    def delete(self, request: Request, key: str) -> HttpResponse:
        """Delete the webhook; deleting a missing webhook has no effect."""
        Webhook.objects.filter(owner=request.user.pk, key=key).delete()
        return HttpResponse(status=204)
