"""The analysis report of a game, in JSON and on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kafu.analysis import report
from kafu.analysis.search import Effort
from kafu.cli.analysing import format_lines
from kafu.cli.main import main
from kafu.notation.game import Game
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate

pytestmark = pytest.mark.long

EFFORT = Effort(first=4, most=8, exact=0, games=2)


def _game() -> Game:
    """Return a game of one month."""
    return simulate("koikoi", seed=4, options={"months": "1"})


def _begun(turns: int) -> Game:
    """Return the first turns of the same month, which take less time to analyse."""
    game = _game()
    game.months[0].turns = game.months[0].turns[:turns]
    game.months[0].score = game.result = game.final = None
    game.tags["Termination"] = "unfinished"
    return game


def test_choices_made_in_parts_equal_those_made_in_one() -> None:
    """A worker that resumes an analysis gets the same values."""
    game = _begun(6)
    whole = list(report.analyse_choices(game, effort=EFFORT))
    assert len(whole) == report.count_choices(game) > 3
    assert list(report.analyse_choices(game, effort=EFFORT, after=3)) == whole[3:]


def test_seat_of_a_report_has_the_sums_of_its_choices() -> None:
    game = _game()
    deals = [report.measure_deal(game, 1, playouts=2)]
    summary = report.make_report(
        game, list(report.analyse_choices(game, effort=EFFORT)), deals, EFFORT
    )
    assert json.loads(json.dumps(summary)) == summary
    for seat, sums in enumerate(summary["seats"], 1):
        choices = [choice for choice in summary["choices"] if choice["seat"] == seat]
        assert sums["analysed"] == len(choices)
        assert sums["loss"] == pytest.approx(sum(choice["loss"] for choice in choices), abs=1e-3)
        assert sums["costly"] == sum(choice["costly"] for choice in choices)
        for name, part in sums["parts"].items():
            assert part["value"] == deals[0]["parts"][name]["value"][seat - 1]
        assert sums["result"] == deals[0]["result"][seat - 1]
    for choice in summary["choices"]:
        assert all(0 <= option["chance"]["value"] <= 1 for option in choice["options"])
        assert -1 <= choice["chance"]["value"] <= 1
    assert all(
        choice["played"] in [option["move"] for option in choice["options"]]
        for choice in summary["choices"]
    )


def test_line_of_a_costly_choice_has_its_chance_to_win() -> None:
    game = _begun(4)
    summary = report.make_report(game, list(report.analyse_choices(game, effort=EFFORT)))
    first = summary["choices"][0]
    first |= {"costly": True, "chance": {"value": -0.0123, "error": 0.004}}
    english, japanese = (list(format_lines(game, summary, lang))[-1] for lang in ("en", "ja"))
    assert english.endswith("chance to win the game -1.2% ± 0.4%")
    assert japanese.endswith("対局に勝つ見込み -1.2% ± 0.4%")


def test_analyse_command_prints_lines_or_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """People get lines in either language, programs an object, and nonsense a message."""
    path = tmp_path / "game.kafu"
    path.write_text(write(_begun(4)))
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
