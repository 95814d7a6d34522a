"""Hanafuda: the notation Kafu (花譜), rules, odds, simulated players, readers of game logs.

    >>> import kafu
    >>> game = kafu.simulate("koikoi", seed=1)
    >>> kafu.verify(game).status
    'verified'

Reading and writing: `read`, `games`, `records`, `read_notebook`, `write`, `to_json`, `identity`.
Judging: `verify`, `replay`, `sheet_of`, `settlement`, `yaku_of`. Playing: `Table`, `play`,
`simulate`, `STRATEGIES`. Odds: `odds_of`. Registered rulesets: `rulesets`. All errors derive from
`Error`. The guide is docs/guide.md.

The library needs only Python's standard library. Public names are imported on first use. The
rulesets are registered on import, so that a program can register another.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from kafu.rules.builtin import register_builtin as _register_builtin

__version__: Final = "0.5.0"
_register_builtin()

__all__ = [
    "STRATEGIES",
    "Action",
    "ActionKind",
    "BadValue",
    "Error",
    "Event",
    "EventKind",
    "Game",
    "IllegalAction",
    "NotKafu",
    "NotPlayable",
    "PhaseName",
    "Record",
    "Ruleset",
    "SettlementStep",
    "Status",
    "Step",
    "Strategy",
    "Table",
    "UnknownRuleset",
    "Verdict",
    "WrongType",
    "__version__",
    "games",
    "identity",
    "odds_of",
    "play",
    "read",
    "read_notebook",
    "records",
    "replay",
    "rulesets",
    "settlement",
    "sheet_of",
    "simulate",
    "to_json",
    "verify",
    "write",
    "yaku_of",
]

if TYPE_CHECKING:
    from kafu.facade.errors import (
        BadValue,
        Error,
        IllegalAction,
        NotKafu,
        NotPlayable,
        UnknownRuleset,
        WrongType,
    )
    from kafu.facade.judging import Step, replay, settlement, sheet_of, verify
    from kafu.facade.playing import STRATEGIES, Strategy, odds_of, play, simulate, yaku_of
    from kafu.facade.reading import (
        Record,
        games,
        identity,
        read,
        read_notebook,
        records,
        to_json,
        write,
    )
    from kafu.facade.rulesets import rulesets
    from kafu.facade.state import PhaseName
    from kafu.facade.table import Table
    from kafu.judging.actions import Event, EventKind
    from kafu.notation.actions import Action, ActionKind
    from kafu.notation.game import Game
    from kafu.rules.description import Ruleset
    from kafu.rules.verdict import Status, Verdict
    from kafu.settlement_steps import SettlementStep
else:
    _NAMES_BY_MODULE: Final = {
        "judging.actions": "Event EventKind",
        "facade.errors": (
            "BadValue Error IllegalAction NotKafu NotPlayable UnknownRuleset WrongType"
        ),
        "facade.judging": "Step replay settlement sheet_of verify",
        "facade.playing": "STRATEGIES Strategy odds_of play simulate yaku_of",
        "facade.reading": "Record games identity read read_notebook records to_json write",
        "facade.rulesets": "rulesets",
        "facade.state": "PhaseName",
        "facade.table": "Table",
        "notation.actions": "Action ActionKind",
        "notation.game": "Game",
        "rules.description": "Ruleset",
        "rules.verdict": "Status Verdict",
        "settlement_steps": "SettlementStep",
    }
    _MODULES: Final = {
        name: module for module, names in _NAMES_BY_MODULE.items() for name in names.split()
    }

    def __getattr__(name: str) -> object:
        """Import a name of `__all__` from its module."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
