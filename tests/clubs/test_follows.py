"""Followed clubs and players: the part of the user's own page, limits, and what ends following."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs import clubs, follows
from clubs.models import Club, Follower
from people import follows as followed_players
from people.accounts import lifecycle
from people.models import FollowedPlayer
from records.models import Player, Visibility
from records.services.pseudonyms import set_pseudonym
from tests.clubs import world
from tests.markup import join_lines
from tests.people.world import sent, session, user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


@pytest.fixture
def club(aya: Any) -> Club:
    """Return a public club of aya with a public and a private game."""
    club = world.found(aya, name="Crane club")
    world.play(club, aya, 1, "Aya", "Hana")
    world.play(club, aya, 2, "Aya", "Secret", visibility=Visibility.PRIVATE)
    return club


@pytest.fixture
def browser(club: Club) -> Client:
    """Return a browser of an account that is no member of the club."""
    return session(user("zed"))


def load_part(browser: Client) -> str:
    """Return the part about followed clubs and players of the user's own page, "" without one."""
    page = join_lines(browser.get(reverse("me")).text)
    _before, heading, part = page.partition("<h2>Following</h2>")
    return part.partition("</section>")[0] if heading else ""


def send_follow(browser: Client, name: str, key: str, **fields: str) -> Any:
    """Send the form that follows a club or a player; return the page after it."""
    return browser.post(reverse(name, args=[key]), fields or {"follow": "1"}, follow=True)


def test_followed_club_shows_its_public_games_until_it_is_private_or_deleted(
    browser: Client, aya: Any, club: Club
) -> None:
    assert load_part(browser) == ""
    assert "Stop following" in send_follow(browser, "club", "kai").text
    part = load_part(browser)
    assert "Crane club" in part and "Hana" in part and "2026" in part
    assert "Secret" not in part
    assert reverse("club-feed", args=["kai"]) in part
    access = world.of(club, aya)
    clubs.update(access, {"visibility": Visibility.PRIVATE})
    assert load_part(browser) == ""
    clubs.update(access, {"visibility": Visibility.UNLISTED})
    assert "Hana" in load_part(browser)
    clubs.delete(access)
    assert load_part(browser) == ""
    assert not Follower.objects.exists()


def test_member_sees_all_newest_games_of_the_club_without_following(aya: Any, club: Club) -> None:
    part = load_part(session(aya))
    assert part.index("Secret") < part.index("Hana")
    assert "Stop following" not in part


def test_followed_player_shows_public_games_until_unfollowed(
    browser: Client, aya: Any, club: Club
) -> None:
    player = Player.objects.get(name="Hana")
    assert "Stop following" not in browser.get(reverse("player", args=[player.key])).text
    assert "Stop following" in send_follow(browser, "follow_player", player.key).text
    world.play(club, aya, 3, "Hana", "Ren")
    sent(world.game_text(4, "Hana", "Hidden"), owner=aya, visibility=Visibility.UNLISTED)
    part = load_part(browser)
    assert part.index("Ren") < part.index("Aya")
    assert "Hidden" not in part
    assert f"{reverse('feed')}?player=Hana" in part
    fields = {"follow": "0", "me": ""}
    response = send_follow(browser, "follow_player", player.key, **fields)
    assert response.redirect_chain[0][0] == reverse("me")
    assert load_part(browser) == ""


def test_game_of_a_followed_club_and_player_is_shown_once(browser: Client, club: Club) -> None:
    send_follow(browser, "club", "kai")
    for name in ("Aya", "Hana"):
        send_follow(browser, "follow_player", Player.objects.get(name=name).key)
    part = load_part(browser)
    game = reverse("game", args=[club.games.order_by("record_id")[0].record.key])
    assert part.count(game) == 1
    assert "Crane club · Aya · Hana · " in " ".join(re.sub("<[^>]*>", " ", part).split())


def test_maximum_of_followed_clubs_and_players_is_refused_with_a_sentence(
    browser: Client, aya: Any, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (follows, followed_players):
        monkeypatch.setattr(module, "MOST", 1)
    world.found(aya, "second")
    players = [Player.objects.get(name=name).key for name in ("Aya", "Hana")]
    for name, keys in (("club", ["kai", "second"]), ("follow_player", players)):
        for _again in range(2):
            assert "stop following one" not in send_follow(browser, name, keys[0]).text
        assert "stop following one" in send_follow(browser, name, keys[1]).text
        send_follow(browser, name, keys[0], follow="0")
        assert "stop following one" not in send_follow(browser, name, keys[1]).text
    assert Follower.objects.get().club.key == "second"
    assert FollowedPlayer.objects.get().key == players[1]


def test_player_with_a_new_pseudonym_is_not_followed_any_more(browser: Client, club: Club) -> None:
    """Otherwise a follower would learn whose pseudonym it is."""
    player = Player.objects.get(name="Hana")
    send_follow(browser, "follow_player", player.key)
    assert "Hana" in load_part(browser)
    set_pseudonym(player, "Crane")
    assert load_part(browser) == ""


def test_closed_account_follows_nothing(browser: Client, club: Club) -> None:
    send_follow(browser, "club", "kai")
    send_follow(browser, "follow_player", Player.objects.get(name="Hana").key)
    assert Follower.objects.exists() and FollowedPlayer.objects.exists()
    lifecycle.close(FollowedPlayer.objects.get().owner, withdraw=False)
    assert not (Follower.objects.exists() or FollowedPlayer.objects.exists())
