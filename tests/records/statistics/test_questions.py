"""Query strings of the statistics, and the faults of invalid queries."""

from __future__ import annotations

from dataclasses import asdict

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from records.models import Player
from records.statistics import questions
from records.statistics.definition import FILTERS
from records.statistics.questions import NoPlayer, OptedOut, Question
from records.statistics.registry import FIGURES
from tests.records.makers import ingest, text


def read(query: str, id: str = "ends") -> tuple[Question, dict[str, str]]:
    """Return the question, and its faults by parameter."""
    question, faults = FIGURES[id].parse(QueryDict(query))
    return question, {fault.name: fault.message for fault in faults}


def test_query_with_every_filter_is_parsed() -> None:
    query = (
        "ruleset=koikoi&profile=koikoi-ai&option=months%3D8&option=rain%3Dno&event=Kyoto+OPEN"
        "&player=Aya&opponent=Ken&seat=2&from=2025&to=2026-03&last=50&lang=ja&format=csv"
    )
    question, faults = read(query)
    assert not faults
    assert question == Question(
        *("koikoi", "koikoi-ai", {"months": "8", "rain": "no"}, "kyoto open", "Aya", "Ken"),
        *(2, 202501, 202603, 50),
    )
    assert questions.filters(question) == {
        "ruleset": "koikoi",
        "profile": "koikoi-ai",
        "option": ["months=8", "rain=no"],
        "event": "kyoto open",
        "player": "Aya",
        "opponent": "Ken",
        "seat": "2",
        "from": "2025-01",
        "to": "2026-03",
        "last": "50",
    }


def test_year_is_parsed_as_all_its_months() -> None:
    question, _faults = read("ruleset=koikoi&from=2025&to=2025")
    assert (question.month_from, question.month_to) == (202501, 202512)


def test_empty_filters_are_ignored() -> None:
    question, faults = read("ruleset=koikoi&" + "&".join(f"{name}=" for name in FILTERS[1:]))
    assert not faults
    assert question == Question("koikoi")


def test_invalid_filter_is_explained() -> None:
    for query, name, message in [
        ("", "ruleset", "hachihachi, koikoi"),
        ("ruleset=go", "ruleset", "unknown value “go”; expected hachihachi, koikoi"),
        ("ruleset=koikoi&dealer=1", "dealer", "expected ruleset, profile, option, event"),
        ("ruleset=koikoi&games_min=1", "games_min", "unknown parameter"),
        ("ruleset=koikoi&seat=1&seat=2", "seat", "once"),
        ("ruleset=koikoi&profile=hachihachi", "profile", "koikoi, koikoi-ai, koikoi-nintendo"),
        ("ruleset=koikoi&option=ba%3DA", "option", "expected months, first-to"),
        ("ruleset=koikoi&option=profile%3Dkoikoi", "option", "unknown value “profile”"),
        ("ruleset=koikoi&option=months%3D99", "option", "expected months= and one of 1…48"),
        ("ruleset=koikoi&option=months", "option", "expected months="),
        ("ruleset=hanaawase&option=months%3D1", "option", "unknown value “months”"),
        ("ruleset=koikoi&seat=0", "seat", "a whole number from 1 to 2"),
        ("ruleset=koikoi&seat=3", "seat", "from 1 to 2"),
        ("ruleset=ten-five-one&seat=8", "seat", "from 1 to 7"),
        ("ruleset=koikoi&last=1001", "last", "from 1 to 1000"),
        ("ruleset=koikoi&last=-1", "last", "“-1”"),
        ("ruleset=koikoi&last=%D9%A3", "last", "whole number"),
        ("ruleset=koikoi&from=2026-01-31", "from", "is a day; games are counted by month"),
        ("ruleset=koikoi&to=2026-13", "to", "is not a month"),
        ("ruleset=koikoi&from=tomorrow", "from", "is not a month; write 2026-01 or 2026"),
        ("ruleset=koikoi&from=2026-02&to=2026-01", "to", "2026-02 is after 2026-01"),
        ("ruleset=koikoi&opponent=Ken", "opponent", "expected a player too"),
        ("ruleset=koikoi&player=Ken&opponent=+Ken+", "opponent", "somebody other than"),
        ("ruleset=koikoi&player=a%00b", "player", "NUL"),
        (f"ruleset=koikoi&event={'x' * 5000}", "event", "at most 4096"),
    ]:
        _found, faults = read(query)
        assert message in faults[name], faults


@pytest.mark.parametrize(
    ("id", "query", "expected"),
    [
        ("hatto", "ruleset=koikoi", "unknown value “koikoi”; expected hachihachi"),
        ("scores", "ruleset=koikoi&of=year", "expected deal, game"),
        ("decisions", "ruleset=koikoi&by=month", "expected yaku, left, opp, none"),
        ("decisions", "ruleset=koikoi&yaku=royal", "unknown value “royal”; expected haneken"),
        ("decisions", "ruleset=koikoi&left=9", "from 0 to 8"),
        ("decisions", "ruleset=koikoi&n_min=0", "from 1 to 1000000"),
        ("openings", "ruleset=koikoi&field=A1", "expected letters of cards"),
        ("openings", "ruleset=koikoi&field=AA", "each at most once"),
    ],
)
def test_invalid_parameter_of_a_figure_is_explained(id: str, query: str, expected: str) -> None:
    _found, faults = read(query, id)
    (message,) = faults.values()
    assert expected in message


@given(
    st.dictionaries(st.sampled_from([*questions.FILTERS, "by", "yaku", "x"]), st.text(max_size=30))
)
def test_any_query_is_parsed(parameters: dict[str, str]) -> None:
    query = QueryDict(mutable=True)
    query.update(parameters)
    question, faults = read(query.urlencode(), "decisions")
    assert asdict(question) and isinstance(faults, dict)


@pytest.mark.django_db
def test_unknown_and_unnamed_players_are_refused() -> None:
    ingest(text(1).encode())
    first, second = Player.objects.filter(games__gt=0).order_by("pk")[:2]
    questions.check(Question(player=first.name, opponent=second.name))
    with pytest.raises(NoPlayer, match="Nobody"):
        questions.check(Question(player=first.name, opponent="Nobody"))
    Player.objects.filter(pk=second.pk).update(statistics=False)
    with pytest.raises(OptedOut, match=second.name):
        questions.check(Question(player=first.name, opponent=second.name))
