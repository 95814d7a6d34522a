"""Addresses: the pages, and the API under its version. (Probes: `hanaarchive.probes`.)"""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from people.views.account import staff_only

urlpatterns = [
    path("api/v1/", include("api.urls")),
    # The admin's own forms for passwords count no tries and tell nobody.
    path("admin/login/", staff_only, name="staff-login"),
    path(
        "admin/password_change/",
        RedirectView.as_view(pattern_name="password_change"),
        name="staff-password",
    ),
    path("admin/", admin.site.urls),
    path("", include("people.urls")),
    path("", include("records.urls")),
]
