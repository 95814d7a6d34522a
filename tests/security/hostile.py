"""Games and files of an attacker who wants code executed, commands obeyed or lies believed."""

from __future__ import annotations

import json
from functools import cache
from typing import Final

from archives.makers import zipped
from kafu.notation.game import Game
from kafu.notation.json.form import to_json
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import LONG
from records.ingest.receiving import Part, receive
from records.models import Upload
from tests.records.makers import finish
from turns import put_card

#: An element and an attribute that our pages never contain.
ELEMENT, ATTRIBUTE = "x-evil", "data-evil"
#: Names that break out of an attribute, an element, a script, a comment or a template, reverse the
#: direction of text, or are formulas. They are short because pages show only 40 letters of a name.
NAMES: Final = (
    '"><x-evil data-evil=1>',
    "'><x-evil data-evil onload=alert(1)>",
    "</script></title><x-evil data-evil>",
    '" data-evil="1" onfocus="alert(1)',
    "{{7*7}}{%debug%}${7*7}<x-evil>",
    "</textarea></svg>--><x-evil data-evil>",
    "=HYPERLINK(\"http://x.test\",'<x-evil>')",
    "@SUM(1)\u202e\u2066\u200b\u2028<x-evil>",
    "＝1+1\x85é\u0301\U0001f3b4<x-evil>",
    "../../etc/passwd\\..\\<x-evil>",
    "&lt;x-evil&gt;&#60;x-evil&#62;<x-evil>",
    "javascript:alert(1)//<x-evil>",
)
EVENT: Final = "</title></script><script>alert(1)</script><x-evil data-evil onclick=alert(1)>"
COMMENT: Final = "<x-evil data-evil onclick=alert(1)> {{7*7}} <img src=x onerror=alert(1)>"
FILE: Final = '"><x-evil data-evil onload=alert(1)>\r\nX-Evil: 1\u202e.kafu'


def spoiled(rules: str, seed: int) -> Game:
    """Return a valid game with only hostile free texts; a short game where rules permit."""
    options = {"months": "3"} if rules in ("koikoi", "ten-five-one") else {}
    game = simulate(rules, seed=seed, options=options)
    first = seed * len(game.players)
    names = (NAMES[(first + seat) % len(NAMES)] for seat in range(len(game.players)))
    game.players = tuple(names)
    game.tags |= {
        "Event": EVENT,
        "Site": "javascript:alert(1)",
        "Date": "2026-01-01<x-evil>",
        "Round": NAMES[0],
        "Source": "http://169.254.169.254/<x-evil data-evil>",
        "Annotator": NAMES[1],
        "X-own": NAMES[2],
    }
    game.notes["Event"] = [COMMENT]
    for month in game.months[:2]:
        month.notes = {"month": [COMMENT]}
        for turn in month.turns[:3]:
            turn.comments.append(COMMENT)
    return game


def games(rules: str) -> list[str]:
    """Return verified games, a game with a wrong claim and a game with an illegal move.

    In the games of koi-koi every name has a seat. Only `make test-long` has wrong and illegal games
    of other rulesets.
    """
    seeds = range(6 if rules == "koikoi" else 1)
    verified = [write(spoiled(rules, seed)) for seed in seeds]
    if rules != "koikoi" and not LONG:
        return verified
    wrong = spoiled(rules, 20)
    seats = len(wrong.players)
    wrong.months[0].score = tuple(12 * (seats - 1) if seat == 0 else -12 for seat in range(seats))
    illegal = spoiled(rules, 21)
    month = next(month for month in illegal.months if month.turns)
    card, take = month.turns[0].value[0][2:4]
    put_card(month.turns[0], next(other for other in month.field or "" if other != card), take)
    return [*verified, write(wrong), write(illegal)]


MALFORMED: Final = (
    '[Kafu "<x-evil data-evil>"]\n',
    '[Kafu "1"]\n[Rules "<x-evil data-evil>"]\n[Player1 "a"]\n[Player2 "b"]\n\nmonth 1 dealer 1\n',
    '[Kafu "1"]\n[Rules "koikoi"]\n[Options "<x-evil=1>"]\n[Player1 "a"]\n[Player2 "b"]\n\n'
    "month 1 dealer 1\n",
    '[Kafu "1"]\n[Rules "koikoi"]\n[Player1 "a"]\n[Player2 "b"]\n\nmonth 1 dealer 1\n'
    "<x-evil data-evil onload=alert(1)>\n",
    '[Kafu "1"]\n[Rules "koikoi"]\n[Player1 "a"]\n[Player2 "b"]\n\nmonth 1 dealer 1\n'
    "1. A/B=<x-evil>\n",
    '[Kafu "1"]\n[Rules "koikoi"]\n[Player1 "a"]\n[Player2 "b"]\n\nmonth 1 dealer 1\n'
    "show 1 <x-evil> ABC\n",
)
SHEET: Final = (
    '[Kafu "1"]\n[Rules "hachihachi"]\n[Event "{event}"]\n[Player1 "{0}"]\n[Player2 "{1}"]\n'
    '[Player3 "{2}"]\n[Sheet "1"]\n[Termination "unfinished"]\n\nmonth 1 dealer 1\n'
    "ba small\npay points 1 +4 2 -2 3 -2\nstone 1\n"
)


def sheet() -> str:
    """Return a score sheet with hostile names as columns."""
    names = [NAMES[place].replace("\\", "\\\\").replace('"', '\\"') for place in (6, 7, 8)]
    return SHEET.format(*names, event=EVENT)


@cache
def files() -> dict[str, bytes]:
    """Return the contents of the uploaded files by the names that the sender claims."""
    texts = "\n".join(text for rules in RULES for text in games(rules))
    as_json = to_json(spoiled("koikoi", 30)) | {"<x-evil data-evil>": 1}
    log = {"info": {"player1Name": NAMES[0]}, "result": {}, "record": {}}
    return {
        FILE: texts.encode(),
        "sheet.kafu": sheet().encode(),
        "<x-evil data-evil>.json": json.dumps(as_json).encode(),
        "log.json": json.dumps(log).encode(),
        "../../../etc/passwd": "\n".join(MALFORMED).encode(),
        "a.zip": zipped(
            {f"../{FILE}": b"<x-evil>", "/etc/<x-evil data-evil>/x.gz": b"\x1f\x8b\x08x"}
        ),
    }


def ingest(owner: int | None = None) -> Upload:
    """Upload all files in one upload, process it here, and return it."""
    parts = [Part(name, (data,)) for name, data in files().items()]
    received = receive(parts=parts, via="api", owner=owner)
    finish(received)
    return received
