"""The command line: `hana upload`, `hana verify`, `hana export`."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from hana import __version__, export, upload, verify
from hana.errors import Failed
from hana.server import Server

GOOD, FAULTY, FAILED = 0, 1, 2
INTERRUPTED: Final = 130
DEFAULT: Final = "http://127.0.0.1:8000"


def parser() -> ArgumentParser:
    """The argument parser."""
    found = ArgumentParser(
        prog="hana",
        description="Upload hanafuda games to a HanaArchive, verify them there, or download them.",
        epilog="Exit status: 0 all is well, 1 some games are not, 2 it failed.",
    )
    found.add_argument("--version", action="version", version=__version__)
    found.add_argument(
        "--server",
        default=os.environ.get("HANA_SERVER") or DEFAULT,
        help=f"address of the archive (default: HANA_SERVER, or {DEFAULT})",
    )
    found.add_argument("--token", help="an API token; HANA_TOKEN keeps it out of process lists")
    found.add_argument("--lang", choices=("en", "ja"), default="", help="language of messages")
    commands = found.add_subparsers(required=True, metavar="COMMAND")

    one = commands.add_parser("upload", help="upload files; resumes an interrupted upload")
    one.add_argument("paths", nargs="+", metavar="PATH", help="files, folders and archives")
    one.add_argument(
        "--wait", action="store_true", help="wait until all games are read, and print the result"
    )
    one.add_argument(
        "--visibility",
        choices=["public", "unlisted", "private"],
        default="public",
        help="who can see the games; private needs a token",
    )
    one.set_defaults(run=_upload)

    one = commands.add_parser("verify", help="print a verdict for each game; nothing is stored")
    one.add_argument("paths", nargs="+", metavar="PATH")
    one.set_defaults(run=_verify)

    one = commands.add_parser(
        "export", help="write games of the archive to a file; resumes an interrupted export"
    )
    one.add_argument(
        "filters", nargs="*", type=_filter, metavar="NAME=VALUE", help="for example ruleset=koikoi"
    )
    one.add_argument(
        "-o", "--output", metavar="FILE", help="output file (default: standard output)"
    )
    one.add_argument("--format", choices=export.FORMS, default="kafu")
    some = one.add_mutually_exclusive_group()
    some.add_argument("--mine", action="store_true", help="your own games, private ones included")
    some.add_argument(
        "--key", action="append", metavar="KEY", help="a single game; up to 300, without filters"
    )
    one.set_defaults(run=_export)
    return found


def _filter(written: str) -> tuple[str, str]:
    name, equals, value = written.partition("=")
    if not (name and equals):
        raise ArgumentTypeError(f"{written!r}: expected NAME=VALUE, as ruleset=koikoi")
    return name, value


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status."""
    options = parser().parse_args(arguments)
    token = options.token or os.environ.get("HANA_TOKEN", "")
    try:
        status: int = options.run(Server(options.server, token, lang=options.lang), options)
        sys.stdout.flush()
    except Failed as error:
        print(f"hana: {error}", file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        # The reader of our output has closed it. Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def run() -> None:
    """The command `hana`."""
    sys.exit(main())


def _upload(server: Server, options: Namespace) -> int:
    status = GOOD
    for url in upload.upload(server, options.paths, options.visibility):
        if not options.wait:
            print(server.url(server.get(url).json()["page"]), flush=True)
            continue
        found = upload.wait(server, url)
        print("\n".join(upload.describe(server, found)), flush=True)
        if not upload.is_good(found):
            status = FAULTY
    return status


def _verify(server: Server, options: Namespace) -> int:
    status = GOOD
    for verdict in verify.verify(server, options.paths):
        print(verify.describe(verdict), flush=True)
        if verdict["status"] not in verify.GOOD:
            status = FAULTY
    return status


def _export(server: Server, options: Namespace) -> int:
    question: dict[str, Any] = {"format": options.format}
    for name, value in options.filters:
        question.setdefault(name, []).append(value)
    path = "me/games/export" if options.mine else "records"
    if options.key is not None:
        if options.filters or len(options.key) > export.MOST_KEYS:
            raise Failed(f"--key is for up to {export.MOST_KEYS} games, and without filters")
        found = export.by_keys(server, question, options.key)
        if options.output is None:
            sys.stdout.buffer.write(found)
        else:
            _write(Path(options.output), found)
        return GOOD
    question["page_size"] = str(export.BLOCK)
    if options.output is not None:
        export.save(server, path, question, Path(options.output))
        return GOOD
    for block, _following in export.blocks(server, path, question):
        sys.stdout.buffer.write(block)
    return GOOD


def _write(target: Path, data: bytes) -> None:
    try:
        target.write_bytes(data)
    except OSError as error:
        raise Failed(f"{target}: {error.strerror or error}") from error
