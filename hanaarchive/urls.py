"""Addresses: the pages, the API under its version, and a sign of life for load balancers."""

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def healthz(request: HttpRequest) -> HttpResponse:
    """200 while this process answers and reaches its database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok\n", content_type="text/plain")


urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("api/v1/", include("api.urls")),
    path("", include("records.urls")),
]
