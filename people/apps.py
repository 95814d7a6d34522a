"""Django's entry for people."""

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    """Accounts and what belongs to them. The archive does not know it."""

    name = "people"
