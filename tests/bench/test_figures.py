"""Arithmetic of the benches, on a few games. No test measures speed."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from pathlib import Path

import pytest

import kafu
from bench import figures, growth, ingest, report, serving_lines, verify
from bench.figures import Figure, Ratio, Row
from bench.machine import Run

RUN = Run("2026-11-22", "abc1234", "python -m bench", "a machine", 0.5, False)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], Callable[[], None]]:
    """Return a function that makes work of given core-seconds."""
    now = [0.0]
    monkeypatch.setattr(figures.time, "process_time", lambda: now[0])

    def working(*seconds: float) -> Callable[[], None]:
        left = list(seconds)

        def work() -> None:
            now[0] += left.pop(0) if len(left) > 1 else left[0]

        return work

    return working


def are_finite(measured: list[Figure]) -> bool:
    """Tell whether all values are positive numbers."""
    values = [
        value
        for figure in measured
        for value in ([figure.value] if isinstance(figure, Ratio) else figure.values.values())
    ]
    return bool(values) and all(math.isfinite(value) and value > 0 for value in values)


def test_paired_times_give_medians(clock: Callable[..., Callable[[], None]]) -> None:
    first, second = clock(2.0, 4.0, 9.0), clock(1.0, 4.0, 3.0)
    assert figures.paired(first, second, 3) == (4.0, 3.0, 2.0)


def test_cards_a_second_are_compared_with_half_moves(
    clock: Callable[..., Callable[[], None]],
) -> None:
    other = verify.Subject("another", 2, 100, clock(2.0))
    quick = verify.Subject("koikoi", 4, 600, clock(3.0))
    slow = verify.Subject("hanaawase", 4, 300, clock(3.0))
    row, *_ = [
        figure for figure in verify.compared(other, [quick, slow], 5) if isinstance(figure, Row)
    ]
    assert row.values == {
        "cards/s": 200,
        "µs a card": 5000,
        "games/s": pytest.approx(4 / 3),
        "half-moves/s": 50,
        "ratio": pytest.approx(4),
    }
    *_, spread = verify.compared(other, [quick, slow], 5)
    assert spread == Ratio("slowest to fastest ruleset, time a card", 2.0, 2.0, most=True)


def test_cards_placed_are_those_of_hands_and_draw_pile() -> None:
    game = kafu.simulate("koikoi", seed=1, options={"months": "1"})
    text = kafu.write(game)
    turns = [line for line in text.splitlines() if line[:1].isdigit()]
    tokens = [token for line in turns for token in line.split()[1:] if not token.startswith("=")]
    assert verify.cards_placed(game) == sum(1 + ("/" in token) for token in tokens)


def test_every_ruleset_and_log_is_measured(tmp_path: Path) -> None:
    logs = tmp_path / "logs" / "program"
    logs.mkdir(parents=True)
    (logs / "1.kafu").write_text(kafu.write(kafu.simulate("koikoi", seed=1)))
    other = verify.Subject("another", 1, 10, lambda: sum(range(100_000)))
    measured = list(verify.measure(other, 1, tmp_path / "logs", rounds=1))
    assert are_finite(measured)
    rows = [
        figure.name
        for figure in measured
        if isinstance(figure, Row) and figure.table == report.TEXT
    ]
    assert {"koikoi", "hachihachi", "hachihachi-bga", "hanaawase", "ten-five-one"} < set(rows)


def test_file_is_read_repeatedly() -> None:
    stream = growth.Again(io.BytesIO(b"abc"), 3)
    assert [stream.read(2) for _ in range(7)] == [b"ab", b"c", b"ab", b"c", b"ab", b"c", b""]


@pytest.mark.parametrize(("size", "files"), [(1, 3), (2, 2)])
def test_small_files_have_the_given_count_of_games(tmp_path: Path, size: int, files: int) -> None:
    path = tmp_path / "games.kafu"
    texts = [kafu.write(kafu.simulate("ten-five-one", seed=seed)) for seed in range(3)]
    path.write_text("\n".join(texts))
    streams = list(growth.streams(path, size))
    assert len(streams) == files
    assert [len(list(kafu.records(stream))) for stream in streams][:-1] == [size] * (files - 1)
    assert are_finite([Row("", "", growth.verified(path, size))])


def test_uploads_have_different_games(tmp_path: Path) -> None:
    paths = ingest.uploads(2, 2, tmp_path)
    games = [kafu.identity(game) + game.players[0] for path in paths for game in kafu.games(path)]
    assert len(set(games)) == 4


def test_figures_survive_writing_and_reading() -> None:
    for figure in (Ratio("a", 1.5, 4.0), Row("table", "b", {"s": 0.25})):
        assert figures.loads(figures.dumps(figure)) == figure
    assert Run.loads(RUN.dumps()) == RUN


def test_other_output_of_a_part_is_skipped() -> None:
    figure = Ratio("a", 1.5)
    lines = ["listening at http://127.0.0.1:8000", figures.dumps(figure), ""]
    assert list(figures.of_lines(lines)) == [figure]


def test_ratios_come_first() -> None:
    measured: list[Figure] = [
        Row("Table", "a", {"s": 1234.5}),
        Ratio("x", 0.5, 2.0, most=True),
        Ratio("y", 12.34),
    ]
    assert figures.markdown(measured).splitlines() == [
        "| Ratio | measured | aim |",
        "| ----- | -------: | --: |",
        "| x     |      0.5 | ≤ 2 |",
        "| y     |     12.3 |     |",
        "",
        "| Table |     s |",
        "| ----- | ----: |",
        "| a     | 1,234 |",
    ]


def test_lines_of_serving_are_figures() -> None:
    lines = [
        "                         readers a second   p50 ms   p99 ms  core ms   a core",
        "game                          50      612     12.3     45.6     1.50      667",
        "API list                       8    1,250      1.0      2.0     0.80    1,300  2 closed",
    ]
    row, ratio, other = serving_lines.figures_of(lines)
    assert ratio == Ratio("game, 50 readers: answers/s", 612, 500)
    assert isinstance(row, Row) and row.values["p99 ms"] == 45.6
    assert isinstance(other, Row) and other.values["answers/s"] == 1250


def test_page_has_the_last_figures_and_every_run() -> None:
    page = report.PAGE.read_text(encoding="utf-8")
    measured: list[Figure] = [Row(report.TEXT, "hachihachi-bga", {"ratio": 4.5}), Ratio("x", 7.0)]
    once = report.updated(page, RUN, measured)
    assert report.updated(once, RUN, measured) == once
    line = "| 2026-11-22 | abc1234 | – | – | 4.5 |"
    assert once.count(line) == 1 and once.count("| x     |        7 |") == 1
    later = report.updated(once, Run("2026-12-01", "def5678", "", "", 0, True), measured)
    assert line in later and later.rstrip().splitlines()[-1].startswith("| 2026-12-01 | def5678, c")
