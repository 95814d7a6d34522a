"""The tables before a table: its record, comparison, and form for pickling."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kafu.facade.errors import BadValue, NotPlayable, check_texts
from kafu.facade.positions import Laid
from kafu.facade.state import Outcome, TableState
from kafu.notation.game import Game
from kafu.notation.vocabulary import MAX_TAG_BYTES
from kafu.rules.play import actions as engine
from kafu.simulation import simulate as simulation

#: An action with the outcome and the cards laid out that it does not determine.
PickledStep = tuple[engine.Action, Outcome | None, Laid | None]
#: Maximum length of a player's name: four bytes each fit into a tag.
LONGEST_NAME: Final = MAX_TAG_BYTES // 4
_CONTROLS: Final = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
#: The decisions to play on, こいこい and さげ.
_CALLS: Final = ("koikoi", "sage")


def list_path(table: TableState) -> list[TableState]:
    """Return all tables from the first to a table."""
    path = [table]
    while (before := path[-1].before) is not None:
        path.append(before)
    return path[::-1]


def write_record(table: TableState, names: Sequence[str], *, claims: bool) -> Game:
    """Return the game of a table as a record. Raises BadValue, NotPlayable, as `Table.game`."""
    check_texts("names", names, table.players)
    if names and len(names) != table.players:
        raise BadValue(f"{len(names)} names for {table.players} players", code="wrong-players")
    for name in names:
        if _CONTROLS.search(name) or len(name) > LONGEST_NAME:
            raise BadValue(f"no name of a player: {name[:40]!r}", code="bad-name")
    path = list_path(table)
    if any(step._laid for step in path):
        raise NotPlayable("a deal with cards laid out has no record", code="no-record")
    steps = [(step._done, step._state) for step in path if step._done is not None]
    if not steps:
        raise BadValue("no deal was begun", code="no-deal")
    resolved = tuple(names) or simulation.NAMES[: table.players]
    return simulation.add_months(
        Game(table.rules, resolved, dict(table._options)), steps, claims=claims
    )


def count_calls(table: TableState) -> tuple[int, ...]:
    """Return how often each seat has decided to play on in the deal."""
    counts = [0] * table.players
    step: TableState = table
    while step.before is not None and not isinstance(step._done, engine.Deal):
        if isinstance(step._done, engine.Say) and step._done.word in _CALLS:
            counts[step.before.seat - 1] += 1
        if step._laid is not None and step._laid.calls:
            return tuple(map(sum, zip(counts, step._laid.calls, strict=True)))
        step = step.before
    return tuple(counts)


def have_equal_actions(table: TableState, twin: TableState) -> bool:
    """Return whether the same actions under the same rules and options led to both tables."""
    if (table.rules, table.players, table._options) != (twin.rules, twin.players, twin._options):
        return False
    while table is not twin:
        if (table._done, table._outcome, table._laid) != (twin._done, twin._outcome, twin._laid):
            return False
        if table.before is None or twin.before is None:
            return table.before is twin.before
        table, twin = table.before, twin.before
    return True


def list_steps(table: TableState) -> list[PickledStep]:
    """Return the actions that lead to a table, for pickling."""
    return [
        (step._done, step._outcome, step._laid)
        for step in list_path(table)
        if step._done is not None
    ]
