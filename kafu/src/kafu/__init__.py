"""Hanafuda: the notation Kafu (花譜), the rules that replay and judge games, odds, simulated
players, readers of other programs' logs.

    >>> import kafu
    >>> game = kafu.simulate("koikoi", seed=1)
    >>> kafu.verify(game).status
    'verified'

Reading and writing: `read`, `games`, `records`, `read_notebook`, `write`, `to_json`, `identity`.
Judging: `verify`, `replay`, `sheet_of`, `settlement`. Playing: `Table`, `play`, `simulate`,
`STRATEGIES`. Counting: `odds_of`. What there is: `rulesets`. What goes wrong is an `Error`. The
guide is docs/guide.md.

Nothing but the standard library is needed. What stands here is imported when it is first used; the
rulesets alone are there from the beginning, for whoever registers another.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from kafu.rules.builtin import register_builtin as _register_builtin

__version__: Final = "0.1.0"
_register_builtin()

__all__ = [
    "STRATEGIES",
    "Action",
    "BadValue",
    "Error",
    "Event",
    "Game",
    "IllegalAction",
    "NotKafu",
    "NotPlayable",
    "Record",
    "Ruleset",
    "SettlementStep",
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
    from kafu.facade.actions import Action, Event
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
    from kafu.facade.table import Table
    from kafu.notation.game import Game
    from kafu.rules.description import Ruleset
    from kafu.rules.verdict import Verdict
    from kafu.settling import SettlementStep
else:
    _ROOMS: Final = {
        "facade.actions": "Action Event",
        "facade.errors": (
            "BadValue Error IllegalAction NotKafu NotPlayable UnknownRuleset WrongType"
        ),
        "facade.judging": "Step replay verify",
        "facade.notebooks": "read_notebook",
        "facade.playing": "STRATEGIES Strategy odds_of play simulate",
        "facade.reading": "Record games identity read records to_json write",
        "facade.rulesets": "rulesets",
        "facade.sheets": "settlement sheet_of",
        "facade.table": "Table",
        "notation.game": "Game",
        "rules.description": "Ruleset",
        "rules.verdict": "Verdict",
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
