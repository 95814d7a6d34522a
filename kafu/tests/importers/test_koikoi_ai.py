"""KoiKoi-AI logs: recognised by content, converted, verified; real logs if available."""

from __future__ import annotations

import copy
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import Case, check_cases
from kafu import cards
from kafu.importers import read_piece
from kafu.importers.koikoi_ai import convert
from kafu.judging.verify import verify
from kafu.notation.faults import Fault
from kafu.notation.game import Game
from kafu.notation.stream.cut import cut
from kafu.notation.writer import identity
from kafu.rules.verdict import Verdict
from kafu.simulation.simulate import simulate
from lengths import part
from shared import shared
from turns import silent, spoken

LOGS = sorted(shared("data/koikoi-ai").glob("*.json"))


def judge(data: bytes) -> Verdict:
    (piece,) = cut(io.BytesIO(data))
    return verify(read_piece(piece)).verdict


def card(letter: str) -> list[int]:
    month, i = divmod(cards.LETTERS.index(letter), 4)
    return [month + 1, i + 1]


def log_of(game: Game) -> dict[str, Any]:
    """Return the log of a simulated game."""
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
            play, drawn = silent(turn)
            round[f"turn{n}"] = {
                "playerInTurn": month.dealer if n % 2 else 3 - month.dealer,
                "discardCard": card(play.card),
                "collectCard": [card(c) for c in play.card + play.take] if play.take else [],
                "drawCard": card(drawn.card),
                "collectCard2": [card(c) for c in drawn.card + drawn.take] if drawn.take else [],
                "isKoiKoi": {"koikoi": True, "shobu": False, "": None}["".join(spoken(turn))],
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
    """Return a simulated game without redeals, which the logs do not contain."""
    while True:
        game = simulate("koikoi", seed=seed, options={"profile": "koikoi-ai"})
        if not any(month.actions("redeal") for month in game.months):
            return game
        seed += 1


LOG = log_of(undealt_again(1))


def test_log_of_a_simulated_game_is_read_as_the_game() -> None:
    verdict = judge(json.dumps(LOG).encode())
    assert (verdict.status, verdict.error, verdict.warnings) == ("verified", None, [])
    assert verdict.final == (LOG["result"]["player1EndPts"], LOG["result"]["player2EndPts"])


@pytest.mark.parametrize(
    ("start", "time"),
    [
        ("2026-01-03 10:00:00", "10:00:00"),
        ("2026-01-03T23:59:07.123Z", "23:59:07"),
        ("2026-01-03 10:00", "10:00"),
        ("2026-01-03 24:00", None),
        ("2026-01-03", None),
    ],
)
def test_start_of_a_log_is_its_date_and_time(start: str, time: str | None) -> None:
    """The time does not change the identity of the game."""
    log = copy.deepcopy(LOG)
    log["info"]["startTime"] = start
    faults: list[Fault] = []
    game = convert(log, faults.append)
    assert (game.tags["Date"], game.tags.get("Time")) == ("2026-01-03", time)
    assert identity(game) == identity(convert(LOG, faults.append)) and not faults


@pytest.mark.parametrize("name", ["葛󠄀城", "辻\u200d子", "👩‍👩‍👧"])
def test_name_with_joined_characters_is_read(name: str) -> None:
    log = copy.deepcopy(LOG)
    log["info"]["player1Name"] = name
    verdict = judge(json.dumps(log).encode())
    assert (verdict.status, verdict.error) == ("verified", None)


def test_wrong_end_total_is_a_mismatch() -> None:
    log = copy.deepcopy(LOG)
    log["result"]["player1EndPts"] += 100
    log["result"]["gameWinner"] = 1 if LOG["result"]["player1EndPts"] > 30 else 2
    verdict = judge(json.dumps(log).encode())
    assert verdict.status == "mismatch"
    assert [claim.where for claim in verdict.mismatches] == ["result"]


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("info", "player1Name"), 3, "info.player1Name"),
        (("info", "player1Name"), "Aya\u200d", "info.player1Name"),
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
def test_fault_of_a_malformed_log_has_its_place(
    path: tuple[str, ...], value: Any, where: str
) -> None:
    log = copy.deepcopy(LOG)
    at = log
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = value
    verdict = judge(json.dumps(log).encode())
    assert verdict.status == "malformed"
    assert verdict.error is not None
    assert verdict.error.code.id == "bad-foreign-log"
    assert verdict.error.values["where"] == where


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
)


@given(st.sampled_from(["info", "result", "record"]), JSON)
def test_log_with_any_value_at_any_key_does_not_raise(key: str, value: Any) -> None:
    judge(json.dumps(LOG | {key: value}).encode())


def check_log(case: Case) -> None:
    """Compare all round scores and final totals of a log. Log 201 is unfinished."""
    log = json.loads(case.text)
    verdict = judge(case.content)
    assert (verdict.error, verdict.mismatches) == (None, [])
    if not log["result"]["isOver"]:
        assert verdict.status == "unfinished"
        return
    assert verdict.status == "verified"
    assert verdict.final == (log["result"]["player1EndPts"], log["result"]["player2EndPts"])
    for number, deal in enumerate(verdict.deals, 1):
        basic = log["record"][f"round{number}"]["basic"]
        assert deal.score == (basic["player1RoundPts"], basic["player2RoundPts"])
        assert (deal.winner or 0) == basic["roundWinner"]


def test_real_logs_are_verified_games() -> None:
    check_cases(map(Case, part(LOGS)), check_log)


# Logs that nearly fit -----------------------------------------------------------------------------


def rounds_of(log: dict[str, Any]) -> list[dict[str, Any]]:
    return list(log["record"].values())


def turns_of(round: dict[str, Any]) -> list[dict[str, Any]]:
    return [turn for name, turn in round.items() if name != "basic"]


def as_left(log: dict[str, Any]) -> dict[str, Any]:
    """Return the log with the hands and pile left at the end, and without a dealer."""
    log = copy.deepcopy(log)
    for round in rounds_of(log):
        basic = round["basic"]
        del basic["Dealer"]
        for turn in turns_of(round):
            basic[f"initHand{turn['playerInTurn']}"].remove(turn["discardCard"])
            assert basic["initPile"].pop() == turn["drawCard"]
    return log


def without_deals(log: dict[str, Any], value: Any) -> dict[str, Any]:
    """Return the log without hands and pile."""
    log = copy.deepcopy(log)
    for round in rounds_of(log):
        for name in ("initHand1", "initHand2", "initPile"):
            round["basic"][name] = value
    return log


def codes_of(verdict: Verdict) -> set[str]:
    return {warning.code.id for warning in verdict.warnings}


def as_read(log: dict[str, Any]) -> Game:
    (piece,) = cut(io.BytesIO(json.dumps(log).encode()))
    game = read_piece(piece).game
    assert game is not None
    return game


def test_deal_is_rebuilt_from_the_cards_played_and_left() -> None:
    log = as_left(LOG)
    verdict = judge(json.dumps(log).encode())
    assert (verdict.status, verdict.error, codes_of(verdict)) == (
        "verified",
        None,
        {"foreign-log-deal"},
    )
    assert identity(as_read(log)) == identity(as_read(LOG))


@pytest.mark.parametrize("value", [None, []])
def test_log_without_deals_is_consistent_only(value: Any) -> None:
    """Cards that nobody played stay unknown."""
    log = without_deals(LOG, value)
    game = as_read(log)
    assert any(
        "?" in hand or month.stock_cut for month in game.months for hand in month.hands.values()
    )
    verdict = judge(json.dumps(log).encode())
    assert (verdict.status, verdict.error) == ("consistent", None)
    assert verdict.final == (LOG["result"]["player1EndPts"], LOG["result"]["player2EndPts"])


@pytest.mark.parametrize("name", ["drawCard", "discardCard"])
@pytest.mark.parametrize(("round", "turn", "months"), [(1, 3, 1), (3, 1, 2), (2, 2, 2)])
def test_log_is_read_up_to_a_missing_card(name: str, round: int, turn: int, months: int) -> None:
    log = copy.deepcopy(LOG)
    log["record"][f"round{round}"][f"turn{turn}"][name] = None
    verdict = judge(json.dumps(log).encode())
    assert (verdict.status, verdict.error) == ("unfinished", None)
    (warning,) = verdict.warnings
    assert warning.code.id == "foreign-log-cut"
    assert warning.values["where"] == f"record.round{round}.turn{turn}.{name}"
    assert (warning.values["found"], warning.values["due"]) == ("null", "[1 … 12, 1 … 4]")
    assert warning.line == 1
    game = as_read(log)
    assert len(game.months) == months and game.result is None
    if turn > 1:
        assert (len(game.months[-1].turns), game.months[-1].score) == (turn - 1, None)


def test_log_without_deals_and_drawn_cards_is_malformed() -> None:
    """The fault names the actual and the expected value."""
    log = without_deals(LOG, None)
    for round in rounds_of(log):
        for turn in turns_of(round):
            turn["drawCard"] = None
    verdict = judge(json.dumps(log).encode())
    assert verdict.status == "malformed" and verdict.error is not None
    assert verdict.error.code.id == "incomplete-foreign-log"
    assert verdict.error.values == {
        "format": "KoiKoi-AI log",
        "where": "record.round1.turn1.drawCard",
        "found": "null",
        "due": "[1 … 12, 1 … 4]",
    }
    assert verdict.error.message("ja") == (
        "このKoiKoi-AI logは欠けています: record.round1.turn1.drawCard は null ですが、"
        "[1 … 12, 1 … 4] が必要です"
    )


@pytest.mark.parametrize(("round", "status"), [(1, "malformed"), (2, "unfinished")])
@pytest.mark.parametrize("value", [None, []])
def test_log_is_read_up_to_a_missing_field(round: int, status: str, value: Any) -> None:
    log = copy.deepcopy(LOG)
    log["record"][f"round{round}"]["basic"]["initBoard"] = value
    verdict = judge(json.dumps(log).encode())
    assert verdict.status == status
    fault = verdict.error if round == 1 else verdict.warnings[0]
    assert fault is not None
    assert fault.values["where"] == f"record.round{round}.basic.initBoard"
    assert (fault.values["found"], fault.values["due"]) == (json.dumps(value), "array of 8 cards")


def test_deal_that_contradicts_the_turns_is_malformed_or_ignored() -> None:
    """Hands and pile are neither a complete deal nor the cards left."""
    for name, count in (("initHand1", 7), ("initPile", 20)):
        log = copy.deepcopy(LOG)
        basic = log["record"]["round1"]["basic"]
        basic[name] = basic[name][:count]
        verdict = judge(json.dumps(log).encode())
        assert verdict.status in ("verified", "malformed")
        if verdict.status == "malformed":
            assert verdict.error is not None
            assert verdict.error.values["where"] == f"record.round1.basic.{name}"
        else:
            assert identity(as_read(log)) == identity(as_read(LOG))


ODD: st.SearchStrategy[Any] = st.sampled_from([None, [], [[1, 1]], [1, 1], [0, 0], "x", 7, {}])
PLACES = [
    *((1, "basic", name) for name in ("Dealer", "initHand1", "initBoard", "initPile")),
    *((2, f"turn{n}", name) for n in (1, 2) for name in ("discardCard", "drawCard", "collectCard")),
    *((3, "turn1", name) for name in ("playerInTurn", "collectCard2", "isKoiKoi")),
]


@given(st.dictionaries(st.sampled_from(PLACES), ODD, max_size=4), st.booleans())
def test_odd_log_is_never_verified_as_another_game(
    odd: dict[tuple[int, str, str], Any], is_left: bool
) -> None:
    log = as_left(LOG) if is_left else copy.deepcopy(LOG)
    for (round, key, name), value in odd.items():
        log["record"][f"round{round}"][key][name] = value
    (piece,) = cut(io.BytesIO(json.dumps(log).encode()))
    verification = verify(read_piece(piece))
    if verification.verdict.status == "verified":  # an omitted single capture is filled in
        assert verification.game is not None
        assert identity(verification.game) == identity(as_read(LOG))
