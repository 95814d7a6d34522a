"""`manage.py player NAME`: pseudonym and statistics of a player."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from records.base.keys import player_key
from records.models import Player
from records.services.pseudonyms import Taken, remove_pseudonym, set_pseudonym


class Command(BaseCommand):
    """Command for operators with the staff's actions on a player."""

    help = "Show a player under another name, or leave the player out of statistics by name."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments for the player and the action."""
        parser.add_argument("name", metavar="NAME", help="the name in the games")
        actions = parser.add_mutually_exclusive_group(required=True)
        actions.add_argument("--pseudonym", metavar="NAME", help="show this name instead")
        actions.add_argument("--real-name", action="store_true", help="show the real name again")
        actions.add_argument(
            "--no-statistics", action="store_true", help="leave out of statistics by name"
        )
        actions.add_argument(
            "--statistics", action="store_true", help="include in statistics by name again"
        )

    def handle(self, *, name: str, **options: Any) -> None:
        """Run the action."""
        player = Player.objects.filter(origin=player_key(name)).first()
        if player is None:
            raise CommandError(f"no game has a player {name[:100]}")
        try:
            if options["pseudonym"]:
                set_pseudonym(player, options["pseudonym"])
            elif options["real_name"]:
                remove_pseudonym(player)
            else:
                is_counted = bool(options["statistics"])
                Player.objects.filter(pk=player.pk).update(statistics=is_counted)
        except Taken as error:
            raise CommandError(f"another player is known as {error}") from error
        except ValueError as error:
            raise CommandError(str(error)) from error
