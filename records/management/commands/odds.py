"""`manage.py odds RULES`: exact odds of dealt hands and of field grades."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from kafu.cli.odds import table
from kafu.cli.terminal import piped, utf8
from kafu.odds.exact import odds
from kafu.odds.form import to_json
from kafu.rules.rulesets import RULESETS


class Command(BaseCommand):
    """Needs no database and no key. Everything is computed, nothing cached."""

    help = "Print how likely each dealt-hand yaku and each field grade is."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the rules and the format."""
        parser.add_argument("rules", choices=RULESETS, help="a ruleset id")
        parser.add_argument("--format", choices=("table", "json"), default="table")
        parser.add_argument(
            "--lang", choices=("en", "ja"), default="en", help="language of the table"
        )

    def handle(self, *, rules: str, format: str, lang: str, **options: Any) -> None:
        """Print the table, or JSON as in the API."""
        utf8(sys.stdout)
        data = to_json(odds(rules))
        with piped():
            if format == "json":
                self.stdout.write(json.dumps(data, ensure_ascii=False, indent=2))
            else:
                for line in table(data, lang):
                    self.stdout.write(line)
