"""Django's entries for people, and for the admin as it is here."""

from django.apps import AppConfig
from django.contrib.admin import apps


class PeopleConfig(AppConfig):
    """Accounts and what belongs to them. The archive does not depend on it."""

    name = "people"
    default = True

    def ready(self) -> None:
        """Connect to the signals of django-allauth."""
        from people import signals  # noqa: F401


class AdminConfig(apps.AdminConfig):
    """The admin, for staff with a second factor."""

    default = False  # of this module; Django's own says the opposite
    default_site = "people.adminsite.Site"
