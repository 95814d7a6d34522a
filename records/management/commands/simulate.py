"""`manage.py simulate RULES`: games played by the machine, as Kafu on standard output."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from kafu.cli.arguments import whole
from kafu.cli.terminal import piped, utf8
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.rules.rulesets import Unsupported
from kafu.simulation.simulate import house_rules, simulate


class Command(BaseCommand):
    """Needs no database and no key. The same seed gives the same games."""

    help = "Write simulated games as Kafu."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which games, and how many."""
        parser.add_argument("rules", choices=RULES, help="a ruleset id")
        parser.add_argument("--games", type=whole(1, 10**9), default=1, metavar="N")
        parser.add_argument(
            "--seed", type=whole(0, 10**18), default=1, metavar="S", help="of the first game"
        )
        parser.add_argument(
            *("--seats", "--players"),
            dest="seats",
            type=whole(2, 7),
            metavar="N",
            help="at the table; else as few as it takes",
        )
        parser.add_argument(
            "--house", default="", metavar="NAME", help="whose rules, where a ruleset has several"
        )
        parser.add_argument(
            "--option",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="a house rule; as often as need be",
        )
        parser.add_argument(
            "--rare", action="store_true", help="lean towards what otherwise never occurs"
        )
        parser.add_argument("--player", choices=("random", "sensible"), default="sensible")

    def handle(
        self,
        *,
        rules: str,
        games: int,
        seed: int,
        seats: int | None,
        house: str,
        option: list[str],
        rare: bool,
        player: str,
        **_: Any,
    ) -> None:
        """Write one game after the other, an empty line between them."""
        known = RULES[rules].seats
        if seats is not None and seats not in known:
            said = f"{rules}: {known[0]} to {known[-1]} players, not {seats}"
            raise CommandError(said, returncode=2)
        try:
            options = house_rules(rules, house, option)
        except ValueError as what:
            raise CommandError(str(what), returncode=2) from None
        utf8(sys.stdout)
        with piped():
            for number in range(games):
                try:
                    game = simulate(
                        rules,
                        seed=seed + number,
                        players=seats,
                        player=player,
                        options=options,
                        rare=rare,
                    )
                except Unsupported:
                    said = f"{rules}: this version has no engine for these rules yet"
                    raise CommandError(said, returncode=2) from None
                self.stdout.write(("\n" if number else "") + write(game), ending="")
