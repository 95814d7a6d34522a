"""Django applications of accounts and of the customised admin."""

from django.apps import AppConfig
from django.contrib.admin import apps

from records.jobs.kinds import register_chores


class PeopleConfig(AppConfig):
    """Accounts and data of users. The archive does not depend on the application."""

    name = "people"
    default = True

    def ready(self) -> None:
        """Connect django-allauth's signals, and register the chores."""
        from people import signals  # noqa: F401

        register_chores("people.accounts.sessions.tidy", "people.applications.tidy")


class AdminConfig(apps.SimpleAdminConfig):
    """The admin for staff with a second factor; `hanaarchive.urls` loads its pages."""

    default = False  # PeopleConfig is the default of this module
    default_site = "people.adminsite.Site"
