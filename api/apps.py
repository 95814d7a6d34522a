"""Django's entry for the API."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """The REST API. It has no models of its own."""

    name = "api"
