"""The arguments of each command, with their help."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Callable
from typing import Any, Final

from kafu import __version__
from kafu.cli.notation import ACTIONS
from kafu.facade.playing import STRATEGIES
from kafu.notation.vocabulary import RULES
from kafu.rules.verdict import STATUSES

MAX_JOBS: Final = 256
STATUS: Final = """\
exit status:
  0  success
  1  a fault in a game
  2  wrong usage, or a path that cannot be read
"""
_EXAMPLES: Final = """\
examples:
  kafu verify games.kafu             a line per game
  kafu verify --json games/ | jq .   a JSON object per game
  kafu fmt - < game.kafu             the canonical form
  kafu check games/                  faults at file:line:column
  kafu filter games/ --player Aya    the games of a player
  kafu dedupe games/                 each game once
  kafu convert notebook.csv --rules hachihachi
                                     a table of points as a score sheet
  kafu simulate koikoi --count 3     games to play with
  kafu odds hachihachi               odds of each dealt hand
  kafu analyse game.kafu             worth of each choice
"""
_OF: Final = {
    "verify": """\
examples:
  kafu verify games.kafu
  kafu verify --json --jobs 4 games/ > verdicts.ndjson
  kafu simulate koikoi | kafu verify -
""",
    "fmt": """\
examples:
  kafu fmt game.kafu > canonical.kafu
  kafu fmt --names ja game.kafu      with 松に鶴 for A
""",
    "hash": """\
examples:
  kafu hash games/ | sort | uniq -w 64 -d   games that were recorded twice
""",
    "json": """\
examples:
  kafu json games.kafu | jq .players
""",
    "check": """\
examples:
  kafu check games.kafu
  kafu check --json - < games.kafu
""",
    "filter": """\
examples:
  kafu filter games/ --rules koikoi --player Aya > koikoi.kafu
  kafu filter games.kafu --status verified --tag "Event=Club evening"
""",
    "dedupe": """\
examples:
  kafu dedupe games/ > once.kafu
""",
    "convert": """\
examples:
  kafu convert notebook.csv --rules hachihachi > year.kafu
  kafu convert notebook.xlsx --rules koikoi --house koikoi-nintendo
  kafu convert points.tsv --rules koikoi --option months=6 --dealer 2
""",
    "simulate": """\
examples:
  kafu simulate koikoi --count 100 --seed 7 > games.kafu
  kafu simulate koikoi --house koikoi-ai --option months=6 --jobs 4
  kafu simulate hachihachi-bga --seats 4 --players sensible,random,random,random
""",
    "odds": """\
examples:
  kafu odds koikoi
  kafu odds hachihachi --json | jq .hand.any.percent
""",
    "analyse": """\
examples:
  kafu analyse game.kafu
  kafu analyse --json game.kafu | jq '.choices[] | select(.costly)'
""",
}


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """Return an argument type for whole numbers from ``low`` to ``high``."""

    def read(written: str) -> int:
        # A longer number would be slow to parse.
        if written.isascii() and written.isdigit() and len(written) < 20:
            number = int(written)
            if low <= number <= high:
                return number
        raise ArgumentTypeError(f"{written!r}: expected a whole number from {low} to {high}")

    return read


def make_parser() -> ArgumentParser:
    """Return the parser of the whole command line; ``command`` is the name of the command."""
    top = ArgumentParser(
        "kafu",
        description="Read, judge, simulate, count and analyse hanafuda games.",
        epilog=f"{_EXAMPLES}\n{STATUS}\nA command's own help: kafu verify --help",
        formatter_class=RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"kafu {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, help: str) -> ArgumentParser:
        added: ArgumentParser = commands.add_parser(
            name,
            help=help,
            description=f"{help[0].upper()}{help[1:]}.",
            epilog=f"{_OF[name]}\n{STATUS}",
            formatter_class=RawDescriptionHelpFormatter,
        )
        return added

    verify = command("verify", "replay games by their rules and print a verdict for each")
    _add_reading_arguments(verify)
    _add_jobs(verify)
    for name, description in ACTIONS.items():
        added = command(name, description)
        _add_reading_arguments(added)
        if name == "fmt":
            added.add_argument(
                "--names", choices=("en", "ja"), help="names of cards in place of letters"
            )
    choice = command("filter", "print the games that meet all conditions, in canonical form")
    _add_reading_arguments(choice)
    _add_conditions(choice)
    _add_reading_arguments(
        command("dedupe", "print each game once: games with the same first deal are copies")
    )
    _add_converting_arguments(
        command("convert", "write score notebooks (.csv, .tsv, .xlsx, .ods) as score sheets")
    )
    _add_simulation_arguments(
        command("simulate", "write simulated games; the same seed gives the same games")
    )
    odds = command("odds", "print the odds of each dealt-hand yaku and each field grade")
    odds.add_argument("rules", choices=list(RULES), metavar="RULES", help=", ".join(RULES))
    _add_output_arguments(odds)
    analyse = command("analyse", "print the worth of each choice, and the costly choices")
    _add_reading_arguments(analyse)
    add_analysis_arguments(analyse)
    return top


def add_analysis_arguments(command: Any) -> None:
    """Add the arguments for the effort of an analysis."""
    command.add_argument(
        "--seed",
        type=whole_number(0, 10**18),
        default=0,
        metavar="S",
        help="the same seed gives the same analysis",
    )
    command.add_argument(
        "--deals",
        type=whole_number(1, 10**6),
        metavar="N",
        help="maximum number of deals sampled for a comparison",
    )


def _add_reading_arguments(command: Any) -> None:
    """Add the arguments of a command that reads games."""
    command.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="a file, an archive (ZIP, tar, gzip, Zstandard), a folder (its archives and .kafu, "
        ".json, .ndjson, .jsonl and .log files), or - for standard input; one game or many each, "
        "as Kafu, JSON, JSON lines or a log that is known",
    )
    _add_output_arguments(command)
    command.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def _add_jobs(command: Any) -> None:
    command.add_argument(
        "--jobs", type=whole_number(1, MAX_JOBS), default=1, metavar="N", help="processes to use"
    )


def _add_conditions(command: Any) -> None:
    """Add the conditions of `kafu filter`; all are repeatable."""
    statuses = [status for status in STATUSES if status != "malformed"]
    for name, metavar, valid, help in (
        ("--rules", "RULES", list(RULES), f"one of these rulesets: {', '.join(RULES)}"),
        ("--status", "STATUS", statuses, f"one of these verdicts: {', '.join(statuses)}"),
        ("--player", "NAME", None, "each of these players, in any seat"),
    ):
        command.add_argument(
            name, action="append", default=[], choices=valid, metavar=metavar, help=help
        )
    command.add_argument(
        "--tag",
        action="append",
        default=[],
        type=_read_tag,
        metavar="NAME=VALUE",
        help="a tag of the game",
    )


def _read_tag(written: str) -> tuple[str, str]:
    name, equals, value = written.partition("=")
    if not name or not equals:
        raise ArgumentTypeError(f"{written!r}: expected NAME=VALUE")
    return name, value


def _add_converting_arguments(command: Any) -> None:
    command.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="a table of months and players, a folder (its .csv, .tsv, .xlsx and .ods files), or "
        "- for standard input",
    )
    command.add_argument(
        "--rules", required=True, choices=list(RULES), metavar="RULES", help=", ".join(RULES)
    )
    add_house_arguments(command)
    command.add_argument(
        "--dealer",
        type=whole_number(1, 7),
        default=1,
        metavar="SEAT",
        help="dealer of the first month, if the table names no dealers (default: 1)",
    )
    _add_language(command)


def _add_language(command: Any) -> None:
    command.add_argument("--lang", choices=("en", "ja"), default="en", help="language of messages")


def _add_output_arguments(command: Any) -> None:
    """Add the arguments of every command except `simulate`."""
    command.add_argument("--json", action="store_true", help="one JSON object per line")
    _add_language(command)


def _add_simulation_arguments(command: Any) -> None:
    command.add_argument("rules", choices=list(RULES), metavar="RULES", help=", ".join(RULES))
    command.add_argument(
        "--count", type=whole_number(1, 10**9), default=1, metavar="N", help="number of games"
    )
    command.add_argument(
        "--players",
        default=["sensible"],
        type=lambda written: written.split(","),
        metavar="NAME[,NAME…]",
        help=f"strategies, one for all or one per seat: {', '.join(STRATEGIES)}",
    )
    add_table_arguments(command, "--seats")
    _add_jobs(command)
    command.add_argument("--json", action="store_true", help="one JSON object per line")


def add_house_arguments(command: Any) -> None:
    """Add the arguments for the house rules of games."""
    command.add_argument(
        "--house", default="", metavar="NAME", help="house rules, where a ruleset has several"
    )
    command.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the ruleset; repeatable",
    )


def add_table_arguments(command: Any, *seats: str) -> None:
    """Add the arguments for the tables of simulated games.

    ``seats`` are the flags for the number of players.
    """
    command.add_argument(
        "--seed",
        type=whole_number(0, 10**18),
        default=1,
        metavar="S",
        help="seed of the first game",
    )
    command.add_argument(
        *seats,
        dest="seats",
        type=whole_number(2, 7),
        metavar="N",
        help="players at the table (default: the fewest possible)",
    )
    add_house_arguments(command)
