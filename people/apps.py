"""Django's entries for people, and for the admin as it is here."""

from django.apps import AppConfig
from django.contrib.admin import apps


class PeopleConfig(AppConfig):
    """Accounts and what belongs to them. The archive does not know it."""

    name = "people"
    default = True

    def ready(self) -> None:
        """Hear what django-allauth does."""
        from people import signals  # noqa: F401


class AdminConfig(apps.AdminConfig):
    """The admin, for the staff with a second factor."""

    default = False  # of this module; Django's own says the opposite
    default_site = "people.adminsite.Site"
