"""The command line `hana`: its arguments, what each command prints, and shell completion."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _SubParsersAction
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from hana import __version__, account, export, reading, upload, verify
from hana.progress import Bar
from hana.server import Server
from hana.state import Failed

SHELLS: Final = ("bash", "zsh", "fish")

_BASH: Final = """\
_hana() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" command="" word
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$word" in {commands}) command="$word"; break ;; esac
  done
  local words="{general}"
  case "$command" in
{cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ -n "$command" && "$current" != -* ]]; then
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}}
complete -o filenames -F _hana hana
"""
GOOD, FAULTY, FAILED = 0, 1, 2
INTERRUPTED: Final = 130
DEFAULT: Final = "http://127.0.0.1:8000"
#: Games of `hana list`; for more there is `hana export`.
MAX_LISTED: Final = 100_000
Commands: TypeAlias = "_SubParsersAction[ArgumentParser]"


def script(parser: ArgumentParser, shell: str) -> str:
    """Return the script for a shell, for `source <(hana completion bash)`."""
    (commands,) = (action for action in parser._actions if isinstance(action, _SubParsersAction))
    options = {name: _options(command) for name, command in commands.choices.items()}
    if shell == "fish":
        return _fish(options, _options(parser))
    cases = "\n".join(
        f'    {name}) words="{" ".join(switches)}" ;;' for name, switches in options.items()
    )
    general = " ".join([*options, *_options(parser)])
    bash = _BASH.format(commands="|".join(options), general=general, cases=cases)
    return f"autoload -U +X bashcompinit && bashcompinit\n{bash}" if shell == "zsh" else bash


def _options(parser: ArgumentParser) -> list[str]:
    names = [name for action in parser._actions for name in action.option_strings]
    return [name for name in names if name.startswith("--")]


def _fish(options: dict[str, list[str]], general: list[str]) -> str:
    lines = [f"complete -c hana -n __fish_use_subcommand -f -a '{' '.join(options)}'"]
    lines += [f"complete -c hana -l {name[2:]}" for name in general]
    for command, switches in options.items():
        lines += [
            f"complete -c hana -n '__fish_seen_subcommand_from {command}' -l {name[2:]}"
            for name in switches
        ]
    return "\n".join([*lines, ""])


def parser() -> ArgumentParser:
    """Return the argument parser."""
    arguments = ArgumentParser(
        prog="hana",
        description="Upload hanafuda games to a HanaArchive, verify them there, read others.",
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
    arguments.add_argument("--token", help="an API token; HANA_TOKEN keeps it out of process lists")
    arguments.add_argument("--lang", choices=("en", "ja"), default="", help="language of messages")
    commands = arguments.add_subparsers(required=True, metavar="COMMAND")
    _add_sending(commands)
    _add_fetching(commands)
    _add_account(commands)
    return arguments


def _add_sending(commands: Commands) -> None:
    command = commands.add_parser("upload", help="upload files; resumes an interrupted upload")
    command.add_argument("paths", nargs="+", metavar="PATH", help="files, folders and archives")
    command.add_argument(
        "--wait", action="store_true", help="wait until all games are read, and print the result"
    )
    command.add_argument(
        "--visibility",
        choices=["public", "unlisted", "private"],
        default="public",
        help="who can see the games; private needs a token",
    )
    command.set_defaults(run=_upload)

    command = commands.add_parser("verify", help="print a verdict for each game; nothing is stored")
    command.add_argument("paths", nargs="+", metavar="PATH")
    command.set_defaults(run=_verify)

    command = commands.add_parser("report", help="print what became of each game of an upload")
    command.add_argument("upload", metavar="UPLOAD", help="its key, or the address of its page")
    command.add_argument("--format", choices=("ndjson", "csv"), default="ndjson")
    command.add_argument(
        "-o", "--output", metavar="FILE", help="output file (default: standard output)"
    )
    command.set_defaults(run=_report)


def _add_fetching(commands: Commands) -> None:
    command = commands.add_parser("list", help="list games of the archive, a line each")
    _add_filters(command)
    command.add_argument(
        "--mine", action="store_true", help="your own games, private ones included"
    )
    command.add_argument(
        "--most", type=_count, default=50, metavar="N", help="at most N (default: 50)"
    )
    command.add_argument("--json", action="store_true", help="a JSON object a line")
    command.set_defaults(run=_list)

    command = commands.add_parser(
        "stats", help="print a figure of the statistics; without one, list them"
    )
    command.add_argument("figure", nargs="?", metavar="FIGURE", help="for example ends")
    _add_filters(command)
    command.add_argument("--format", choices=("table", "csv", "json"), default="table")
    command.set_defaults(run=_stats)

    command = commands.add_parser(
        "export", help="write games of the archive to a file; resumes an interrupted export"
    )
    _add_filters(command)
    command.add_argument(
        "-o", "--output", metavar="FILE", help="output file (default: standard output)"
    )
    command.add_argument("--format", choices=export.FORMS, default="kafu")
    source = command.add_mutually_exclusive_group()
    source.add_argument("--mine", action="store_true", help="your own games, private ones included")
    source.add_argument(
        "--key", action="append", metavar="KEY", help="a single game; up to 300, without filters"
    )
    command.set_defaults(run=_export)


def _add_account(commands: Commands) -> None:
    command = commands.add_parser(
        "login", help="open the page of tokens, and keep one for the server"
    )
    command.add_argument("--forget", action="store_true", help="forget the token that is kept")
    command.set_defaults(run=_login)
    command = commands.add_parser("tokens", help="say whose token is used, and what it permits")
    command.set_defaults(run=_tokens)
    command = commands.add_parser(
        "completion", help="print a script that completes commands in a shell"
    )
    command.add_argument("shell", choices=SHELLS)
    command.set_defaults(run=_completion)


def _add_filters(command: ArgumentParser) -> None:
    command.add_argument(
        "filters", nargs="*", type=_filter, metavar="NAME=VALUE", help="for example ruleset=koikoi"
    )


def _count(written: str) -> int:
    if not (written.isascii() and written.isdigit() and 0 < int(written[:7]) <= MAX_LISTED):
        raise ArgumentTypeError(f"{written!r}: expected a number from 1 to {MAX_LISTED}")
    return int(written)


def _filter(written: str) -> tuple[str, str]:
    name, equals, value = written.partition("=")
    if not (name and equals):
        raise ArgumentTypeError(f"{written!r}: expected NAME=VALUE, as ruleset=koikoi")
    return name, value


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Return the exit status."""
    options = parser().parse_args(arguments)
    try:
        token = options.token or os.environ.get("HANA_TOKEN") or account.token_for(options.server)
        status: int = options.run(Server(options.server, token, lang=options.lang), options)
        sys.stdout.flush()
    except Failed as error:
        print(f"hana: {error}", file=sys.stderr)
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


def _upload(server: Server, options: Namespace) -> int:
    status = GOOD
    for url in upload.upload(server, options.paths, options.visibility):
        if not options.wait:
            print(server.url(server.get(url).json()["page"]), flush=True)
            continue
        result = upload.wait(server, url)
        print("\n".join(upload.describe(server, result)), flush=True)
        if not upload.is_good(result):
            status = FAULTY
    return status


def _verify(server: Server, options: Namespace) -> int:
    status = GOOD
    with Bar("verifying", 0, "games") as bar:
        for count, verdict in enumerate(verify.verify(server, options.paths), start=1):
            print(verify.describe(verdict), flush=True)
            if not sys.stdout.isatty():
                bar.at(count)
            if verdict["status"] not in verify.GOOD:
                status = FAULTY
    return status


def _report(server: Server, options: Namespace) -> int:
    _write(reading.report(server, options.upload, options.format), options.output)
    return GOOD


def _list(server: Server, options: Namespace) -> int:
    query = _query(options)
    for game in reading.games(server, query, options.most, own=options.mine):
        print(reading.as_json(game) if options.json else reading.line(game), flush=True)
    return GOOD


def _stats(server: Server, options: Namespace) -> int:
    if options.figure is not None and "=" in options.figure:
        raise Failed(f"{options.figure}: expected a figure first; `hana stats` lists them")
    if options.figure is None:
        lines = reading.figures(server)
    elif options.format == "table":
        lines = reading.figure(server, options.figure, _query(options))
    else:
        query = _query(options) | {"format": options.format}
        _write(server.get(f"statistics/{options.figure}", params=query).content, None)
        return GOOD
    for line in lines:
        print(reading.printable(line))
    return GOOD


def _login(server: Server, options: Namespace) -> int:
    if options.forget:
        print("forgotten" if account.logout(server) else "no token was kept")
    else:
        print(account.login(server))
    return GOOD


def _tokens(server: Server, options: Namespace) -> int:
    print(account.describe(server))
    return GOOD


def _completion(server: Server, options: Namespace) -> int:
    print(script(parser(), options.shell), end="")
    return GOOD


def _query(options: Namespace) -> dict[str, Any]:
    query: dict[str, Any] = {}
    for name, value in options.filters:
        query.setdefault(name, []).append(value)
    return query


def _export(server: Server, options: Namespace) -> int:
    query = {"format": options.format} | _query(options)
    path = "me/games/export" if options.mine else "records"
    if options.key is not None:
        if options.filters or len(options.key) > export.MAX_KEYS:
            raise Failed(f"--key is for up to {export.MAX_KEYS} games, and without filters")
        _write(export.by_keys(server, query, options.key), options.output)
        return GOOD
    query["page_size"] = str(export.BLOCK)
    if options.output is not None:
        export.save(server, path, query, Path(options.output))
        return GOOD
    for block, _following in export.blocks(server, path, query):
        sys.stdout.buffer.write(block)
    return GOOD


def _write(data: bytes, target: str | None) -> None:
    """Write data to a file, or to standard output."""
    if target is None:
        sys.stdout.buffer.write(data)
        return
    try:
        Path(target).write_bytes(data)
    except OSError as error:
        raise Failed(f"{target}: {error.strerror or error}") from error
