"""Score notebooks: tables of months and players, read as score sheets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kafu.facade.errors import not_kafu, wrong_type
from kafu.facade.rulesets import resolve
from kafu.importers.notebook import sheet as notebooks
from kafu.notation.game import Game
from kafu.notation.vocabulary import MAX_GAME_BYTES


def read_notebook(
    source: str | bytes | Path,
    rules: str,
    *,
    options: Mapping[str, str] | None = None,
    dealer: int = 1,
) -> Game:
    """Return the score sheet of a notebook, a table of months and players.

    The table is CSV, TSV or, with the extra ``kafu[xlsx]``, a workbook. ``source`` is its text, its
    bytes in any encoding that `records` reads, or a path. ``dealer`` dealt the first month, if the
    table names no dealers. Raises WrongType, UnknownRuleset, BadValue, OSError, and NotKafu for a
    table that cannot be read: its line and column are the row and column of the cell.

    >>> import kafu
    >>> game = kafu.read_notebook("月,Aya,Ben\\n1月,7,\\n2月,,5", "koikoi")
    >>> [month.payments[0].amounts for month in game.months]
    [(7, 0), (0, 5)]
    """
    if isinstance(source, Path):
        with source.open("rb") as stream:
            source = stream.read(MAX_GAME_BYTES + 1)
    data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    if not isinstance(data, bytes):
        raise wrong_type("source", source, "str", "bytes", "Path")
    _, house = resolve(rules, None, options)
    if not isinstance(dealer, int) or isinstance(dealer, bool):
        raise wrong_type("dealer", dealer, "int")
    notebook = notebooks.read_notebook(data, rules, house, dealer=dealer)
    if notebook.game is None:
        raise not_kafu(notebook.faults[0])
    return notebook.game
