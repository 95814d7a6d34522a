"""Analyses, problems and luck of a game show to strangers only what its page shows."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from django.conf import LazySettings
from django.test import Client, override_settings
from django.urls import reverse

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import part
from records.ingest.ownership import change_visibility
from records.models import Analysis, Player, Problem, Record, Visibility
from records.opendata.problems import collect_problems
from records.services import analyses, problems
from records.services.problems import store_problems
from records.services.pseudonyms import set_pseudonym
from tests.people.world import sent, session, user
from tests.records.idle import do_idle_jobs
from tests.records.problems import list_choices, store_some
from tests.security.addresses import body_of
from tests.security.test_hidden import HIDING

pytestmark = pytest.mark.django_db

NAME, SHOWN = "Markname", "Wisteria"
#: Metrics of insights from analyses, of standings, yaku and payments.
METRICS: Final = ("luck", "loss", "own_choices", "game_rate", "yaku_turn", "balance")


@pytest.fixture(scope="module")
def record_for_all(rows_for_all: None) -> Record:
    """Return a game of an owner with its analysis, problems and facts."""
    with override_settings(ANALYSIS_DEALS=2):
        return store_game(user("owner"), make_game())


@pytest.fixture
def record(record_for_all: Record, db: None, settings: LazySettings) -> Record:
    """Return the game of the module as in the database."""
    settings.ANALYSIS_DEALS = 2
    return Record.objects.get(pk=record_for_all.pk)


@pytest.fixture
def owner(record: Record) -> Any:
    """Return the owner of the game."""
    return record.ownerships.get().owner


def make_game() -> str:
    """Return a game of a month that ends after four turns, with a word in its event."""
    game = simulate("koikoi", seed=229, options={"months": "1"})
    game.players = (NAME, "Ben")
    return write(game)


def store_game(owner: Any, text: str) -> Record:
    """Store a public game with its analysis, problems and facts."""
    sent(text, owner=owner)
    record = Record.objects.latest("pk")
    analyses.make(record)
    store_some(record, 2)
    do_idle_jobs("facts")
    return record


def list_deck_addresses() -> list[str]:
    """Return the addresses about the problems of all games."""
    day = str(problems.today())
    return [
        *(reverse("home"), reverse("problems"), reverse("problem", args=[day])),
        *(reverse("api:daily-problem", args=[name]) for name in ("today", day)),
    ]


def list_game_addresses(record: Record) -> list[str]:
    """Return the addresses about the analysis of a game."""
    names = ("analysis", "api:record-analysis", "game", "game-preview")
    return [reverse(name, args=[record.key]) for name in names]


def ask(metric: str, **query: str) -> dict[str, Any]:
    """Return an answer of insights."""
    address = reverse("api:statistics-insights")
    response = Client().get(address, {"ruleset": "koikoi", "metric": metric, **query})
    assert response.status_code == 200, response.content
    body: dict[str, Any] = response.json()
    return body


def get_text(client: Client, address: str) -> str:
    """Return the text of a response."""
    return body_of(client.get(address)).decode(errors="replace")


def change(owner: Any, record: Record, visibility: Visibility) -> None:
    change_visibility(owner=owner.pk, records=[record.pk], visibility=visibility)


@pytest.mark.parametrize("how", ["unlisted", *part(list(HIDING), one_of=2)])
def test_hidden_game_leaves_problems_and_statistics_at_once(
    record: Record, owner: Any, how: str
) -> None:
    """Responses for the public game are cached; no job runs after the game is hidden."""
    for address in list_deck_addresses():
        assert record.key in get_text(Client(), address), address
    assert all(ask(metric)["n"] for metric in METRICS)
    assert len(collect_problems()["game"]) == 2
    if how == "unlisted":
        change(owner, record, Visibility.UNLISTED)
    else:
        HIDING[how](owner, [record.pk])
    for stranger in (Client(), session(user("other"))):
        for address in list_deck_addresses():
            page = get_text(stranger, address)
            assert record.key not in page and NAME not in page, address
        for address in list_game_addresses(record):
            expected = (200,) if how == "unlisted" else (404, 410)
            assert stranger.get(address).status_code in expected, address
    assert not any(ask(metric)["n"] for metric in METRICS)
    assert len(collect_problems()["game"]) == 0


def test_costly_choices_of_a_private_game_are_shown_to_its_owner_alone(
    record: Record, owner: Any
) -> None:
    Analysis.objects.update(found={"choices": list_costly(record), "deals": []})
    address = reverse("my-problems")
    for visibility in (Visibility.PRIVATE, Visibility.WITHDRAWN):
        change(owner, record, visibility)
        assert (record.key in get_text(session(owner), address)) == (
            visibility is Visibility.PRIVATE
        )
        assert record.key not in get_text(session(user(f"other{visibility}")), address)


def list_costly(record: Record) -> list[dict[str, Any]]:
    """Return costly choices of a game."""
    return [choice | {"costly": True} for choice in list_choices(record, 2)]


def test_pseudonym_is_the_only_name_beside_problems_and_analyses(record: Record) -> None:
    set_pseudonym(Player.objects.get(name=NAME), SHOWN)
    do_idle_jobs("facts")
    for address in (*list_deck_addresses(), *list_game_addresses(record)):
        assert NAME not in get_text(Client(), address), address
    for address in (reverse("problems"), reverse("analysis", args=[record.key])):
        assert SHOWN in get_text(Client(), address), address
    for metric in METRICS:
        names = {row["by"] for row in ask(metric, by="player", by2="opponent")["rows"]}
        assert SHOWN in names and NAME not in names, metric
    assert ask("luck", player=SHOWN)["n"] == 1
    query = {"ruleset": "koikoi", "metric": "luck", "player": NAME}
    assert Client().get(reverse("api:statistics-insights"), query).status_code == 404


def test_player_who_opted_out_is_in_no_row_of_luck_and_payments(record: Record) -> None:
    totals = {metric: ask(metric)["n"] for metric in METRICS}
    Player.objects.filter(name=NAME).update(statistics=False)
    for metric in METRICS:
        for by in ("player", "opponent"):
            body = ask(metric, by=by)
            assert NAME not in {row["by"] for row in body["rows"]}, (metric, by)
            assert body["n"] == totals[metric], "the months count"
        query = {"ruleset": "koikoi", "metric": metric, "player": NAME}
        assert Client().get(reverse("api:statistics-insights"), query).status_code == 403


def test_unrecorded_hand_has_no_values_luck_or_problems(record: Record, owner: Any) -> None:
    """The table of another seat's problem has no card of the hand."""
    change(owner, record, Visibility.WITHDRAWN)  # no figure or problem is of the complete game
    text = re.sub(r"(?m)^hand 2 .*$", "hand 2 ????????", make_game())
    record = store_game(user("other"), re.sub(r"(?m)^stock .*\n", "", text))
    body = Client().get(reverse("api:record-analysis", args=[record.key])).json()["analysis"]
    choices = [choice for choice in body["choices"] if choice["seat"] == 2]
    assert choices and all(
        choice["reason"] == "hand" and not choice["options"] for choice in choices
    )
    assert [deal["parts"] for deal in body["deals"]] == [None]
    assert not ask("luck")["n"] and ask("loss")["n"]
    store_problems(record, body["choices"])
    assert 2 not in Problem.objects.filter(record=record).values_list("seat", flat=True)
    store_problems(record, [choice for choice in list_choices(record, 9) if choice["seat"] == 1])
    daily = Client().get(reverse("api:daily-problem", args=["today"])).json()
    assert {*daily["hands"][1]} == {"?"} and "?" not in daily["hands"][0]
    page = get_text(Client(), reverse("problems"))
    assert page.count("a face-down card") >= len(daily["hands"][1])
