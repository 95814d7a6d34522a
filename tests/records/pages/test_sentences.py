"""Figures of the statistics as sentences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.utils.translation import override

from records.pages.statistics.sentences import tell
from records.statistics.answer import Answer, Extremes
from records.statistics.registry import FIGURES


def make_answer(id: str, n: int, *rows: dict[str, Any], ruleset: str = "koikoi") -> Answer:
    """Return an answer with the columns of a figure, and rows as they are."""
    figure = FIGURES[id]
    columns = figure.columns(figure.question(ruleset=ruleset))
    return Answer(
        *(id, id, "Definition.", "n"),
        filters={"ruleset": ruleset},
        games=1,
        deals_played=1,
        n=n,
        as_of=None,
        columns=columns,
        rows=rows,
    )


def test_every_figure_but_the_bests_has_a_sentence() -> None:
    for id in FIGURES:
        text = tell(make_answer(id, 0))
        assert text == ("Definition." if id == "bests" else "No games are counted here.")


def test_rate_of_fewer_than_ten_cases_is_not_told() -> None:
    row = {"n": 9, "rate": 1.0, "even": 0.5, "rate_differs": True}
    text = "There are too few games to say anything yet."
    assert tell(make_answer("seats", 18, row)) == text


@pytest.mark.parametrize(
    ("differs", "text"),
    [(True, "That is more than chance."), (None, "The difference may be chance.")],
)
def test_dealer_is_compared_with_an_even_share(differs: bool | None, text: str) -> None:
    row = {"n": 100, "rate": 0.6, "even": 0.5, "rate_differs": differs}
    sentence = f"The dealer won 60.0% of the months; an even share would be 50.0%. {text}"
    assert tell(make_answer("seats", 200, row)) == sentence


@pytest.mark.parametrize(("count", "games"), [(1, "1 game"), (2, "2 games")])
def test_single_game_is_told_in_the_singular(count: int, games: str) -> None:
    row = {"rating": 1500.0, "rated": count, "provisional": False}
    assert tell(make_answer("rating", count, row)) == f"The rating is 1,500 after {games}."


@pytest.mark.parametrize(
    ("rate", "text"),
    [
        (0.51, "Most months, 51.0%, end by shōbu. They take 6.5 turns on average."),
        (
            0.5,
            "The most frequent end, of 50.0% of the months: shōbu. They take 6.5 turns on average.",
        ),
    ],
)
def test_most_months_are_more_than_half(rate: float, text: str) -> None:
    row = {"name": "shōbu", "n": 100, "rate": rate, "turns": 6.5}
    assert tell(make_answer("ends", 100, row)) == text


def test_sentences_in_japanese_follow_each_other_without_a_space() -> None:
    row = {"n": 100, "rate": 0.6, "even": 0.5, "rate_differs": True}
    with override("ja"):
        sentence = tell(make_answer("seats", 200, row))
    assert (
        sentence == "胴は60.0%の月で勝っています（全員が同じなら50.0%）。偶然とは言えない差です。"
    )


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.1, 2.0, "It brought 12.1 kan more than stopping."),
        (-2.0, -0.1, "It brought 12.1 kan less than stopping."),
        (-1.0, 1.0, "Whether it pays is not decided by these games."),
    ],
)
def test_gain_is_told_if_its_interval_excludes_zero(low: float, high: float, text: str) -> None:
    row = {"name": "all", "n": 40, "said": 20, "rate": 0.5, "success": 0.4}
    row |= {"gain": 145.0 if low > 0 else -145.0, "gain_low": low, "gain_high": high}
    sentence = tell(make_answer("decisions", 40, row, ruleset="hachihachi"))
    assert sentence.startswith("Players played on (sage) in 50.0% of 40 choices.")
    assert sentence.endswith(text)


def test_middle_and_top_of_scores_are_told() -> None:
    rows = [
        {"low": 12 * bin, "high": 12 * bin + 12, "count": count, "n": 100}
        for bin, count in enumerate((30, 30, 25, 10, 5))
    ]
    sentence = tell(make_answer("scores", 100, *rows, ruleset="hachihachi"))
    assert sentence == "Half of the scores are below 2 kan; one in ten is 3 kan or more."


@pytest.mark.parametrize(
    ("counts", "told"),
    [((60, 20, 15, 5), "are 0 mon"), ((30, 40, 20, 10), "are 1 mon or less")],
)
def test_half_of_whole_scores_is_told_by_the_score_itself(
    counts: tuple[int, ...], told: str
) -> None:
    rows = [{"low": bin, "high": bin + 1, "count": count} for bin, count in enumerate(counts)]
    text = f"Half of the scores {told}; one in ten is 2 mon or more."
    assert tell(make_answer("scores", 100, *rows)) == text


def test_last_month_is_told_only_after_others() -> None:
    rows = [{"month": f"2026-0{number}", "n": 40, "won": 20, "rate": 0.5} for number in (1, 2)]
    assert tell(make_answer("form", 40, rows[0])) == "Won 50.0% of 40 months played."
    assert tell(make_answer("form", 80, *rows)).endswith(" In February 2026 it was 50.0%.")


def test_days_are_told_with_the_day_of_most_games() -> None:
    rows = [{"day": "2026-01-02", "games": 1}, {"day": "2026-01-03", "games": 4}]
    sentence = "Played on 2 days. The most games on one day were 4, on 3 January 2026."
    assert tell(make_answer("calendar", 5, *rows)) == sentence
    assert tell(make_answer("calendar", 1, rows[0])) == "Played on 1 day."


def test_insights_tell_the_highest_and_the_lowest() -> None:
    low: dict[str, Any] = {"name": "a", "n": 30, "value": 0.2}
    high: dict[str, Any] = {"name": "b", "n": 30, "value": 0.4}
    answer = make_answer("insights", 60, low, high)
    sentence = tell(replace(answer, extremes=Extremes(high, low, is_apart=True)))
    assert sentence.startswith("Highest: b, ") and sentence.endswith("Lowest: a, 20.0%.")
    sentence = tell(replace(answer, extremes=Extremes(high, low, is_apart=False)))
    assert sentence.endswith("The difference may be chance.")
