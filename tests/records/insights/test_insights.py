"""Insights: the copy follows the games, whatever becomes of them, and what is asked is told."""

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
from tests.records.makers import (
    do_idle,
    hurry,
    ingest,
    joined,
    text,
    upload,
    with_wrong_score,
    work_all,
)

pytestmark = pytest.mark.django_db


def short(seed: int, event: str = "", players: tuple[str, str] = ("Aoi", "Botan")) -> str:
    """A game of koi-koi of six months."""
    game = simulate("koikoi", seed=seed, options={"months": "6"})
    game.players = players
    if event:
        game.tags["Event"] = event
    return write(game)


def ask(status: int = 200, **query: str) -> Any:
    """The answer to a question about koi-koi."""
    given = {"ruleset": "koikoi", **query}
    response = Client().get("/api/v1/statistics/insights", given)
    assert response.status_code == status, response.content
    return response.json()


def facts() -> int:
    """How many facts the copy has, and every column of them as many."""
    found = sum(InsightPart.objects.values_list("size", flat=True))
    parts = following.loaded(list(InsightPart.objects.values_list("pk", flat=True)), ("game",))
    assert sum(len(one["game"]) for one in parts.values()) == found
    return found


@pytest.mark.long
def test_a_hidden_game_is_not_counted_from_that_moment_on() -> None:
    """And nothing of it is left once the copy has followed."""
    ingest(short(1, "Spring Cup").encode())
    hidden = upload(short(2, "Secret Cup").encode())
    owner = get_user_model().objects.create_user("aya")
    Upload.objects.filter(pk=hidden.pk).update(owner=owner)
    work_all()
    do_idle()
    assert {row["by"] for row in ask(by="event")["rows"]} == {"spring cup", "secret cup"}
    both = ask()["n"]

    visibility.request_change(hidden, Visibility.WITHDRAWN)
    work_all()
    found = ask(by="event")
    assert [row["by"] for row in found["rows"]] == ["spring cup"]
    assert found["n"] == 12 < both
    assert "Games that came or changed just now are not counted yet." in found["notes"]

    do_idle()
    assert following.is_complete()
    assert ask(by="event")["rows"] == found["rows"]
    assert not ask(by="event")["notes"][:-1]
    assert not InsightName.objects.filter(text__icontains="secret").exists()
    assert facts() == 12

    visibility.restore(Upload.objects.get(pk=hidden.pk))
    work_all()
    do_idle()
    assert ask()["n"] == both


@pytest.mark.long
def test_all_games_gone_leave_sums_of_nothing() -> None:
    """What is taken away is exactly what was added."""
    sent = upload(joined(short(1), short(2)))
    owner = get_user_model().objects.create_user("aya")
    Upload.objects.filter(pk=sent.pk).update(owner=owner)
    work_all()
    do_idle()
    do_idle()
    assert InsightSums.objects.count() == len(sums.PAIRS)
    visibility.request_change(sent, Visibility.WITHDRAWN)
    work_all()
    do_idle()
    do_idle()
    assert not InsightPart.objects.exists()
    assert not InsightColumn.objects.exists()
    for pair in sums.PAIRS:
        for measure in sums.measures(pair):
            found = sums.read("koikoi", (pair,), measure)
            assert found is not None
            assert len(found[0]) == 0, (pair, measure)


def test_a_better_text_of_a_game_counts_once() -> None:
    """The game is put in its own place."""
    ingest(with_wrong_score(1).encode())
    do_idle()
    before = facts()
    ingest(text(1).encode())
    assert Record.objects.get().status == "verified"
    do_idle()
    assert following.is_complete()
    assert facts() == before == ask()["n"]


@pytest.mark.long
def test_parts_are_filled_and_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many parts say what one says, after games between others went too."""
    monkeypatch.setattr("records.insights.blocks.PART", 7)
    monkeypatch.setattr(following, "PART", 7)
    monkeypatch.setattr(following, "BATCH", 2)
    ingest(*(short(seed).encode() for seed in range(1, 6)))
    between = Record.objects.order_by("pk")[2]
    do_idle()
    assert InsightPart.objects.count() >= 5 * 12 // 7
    assert not InsightPart.objects.filter(size__gt=7).exists()
    kept = ask(by="yaku", by2="month")["rows"]
    InsightSums.objects.update(data=b"")
    assert ask(by="yaku", by2="month", n_min="1")["rows"] == kept

    removed = following._remove([between.pk])
    assert len(removed["koikoi"]["game"]) == 12
    assert facts() == 4 * 12


def test_another_engine_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the former one made is dropped."""
    ingest(joined(short(1), short(2)))
    do_idle()
    before = ask(by="month")["rows"]
    monkeypatch.setattr(following, "VERSION", "another")
    assert not following.is_complete()
    do_idle()
    assert following.is_complete()
    assert ask(by="month")["rows"] == before
    assert facts() == 24


def test_a_worker_that_is_killed_loses_and_doubles_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Facts, sums and the progress of the copy are written together, or not at all."""
    ingest(*(short(seed).encode() for seed in range(1, 4)))
    monkeypatch.setattr(following, "BATCH", 2)
    with monkeypatch.context() as patched:
        patched.setattr(sums, "change", _killed)
        with contextlib.suppress(ZeroDivisionError):
            do_idle()
    assert not InsightPart.objects.exists()
    hurry()
    do_idle()
    assert following.is_complete()
    assert facts() == 36 == ask()["n"]
    job = Job.objects.get(kind=following.INSIGHTS)
    assert (job.state, job.progress) == (Job.State.DONE, 3)


def _killed(*_: object) -> None:
    raise ZeroDivisionError


def test_players_left_out_by_name_are_in_no_row() -> None:
    """Their deals count all the same."""
    ingest(short(1).encode(), short(2, players=("Aoi", "Chidori")).encode())
    do_idle()
    assert [row["by"] for row in ask(by="opponent")["rows"]] == ["Aoi", "Botan", "Chidori"]
    Player.objects.filter(name="Botan").update(statistics=False)
    found = ask(by="opponent", page_size="10")
    assert [row["by"] for row in found["rows"]] == ["Aoi", "Chidori"]
    assert found["n"] == 24
    ask(403, player="Botan")
    ask(404, player="Nobody")


def test_rows_come_in_pages() -> None:
    """Each once, in one order."""
    ingest(short(1).encode(), short(2).encode())
    do_idle()
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
def test_faults_tell_what_is_possible(query: dict[str, str], name: str, words: str) -> None:
    """As a problem of the parameter."""
    found = ask(400, **query)
    told = next(one for one in found["errors"] if one["name"] == name)
    assert words in told["message"]


def test_forms_of_an_answer() -> None:
    """A chart whose zero is marked where it means something, and CSV."""
    ingest(short(1).encode(), short(2).encode())
    do_idle()
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
def test_columns_in_memory_are_those_of_the_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read once, as long as it does not change; no more bytes than may be kept."""
    query: dict[str, Any] = {"by": "month", "by2": "yaku", "seat": "1"}  # three columns: counted
    ingest(short(1).encode())
    do_idle()
    before = ask(**query)
    known = remembered.COLUMNS
    assert known.bytes > 0
    with monkeypatch.context() as patched:
        patched.setattr(remembered, "_read", _killed)
        assert ask(**query, n_min="1", lang="ja")["rows"][0]["n"] == before["rows"][0]["n"]
    ingest(short(2).encode())
    do_idle()
    assert (before["n"], ask(**query)["n"]) == (6, 12)
    monkeypatch.setattr(remembered, "MOST", known.bytes // 2)
    monkeypatch.setattr(following, "BATCH", 1)
    ingest(short(3).encode())
    do_idle()
    assert ask(**query)["n"] == 18
    assert known.bytes <= remembered.MOST


@pytest.mark.long
def test_an_analysis_made_later_counts() -> None:
    """Not before, and once; of a game that is hidden and comes back too."""
    sent = upload(short(1).encode())
    Upload.objects.filter(pk=sent.pk).update(owner=get_user_model().objects.create_user("aya"))
    work_all()
    do_idle()
    assert ask(metric="loss")["n"] == 0
    choices = [
        {"deal": 1, "seat": 1, "kind": "hand", "loss": 0.5, "costly": False, "reason": ""},
        {"deal": 1, "seat": 1, "kind": "say", "loss": 1.25, "costly": True, "reason": ""},
        {"deal": 2, "seat": 2, "kind": "hand", "loss": 0.0, "costly": False, "reason": "hand"},
    ]
    keep(Record.objects.get(), 1, {"choices": choices})
    assert not following.is_complete()
    wanted = [("hand", 1, 0.5), ("say", 1, 1.25)]
    for again in range(2):
        do_idle()
        assert following.is_complete()
        rows = ask(metric="loss", by="kind")["rows"]
        assert [(row["by"], row["n"], row["value"]) for row in rows] == wanted
        assert ask()["n"] == facts() == 12
        if not again:
            visibility.request_change(sent, Visibility.WITHDRAWN)
            work_all()
            do_idle()
            assert not InsightPart.objects.exists()
            visibility.restore(Upload.objects.get(pk=sent.pk))
            work_all()


def test_rulesets_beside_each_other() -> None:
    """Of several rulesets each has its row, and a deal counts once for its length."""
    ingest(short(1).encode(), write(simulate("hanaawase", seed=1)).encode())
    do_idle()
    found = ask(ruleset="", metric="length", by="ruleset")
    assert {row["by"] for row in found["rows"]} == {"koikoi", "hanaawase"}
    assert found["n"] == found["deals_played"]
    assert ask(metric="length")["n"] == 6
    assert ask(metric="length", by="dealer")["n"] == 12
