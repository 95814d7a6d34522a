"""Addresses of pages and API; `hanaarchive.http.probes` has the addresses of probes."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from api.views.schema import Root
from hanaarchive.http.security import PATH, security_txt
from people.views.account import staff_only
from people.views.applications import show_metadata

# Also used for errors of middleware, because the site's middleware does not handle them.
handler400 = "hanaarchive.http.unavailable.bad_request"
handler500 = "hanaarchive.http.unavailable.server_error"

admin.autodiscover()

urlpatterns = [
    path("api/v1", Root.as_view(), name="api"),
    path("api/v1/", include("api.urls")),
    path("api/v1/", include("api.removed")),
    path(PATH.removeprefix("/"), security_txt, name="security.txt"),
    path(".well-known/oauth-authorization-server", show_metadata, name="oauth_metadata"),
    # The admin's own password forms have no rate limits and notify nobody.
    path("admin/login/", staff_only, name="staff-login"),
    path(
        "admin/password_change/",
        RedirectView.as_view(pattern_name="account_change_password"),
        name="staff-password",
    ),
    path("admin/", admin.site.urls),
    # Only if the documentation site is not built: the site is served before any view.
    path("docs/", RedirectView.as_view(pattern_name="programs"), name="documentation"),
    path("", include("records.urls")),
    path("", include("people.urls")),
    path("", include("clubs.urls")),
]
