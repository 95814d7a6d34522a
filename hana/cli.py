"""The command line: `hana upload`, `hana verify`, `hana export`."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hana import __version__, export, upload, verify
from hana.errors import Failed
from hana.server import Server

GOOD, FAULTY, FAILED = 0, 1, 2
INTERRUPTED: Final = 130
DEFAULT: Final = "http://127.0.0.1:8000"


def parser() -> ArgumentParser:
    """What can be said."""
    found = ArgumentParser(
        prog="hana",
        description="Hands hanafuda games to a HanaArchive, verifies them there, fetches them.",
        epilog="Exit status: 0 all is well, 1 some games are not, 2 it failed.",
    )
    found.add_argument("--version", action="version", version=__version__)
    found.add_argument(
        "--server",
        default=os.environ.get("HANA_SERVER") or DEFAULT,
        help=f"its address; else HANA_SERVER, else {DEFAULT}",
    )
    found.add_argument("--token", help="an API token; better in HANA_TOKEN, which nobody sees")
    found.add_argument("--lang", choices=("en", "ja"), default="", help="of messages")
    commands = found.add_subparsers(required=True, metavar="COMMAND")

    one = commands.add_parser("upload", help="hand files in; goes on where it was broken off")
    one.add_argument("paths", nargs="+", metavar="PATH", help="files and folders, archives too")
    one.add_argument("--wait", action="store_true", help="until all is read, then tell the result")
    one.add_argument(
        "--visibility",
        choices=["public", "unlisted", "private"],
        default="public",
        help="who may see the games; private needs a token",
    )
    one.set_defaults(run=_upload)

    one = commands.add_parser("verify", help="print a verdict for each game; nothing is kept")
    one.add_argument("paths", nargs="+", metavar="PATH")
    one.set_defaults(run=_verify)

    one = commands.add_parser("export", help="write games of the archive as Kafu text")
    one.add_argument(
        "filters", nargs="*", type=_filter, metavar="NAME=VALUE", help="as ruleset=koikoi"
    )
    one.add_argument("-o", "--output", metavar="FILE", help="else standard output")
    one.set_defaults(run=_export)
    return found


def _filter(written: str) -> tuple[str, str]:
    name, equals, value = written.partition("=")
    if not (name and equals):
        raise ArgumentTypeError(f"{written!r}: expected NAME=VALUE, as ruleset=koikoi")
    return name, value


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what is said; the exit status."""
    asked = parser().parse_args(arguments)
    token = asked.token or os.environ.get("HANA_TOKEN", "")
    try:
        status: int = asked.run(Server(asked.server, token, lang=asked.lang), asked)
        sys.stdout.flush()
    except Failed as error:
        print(f"hana: {error}", file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        # Whoever reads our output has enough of it. Python would complain once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def run() -> None:
    """The command `hana`."""
    sys.exit(main())


def _upload(server: Server, asked: Namespace) -> int:
    status = GOOD
    for url in upload.upload(server, asked.paths, asked.visibility):
        if not asked.wait:
            print(server.get(url).json()["page"], flush=True)
            continue
        found = upload.wait(server, url)
        print("\n".join(upload.told(server, found)), flush=True)
        if not upload.is_good(found):
            status = FAULTY
    return status


def _verify(server: Server, asked: Namespace) -> int:
    status = GOOD
    for verdict in verify.verify(server, asked.paths):
        print(verify.told(verdict), flush=True)
        if verdict["status"] not in verify.GOOD:
            status = FAULTY
    return status


def _export(server: Server, asked: Namespace) -> int:
    filters: dict[str, list[str]] = {}
    for name, value in asked.filters:
        filters.setdefault(name, []).append(value)
    pages = export.export(server, filters)
    if asked.output is None:
        for page in pages:
            sys.stdout.buffer.write(page)
        return GOOD
    # Whole or not at all: half a file would look like all there is.
    target = Path(asked.output)
    draft = target.with_name(target.name + ".part")
    try:
        with draft.open("wb") as file:
            for page in pages:
                file.write(page)
        draft.replace(target)
    except OSError as error:
        raise Failed(f"{target}: {error.strerror or error}") from error
    finally:
        draft.unlink(missing_ok=True)
    return GOOD
