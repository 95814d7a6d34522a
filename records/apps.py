"""Django's entry for the archive."""

from django.apps import AppConfig


class RecordsConfig(AppConfig):
    """The archive of games."""

    name = "records"
