"""No entry point of the library takes more time than the length of its input.

Each context is a text with `MARK` where a repeated unit goes. `make test` measures some of the
inputs that once took too long, and some others; `make test-long` measures all of them, all units
and pairs of units.
"""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Final, NamedTuple

import pytest

from growth import UNITS, find_growth, pairs
from kafu.archives.names import decode_name, find_passed_over, shown_path
from kafu.editing import changes
from kafu.editing.table_at import walk
from kafu.facade.errors import Error
from kafu.importers import read_piece
from kafu.importers.notebook.sheet import read_notebook
from kafu.judging.position import position
from kafu.judging.verify import verify
from kafu.naming.statements import is_lettered, letters_of
from kafu.naming.table import nearest
from kafu.naming.translation import to_names
from kafu.notation.actions import parse
from kafu.notation.difference import differences
from kafu.notation.faults import Malformed
from kafu.notation.json.form import to_json
from kafu.notation.reading.reader import read
from kafu.notation.stream.cut import cut
from kafu.notation.vocabulary import MAX_GAME_BYTES
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import LONG, part

MARK: Final = "@@"
GAME: Final = """\
[Kafu "1"]
[Rules "koikoi"]
[Player1 "花子"]
[Player2 "Ben"]
[Termination "unfinished"]

month 1 dealer 1
hand 1 KNORhiqv
hand 2 DJLMQUat
field HWdlmnps
stock fGceZIuPTXAFEobVBgjrCSYk
1. vxs/fxd UxW/GxH
2. qxp/c L/exc
"""
NAMED: Final = to_names(GAME, "en")
SHEET: Final = """\
[Kafu "1"]
[Rules "koikoi"]
[Sheet "1"]
[Player1 "花子"]
[Player2 "Ben"]

month 1 dealer 1
pay sanko 1 +6 2 -6
score 1 +6 2 -6
"""
OBJECT: Final = json.dumps(to_json(simulate("koikoi", seed=1)), ensure_ascii=False)
LOG: Final = "Watch Start: P1=Normal CPU=Hard rounds=12 no_sake=0\n"
NOTEBOOK: Final = "月,親,Aya,Ben\n1月,Aya,7,\n2月,Ben,,5\n"


def _put(text: str, before: str, inserted: str) -> str:
    """Return a text with ``inserted`` in front of the first ``before``."""
    assert before in text, before
    return text.replace(before, inserted + before, 1)


#: A game in words at a table with hands that may be returned to the draw pile.
_LARGE: Final = _put(NAMED, "\n\n", '\n[Player3 "Cho"]\n[Player4 "Dan"]').replace(
    "koikoi", "hachihachi-bga"
)
#: Texts of games, with the place of the units.
_TEXTS: Final = {
    "alone": MARK,
    "before": f"{MARK}\n{GAME}",
    "in the first row": MARK + GAME,
    "in a row before": f"{MARK}x\n{GAME}",
    "behind a row before": f"x\n{MARK}x{GAME}",
    "behind": f"{GAME}{MARK}",
    "apart behind": f"{GAME}\n\n{MARK}x",
    "quoted": "> " + GAME.replace("\n", "\n> ") + MARK,
    "in a fence": f"```\n{GAME}```\n{MARK}",
    "name of a tag": _put(GAME, "[Termination", f"[{MARK}\n"),
    "value of a tag": _put(GAME, "[Termination", f'[Event "{MARK}"]\n'),
    "open value of a tag": _put(GAME, "[Termination", f'[Event "{MARK}\n'),
    "name of a player": _put(GAME, "Ben", MARK),
    "value that ends in a backslash": _put(GAME, "[Termination", f'[Event "{MARK}\\\\"]\n'),
    "date": _put(GAME, "[Termination", f'[Date "{MARK}x"]\n'),
    "options": _put(GAME, "[Termination", f'[Options "{MARK}"]\n'),
    "behind a tag": _put(GAME, "\n\n", MARK),
    "behind the tags": _put(GAME, "month", MARK),
    "month": _put(GAME, "1 dealer", MARK),
    "hand": _put(GAME, "Rhiqv", MARK),
    "hand of words": _put(GAME, "KNORhiqv", f"{MARK} "),
    "row of a month": _put(NAMED, "hand 1", f"{MARK}\n"),
    "draw pile of a large table": _put(_LARGE, "1. ", MARK),
    "field": _put(GAME, "HW", f"{MARK}x "),
    "draw pile": _put(GAME, "fGce", f"{MARK}"),
    "statement": _put(GAME, "1. ", f"{MARK}!\n"),
    "draw": _put(GAME, "hand 1", f"draw {MARK}!\n"),
    "show": _put(GAME, "1. ", f"show 1 {MARK} A\n"),
    "bid": _put(GAME, "1. ", f"bid {MARK}!\n"),
    "score": f"{GAME}score {MARK}!\n",
    "turns": _put(GAME, "UxW", MARK),
    "capture": _put(GAME, "W/GxH", MARK),
    "decision": _put(GAME, " UxW", f"={MARK}"),
    "number in a circle": _put(GAME, "2. ", f"①{MARK}"),
    "between turns": _put(GAME, "UxW", f"\n{MARK}\n"),
    "comment": _put(GAME, "UxW", "{" + MARK + "}"),
    "open comment": _put(GAME, "UxW", "{" + MARK),
    "comment of a row": _put(GAME, " UxW", f";{MARK}\n"),
    "many comments": _put(GAME, "1 dealer", MARK + "{b}" * 9_000),
    "months": _put(GAME, "month 1", f"month 1 dealer 1\n{MARK}\n"),
    "hand in words": _put(NAMED, "cherry chaff-1", MARK),
    "before words": f"{MARK}\n{NAMED}",
    "behind the tags of words": _put(NAMED, "month", f"{MARK}\n"),
    "turns in words": _put(NAMED, "\n2. ", f"\n{MARK}"),
    "turn in words": _put(NAMED, "\n2. ", f" / {MARK}"),
    "decision in words": _put(NAMED, "\n2. ", f"={MARK}あ"),
    "tag of a game in words": _put(NAMED, "[Termination", f'[Event "{MARK}"]\n'),
    "comment in words": _put(NAMED, "\n2. ", "{" + MARK + "}"),
    "sheet": _put(SHEET, "pay", f"{MARK}\n"),
    "behind the tags of a sheet": _put(SHEET, "month", MARK).replace("pay", "crane\npay"),
    "payment": _put(SHEET, " 1 +6", MARK),
    "amounts": _put(SHEET, "+6", MARK),
    "unclosed array": f"[{MARK}",
    "comment before an object": "/*" + MARK + "*/{x",
    "row before an object": "//" + MARK + "\n{x",
    "keys": '{"kafu":"1",' + MARK + "}",
    "objects": f"{OBJECT}{MARK}",
    "object": OBJECT.replace('"turns"', f'{MARK}"turns"', 1),
    "value of an object": OBJECT.replace("Aya", MARK, 1),
    "cards of an object": OBJECT.replace('"field": "', f'"field": "{MARK}', 1),
    "log": LOG + MARK,
    "row of a log": f"{LOG[:-1]}{MARK}",
    "before a log": f"{MARK}{LOG}",
    "card index of a log": f"[CARD-INDEX] {MARK}x",
    "notebook": NOTEBOOK + MARK,
    "cell": _put(NOTEBOOK, "Aya,7", f'"{MARK}"'),
    "open cell": _put(NOTEBOOK, "Aya,7", f'"{MARK}'),
    "cell of a month": _put(NOTEBOOK, "2月", f"{MARK}x,"),
    "cell before a game": _put(GAME, "[Kafu", f"月,Aya,Ben,{MARK}x,"),
    "amount of a cell": _put(NOTEBOOK, ",\n2月", MARK),
    "head": _put(NOTEBOOK, "Aya,Ben", f"{MARK}x,"),
    "row before a notebook": f"{MARK}x\n{NOTEBOOK}",
    "month of a notebook": _put(NOTEBOOK, "2月", MARK),
}
#: The encodings in which a game is sent, with the contexts measured in each.
_ENCODED: Final = {
    "cp932": (
        "before",
        "in the first row",
        "behind the tags",
        "turns",
        "name of a player",
        "behind",
    ),
    "euc_jp": ("before", "comment", "name of a player"),
    "gb18030": ("before", "comment"),
    "cp1252": ("comment", "name of a player"),
    "utf-16": ("before", "behind the tags", "turns", "name of a player", "cell"),
}


#: The number of games that are read of a file.
_MOST_GAMES: Final = 10


class Entry(NamedTuple):
    """An entry point in a context: a function of the repeated text, and the longest such text."""

    run: Callable[[str], object]
    most: int = MAX_GAME_BYTES - 4096


def judge(data: bytes) -> None:
    """Read and judge the first games of a file, and describe their faults."""
    for piece in islice(cut(io.BytesIO(data)), _MOST_GAMES):
        verification = verify(read_piece(piece))
        for lang in ("en", "ja"):
            verification.verdict.to_json(lang)
        if verification.game is not None:
            position(verification.game)
            to_json(verification.game)


def _judge_text(context: str, encoding: str, text: str) -> None:
    judge(_TEXTS[context].replace(MARK, text).encode(encoding, _ERRORS.get(encoding, "replace")))


_ERRORS: Final = {"utf-8": "surrogatepass", "utf-16": "surrogatepass"}


def _convert_notebook(context: str, text: str) -> None:
    data = _TEXTS[context].replace(MARK, text).encode("utf-8", "surrogatepass")
    read_notebook(data, "koikoi", {})


def _refuse_or_run(function: Callable[[str], object], text: str) -> None:
    try:
        function(text)
    except (Error, Malformed):
        pass


def _compare(text: str) -> None:
    """Compare a deal with one that has a comment behind each word and each comment."""
    longer = text.replace("}", "}{b}").replace(" ", " {b} ")
    list(differences(f"month 1 dealer 1\n1. {text}\n", f"month 1 dealer 1\n1. {longer}\n"))


def _judge_long_pile(text: str) -> None:
    """Judge turns in words with a draw pile of as many unknown cards."""
    game = NAMED.replace("stock ", f"stock {'?' * len(text)}, ")
    judge(game.replace("1. ", f"1. {text} ").encode("utf-8", "surrogatepass"))


def _put_action(text: str) -> None:
    game = read(GAME).game
    assert game is not None
    changes.put(walk(game), 1, 1, text)


def _comment(text: str) -> None:
    game = read(GAME).game
    assert game is not None
    write(changes.comment(walk(game), 1, 1, text).game)


def _list_entries() -> Iterator[tuple[str, Entry]]:
    for context in _TEXTS:
        yield f"utf-8, {context}", Entry(partial(_judge_text, context, "utf-8"))
    for encoding, contexts in _ENCODED.items():
        for context in contexts:
            yield f"{encoding}, {context}", Entry(partial(_judge_text, context, encoding))
    for context in list(_TEXTS)[list(_TEXTS).index("notebook") :]:
        yield f"notebook, {context}", Entry(partial(_convert_notebook, context))
    functions: Mapping[str, Callable[[str], object]] = {
        "turns with a long draw pile": _judge_long_pile,
        "cards": letters_of,
        "letters": is_lettered,
        "nearest name": nearest,
        "action": lambda text: parse(text, 1),
        "edited action": _put_action,
        "edited comment": _comment,
        "names of a text": lambda text: to_names(text, "ja"),
        "path": lambda text: (shown_path(text), find_passed_over(text)),
        "name of a file": lambda text: decode_name(text.encode("utf-8", "surrogatepass")),
    }
    yield "comparison", Entry(_compare, 2_900)
    for name, function in functions.items():
        yield name, Entry(partial(_refuse_or_run, function))


ENTRIES: Final = dict(_list_entries())

#: Units by entry that once took too long; each stands for a different part of the code.
FOUND: Final[Mapping[str, Sequence[str]]] = {
    "cp932, before": ("\n",),
    "cp932, behind the tags": ("\n",),
    "utf-16, behind the tags": ("\n",),
    "utf-8, before words": ("\n",),
    "utf-8, hand": ("\n", "\r", "\u3000\n", "```\n"),
    "utf-8, month": (" \n",),
    "utf-8, behind the tags of words": ("\n",),
    "utf-8, behind the tags of a sheet": ("\n",),
    "utf-8, turns in words": ("\n", "[code]\n"),
    "utf-8, turns": ("[code]\n",),
    "utf-8, in a row before": (" ",),
    "utf-8, in the first row": (".", ":"),
    "utf-8, cell before a game": (".",),
    "utf-8, value of a tag": ("\u0300\u0316",),
    "utf-8, date": ("\u0300\u0316",),
    "utf-8, between turns": ("/\n", "A/B\n", "A\n/"),
    "utf-8, decision": ("/\n",),
    "utf-8, draw pile of a large table": ("stock ...\nbid 1in\n",),
    "utf-8, decision in words": (" ",),
    "turns with a long draw pile": ("moon/",),
    "notebook, cell": (".", ":", "\u0300\u0316"),
    "notebook, head": (".",),
    "comparison": ("{a}",),
}


@pytest.mark.parametrize("name", FOUND if LONG else list(FOUND)[2::3])
def test_input_found_by_an_attack_takes_linear_time(name: str) -> None:
    _check(name, FOUND[name])


@pytest.mark.parametrize("name", part(list(ENTRIES), one_of=16))
def test_repeated_unit_takes_linear_time(name: str) -> None:
    chosen = UNITS if LONG else random.Random(name).sample(UNITS, 4)
    _check(name, [*chosen, *(pairs(name, 100) if LONG else ())])


def _check(name: str, units: Sequence[str]) -> None:
    entry = ENTRIES[name]
    growths = [find_growth(entry.run, unit, entry.most) for unit in units]
    assert not (too_steep := [str(growth) for growth in growths if growth]), too_steep
