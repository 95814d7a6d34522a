"""`hana completion`: shell scripts that complete commands, options and files."""

from __future__ import annotations

from argparse import ArgumentParser, _SubParsersAction
from typing import Final

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
