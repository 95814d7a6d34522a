"""Pages of API tokens and webhooks."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from people import tokens as token_store
from people import webhooks
from people.delivery import NotAllowed
from people.forms import NewTokenForm
from people.models import Token, Webhook
from records.serving.gates import Busy


@login_required
@reauthentication_required(app="allauth.account", allow_get=True)
def manage_tokens(request: HttpRequest) -> HttpResponse:
    """Show the list of tokens; on POST create a token and show its text once.

    ``?secrets`` shows the secrets of the webhooks.
    """
    user: Any = request.user
    shows_secrets = "secrets" in request.GET
    if shows_secrets:
        raise_if_reauthentication_required(request, app="allauth.account")
    form = NewTokenForm(user, request.POST if request.method == "POST" else None)
    text = ""
    if request.method == "POST" and form.is_valid():
        try:
            _token, text = token_store.create_token(
                owner=user,
                name=form.cleaned_data["name"],
                scopes=form.cleaned_data["scopes"],
                lifetime=form.lifetime(),
            )
            form = NewTokenForm(user)
        except token_store.TooManyTokens:
            form.add_error(
                None,
                _("You already have %(most)d tokens, the most that an account can have.")
                % {"most": token_store.MAX_TOKENS},
            )
    user_tokens = Token.objects.filter(owner=user)
    context = {
        "form": form,
        "text": text,
        "tokens": user_tokens,
        "shows_secrets": shows_secrets,
        "hooks": webhooks.webhooks_of(user).select_related("token"),
        "section": "settings",
    }
    return render(request, "people/tokens.html", context)


@login_required
@require_POST
@reauthentication_required(app="allauth.account")
def add_webhook(request: HttpRequest) -> HttpResponse:
    """Add a webhook for the address ``url``."""
    try:
        webhooks.add(request.user, request.POST.get("url", "").strip()[:500])
    except NotAllowed as error:
        messages.error(request, _("This address cannot be used: %(why)s.") % {"why": error})
    except webhooks.TooManyWebhooks:
        text = _("You have %(most)d webhooks, the most there can be: delete one first.")
        messages.error(request, text % {"most": webhooks.MAX_WEBHOOKS})
    except Busy:
        messages.error(request, _("The server is busy: try again in a moment."))
    return redirect("tokens")


@login_required
@require_POST
def enable_webhook(request: HttpRequest, key: str) -> HttpResponse:
    """Enable a disabled webhook."""
    webhooks.enable(get_object_or_404(Webhook, owner=request.user.pk, key=key))
    messages.success(request, _("The webhook is enabled again."))
    return redirect("tokens")


@login_required
@require_POST
def delete_webhook(request: HttpRequest, key: str) -> HttpResponse:
    """Delete a webhook."""
    get_object_or_404(Webhook, owner=request.user.pk, key=key).delete()
    return redirect("tokens")


@login_required
@require_POST
def revoke_token(request: HttpRequest, key: str) -> HttpResponse:
    """Revoke a token."""
    user: Any = request.user
    token_store.revoke(get_object_or_404(Token, owner=user, key=key))
    messages.success(request, _("The token is revoked."))
    return redirect("tokens")
