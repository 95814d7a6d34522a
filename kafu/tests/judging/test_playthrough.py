"""The places of faults: line, column, deal and turn of records that break a rule."""

from __future__ import annotations

from typing import Any

import pytest

from kafu.judging.verify import verify
from kafu.notation.actions import Action
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.rules.rulesets import RULESETS
from kafu.rules.verdict import Verdict, localise
from simulated import simulated

HEAD = """[Kafu "1"]
[Rules "koikoi"]
[Options "months=1 ginmi=no kobiki=0"]
[Player1 "Aya"]
[Player2 "Ben"]
"""
#: One month: seat 1 takes 赤短 in the third round.
MONTH = """
month 1 dealer 1
hand 1 CGKOSWae
hand 2 DHLPTXbf
field BFJMQUcg
stock dhiAEIjklmnopqrsVZYRNtuv
1. CxB/dxc D/hxg
2. GxF/i H/AxD
"""


def judge(months: str, head: str = HEAD, lang: str = "en") -> dict[str, Any]:
    return verify(read(head + months), source="x.kafu").verdict.to_json(lang)


def error(verdict: dict[str, Any]) -> tuple[object, ...]:
    fault = verdict["error"]
    assert isinstance(fault, dict)
    return tuple(fault[key] for key in ("code", "line", "column", "deal", "turn", "expected"))


FIELD_CASES = [
    ("field BFJMQUcg", "field BFJMQUc", ("field-size", 10, 1, 1, None, [])),
    ("field BFJMQUcg", "field BFJMQUcC", ("card-twice", 10, 1, 1, None, [])),
    ("field BFJMQUcg\n", "", ("field-missing", 7, 1, 1, None, [])),
    ("hand 2 DHLPTXbf\n", "", ("hand-missing", 7, 1, 1, None, [])),
    ("hand 2 DHLPTXbf", "hand 2 DHLPTXb_", ("card-not-in-pack", 9, 1, 1, None, [])),
    ("month 1", "month 2", ("month-not-due", 7, 1, 1, None, ["1"])),
    ("tuv", "tu", ("stock-size", 11, 1, 1, None, [])),
    ("CxB/dxc", "VxB/dxc", ("not-in-hand", 12, 4, 1, 1, list("CGKOSWae"))),
    ("CxB/dxc", "CxBB/dxc", ("card-twice", 12, 4, 1, 1, [])),
    ("CxB/dxc", "CxF/dxc", ("capture-wrong", 12, 4, 1, 1, ["B"])),
    ("CxB/dxc", "CxB/exc", ("wrong-stock-card", 12, 8, 1, 1, ["d"])),
    ("D/hxg", "DxM/h", ("capture-from-nothing", 12, 12, 1, 2, [])),
    ("D/hxg", "D=shobu", ("stock-left-out", 12, 12, 1, 2, [])),
    ("D/hxg", "D/hxg=shobu", ("decision-not-due", 12, 14, 1, 2, [])),
    ("D/hxg", "1:D/hxg", ("wrong-seat", 12, 14, 1, 2, ["2"])),
    ("2. GxF", "3. GxF", ("wrong-round", 13, 4, 1, 3, ["2"])),
]


@pytest.mark.parametrize(("old", "new", "expected"), FIELD_CASES)
def test_fault_has_its_code_line_column_deal_and_turn(
    old: str, new: str, expected: tuple[object, ...]
) -> None:
    assert old in MONTH
    verdict = judge(MONTH.replace(old, new, 1))
    assert (verdict["status"], error(verdict)) == ("illegal", expected)


def test_record_that_stops_is_illegal_without_a_termination() -> None:
    """C8."""
    assert error(judge(MONTH))[0] == "deal-too-short"
    verdict = judge(MONTH, HEAD + '[Termination "unfinished"]\n')
    assert (verdict["status"], verdict["deals"], verdict["final"]) == ("unfinished", [], None)


def test_capture_left_out_where_one_card_can_be_taken_is_filled_in() -> None:
    """kafu.md §5: read as a capture with a warning; the canonical form and the identity name it."""
    head = HEAD + '[Termination "unfinished"]\n'
    verdict = judge(MONTH.replace("GxF", "G"), head)
    (warning,) = verdict["warnings"]
    assert (warning["code"], warning["line"], warning["turn"]) == ("capture-left-out", 14, 3)
    assert verdict["identity"] == judge(MONTH, head)["identity"]


def test_card_known_elsewhere_cannot_come_from_a_hidden_hand() -> None:
    """C9: `?` and `...`; a card known elsewhere cannot come from a hidden hand."""
    head = HEAD + '[Termination "unfinished"]\n'
    hidden = MONTH.replace("hand 2 DHLPTXbf", "hand 2 ????????").replace("YRNtuv", "...")
    assert judge(hidden, head)["status"] == "unfinished"
    shown = judge(hidden.replace("D/hxg", "O/hxg"), head)
    assert error(shown)[0] == "not-in-hand"


def test_statement_of_another_ruleset_has_no_place() -> None:
    verdict = judge(MONTH.replace("1. CxB", "swap 2\n1. CxB"))
    assert error(verdict)[:2] == ("no-place", 12)


def test_claims_of_an_unfinished_game_have_a_warning_that_they_are_not_checked() -> None:
    head = HEAD + '[Result "+7 0"]\n[Termination "resigned 2"]\n'
    verdict = judge(MONTH + "score 1 +7 2 0\n", head)
    assert verdict["status"] == "unfinished"
    assert [warning["code"] for warning in verdict["warnings"]] == ["claim-not-checked"] * 2


def test_message_of_a_stored_verdict_is_in_both_languages() -> None:
    broken = MONTH.replace("CxB/dxc", "CxF/dxc", 1)
    verdict: Verdict = verify(read(HEAD + broken)).verdict
    stored = verdict.to_stored()
    english, japanese = (localise(stored, lang)["error"]["message"] for lang in ("en", "ja"))
    assert english == (
        "pine chaff (C) may capture pine with red poem ribbon (B),"
        " not plum with red poem ribbon (F)"
    )
    assert japanese == "松のカス（C）で取れるのは松に赤短（B）で、梅に赤短（F）ではありません"


def test_yaku_of_no_ruleset_is_malformed() -> None:
    verdict = judge(MONTH.replace("1. CxB", "show 1 moon-and-cup CGKOSWae\n1. CxB"))
    assert (verdict["status"], error(verdict)[0]) == ("malformed", "bad-yaku")


@pytest.mark.parametrize("cards", ["", "ABC"])
@pytest.mark.parametrize("yaku", ["akatan", "goko", "tobikomi", "akatan+sanbon"])
@pytest.mark.parametrize("rules", RULESETS)
def test_declared_yaku_that_no_dealt_hand_has_is_a_false_declaration(
    rules: str, yaku: str, cards: str
) -> None:
    game = simulated(rules, RULES[rules].seats[0], 1)
    month = game.months[0]
    month.put("show", [(Action("show", month.dealer, take=cards, say=yaku),)])
    verdict = verify(read(write(game))).verdict
    assert verdict.status == "illegal" and verdict.error is not None
    assert (verdict.error.code.id, verdict.error.deal) in (("show-false", 1), ("show-cards", 1))


def test_unchecked_score_has_a_warning_that_names_its_deal() -> None:
    head = HEAD.replace("months=1", "months=2") + '[Termination "unfinished"]\n'
    dealt = MONTH.partition("1. CxB")[0]
    verdict = judge(f"{dealt}redeal misdeal\n{dealt}score 1 +3 2 0\n", head)
    assert verdict["status"] == "unfinished", verdict["error"]
    assert [warning["message"] for warning in verdict["warnings"]] == [
        "the claim (the score, 2) cannot be checked: the game did not end"
    ]
