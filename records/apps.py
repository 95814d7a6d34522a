"""The archive as a Django application."""

from django.apps import AppConfig
from django.db.models.signals import pre_migrate

from records.operations.history import refuse_unknown


class RecordsConfig(AppConfig):
    """The archive: uploads, games, statistics, pages."""

    name = "records"

    def ready(self) -> None:
        """Register what other rooms, or Django, call."""
        pre_migrate.connect(refuse_unknown, sender=self)
