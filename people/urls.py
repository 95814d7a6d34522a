"""Addresses of pages for users, with django-allauth's pages below ``account/``."""

from allauth.socialaccount.views import connections, login_cancelled
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.generic import RedirectView

from people.views import account, applications, me, tokens

urlpatterns: list[URLPattern | URLResolver] = [
    path("account/", account.show_account, name="account"),
    path("account/signup/", account.Register.as_view(), name="account_signup"),
    path("account/password/set/", account.set_first_password, name="account_set_password"),
    path("account/delete/", account.delete_account, name="delete_account"),
    path("account/sessions/<int:pk>/end/", account.end_session, name="end_session"),
    path("account/oidc/<slug:provider_id>/login/", account.login, name="openid_connect_login"),
    path(
        "account/oidc/<slug:provider_id>/login/callback/",
        account.callback,
        name="openid_connect_callback",
    ),
    path("account/elsewhere/", connections, name="socialaccount_connections"),
    path(
        "account/elsewhere/signup/",
        account.RegisterElsewhere.as_view(),
        name="socialaccount_signup",
    ),
    path("account/elsewhere/cancelled/", login_cancelled, name="socialaccount_login_cancelled"),
    path("account/", include("allauth.account.urls")),
    path("account/2fa/", include("allauth.mfa.urls")),
    path("account/sessions/", include("allauth.usersessions.urls")),
    path("me/", me.show_games, name="me"),
    path("me/change/", me.change_games, name="change_games"),
    path("me/withdrawn/", me.list_withdrawn, name="withdrawn_games"),
    path("me/games/<slug:key>/", me.edit_game, name="my_game"),
    path("me/collections/<slug:key>/delete/", me.delete_collection, name="delete_collection"),
    path("me/uploads/", me.list_uploads, name="my_uploads"),
    path("me/names/", me.request_about_name, name="my_names"),
    path("me/names/own/", me.add_own_name, name="add_own_name"),
    path("me/names/own/<slug:key>/remove/", me.remove_own_name, name="remove_own_name"),
    path("me/players/<slug:key>/", me.change_followed_player, name="follow_player"),
    path("me/tokens/", tokens.manage_tokens, name="tokens"),
    re_path("^me/webhooks/", RedirectView.as_view(pattern_name="account"), name="removed_webhooks"),
    path("me/tokens/<slug:key>/revoke/", tokens.revoke_token, name="revoke_token"),
    path("me/apps/", applications.manage_applications, name="applications"),
    path("me/apps/authorize/", applications.authorize, name="authorize"),
    path("me/apps/<slug:key>/revoke/", applications.revoke_access, name="revoke_access"),
    path("me/apps/<slug:key>/delete/", applications.delete_application, name="delete_application"),
    path("me/device/", applications.connect_device, name="connect_device"),
    path("oauth/token", applications.token, name="oauth_token"),
    path("oauth/device", applications.device, name="oauth_device"),
    path("oauth/revoke", applications.revoke, name="oauth_revoke"),
]
