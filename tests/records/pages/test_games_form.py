"""The form above the list of games, with one game that no test changes."""

import re
from urllib.parse import urlencode

import pytest
from django.test import Client

from lengths import part
from records.models import Record
from tests.markup import join_lines
from tests.records import makers

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def stored_game(rows_for_all: None) -> Record:
    """Return a game of koi-koi, for the tests that change nothing."""
    makers.ingest(makers.joined(makers.text(1)))
    return Record.objects.get()


def list_keys(client: Client, address: str) -> list[str]:
    """Return the keys of the games of a list, in its order."""
    return [record.key for record in client.get(address).context["page"].records]


@pytest.mark.parametrize(
    ("query", "message"),
    part(
        [
            ("ruleset=poker", "hachihachi, koikoi, hachihachi-bga"),
            ("profile=house", "koikoi-ai"),
            ("from=2026-13", "2026-01-31, 2026-01 or 2026"),
            ("status=malformed", "verified, consistent"),
            ("from=2026-02&to=2026-01", "2026-02-01 is after 2026-01-31"),
            ("yaku=points", "goko"),
            ("deals_min=9&deals_max=3", "9 is above 3"),
            ("grade=huge", "small, large, absolute"),
            ("turns_max=%D9%A3", "expected a whole number"),
            ("form=film", "moves, sheet"),
            ("turns_max=" + "9" * 5000, "expected a whole number"),
            ("to=yesterday", "2026-01-31, 2026-01 or 2026"),
            ("player=%00", "expected at most"),
            ("deals_min=-1", "from 0 to"),
            ("&".join(["player=Aya"] * 8), "at most 7 players"),
            ("turns_max=" + "9" * 40, f"“{'9' * 40}”"),
            ("sort=best", "newest, oldest, played, longest, score"),
            ("score_min=1.5", "expected a whole number"),
            ("event=" + "x" * 5000, "expected at most"),
        ],
        one_of=2,
    ),
)
def test_invalid_filter_is_reported_and_ignored(
    client: Client, stored_game: Record, query: str, message: str
) -> None:
    response = client.get(f"/games/?{query}")
    assert response.status_code == 200
    assert message in response.content.decode()
    assert response.context["page"].records == [stored_game]
    problem = client.get(f"/api/v1/records?{query}")
    assert problem.status_code == 400
    assert message in problem.json()["detail"]


def test_form_shows_the_query(client: Client, stored_game: Record) -> None:
    response = client.get(
        "/games/?ruleset=koikoi&player=Aya&player=Ben&yaku=kasu&from=2020&deals_min=3&event=x"
        "&sort=score&grade=&nonsense=1"
    )
    page = join_lines(response.content.decode())
    for html in (
        '<option value="koikoi" selected>',
        '<option value="kasu" selected>',
        '<option value="score" selected>',
        'value="2020-01-01"',
        'name="deals_min" value="3"',
        'name="event" value="x"',
        'value="Aya"',
        'value="Ben"',
    ):
        assert html in page
    assert page.count(" selected>") == 3


def test_each_chosen_filter_has_a_chip_that_removes_it(client: Client, stored_game: Record) -> None:
    query = "player=Aya&player=Ben&from=2020&to=2020&ruleset=koikoi&profile=koikoi-ai&deals_min=3"
    response = client.get(f"/games/?{query}&form=film&status=all")
    chips = {chip.text: chip.href for chip in response.context["chosen"]}
    assert [*chips] == [
        *("2020", "Koi-koi", "30 points each, 8 rounds", "Aya", "Ben", "all verdicts"),
        "Months: from 3",
    ]
    link = "?ruleset=koikoi&profile=koikoi-ai&player=Ben&from=2020&to=2020&status=all&deals_min=3"
    assert chips["Aya"] == link
    assert "from" not in chips["2020"] and "to=" not in chips["2020"]
    offered = {chip.text: chip.href for chip in response.context["offered"]}
    assert "verified" in offered and "Koi-koi" not in offered
    assert "status=verified" in offered["verified"] and "player=Ben" in offered["verified"]


def test_search_becomes_a_filter(client: Client, stored_game: Record) -> None:
    makers.ingest(makers.text(2).replace("[Player1", '[Event "Spring Cup"]\n[Player1').encode())
    for text, address in (
        ("aya", "/games/?ruleset=koikoi&player=aya"),
        ("Spri", "/games/?ruleset=koikoi&event=Spri"),
        ("\0", ""),
        ("Nobody", ""),
    ):
        response = client.get("/games/", {"q": text, "ruleset": "koikoi"})
        assert response.get("Location", "") == address
    page = response.content.decode()
    assert "No player or event is called “<bdi>Nobody</bdi>”." in page
    assert stored_game.key not in page, "no game is the result of the search"


def test_search_of_a_part_of_a_name_offers_the_players(client: Client, stored_game: Record) -> None:
    page = client.get("/games/?q=ya").content.decode()
    assert 'href="?player=Aya"' in page


def test_form_sent_without_scripts_finds_games_by_its_filled_fields(
    client: Client, stored_game: Record
) -> None:
    """A browser sends the empty fields too."""
    page = join_lines(client.get("/games/").content.decode())
    form = page[page.index('<form class="ask"') :].partition("</form>")[0]
    names = re.findall(r'<(?:input|select) [^>]*name="(\w+)"', form)
    assert names.count("player") > 1 and {"event", "ruleset", "yaku", "sort"} <= set(names)
    filled = [("player", stored_game.players[0]), ("sort", "score")]
    empty = [(name, "") for name in names if name != "sort"]
    response = client.get(f"/games/?{urlencode(filled + empty)}")
    assert response.context["page"].records == [stored_game]
    assert f'value="{stored_game.players[0]}"' in response.content.decode()


@pytest.mark.parametrize("place", ["after=nothing", "before=%00", "after=%27", "before="])
def test_unknown_key_begins_at_the_start(client: Client, stored_game: Record, place: str) -> None:
    assert list_keys(client, f"/games/?{place}") == [stored_game.key]


def test_results_can_be_hidden(client: Client, stored_game: Record) -> None:
    page = join_lines(client.get("/games/").content.decode())
    assert page.count('<b class="sums spoiler">') == len(stored_game.players)
    assert page.count('class="winner spoiler"') == 1
    assert '<th scope="col" class="spoiler">' in page
