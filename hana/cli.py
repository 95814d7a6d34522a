"""The command line `hana`: its arguments, and what each command prints."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import requests

from hana import __version__, export, upload
from hana.server import Server
from hana.state import Failed

GOOD, FAULTY, FAILED = 0, 1, 2
INTERRUPTED: Final = 130
DEFAULT: Final = "http://127.0.0.1:8000"


def parser() -> ArgumentParser:
    """Return the argument parser."""
    arguments = ArgumentParser(
        prog="hana",
        description="Upload hanafuda games to a HanaArchive, export and mirror its games.",
        epilog=(
            "Exit status: 0 all is well, 1 some games have faults (an unfinished game has none), "
            "2 the command failed, 130 it was interrupted."
        ),
    )
    arguments.add_argument("--version", action="version", version=__version__)
    arguments.add_argument(
        "--server",
        default=os.environ.get("HANA_SERVER") or DEFAULT,
        help=f"address of the archive (default: HANA_SERVER, or {DEFAULT})",
    )
    arguments.add_argument(
        "--token",
        default=os.environ.get("HANA_TOKEN"),
        help="an API token (default: HANA_TOKEN, hidden from process lists; else the log-in)",
    )
    arguments.add_argument("--lang", choices=("en", "ja"), default="", help="language of messages")
    commands = arguments.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser(
        "login", help="use your account: prints a code to enter in a browser"
    )
    command.set_defaults(run=_log_in)
    command = commands.add_parser("logout", help="end the log-in on this computer")
    command.set_defaults(run=_log_out)

    command = commands.add_parser("upload", help="upload files; resumes an interrupted upload")
    command.add_argument("paths", nargs="+", metavar="PATH", help="files, folders and archives")
    command.add_argument(
        "--wait", action="store_true", help="wait until all games are read, and print the result"
    )
    command.add_argument(
        "--visibility",
        choices=["public", "unlisted", "private"],
        default="",
        help="who can see the games (default: public, or as the club); private needs a token",
    )
    command.add_argument(
        "--club",
        default="",
        metavar="KEY",
        help="a club of yours that gets the games: the last part of its address; needs a token",
    )
    command.set_defaults(run=_upload)

    command = commands.add_parser(
        "export",
        help="write games to a file; resumes an interrupted export",
        epilog="For a mirror, export changed_since=TIME or changed_since=CURSOR as ndjson.",
    )
    command.add_argument(
        "filters", nargs="*", type=_filter, metavar="NAME=VALUE", help="for example ruleset=koikoi"
    )
    command.add_argument(
        "-o", "--output", metavar="FILE", help="output file (default: standard output)"
    )
    command.add_argument("--format", choices=("kafu", "ndjson", "csv"), default="kafu")
    command.add_argument(
        "--mine", action="store_true", help="your own games, private ones included"
    )
    command.set_defaults(run=_export)
    return arguments


def _filter(written: str) -> tuple[str, str]:
    name, equals, value = written.partition("=")
    if not (name and equals):
        raise ArgumentTypeError(f"{written!r}: expected NAME=VALUE, as ruleset=koikoi")
    return name, value


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Return the exit status."""
    options = parser().parse_args(arguments)
    try:
        server = Server(options.server, options.token, lang=options.lang)
        status: int = options.run(server, options)
        sys.stdout.flush()
    except Failed as error:
        print(f"hana: {error}", file=sys.stderr)
        return FAILED
    except requests.RequestException as error:  # of a log-in; other requests are repeated
        print(f"hana: {options.server} cannot be reached: {error}", file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        # The reader closed our output. Python would report the same error again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def run() -> None:
    """Run the command `hana` and exit."""
    sys.exit(main())


def _log_in(server: Server, _options: Namespace) -> int:
    codes = server.login.begin()
    print(f"Open {codes['verification_uri']} and enter the code {codes['user_code']},")
    print(f"or open {codes['verification_uri_complete']}", flush=True)
    server.login.wait(codes)
    print(f"Logged in as {server.get('me').json()['name']}.")
    return GOOD


def _log_out(server: Server, _options: Namespace) -> int:
    print("Logged out." if server.login.end() else "You were not logged in.")
    return GOOD


def _upload(server: Server, options: Namespace) -> int:
    status = GOOD
    fields = {"visibility": options.visibility, "club": options.club}
    for url in upload.upload(server, options.paths, fields):
        if not options.wait:
            print(server.url(server.get(url).json()["page"]), flush=True)
            continue
        result = upload.wait(server, url)
        print("\n".join(upload.describe(server, result)), flush=True)
        if not upload.is_good(result):
            status = FAULTY
    return status


def _export(server: Server, options: Namespace) -> int:
    filters: dict[str, list[str]] = {}
    for name, value in options.filters:
        filters.setdefault(name, []).append(value)
    query = filters | {"page_size": str(export.BLOCK)}
    path = "me/games" if options.mine else "records"
    if "changed_since" in filters and not options.mine:
        if options.format != "ndjson":
            raise Failed("changes are NDJSON: add --format ndjson")
        path = "records/changes"
    if options.output is not None:
        export.save(server, f"{path}.{options.format}", query, Path(options.output))
        return GOOD
    for block, _following in export.blocks(server, f"{path}.{options.format}", query):
        sys.stdout.buffer.write(block)
    return GOOD
