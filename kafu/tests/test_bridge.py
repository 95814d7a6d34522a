"""The library as functions of JSON: a game is played by the legal actions alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

import kafu
from kafu.bridge import call
from kafu.notation.vocabulary import RULES


def answer(name: str, **parameters: Any) -> Any:
    return json.loads(call(name, json.dumps(parameters)))


@pytest.mark.parametrize("rules", RULES)
def test_deal_is_played_by_legal_actions_with_half_turns(rules: str) -> None:
    table = kafu.Table(rules).deal(3)
    while table.phase == "bid":
        table = table.apply(table.legal_actions[0])
    table = table.deal(4) if table.phase == "pile" else table
    names = [f"Player {seat}" for seat in range(1, table.players + 1)]
    game, seen = {"text": kafu.write(table.game(names)), "begun": ""}, set()
    for _ in range(200):
        value = answer("legal", **game)["value"]
        seen.add(value["phase"])
        if value["phase"] in ("deal", "over"):
            break
        game = answer("apply", action=value["actions"][-1], **game)["value"]
    assert {"show", "hand", "stock"} <= seen
    assert value["phase"] in ("deal", "over")
    assert game["begun"] == ""
    assert answer("verify", text=game["text"])["value"]["error"] is None


YEAR = kafu.simulate("koikoi", seed=1)
TWO = 2 * kafu.write(YEAR)
SHEET = kafu.write(kafu.sheet_of(YEAR))


@pytest.mark.parametrize(
    ("name", "parameters", "code"),
    [
        ("read", {"text": "[Kafu]"}, "bad-tag"),
        ("verify", {"text": TWO}, "several-games"),
        ("apply", {"action": "AxD"}, "no-action"),
        ("legal", {"begun": "x"}, "no-action"),
        ("replay", {"text": SHEET}, "no-steps"),
        ("legal", {"text": SHEET}, "no-steps"),
    ],
)
def test_faults_are_answers(name: str, parameters: dict[str, str], code: str) -> None:
    text = kafu.write(kafu.Table("koikoi").deal(3).game(["Aya", "Ben"]))
    error = answer(name, **({"text": text} | parameters))["error"]
    assert error["code"] == code
    assert error["message"]
