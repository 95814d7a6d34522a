"""`manage.py reverify`: judge the archive's games again with the current version of the engine."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from records.management.arguments import share
from records.operations.reverify import EVERY_GAME, Share, find_outdated, forget_all, reverify


class Command(BaseCommand):
    """A command that can be interrupted and later continued."""

    help = "Verify again every game that another version of the engine judged."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the choice of all games, or of a share of the outdated games."""
        games = parser.add_mutually_exclusive_group()
        games.add_argument(
            "--all",
            action="store_true",
            help="every game, judged by any version (omit --all to resume)",
        )
        games.add_argument(
            "--share",
            type=share,
            default=EVERY_GAME,
            metavar="N/COUNT",
            help="one of several processes that judge at the same time: 1/8 to 8/8",
        )

    def handle(self, *, all: bool, share: tuple[int, int], **options: Any) -> None:
        """Show the progress batch by batch, and each game with another status than before."""
        outdated = Share(*share)
        total = forget_all() if all else find_outdated(outdated).count()
        judged = changed = 0
        for judged, changes in reverify(outdated):
            for change in changes:
                code = f" ({change.code})" if change.code else ""
                self.stdout.write(f"{change.key}: {change.before}, now {change.after}{code}")
            changed += len(changes)
            self.stdout.write(f"{judged} of {total}", ending="\r")
            self.stdout.flush()
        self.stdout.write(f"verified again: {judged}, with another status: {changed}")
