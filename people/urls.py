"""Addresses of people's pages. Their names are Django's own where it has such a page."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth import views as auth
from django.http import HttpRequest, HttpResponseBase
from django.urls import URLPattern
from django.urls import path as django_path

from people.views import account, me, tokens
from records.access import mark
from records.models import Visibility


def path(route: str, view: Callable[..., HttpResponseBase], *, name: str) -> URLPattern:
    """An address whose answers, refusals too, are for this one caller: no cache keeps them."""

    @wraps(view)
    def private(request: HttpRequest, **given: Any) -> HttpResponseBase:
        mark(request, Visibility.PRIVATE)
        return view(request, **given)

    return django_path(route, private, name=name)


urlpatterns: list[URLPattern] = [
    path("account/register/", account.Register.as_view(), name="register"),
    path("account/login/", account.LogIn.as_view(), name="login"),
    path("account/logout/", auth.LogoutView.as_view(), name="logout"),
    path("account/password/", account.PasswordChange.as_view(), name="password_change"),
    path("account/reset/", account.PasswordReset.as_view(), name="password_reset"),
    path("account/reset/sent/", account.PasswordResetSent.as_view(), name="password_reset_done"),
    path(
        "account/reset/<uidb64>/<token>/",
        account.PasswordResetConfirm.as_view(),
        name="password_reset_confirm",
    ),
    path("account/delete/", account.Delete.as_view(), name="delete_account"),
    path("me/", me.games, name="me"),
    path("me/change/", me.change, name="change_games"),
    path("me/games/<slug:key>/", me.game, name="my_game"),
    path("me/collections/<slug:key>/delete/", me.delete_collection, name="delete_collection"),
    path("me/uploads/", me.uploads, name="my_uploads"),
    path("me/names/", me.names, name="my_names"),
    path("me/tokens/", tokens.tokens, name="tokens"),
    path("me/tokens/<slug:key>/revoke/", tokens.revoke, name="revoke_token"),
]
