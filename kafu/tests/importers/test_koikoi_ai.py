"""KoiKoi-AI logs: recognised by content, converted, verified; real logs if available."""

from __future__ import annotations

import copy
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafu import cards
from kafu.importers import read_piece
from kafu.judging.verify import verify
from kafu.notation.game import Game, Turn
from kafu.notation.stream.cut import cut
from kafu.rules.verdict import Verdict
from kafu.simulation.simulate import simulate
from shared import shared

LOGS = sorted(shared("data/koikoi-ai").glob("*.json"))


def judge(data: bytes) -> Verdict:
    (piece,) = cut(io.BytesIO(data))
    return verify(read_piece(piece)).verdict


def card(letter: str) -> list[int]:
    month, i = divmod(cards.LETTERS.index(letter), 4)
    return [month + 1, i + 1]


def log_of(game: Game) -> dict[str, Any]:
    """A simulated game of the profile in the log's form."""
    record = {}
    for number, month in enumerate(game.months, 1):
        assert month.field and month.stock and month.score
        round: dict[str, Any] = {
            "basic": {
                "Dealer": month.dealer,
                "initHand1": [card(c) for c in month.hands[1]],
                "initHand2": [card(c) for c in month.hands[2]],
                "initBoard": [card(c) for c in month.field],
                "initPile": [card(c) for c in month.stock[::-1]],
                "player1RoundPts": month.score[0],
                "player2RoundPts": month.score[1],
            }
        }
        for n, turn in enumerate(month.turns, 1):
            assert isinstance(turn, Turn)
            round[f"turn{n}"] = {
                "playerInTurn": month.dealer if n % 2 else 3 - month.dealer,
                "discardCard": card(turn.play),
                "collectCard": [card(c) for c in turn.play + turn.take] if turn.take else [],
                "drawCard": card(turn.turn),
                "collectCard2": [card(c) for c in turn.turn + turn.take2] if turn.take2 else [],
                "isKoiKoi": {("koikoi",): True, ("shobu",): False, (): None}[turn.say],
            }
        record[f"round{number}"] = round
    assert game.result
    return {
        "info": {
            "startTime": "2026-01-03 10:00:00",
            "player1Name": "Aya",
            "player2Name": "Ben",
            "player1InitPts": 30,
            "player2InitPts": 30,
            "numRound": 8,
        },
        "result": {
            "isOver": True,
            "player1EndPts": game.result[0],
            "player2EndPts": game.result[1],
        },
        "record": record,
    }


def undealt_again(seed: int) -> Game:
    """A simulated game without a deal that was thrown in, which the logs do not hold."""
    while True:
        game = simulate("koikoi", seed=seed, options={"profile": "koikoi-ai"})
        if not any(month.redeal for month in game.months):
            return game
        seed += 1


LOG = log_of(undealt_again(1))


def test_a_log_becomes_the_game_it_was() -> None:
    found = judge(json.dumps(LOG).encode())
    assert (found.status, found.error, found.warnings) == ("verified", None, [])
    assert found.final == (LOG["result"]["player1EndPts"], LOG["result"]["player2EndPts"])


def test_a_wrong_end_total_is_a_mismatch() -> None:
    log = copy.deepcopy(LOG)
    log["result"]["player1EndPts"] += 100
    log["result"]["gameWinner"] = 1 if LOG["result"]["player1EndPts"] > 30 else 2
    found = judge(json.dumps(log).encode())
    assert found.status == "mismatch"
    assert [one.where for one in found.mismatches] == ["result"]


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("info", "player1Name"), 3, "info.player1Name"),
        (("info", "numRound"), 65, "info.numRound"),
        (("info", "player2InitPts"), 31, "info.player2InitPts"),
        (("record", "round1", "basic", "initBoard"), [[13, 1]], "record.round1.basic.initBoard"),
        (("record", "round1", "turn1"), None, "record.round1.turn1"),
        (("record", "round2", "turn2", "collectCard"), [[1, 1]], "record.round2.turn2.collectCard"),
        (("result", "isOver"), "yes", "result.isOver"),
        (("info", "numRound"), 49, "info.numRound"),
        (("info", "startTime"), "yesterday", "info.startTime"),
        (("result", "gameWinner"), 0, "result.gameWinner"),
        (("record", "round1", "basic", "roundWinner"), 0, "record.round1.basic.roundWinner"),
    ],
)
def test_a_log_of_another_form_says_where(path: tuple[str, ...], value: Any, where: str) -> None:
    log = copy.deepcopy(LOG)
    at = log
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = value
    found = judge(json.dumps(log).encode())
    assert found.status == "malformed"
    assert found.error is not None
    assert found.error.code.id == "bad-foreign-log"
    assert found.error.values["where"] == where


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
)


@given(st.sampled_from(["info", "result", "record"]), JSON)
def test_no_log_raises(part: str, value: Any) -> None:
    judge(json.dumps(LOG | {part: value}).encode())


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_real_log(path: Path) -> None:
    """Every round score and end total of the 120 finished logs; 201 stops in mid-game."""
    log = json.loads(path.read_text(encoding="utf-8"))
    found = judge(path.read_bytes())
    assert (found.error, found.mismatches) == (None, [])
    if not log["result"]["isOver"]:
        assert found.status == "unfinished"
        return
    assert found.status == "verified"
    assert found.final == (log["result"]["player1EndPts"], log["result"]["player2EndPts"])
    for number, deal in enumerate(found.deals, 1):
        basic = log["record"][f"round{number}"]["basic"]
        assert deal.score == (basic["player1RoundPts"], basic["player2RoundPts"])
        assert (deal.winner or 0) == basic["roundWinner"]
