"""The library as functions from JSON to JSON, for programs in other languages.

`call` is all that the JavaScript package uses (kafu/javascript/engine_worker.js). A game is a text
in any form that `kafu.read` knows.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from typing import Annotated, Any, Final, TypedDict

from kafu.analysis.report import analyse_game
from kafu.editing import changes
from kafu.editing.table_at import TableAt, Walked, table_at, walk
from kafu.facade import reading
from kafu.facade.errors import BadValue, Error, NotPlayable
from kafu.facade.judging import sheet_of, verify
from kafu.facade.state import PhaseName
from kafu.judging.replay import stored_replay
from kafu.notation.game import Game
from kafu.rules.rulesets import Unsupported
from kafu.rules.verdict import localise_fault

#: The parts of a turn: the card of the hand, words, the card of the stock.
_PARTS: Final = re.compile(r"[/=]?[^/=]+")


class BegunGame(TypedDict):
    """A game whose last turn may lack its second half, which no text of a game can."""

    text: Annotated[str, "The game without the begun turn."]
    begun: Annotated[str, "The first half of the turn, or empty."]


class TableJson(TypedDict):
    """The table after the last step of a game."""

    phase: PhaseName
    seat: Annotated[int, "In turn; 0 for nobody."]
    month: int
    actions: Annotated[list[str], "The legal actions, as Kafu writes them."]
    hands: list[str]
    field: str
    captured: list[str]
    stock: Annotated[str, "Its known cards, the next one first."]
    left: Annotated[int, "Cards in the stock."]
    totals: list[int]


def call(name: str, arguments: str) -> str:
    """Call a function of `FUNCTIONS` with the arguments of a JSON object.

    Returns a JSON object with the ``value``, or with the ``error``: an object with the attributes
    of `kafu.Error`.

    >>> call("verify", '{"text": "[Kafu]"}')[:40]
    '{"value": {"source": "", "game": 1, "lin'
    >>> call("read", '{"text": "[Kafu]"}')[:29]
    '{"error": {"code": "bad-tag",'
    """
    try:
        value = FUNCTIONS[name](**json.loads(arguments))
    except Error as error:
        return json.dumps({"error": _describe(error)}, ensure_ascii=False)
    except Unsupported as error:
        unsupported = NotPlayable(f"no analysis of {error}", code="unsupported")
        return json.dumps({"error": _describe(unsupported)}, ensure_ascii=False)
    return json.dumps({"value": value}, ensure_ascii=False)


def _describe(error: Error) -> dict[str, Any]:
    names = ("code", "message", "line", "column", "deal", "turn")
    return {name: getattr(error, name) for name in names} | {"expected": list(error.expected)}


def _read(text: str) -> dict[str, Any]:
    return dict(reading.to_json(reading.read(text)))


def _write(text: str) -> str:
    return reading.write(reading.read(text))


def _verify(text: str, lang: str = "en") -> dict[str, Any]:
    records = list(reading.records(io.StringIO(text)))
    if len(records) != 1:
        raise BadValue(f"expected one game, found {len(records)}", code="several-games")
    return verify(records[0]).to_json(lang)


def _replay(text: str, lang: str = "en") -> dict[str, Any]:
    played = stored_replay(_read_played(text))
    return played | {"error": localise_fault(played["error"], lang)}


def _read_played(text: str) -> Game:
    game = reading.read(text)
    if game.is_sheet:
        raise NotPlayable("a score sheet has no steps", code="no-steps")
    return game


def _legal(text: str, begun: str = "") -> TableJson:
    _walked, here = _last_table(text, begun)
    table = here.table
    return {
        "phase": table.phase,
        "seat": table.seat,
        "month": table.month,
        "actions": [move.written for move in here.moves],
        "hands": list(table.hands),
        "field": table.field,
        "captured": list(table.captured),
        "stock": table.stock,
        "left": table.left,
        "totals": list(table.totals),
    }


def _apply(text: str, action: str, begun: str = "") -> BegunGame:
    walked, here = _last_table(text, begun)
    legal = [move.written for move in here.moves]
    if action not in legal:
        raise BadValue(f"{action[:40]!r} is no legal action", code="no-action", expected=legal)
    written, half = changes.whole(changes.put(walked, here.deal, here.step, action))
    return {"text": reading.write(written.game), "begun": half}


def _last_table(text: str, begun: str) -> tuple[Walked, TableAt]:
    """Return a game and a turn begun after it, played through, and the table after the last step.

    Raises NotPlayable, and BadValue for a turn that is none.
    """
    walked = walk(_read_played(text))
    for part in _PARTS.findall(begun):
        walked = changes.put(walked, *walked.last, part)
    here = table_at(walked, *walked.last)
    assert here is not None
    return walked, here


def _analyse(text: str, seed: int = 0, most: int | None = None) -> dict[str, Any]:
    return analyse_game(reading.read(text), seed=seed, most=most)


def _sheet(text: str) -> str:
    return reading.write(sheet_of(reading.read(text)))


#: The functions that a program can call, with their parameters.
FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "read": _read,
    "write": _write,
    "verify": _verify,
    "replay": _replay,
    "legal": _legal,
    "apply": _apply,
    "analyse": _analyse,
    "sheet": _sheet,
}
