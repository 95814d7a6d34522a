"""`manage.py account NAME`: access for owners who are locked out, also without mail."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from people.accounts import lifecycle


class Command(BaseCommand):
    """Command for operators with the staff's actions on an account."""

    help = "Print a link for a new password, or remove the second factor of an account."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments for the account and the action."""
        parser.add_argument("name", metavar="NAME", help="the user name")
        actions = parser.add_mutually_exclusive_group(required=True)
        actions.add_argument(
            "--reset-link",
            action="store_true",
            help="print a link for a new password, valid for an hour: it lets its bearer in",
        )
        actions.add_argument(
            "--remove-second-factor",
            action="store_true",
            help="for an owner who lost the authenticator app and the recovery codes",
        )

    def handle(self, *, name: str, **options: Any) -> None:
        """Run the action."""
        user = get_user_model().objects.filter(username=name, is_active=True).first()
        if user is None:
            raise CommandError(f"there is no account {name[:150]!r}")
        if options["reset_link"]:
            self.stdout.write(lifecycle.create_reset_link(user))
        elif not lifecycle.remove_second_factor(user):
            raise CommandError(f"{name} has no second factor")
