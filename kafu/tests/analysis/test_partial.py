"""Reports that are computed in parts."""

from __future__ import annotations

from kafu.analysis.partial import PartialReport
from kafu.analysis.report import analyse_game
from kafu.simulation.simulate import simulate


def test_report_in_parts_equals_the_whole_report() -> None:
    game = simulate("koikoi", seed=8, options={"months": "1"})
    work = PartialReport(game, 2)
    for done in range(1, work.total + 1):
        work.advance(0)
        assert work.done == done
        work = PartialReport(game, 2, work.choices, work.deals)
    assert work.is_complete
    assert work.make_report() == analyse_game(game, most=2)
