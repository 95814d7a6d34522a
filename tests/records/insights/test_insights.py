"""Insights: the copy follows all changes of games, and queries are answered from it."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.insights import following, remembered, sums
from records.models import (
    InsightColumn,
    InsightName,
    InsightPart,
    InsightSums,
    Job,
    Player,
    Record,
    Upload,
    Visibility,
)
from records.store import visibility
from records.store.analyses import keep
from tests.people.world import do_jobs
from tests.records.idle import do_idle_jobs
from tests.records.makers import (
    hurry,
    ingest,
    joined,
    text,
    upload,
    with_wrong_score,
)

pytestmark = pytest.mark.django_db


def short(seed: int, event: str = "", players: tuple[str, str] = ("Aoi", "Botan")) -> str:
    """Return a game of koi-koi of six months."""
    game = simulate("koikoi", seed=seed, options={"months": "6"})
    game.players = players
    if event:
        game.tags["Event"] = event
    return write(game)


def ask(status: int = 200, **query: str) -> Any:
    """Return the response to a query about koi-koi."""
    query = {"ruleset": "koikoi", **query}
    response = Client().get("/api/v1/statistics/insights", query)
    assert response.status_code == status, response.content
    return response.json()


def count_facts() -> int:
    """Return the number of facts of the copy, after checking that each column has as many."""
    count = sum(InsightPart.objects.values_list("size", flat=True))
    parts = following.loaded(list(InsightPart.objects.values_list("pk", flat=True)), ("game",))
    assert sum(len(part["game"]) for part in parts.values()) == count
    return count


@pytest.mark.long
def test_hidden_game_is_not_counted_from_that_moment_on() -> None:
    upload(short(1, "Spring Cup").encode())
    hidden = upload(short(2, "Secret Cup").encode())
    owner = get_user_model().objects.create_user("aya")
    Upload.objects.update(owner=owner)
    do_jobs()
    do_idle_jobs("insights")
    assert {row["by"] for row in ask(by="event")["rows"]} == {"spring cup", "secret cup"}
    cases = ask()["n"]

    visibility.request_change(hidden, Visibility.WITHDRAWN)
    do_jobs()
    body = ask(by="event")
    assert [row["by"] for row in body["rows"]] == ["spring cup"]
    assert body["n"] == 12 < cases
    assert "Games that came or changed just now are not counted yet." in body["notes"]

    do_idle_jobs("insights")
    assert following.is_complete()
    assert ask(by="event")["rows"] == body["rows"]
    assert not ask(by="event")["notes"][:-1]
    assert not InsightName.objects.filter(text__icontains="secret").exists()
    assert count_facts() == 12

    visibility.restore(Upload.objects.get(pk=hidden.pk))
    do_jobs()
    do_idle_jobs("insights")
    assert ask()["n"] == cases
    assert InsightSums.objects.count() == len(sums.PAIRS)

    for sent in Upload.objects.all():
        visibility.request_change(sent, Visibility.WITHDRAWN)
    do_jobs()
    do_idle_jobs("insights")
    do_idle_jobs("insights")
    assert not InsightPart.objects.exists()
    assert not InsightColumn.objects.exists()
    for pair in sums.PAIRS:
        for measure in sums.measures(pair):
            cells = sums.read("koikoi", (pair,), measure)
            assert cells is not None
            assert len(cells[0]) == 0, (pair, measure)


def test_better_text_of_a_game_counts_once() -> None:
    """The game is put in its own place."""
    ingest(with_wrong_score(1).encode())
    do_idle_jobs("insights")
    before = count_facts()
    ingest(text(1).encode())
    assert Record.objects.get().status == "verified"
    do_idle_jobs("insights")
    assert following.is_complete()
    assert count_facts() == before == ask()["n"]


@pytest.mark.long
def test_copy_in_many_parts_gives_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are removed from the middle of the copy too."""
    monkeypatch.setattr("records.insights.blocks.PART", 7)
    monkeypatch.setattr(following, "PART", 7)
    monkeypatch.setattr(following, "BATCH", 2)
    ingest(*(short(seed).encode() for seed in range(1, 6)))
    between = Record.objects.order_by("pk")[2]
    do_idle_jobs("insights")
    assert InsightPart.objects.count() >= 5 * 12 // 7
    assert not InsightPart.objects.filter(size__gt=7).exists()
    before = ask(by="yaku", by2="month")["rows"]
    InsightSums.objects.update(data=b"")
    assert ask(by="yaku", by2="month", n_min="1")["rows"] == before

    removed = following._remove([between.pk])
    assert len(removed["koikoi"]["game"]) == 12
    assert count_facts() == 4 * 12


def test_copy_of_another_version_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    ingest(joined(short(1), short(2)))
    do_idle_jobs("insights")
    before = ask(by="month")["rows"]
    monkeypatch.setattr(following, "VERSION", "another")
    assert not following.is_complete()
    do_idle_jobs("insights")
    assert following.is_complete()
    assert ask(by="month")["rows"] == before
    assert count_facts() == 24


def test_worker_that_fails_loses_and_doubles_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Facts, sums and the progress of the copy are written together, or not at all."""
    ingest(*(short(seed).encode() for seed in range(1, 4)))
    monkeypatch.setattr(following, "BATCH", 2)
    with monkeypatch.context() as patched:
        patched.setattr(sums, "change", fail)
        with contextlib.suppress(ZeroDivisionError):
            do_idle_jobs("insights")
    assert not InsightPart.objects.exists()
    hurry()
    do_idle_jobs("insights")
    assert following.is_complete()
    assert count_facts() == 36 == ask()["n"]
    job = Job.objects.get(kind=following.INSIGHTS)
    assert (job.state, job.progress) == (Job.State.DONE, 3)


def fail(*_: object) -> None:
    raise ZeroDivisionError


def test_player_without_statistics_is_in_no_row() -> None:
    """Their deals count all the same."""
    ingest(short(1).encode(), short(2, players=("Aoi", "Chidori")).encode())
    do_idle_jobs("insights")
    assert [row["by"] for row in ask(by="opponent")["rows"]] == ["Aoi", "Botan", "Chidori"]
    Player.objects.filter(name="Botan").update(statistics=False)
    body = ask(by="opponent", page_size="10")
    assert [row["by"] for row in body["rows"]] == ["Aoi", "Chidori"]
    assert body["n"] == 24
    ask(403, player="Botan")
    ask(404, player="Nobody")


def test_pages_have_each_row_once() -> None:
    ingest(short(1).encode(), short(2).encode())
    do_idle_jobs("insights")
    whole = ask(by="month", by2="dealer")
    assert whole["next"] is None
    assert len(whole["rows"]) == 12
    first = ask(by="month", by2="dealer", page_size="5")
    second = Client().get(first["next"]).json()
    third = Client().get(second["next"]).json()
    assert first["rows"] + second["rows"] + third["rows"] == whole["rows"]
    assert third["next"] is None
    many = ask(by="month", by2="dealer", n_min="3")
    assert many["rows"] == []
    assert many["n"] == 24
    by_value = [ask(by="month", by2="dealer", sort=sort)["rows"] for sort in ("low", "high")]
    for rows, sign in zip(by_value, (1, -1), strict=True):
        assert [row["value"] for row in rows] == sorted(
            (row["value"] for row in whole["rows"]), key=lambda value: sign * value
        )


@pytest.mark.parametrize(
    ("query", "name", "words"),
    [
        ({"metric": "luck"}, "metric", "score, win_rate"),
        ({"by": "weather"}, "by", "seat, dealer"),
        ({"by": "held"}, "by", "“held” is not known of win_rate; expected ruleset, house"),
        ({"metric": "yaku_rate", "by": "yaku"}, "by", "expected ruleset, house"),
        ({"by2": "seat"}, "by2", "expected by too"),
        ({"by": "seat", "by2": "seat"}, "by2", "another dimension"),
        ({"yaku": "akatan"}, "yaku", "metric=yaku_rate"),
        ({"metric": "yaku_rate", "yaku": "x"}, "yaku", "goko"),
        ({"ruleset": "", "metric": "score"}, "ruleset", "or by=ruleset"),
        ({"ruleset": "ten-five-one", "metric": "gain"}, "ruleset", "expected one of"),
        ({"ruleset": "", "by": "ruleset", "option": "months=6"}, "option", "a ruleset too"),
        ({"page_size": "1001"}, "page_size", "1 to 1000"),
        ({"cursor": "x"}, "cursor", "returned"),
        ({"weather": "fair"}, "weather", "metric, by, by2, yaku"),
    ],
)
def test_invalid_query_is_explained(query: dict[str, str], name: str, words: str) -> None:
    """As a problem of the parameter."""
    body = ask(400, **query)
    error = next(error for error in body["errors"] if error["name"] == name)
    assert words in error["message"]


def test_response_is_given_as_chart_and_csv() -> None:
    """A chart whose zero is marked where it means something, and CSV."""
    ingest(short(1).encode(), short(2).encode())
    do_idle_jobs("insights")
    address = "/api/v1/statistics/insights?ruleset=koikoi&metric=score&by=seat&by2=dealer"
    chart = Client().get(f"{address}&format=vega-lite").json()
    assert chart["data"]["values"][0]["label"] == "seat 1 · dealer (oya)"
    assert chart["layer"][0]["encoding"]["x"]["datum"] == 0
    rates = Client().get(address.replace("score", "win_rate") + "&format=vega-lite").json()
    assert rates["layer"][0]["encoding"]["x"]["scale"] == {"zero": False}
    csv = Client().get(f"{address}&format=csv")
    assert csv.content.decode().splitlines()[0] == (
        "by,by2,name,name2,n,value,value_low,value_high"
    )
    assert csv.headers["Content-Disposition"] == 'attachment; filename="koikoi-insights.csv"'
    again = Client().get(address, headers={"If-None-Match": Client().get(address)["ETag"]})
    assert again.status_code == 304


@pytest.mark.long
def test_columns_in_memory_follow_the_copy_within_their_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Read once, as long as it does not change; no more bytes than may be kept."""
    query: dict[str, Any] = {"by": "month", "by2": "yaku", "seat": "1"}  # three columns: counted
    ingest(short(1).encode())
    do_idle_jobs("insights")
    before = ask(**query)
    columns = remembered.COLUMNS
    assert columns.bytes > 0
    with monkeypatch.context() as patched:
        patched.setattr(remembered, "_read", fail)
        assert ask(**query, n_min="1", lang="ja")["rows"][0]["n"] == before["rows"][0]["n"]
    ingest(short(2).encode())
    do_idle_jobs("insights")
    assert (before["n"], ask(**query)["n"]) == (6, 12)
    monkeypatch.setattr(remembered, "MOST", columns.bytes // 2)
    monkeypatch.setattr(following, "BATCH", 1)
    ingest(short(3).encode())
    do_idle_jobs("insights")
    assert ask(**query)["n"] == 18
    assert columns.bytes <= remembered.MOST


@pytest.mark.long
def test_analysis_made_later_counts_once() -> None:
    """Not before, and once; of a game that is hidden and comes back too."""
    sent = upload(short(1).encode())
    Upload.objects.filter(pk=sent.pk).update(owner=get_user_model().objects.create_user("aya"))
    do_jobs()
    do_idle_jobs("insights")
    assert ask(metric="loss")["n"] == 0
    choices = [
        {"deal": 1, "seat": 1, "kind": "hand", "loss": 0.5, "costly": False, "reason": ""},
        {"deal": 1, "seat": 1, "kind": "say", "loss": 1.25, "costly": True, "reason": ""},
        {"deal": 2, "seat": 2, "kind": "hand", "loss": 0.0, "costly": False, "reason": "hand"},
    ]
    keep(Record.objects.get(), 1, {"choices": choices})
    assert not following.is_complete()
    expected = [("hand", 1, 0.5), ("say", 1, 1.25)]
    for again in range(2):
        do_idle_jobs("insights")
        assert following.is_complete()
        rows = ask(metric="loss", by="kind")["rows"]
        assert [(row["by"], row["n"], row["value"]) for row in rows] == expected
        assert ask()["n"] == count_facts() == 12
        if not again:
            visibility.request_change(sent, Visibility.WITHDRAWN)
            do_jobs()
            do_idle_jobs("insights")
            assert not InsightPart.objects.exists()
            visibility.restore(Upload.objects.get(pk=sent.pk))
            do_jobs()


def test_each_of_several_rulesets_has_a_row() -> None:
    """Of several rulesets each has its row, and a deal counts once for its length."""
    ingest(short(1).encode(), write(simulate("hanaawase", seed=1)).encode())
    do_idle_jobs("insights")
    body = ask(ruleset="", metric="length", by="ruleset")
    assert {row["by"] for row in body["rows"]} == {"koikoi", "hanaawase"}
    assert body["n"] == body["deals_played"]
    assert ask(metric="length")["n"] == 6
    assert ask(metric="length", by="dealer")["n"] == 12
