"""Addresses: the pages, and the API under its version. (Probes: `hanaarchive.probes`.)"""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("api/v1/", include("api.urls")),
    path("admin/", admin.site.urls),
    path("", include("people.urls")),
    path("", include("records.urls")),
]
