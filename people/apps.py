"""Django applications of accounts and of the customised admin."""

from django.apps import AppConfig
from django.contrib.admin import apps
from django.utils.translation import gettext_lazy as _

from records.jobs.kinds import OUTGOING, JobKind, register, register_chores


class PeopleConfig(AppConfig):
    """Accounts and data of users. The archive does not depend on the application."""

    name = "people"
    default = True

    def ready(self) -> None:
        """Connect django-allauth's signals, and register the session chore and webhook jobs."""
        from people import signals  # noqa: F401

        register_chores("people.accounts.sessions.tidy")
        register(
            JobKind(
                "webhook",
                _("notify a program that an upload is done"),
                "people.webhooks.deliver",
                queue=OUTGOING,
                weight=0,  # not counted against the sender's uploads
                attempts=None,
                lease_seconds=60,
                schedule="people.webhooks.schedule",
            )
        )


class AdminConfig(apps.SimpleAdminConfig):
    """The admin for staff with a second factor; `hanaarchive.urls` loads its pages."""

    default = False  # PeopleConfig is the default of this module
    default_site = "people.adminsite.Site"
