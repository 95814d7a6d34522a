"""Games in chats and mails: fences, quotations, signatures, other text."""

from __future__ import annotations

import io

import pytest

from kafu.importers import read_piece
from kafu.notation.reading.reader import Reading
from kafu.notation.stream.cut import cut
from kafu.notation.stream.wrapping import unwrap
from notation.texts import TAGS, read_game

GAME = TAGS + "\nmonth 1 dealer 1\nhand 1 CPRUfgmu\nfield BGTXbejk\n1. CxB/D QxT/F\n"
NAMED = GAME.replace("CxB/D QxT/F", "松のカス×松に赤短/D QxT/F")


def quoted(text: str, mark: str) -> str:
    """Return a text as quoted in a mail."""
    return "".join(f"{mark}{row}\n" for row in text.splitlines())


def readings(text: str) -> list[Reading]:
    return [read_piece(piece) for piece in cut(io.BytesIO(text.encode()))]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (f"```kafu\n{GAME}```\n", (1, 1)),
        (f"Hi all,\nsee 1/2:\n\n~~~ kafu\n{GAME}~~~\nOr https://example.org/a/b?\n", (1, 1)),
        (
            f"On 3 Jan, Ben wrote:\n{quoted(GAME, '> ')}\nNice!\n-- \nAya\nhttps://x.org/~a\n",
            (1, 1),
        ),
        (f"{quoted(GAME, '> > ')}> Nice!\nYes.\n", (1, 1)),
        (quoted(GAME, ">>"), (1, 1)),
        (quoted(GAME, "＞"), (1, 1)),
        (quoted(GAME, "> ").replace("> \n", "\n"), (1, 1)),
        (f">>> {GAME}", (1, 1)),
        (f"{GAME}-- \nAya\n", (10, 1)),
        (f"[quote=Ben]\n[code]\n{GAME}[/code]\n[/quote]\n", (1, 1)),
        (f'<pre class="game">\n{GAME}</pre>\n', (1, 1)),
        (f"<html><body><pre>\n{GAME}</pre></body></html>\n", (1, 1)),
        ('"{}"\n'.format(GAME.replace('"', '""').rstrip()), (1, 1)),
        (f"{GAME}--\nAya\n", (10, 1)),
        (f"{GAME}\x1a", (10, 1)),
        (f"{GAME}\nWhat do you think?\nThe 2 was great.\n", (11, 1)),
        (f"昨日の対局です。\n{GAME}\nどうですか?\n", (1, 1)),
        (f"Hi\n```\n{GAME}```\n".replace("\n", "\r\n"), (1, 1)),
        (f"; kept\n> {GAME}", (2, 1)),
    ],
)
def test_game_in_other_text_is_read_with_a_warning(text: str, place: tuple[int, int]) -> None:
    (reading,) = readings(text)
    assert reading.fault is None
    warnings = [(warning.code.id, warning.line, warning.column) for warning in reading.warnings]
    assert warnings == [("text-around", *place)]
    assert reading.game is not None
    reading.game.notes.pop("head", None)
    assert reading.game == read_game(GAME)


def test_game_in_two_fences_is_read_as_one() -> None:
    (reading,) = readings(f"```\n{GAME}```\n```\n2. ExF/G\n```\n")
    assert reading.game is not None
    assert len(reading.game.months[0].turns) == 3


def test_games_in_fences_of_their_own_are_apart() -> None:
    text = f"one:\n```\n{GAME}```\ntwo:\n```\n{NAMED}```\nbye\n"
    assert [reading.fault for reading in readings(text)] == [None, None]


def test_json_in_a_fence_is_read() -> None:
    form = '{"kafu": "1", "rules": "koikoi", "players": ["", ""], "months": [{"month": 1, "deal": '
    (reading,) = readings(f'```json\n{form}{{"dealer": 1}}}}]}}\n```\n')
    assert (reading.fault, reading.warnings) == (None, [])


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (quoted(GAME.replace("QxT/F", "QxT/F ExF/zz"), "> "), ("bad-turn", 9, 22)),
        (f"Hi\n{quoted(GAME.replace('field', 'feild'), '> ')}", ("unknown-statement", 9, 3)),
        (f"{GAME}\nscroe 1 +5 2 0\n", ("unknown-statement", 11, 1)),
        (f"```\n{GAME}```\nand then\n```\n2. ExF/G\n```\n", ("unknown-statement", 12, 1)),
        (quoted(GAME[:-1], "> ")[:-4] + "\n/F\n", ("bad-turn", 9, 12)),
        ("<!DOCTYPE html>\n<pre>" + GAME.replace('"', "&quot;"), ("document", 1, 1)),
        (GAME + "bye\n" * 600, ("unknown-statement", 10, 1)),
    ],
)
def test_fault_in_other_text_has_its_place_there(text: str, fault: tuple[str, int, int]) -> None:
    (reading,) = readings(text)
    assert reading.fault is not None
    assert (reading.fault.code.id, reading.fault.line, reading.fault.column) == fault


def test_game_without_its_first_tag_is_not_passed_over() -> None:
    fault_ids = [reading.fault and reading.fault.code.id for reading in readings(GAME[11:] + GAME)]
    assert fault_ids == ["first-tag", None]


@pytest.mark.parametrize("text", [GAME, "Hello\n", "; a comment\n" + GAME, ""])
def test_text_of_a_game_alone_has_nothing_around(text: str) -> None:
    assert unwrap(text) == (text, [])


@pytest.mark.parametrize(
    "part",
    [
        "abcd 1\n",
        "\u3000",
        "> ",
        "`",
        "[code]",
        "<p>",
        " /",
        "1. ",
        "あ ",
        "{",
        "[",
        "\x1a",
        ">\n",
        "[Kafu ",
    ],
)
def test_long_text_keeps_its_places(part: str) -> None:
    """A pattern with backtracking would not end here."""
    text = f"x\n{GAME}" + part * (200_000 // len(part)) + "z"
    game_text, warnings = unwrap(text)
    assert warnings
    assert [len(row) for row in game_text.split("\n")] == [len(row) for row in text.split("\n")]
