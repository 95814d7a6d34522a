"""Page of API tokens."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from people import tokens as token_store
from people.forms import NewTokenForm
from people.models import Token


@login_required
@reauthentication_required(app="allauth.account", allow_get=True)
def manage_tokens(request: HttpRequest) -> HttpResponse:
    """Show the list of tokens; on POST create a token and show its text once."""
    user: Any = request.user
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
        "section": "settings",
    }
    return render(request, "people/tokens.html", context)


@login_required
@require_POST
def revoke_token(request: HttpRequest, key: str) -> HttpResponse:
    """Revoke a token."""
    user: Any = request.user
    token_store.revoke(get_object_or_404(Token, owner=user, key=key))
    messages.success(request, _("The token is revoked."))
    return redirect("tokens")
