"""Hanafuda: the notation Kafu (花譜), rules, odds, simulated players, readers of game logs.

    >>> import kafu
    >>> game = kafu.simulate("koikoi", seed=1)
    >>> kafu.verify(game).status
    'verified'

Reading and writing: `read`, `games`, `records`, `read_notebook`, `write`, `to_json`, `identity`.
Judging: `verify`, `replay`, `sheet_of`, `settlement`. Playing: `Table`, `play`, `simulate`,
`STRATEGIES`. Odds: `odds_of`. Registered rulesets: `rulesets`. All errors derive from `Error`. The
guide is docs/guide.md.

The library needs only Python's standard library. Public names are imported on first use. The
rulesets are registered on import, so that a program can register another.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from kafu.rules.known import register_all as _register_all

__version__: Final = "0.1.0"
_register_all()

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
]

if TYPE_CHECKING:
    from kafu.facade.actions import Action, ActionKind, Event, EventKind
    from kafu.facade.errors import (
        BadValue,
        Error,
        IllegalAction,
        NotKafu,
        NotPlayable,
        UnknownRuleset,
        WrongType,
    )
    from kafu.facade.judging import Step, replay, verify
    from kafu.facade.notebooks import read_notebook
    from kafu.facade.playing import STRATEGIES, Strategy, odds_of, play, simulate
    from kafu.facade.reading import Record, games, identity, read, records, to_json, write
    from kafu.facade.rulesets import rulesets
    from kafu.facade.sheets import settlement, sheet_of
    from kafu.facade.table import PhaseName, Table
    from kafu.notation.game import Game
    from kafu.rules.description import Ruleset
    from kafu.rules.verdict import Status, Verdict
    from kafu.settling import SettlementStep
else:
    _ROOMS: Final = {
        "facade.actions": "Action ActionKind Event EventKind",
        "facade.errors": (
            "BadValue Error IllegalAction NotKafu NotPlayable UnknownRuleset WrongType"
        ),
        "facade.judging": "Step replay verify",
        "facade.notebooks": "read_notebook",
        "facade.playing": "STRATEGIES Strategy odds_of play simulate",
        "facade.reading": "Record games identity read records to_json write",
        "facade.rulesets": "rulesets",
        "facade.sheets": "settlement sheet_of",
        "facade.table": "PhaseName Table",
        "notation.game": "Game",
        "rules.description": "Ruleset",
        "rules.verdict": "Status Verdict",
        "settling": "SettlementStep",
    }
    _PLACES: Final = {name: room for room, names in _ROOMS.items() for name in names.split()}

    def __getattr__(name: str) -> object:
        """Import what `__all__` names from its module."""
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
