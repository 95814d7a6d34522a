"""The analysis of a game as it is kept and shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kafu.analysis import report
from kafu.analysis.search import Effort
from kafu.cli.analysing import lines
from kafu.cli.main import main
from kafu.notation.game import Game
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate

EFFORT = Effort(first=4, most=32, exact=0, games=2)


def _game() -> Game:
    return simulate("koikoi", seed=4, options={"months": "1"})


def test_it_can_be_made_in_parts() -> None:
    """What a worker left comes out the same when the next one goes on."""
    game = _game()
    whole = list(report.choices(game, effort=EFFORT))
    assert len(whole) == report.size(game) > 4
    assert list(report.choices(game, effort=EFFORT, after=3)) == whole[3:]


def test_the_seats_sum_up_their_choices() -> None:
    game = _game()
    deals = [report.account(game, 1, playouts=2)]
    found = report.report(game, list(report.choices(game, effort=EFFORT)), deals, EFFORT)
    assert json.loads(json.dumps(found)) == found
    for seat, sums in enumerate(found["seats"], 1):
        own = [one for one in found["choices"] if one["seat"] == seat]
        assert sums["analysed"] == len(own)
        assert sums["loss"] == pytest.approx(sum(one["loss"] for one in own), abs=1e-3)
        assert sums["costly"] == sum(one["costly"] for one in own)
        for name, part in sums["parts"].items():
            assert part["value"] == deals[0]["parts"][name]["value"][seat - 1]
        assert sums["result"] == deals[0]["result"][seat - 1]
    for one in found["choices"]:
        assert all(0 <= option["chance"]["value"] <= 1 for option in one["options"])
        assert -1 <= one["chance"]["value"] <= 1
    assert all(one["played"] in [o["move"] for o in one["options"]] for one in found["choices"])


def test_a_line_of_a_costly_choice_has_its_chance() -> None:
    """With errors, in both languages."""
    game = _game()
    found = report.report(game, list(report.choices(game, effort=EFFORT)))
    first = found["choices"][0]
    first |= {"costly": True, "chance": {"value": -0.0123, "error": 0.004}}
    english, japanese = (list(lines(game, found, lang))[-1] for lang in ("en", "ja"))
    assert english.endswith("chance to win the game -1.2% ± 0.4%")
    assert japanese.endswith("対局に勝つ見込み -1.2% ± 0.4%")


@pytest.mark.long
def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Lines for people in both languages, an object for programs, a message for the rest."""
    path = tmp_path / "game.kafu"
    path.write_text(write(_game()))
    assert main(["analyse", str(path), "--deals", "2"]) == 0
    first, *seats = capsys.readouterr().out.splitlines()
    assert first.endswith("koikoi") and all(" forced" in line for line in seats[:2])
    assert main(["analyse", str(path), "--deals", "2", "--lang", "ja"]) == 0
    assert "選べない手" in capsys.readouterr().out
    assert main(["analyse", str(path), "--deals", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["effort"]["most"] == 2
    path.write_text("nonsense")
    assert main(["analyse", str(path)]) == 1
    assert str(path) in capsys.readouterr().err
