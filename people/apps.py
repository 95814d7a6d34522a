"""Django's entries for people, and for the admin as it is here."""

from django.apps import AppConfig
from django.contrib.admin import apps
from django.utils.translation import gettext_lazy as _

from records.jobs.kinds import OUTGOING, JobKind, register, register_chores


class PeopleConfig(AppConfig):
    """Accounts and what belongs to them. The archive does not depend on it."""

    name = "people"
    default = True

    def ready(self) -> None:
        """Connect to the signals of django-allauth, and let the sweep clear sessions."""
        from people import signals  # noqa: F401

        register_chores("people.accounts.sessions.tidy")
        register(
            JobKind(
                "webhook",
                _("notify a program that an upload is done"),
                "people.webhooks.deliver",
                queue=OUTGOING,
                weight=0,  # of no worker: it delays no upload of its sender
                attempts=None,
                lease_seconds=60,
                schedule="people.webhooks.schedule",
            )
        )


class AdminConfig(apps.SimpleAdminConfig):
    """The admin, for staff with a second factor. `hanaarchive.urls` loads what it shows."""

    default = False  # of this module; Django's own says the opposite
    default_site = "people.adminsite.Site"
