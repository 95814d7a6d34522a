"""Django application of the REST API."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """The REST API, an application without models."""

    name = "api"
