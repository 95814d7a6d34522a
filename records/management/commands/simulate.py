"""`manage.py simulate RULES`: simulated games, as Kafu on standard output."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from kafu.cli.arguments import of_tables, whole
from kafu.cli.simulating import house_rules, played, print_games
from kafu.cli.terminal import Progress, piped, utf8
from kafu.facade.errors import Error
from kafu.facade.playing import STRATEGIES
from kafu.notation.vocabulary import RULES


class Command(BaseCommand):
    """Needs no database and no key. The same seed gives the same games."""

    help = "Write simulated games as Kafu."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the rules and the number of games."""
        parser.add_argument("rules", choices=RULES, help="a ruleset id")
        parser.add_argument("--games", type=whole(1, 10**9), default=1, metavar="N")
        parser.add_argument("--player", choices=STRATEGIES, default="sensible")
        of_tables(parser, "--seats", "--players")

    def handle(
        self,
        *,
        rules: str,
        games: int,
        player: str,
        seed: int,
        seats: int | None,
        house: str,
        option: list[str],
        rare: bool,
        **_: Any,
    ) -> None:
        """Write one game after the other, an empty line between them."""
        utf8(sys.stdout)
        shown = not sys.stdout.isatty()
        try:
            options = house_rules(rules, house, option)
            found = played(
                rules,
                count=games,
                seed=seed,
                seats=seats,
                options=options,
                players=[player],
                rare=rare,
            )
            with piped(), Progress(shown=shown, total=games) as progress:
                print_games(found, progress, objects=False)
        except Error as what:
            raise CommandError(str(what), returncode=2) from None
