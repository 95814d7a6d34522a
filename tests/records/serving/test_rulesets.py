"""Cached responses about a ruleset: they end with its games, not with those of other rulesets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.ingest.ownership import change_visibility
from records.models import Player, Record, Visibility
from records.services import comments
from records.serving import cached_responses
from tests.people.world import sent, user
from tests.records.makers import text

pytestmark = [pytest.mark.django_db]

#: Addresses of responses about one ruleset.
PATHS = (
    "/statistics/{}/",
    "/statistics/bests/?ruleset={}",
    "/statistics/insights/?ruleset={}&metric=win_rate&by=dealer",
    "/games/?ruleset={}",
    "/games/feed?ruleset={}",
    "/api/v1/records?ruleset={}",
    "/api/v1/statistics/seats?ruleset={}",
    "/api/v1/statistics/ratings?ruleset={}",
)


@pytest.fixture
def owner() -> Any:
    """Return the sender of a game of koi-koi and, with other players, one of hachi-hachi."""
    owner = user("owner")
    other = write(simulate("hachihachi", seed=1))
    for name, other_name in {"Aya": "Dan", "Ben": "Eri", "Chie": "Fumi"}.items():
        other = other.replace(f'"{name}"', f'"{other_name}"')
    sent(text(1), other, owner=owner)
    return owner


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Return the types of all responses that are computed, not taken from the cache."""
    types: list[str] = []
    pack = cached_responses._pack

    def pack_and_count(response: Any) -> bytes:
        types.append(response["Content-Type"])
        return pack(response)

    monkeypatch.setattr(cached_responses, "_pack", pack_and_count)
    yield types


def get_all(ruleset: str) -> dict[str, str]:
    """Return the responses about a ruleset by address."""
    responses = {path: Client().get(path.format(ruleset)) for path in PATHS}
    assert {response.status_code for response in responses.values()} == {200}
    return {path: response.content.decode() for path, response in responses.items()}


def show(owner: Any, visibility: int) -> str:
    """Change the visibility of the game of koi-koi; return its key."""
    record = Record.objects.get(ruleset="koikoi")
    change_visibility(owner=owner.pk, records=[record.pk], visibility=visibility)
    return record.key


def test_game_hidden_many_times_leaves_responses_about_other_rulesets_cached(
    owner: Any, computed: list[str]
) -> None:
    before = get_all("hachihachi")
    assert len(computed) == len(PATHS)
    for _ in range(3):
        show(owner, Visibility.PRIVATE)
        show(owner, Visibility.PUBLIC)
        assert get_all("hachihachi") == before
    assert len(computed) == len(PATHS)


def test_hidden_game_leaves_all_responses_about_its_ruleset_immediately(owner: Any) -> None:
    key = Record.objects.get(ruleset="koikoi").key
    before = get_all("koikoi")
    lists = [path for path, content in before.items() if key in content]
    assert {path for path in PATHS if "/games/" in path or "records" in path} <= {*lists}
    show(owner, Visibility.PRIVATE)
    after = get_all("koikoi")
    assert not [path for path, content in after.items() if key in content]
    assert '"games":0' in after["/api/v1/statistics/seats?ruleset={}"].replace(" ", "")
    show(owner, Visibility.PUBLIC)
    assert key in Client().get("/games/?ruleset=koikoi").content.decode()


@pytest.mark.long_only  # the test above has changes of others
def test_change_of_no_game_and_comment_leave_lists_and_statistics_cached(
    owner: Any, computed: list[str]
) -> None:
    get_all("koikoi")
    change_visibility(owner=user("stranger").pk, records=[1, 2], visibility=Visibility.PRIVATE)
    get_all("koikoi")
    assert len(computed) == len(PATHS)
    comments.add(Record.objects.get(ruleset="koikoi"), owner.pk, (1, 1), "Well played.")
    get_all("koikoi")
    assert len(computed) == len(PATHS)


def test_page_of_a_player_is_cached_until_a_game_of_its_rulesets_changes(
    owner: Any, computed: list[str]
) -> None:
    player = Player.objects.filter(seats__record__ruleset="hachihachi")[0]
    path = reverse("player", args=[player.key])
    first = Client().get(path)
    show(owner, Visibility.PRIVATE)
    assert Client().get(path)["ETag"] == first["ETag"]
    assert len(computed) == 1
    sent(text(3).replace("Aya", player.name), owner=owner)
    assert "koikoi" in Client().get(path).content.decode()
    change_visibility(
        owner=owner.pk,
        records=Record.objects.filter(ruleset="koikoi").values_list("pk", flat=True),
        visibility=Visibility.PRIVATE,
    )
    assert Client().get(path).content == first.content


@pytest.mark.long_only  # the page of a player has it
def test_unknown_player_of_a_ruleset_is_named_after_the_games_of_other_rulesets(
    owner: Any,
) -> None:
    path = "/games/?ruleset=hachihachi&player=Aya"
    before = Client().get(path).content
    show(owner, Visibility.PRIVATE)
    assert Client().get(path).content != before, "the player has no public game any more"
