"""The pages of clubs: founding, members, invitations, settings, games, log, and one's own page."""

from __future__ import annotations

from datetime import date, timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs import clubs, evenings, games, invites, members
from clubs.models import Change, Club, ClubGame, Member, Role
from records.base.keys import player_key
from records.models import Player, Record, Upload, Visibility
from records.services.pseudonyms import set_pseudonym
from tests.clubs import world
from tests.people.world import sent, session, user

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(aya: Any) -> Club:
    """Return a public club of aya."""
    return world.found(aya)


def show(browser: Client, name: str, /, *args: str, **query: str) -> str:
    """Return the text of a page."""
    response = browser.get(reverse(name, args=args), query)
    assert response.status_code == 200, response.status_code
    return unescape(response.content.decode())


def send(browser: Client, name: str, /, *args: str, **fields: Any) -> str:
    """Send a form and return the text of the page that is shown then."""
    response = browser.post(reverse(name, args=args), fields, follow=True)
    assert response.status_code == 200, response.status_code
    return unescape(response.content.decode())


# Founding -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "key"), [("Café Kai 2", "cafe-kai-2"), ("--Kai--", "kai"), ("K" * 90, None)]
)
def test_address_is_suggested_from_a_name_in_latin_letters(
    aya: Any, name: str, key: str | None
) -> None:
    fields = {"name": name[:80], "player": "Aya", "visibility": "3"}
    send(session(aya), "club-new", **fields)
    assert Club.objects.get().key == (key or "k" * 40)


def test_founding_without_an_address_asks_for_one_and_keeps_the_entries(aya: Any) -> None:
    fields = {"name": "花の会", "player": "Aya", "visibility": "1", "words": "Fridays"}
    page = send(session(aya), "club-new", **fields)
    assert "An address has 1 to 40" in page
    assert 'value="花の会"' in page
    assert "Fridays" in page
    assert not Club.objects.exists()


def test_taken_address_is_an_error_of_the_field(aya: Any, club: Club) -> None:
    page = send(session(aya), "club-new", name="X", key=club.key, player="Aya", visibility="3")
    assert "id_key_error" in page
    assert "is taken" in page


# The list -----------------------------------------------------------------------------------------


def test_list_has_public_clubs_and_the_viewers_own(aya: Any, club: Club) -> None:
    world.found(aya, "secret", Visibility.PRIVATE)
    world.found(user("ben"), "bens", Visibility.UNLISTED)
    assert "Club secret" in show(session(aya), "clubs")
    for browser in (Client(), session(user("cho"))):
        page = show(browser, "clubs")
        assert f"Club {club.key}" in page
        assert "Club secret" not in page
        assert "Club bens" not in page


# The club -----------------------------------------------------------------------------------------


def test_member_finds_sheet_record_and_table_of_today(aya: Any, club: Club) -> None:
    officer = world.of(club, aya)
    world.begin_season(club, aya)
    members.add(officer, ["Ben"])
    today = timezone.localdate()
    evening = evenings.write(officer, today, {"place": "Hall"})
    evenings.draw(officer, evening, "koikoi", ["Aya", "Ben"], seed=1)
    page = show(session(aya), "club", club.key)
    sheet = f"{reverse('new-sheet')}?club=kai&ruleset=koikoi"
    names = "&player=Aya&player=Ben", "&player=Ben&player=Aya"
    assert f'href="{sheet}"' in page
    assert any(f'href="{sheet}{players}"' in page for players in names)
    assert f'href="{reverse("new-record")}?club=kai&ruleset=koikoi"' in page
    assert "This evening" in page
    assert sheet not in show(Client(), "club", club.key)


def test_table_has_the_top_and_the_viewers_row_with_neighbours(aya: Any, club: Club) -> None:
    officer = world.of(club, aya)
    world.begin_season(club, aya)
    names = [f"P{number}" for number in range(8)]
    members.add(officer, names)
    for seed, name in enumerate(names):
        world.play(club, aya, seed + 1, name, f"guest {seed}")
    world.play(club, aya, 20, "Aya", "guest 20")
    for viewer, is_apart in ((aya, True), (None, False)):
        page = show(session(viewer), "club", club.key)
        assert page.count('<tr class="own">') <= 1
        assert page.count("<tr") - 1 >= 5
        assert ('class="own"' in page) is is_apart


def test_page_for_visitors_follows_each_change(aya: Any, club: Club) -> None:
    assert "Club kai" in show(Client(), "club", club.key)
    clubs.update(world.of(club, aya), {"name": "Renamed"})
    assert "Renamed" in show(Client(), "club", club.key)
    clubs.update(world.of(club, aya), {"visibility": Visibility.PRIVATE})
    assert Client().get(reverse("club", args=[club.key])).status_code == 404


def test_private_game_is_a_card_for_members_only(aya: Any, club: Club) -> None:
    game = world.play(club, aya, 1, "Aya", "Zoe", visibility=Visibility.PRIVATE)
    world.joins(club, aya, user("ben"), "Ben")
    for name in ("club", "club-games"):
        assert game.key in show(session(user_of("ben")), name, club.key)
        for browser in (Client(), session(user(f"stranger {name}"))):
            assert game.key not in show(browser, name, club.key)


def user_of(name: str) -> Any:
    """Return an account by its name."""
    member = Member.objects.select_related("account").get(account__username=name)
    return member.account


# Members ------------------------------------------------------------------------------------------


def test_opted_out_name_is_shown_to_members_only(aya: Any, club: Club) -> None:
    members.add(world.of(club, aya), ["Zenzo"])
    world.play(club, aya, 1, "Aya", "Zenzo")
    Player.objects.filter(name="Zenzo").update(statistics=False)
    zenzo = Member.objects.get(name="Zenzo")
    for name, args in (("club-members", ()), ("club-member", (zenzo.key,))):
        assert "Zenzo" in show(session(aya), name, club.key, *args)
        page = show(Client(), name, club.key, *args)
        assert "Zenzo" not in page
        assert "(name withheld)" in page


def test_pseudonym_replaces_a_name_on_all_pages_and_the_name_is_not_found(
    aya: Any, club: Club
) -> None:
    (member,) = members.add(world.of(club, aya), ["Zenzo Abe"])
    clubs.update(world.of(club, aya), {"name": "Zenzo Abe's club", "words": "Ask Zenzo Abe"})
    world.play(club, aya, 1, "Aya", "Zenzo Abe")
    evening = evenings.write(world.of(club, aya), timezone.localdate(), {})
    evenings.draw(world.of(club, aya), evening, "koikoi", ["Aya", "Zenzo Abe"], seed=1)
    set_pseudonym(Player.objects.get(name="Zenzo Abe"), "Fox")
    pages = [
        ("clubs",),
        *(("club" + part, club.key) for part in ("", "-members", "-games", "-log")),
    ]
    for name, *args in (*pages, ("club-member", club.key, member.key)):
        page = show(session(aya), name, *args)
        assert "Zenzo" not in page
        assert "Fox" in page or name == "club-log"
    page = show(session(aya), "club-members", club.key, q="zenzo")
    assert "No member has such a name" in page
    assert "Zenzo" not in show(session(aya), "new-sheet", club=club.key)


def test_members_are_found_by_any_of_their_names(aya: Any, club: Club) -> None:
    officer = world.of(club, aya)
    ben, other = members.add(officer, ["Ben Sato", "B. S."])
    members.add(officer, ["Cho"])
    members.merge(officer, other, ben)
    page = show(session(aya), "club-members", club.key, q="b. s")
    assert "Ben Sato" in page
    assert "Cho" not in page
    assert "No member has such a name" in show(session(aya), "club-members", club.key, q="Dai")


def test_long_list_of_members_has_pages(aya: Any, club: Club) -> None:
    members.add(world.of(club, aya), [f"Name {number:03}" for number in range(70)])
    first = show(session(aya), "club-members", club.key)
    assert first.count("<bdi>Name ") == 59
    last = Member.objects.order_by("-role", "-pk")[59]
    second = show(session(aya), "club-members", club.key, after=last.key)
    assert second.count("<bdi>Name ") == 11


def test_added_names_are_all_or_none_and_stay_in_the_form(aya: Any, club: Club) -> None:
    page = send(session(aya), "club-members", club.key, name="Ben\nＡya\n")
    assert "is a member already" in page
    assert "Ben\nＡya" in page.replace("\r", "")
    assert "Ben is there twice" in send(session(aya), "club-members", club.key, name="Ben\nＢen")
    assert Member.objects.count() == 1
    send(session(aya), "club-members", club.key, name="Ben\r\n\r\nCho", guest="on")
    assert set(Member.objects.filter(role=Role.GUEST).values_list("name", flat=True)) == {
        "Ben",
        "Cho",
    }


def test_officer_renames_merges_splits_and_removes(aya: Any, club: Club) -> None:
    browser = session(aya)
    ben, other = members.add(world.of(club, aya), ["Ben", "B. S."])
    page = ("club-member", club.key, ben.key)
    assert "has no member Xyz" in send(browser, *page, do="merge", into="Xyz")
    send(browser, "club-member", club.key, other.key, do="merge", into="BEN")
    assert ben.names.count() == 2
    send(browser, *page, do="rename", name="Ben Sato")
    send(browser, *page, do="split", name=player_key("B. S."))
    assert set(Member.objects.values_list("name", flat=True)) == {"Aya", "Ben Sato", "B. S."}
    assert "has no account" in send(browser, *page, do="role", role="2")
    send(browser, *page, do="role", role="0")
    send(browser, *page, do="remove")
    ben.refresh_from_db()
    assert ben.left is not None
    assert browser.post(reverse(page[0], args=page[1:]), {"do": "nothing"}).status_code == 404


def test_member_changes_the_own_name_and_no_other(aya: Any, club: Club) -> None:
    member = world.joins(club, aya, user("ben"), "Ben")
    browser = session(user_of("ben"))
    send(browser, "club-member", club.key, member.key, do="rename", name="Ben S.")
    member.refresh_from_db()
    assert member.name == "Ben S."
    founder = Member.objects.get(role=Role.FOUNDER)
    page = send(browser, "club-member", club.key, founder.key, do="rename", name="X")
    assert "Only an officer" in page
    assert "Rename" not in show(browser, "club-member", club.key, founder.key)


# Invitations --------------------------------------------------------------------------------------


def test_invitation_is_a_link_with_a_qr_code_until_it_is_withdrawn(aya: Any, club: Club) -> None:
    page = send(session(aya), "club-invites", club.key, days="1", most="5")
    invite = club.invites.get()
    link = reverse("club-join", args=[invites.secret_of(invite)])
    assert link in page
    assert "<svg" in page
    send(session(aya), "club-invites", club.key, revoke=invite.key)
    response = Client().get(link)
    assert response.status_code == 404
    assert "ask for a new one" in response.content.decode()
    for browser in (Client(), session(user("ben"))):
        assert browser.get(reverse("club-invites", args=[club.key])).status_code in (302, 404)


@pytest.mark.parametrize("by", ["choice", "typed name"])
def test_new_member_claims_a_free_name_and_an_officer_confirms_it(aya: Any, by: str) -> None:
    club = world.found(aya, visibility=Visibility.PRIVATE)
    officer = world.of(club, aya)
    (free,) = members.add(officer, ["ベン"])
    secret = invites.secret_of(invites.create(officer))
    assert "you need an account" in show(Client(), "club-join", secret)
    browser = session(user("ben"))
    assert "ベン" in show(browser, "club-join", secret)
    fields = {"claimed": free.key} if by == "choice" else {"name": "ﾍﾞﾝ"}
    assert "Welcome" in send(browser, "club-join", secret, **fields)
    member = Member.objects.get(account__username="ben")
    assert "says: I am" in show(session(aya), "club-members", club.key)
    send(session(aya), "club-members", club.key, claim=member.key, right="1")
    assert [name.name for name in member.names.all()] == ["ベン"]
    assert "already" in show_after(browser, "club-join", secret)


def show_after(browser: Client, name: str, *args: str) -> str:
    """Return the text of the page to which a page leads."""
    return browser.get(reverse(name, args=args), follow=True).content.decode()


# Settings -----------------------------------------------------------------------------------------


def test_second_of_two_officers_learns_of_the_first_and_loses_nothing(aya: Any, club: Club) -> None:
    browser = session(aya)
    page = show(browser, "club-settings", club.key)
    was = page.partition('name="was" value="')[2].partition('"')[0]
    clubs.update(world.of(club, aya), {"name": "First"})
    fields = {"name": "Second", "words": "", "visibility": "3"}
    page = send(browser, "club-settings", club.key, was=was, **fields)
    assert "at the same time" in page
    assert 'value="Second"' in page
    club.refresh_from_db()
    assert club.name == "First"
    was = page.partition('name="was" value="')[2].partition('"')[0]
    send(browser, "club-settings", club.key, was=was, **fields)
    club.refresh_from_db()
    assert club.name == "Second"


def test_house_rules_begin_with_a_preset_and_reach_the_editors(aya: Any, club: Club) -> None:
    browser = session(aya)
    address = reverse("club-settings", args=[club.key]) + "?ruleset=hachihachi-bga&preset=half-year"
    page = browser.get(address).content.decode()
    assert '<option value="6" selected>' in page
    fields = {"months": "6", "etsunen": "yes", "torikeshi": "no", "tobikomi-hatto": "no"}
    fields |= {"tsukifuda": "no", "shiso": "no", "save": "1"}
    faulty = browser.post(address, {**fields, "months": "99"}).content.decode()
    assert "errorlist" in faulty
    assert "99 is not one of the available choices" in faulty
    response = browser.post(address, fields)
    club.refresh_from_db()
    assert response.status_code == 302, response.content.decode()
    assert club.houses["hachihachi-bga"].startswith("etsunen=yes months=6")
    for name in ("new-sheet", "new-record"):
        page = show(browser, name, club=club.key)
        assert '"houses": {"hachihachi-bga": {"etsunen": "yes", "months": "6"' in page
        assert '<input type="hidden" name="club" value="kai">' in page
        assert '"names": ["Aya"' not in show(session(None), name, club=club.key)
    browser.post(address, {"clear": "1"})
    club.refresh_from_db()
    assert club.houses == {}


def test_club_is_deleted_by_its_founder_who_enters_the_address(aya: Any, club: Club) -> None:
    world.play(club, aya, 1)
    page = send(session(aya), "club-delete", club.key, key="kay")
    assert "Enter the address" in page
    send(session(aya), "club-delete", club.key, key="kai")
    assert not Club.objects.exists()
    assert Record.objects.count() == 1


def test_member_leaves_and_the_founder_cannot(aya: Any, club: Club) -> None:
    world.joins(club, aya, user("ben"), "Ben")
    assert "You left" in send(session(user_of("ben")), "club-leave", club.key)
    assert not world.of(club, user_of("ben")).is_member
    assert "The founder cannot leave" in send(session(aya), "club-leave", club.key)


# Games --------------------------------------------------------------------------------------------


def test_officer_adds_games_by_days_player_and_links(aya: Any, club: Club) -> None:
    browser = session(aya)
    for seed, day in enumerate(("2026-04-03", "2026-04-10", "2026-04-17"), start=1):
        sent(world.game_text(seed, "Dai", "Eri", day=day), owner=aya)
    first, second, third = Record.objects.order_by("pk")
    send(browser, "club-games", club.key, do="add", first="2026-04-02", last="2026-04-04")
    assert club.games.get().record_id == first.pk
    links = f"https://example.org/en/games/{second.key}/?at=1.2,{second.key}"
    page = send(browser, "club-games", club.key, do="add", links=links, day="2026-05-01")
    assert "1 game is added" in page
    assert ClubGame.objects.get(record=second).day == date(2026, 5, 1)
    page = send(browser, "club-games", club.key, do="add", player="Dai")
    assert "The club had 2 before" in page
    assert set(club.games.values_list("record", flat=True)) == {first.pk, second.pk, third.pk}


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({}, "Enter an event"),
        ({"links": "a kiwi!"}, "no link"),
        ({"first": "yesterday"}, "valid date"),
    ],
)
def test_games_that_cannot_be_found_are_refused_beside_the_field(
    aya: Any, club: Club, fields: dict[str, str], error: str
) -> None:
    page = send(session(aya), "club-games", club.key, do="add", player=" ", **fields)
    assert error in page
    assert "errorlist" in page


def test_member_adds_and_takes_out_own_games_only(aya: Any, club: Club) -> None:
    theirs = world.play(club, aya, 1)
    world.joins(club, aya, user("ben"), "Ben")
    browser = session(user_of("ben"))
    sent(world.game_text(2), owner=aya)
    other = Record.objects.latest("pk")
    page = send(browser, "club-games", club.key, do="add", links=other.key)
    assert "Members add their own games" in page
    page = send(browser, "club-games", club.key, do="out", game=theirs.key)
    assert "Members take out their own games" in page
    assert "Tick games first" in send(session(aya), "club-games", club.key, do="out")
    send(session(aya), "club-games", club.key, do="move", game=theirs.key, day="2026-06-01")
    assert ClubGame.objects.get(record=theirs).day == date(2026, 6, 1)
    assert "Enter the day" in send(session(aya), "club-games", club.key, do="move", game=theirs.key)
    send(session(aya), "club-games", club.key, do="out", game=theirs.key)
    assert not games.games_of(club, Visibility.PRIVATE).exists()


# Saving for a club --------------------------------------------------------------------------------


def test_saved_game_is_sent_to_the_club_of_the_form(aya: Any, club: Club) -> None:
    fields = {"text": world.game_text(1), "saved": "1", "visibility": "private", "club": club.key}
    response = session(aya).post(reverse("upload"), fields)
    assert response.status_code == 302
    assert Upload.objects.get().circle == club.circle


def test_game_for_a_foreign_club_is_refused_and_not_stored(aya: Any, club: Club) -> None:
    fields = {"text": world.game_text(1), "saved": "1", "club": club.key}
    for browser in (Client(), session(user("ben"))):
        response = browser.post(reverse("upload"), fields)
        assert response.status_code == 403
        assert "no member of this club" in response.content.decode()
    assert not Upload.objects.exists()


def test_plain_sheet_has_the_house_rules_of_the_club_and_saves_for_it(aya: Any, club: Club) -> None:
    clubs.update(world.of(club, aya), {"houses": {"koikoi": "months=2"}, "visibility": 1})
    browser = session(aya)
    page = show(browser, "plain-sheet", club=club.key)
    assert '<option value="Aya"></option>' in page
    fields = {"club": club.key, "rules": "koikoi/club", "player": ["Aya", "Ben"]}
    page = browser.get(reverse("plain-sheet"), fields).content.decode()
    assert "rest-2-1" in page
    assert "rest-3-1" not in page
    assert '<option value="private" selected>' in page
    response = browser.post(
        reverse("plain-sheet"), {**fields, "rest-1-1": "5", "save": "1", "visibility": "private"}
    )
    assert response.status_code == 302, response.content.decode()
    assert Upload.objects.get().circle == club.circle


def test_names_to_tap_begin_with_the_members_own_and_the_last_players(aya: Any, club: Club) -> None:
    members.add(world.of(club, aya), ["Ben", "Cho", "Dai"])
    world.play(club, aya, 1, "Dai", "Eri")
    page = show(session(aya), "new-sheet", club=club.key)
    assert '"names": ["Aya", "Dai", "Ben", "Cho"]' in page


# Log ----------------------------------------------------------------------------------------------


def test_officer_undoes_a_change_once(aya: Any, club: Club) -> None:
    clubs.update(world.of(club, aya), {"name": "Wrong"})
    change = Change.objects.latest("pk")
    browser = session(aya)
    assert f'value="{change.pk}"' in show(browser, "club-log", club.key)
    page = send(browser, "club-log", club.key, undo=str(change.pk))
    assert "taken back" in page
    assert f'value="{change.pk}"' not in page
    club.refresh_from_db()
    assert club.name == "Club kai"
    assert "cannot be taken back" in send(browser, "club-log", club.key, undo=str(change.pk))
    for number in ("x", "9" * 30, str(change.pk + 100)):
        assert "no such change" in send(browser, "club-log", club.key, undo=number)


# One's own page -----------------------------------------------------------------------------------


def test_own_page_has_clubs_with_next_evening_rank_and_neighbours(aya: Any, club: Club) -> None:
    officer = world.of(club, aya)
    world.begin_season(club, aya)
    members.add(officer, ["Ben"])
    world.play(club, aya, 1, "Aya", "Ben")
    evenings.write(officer, timezone.localdate() + timedelta(days=7), {"place": "Town hall"})
    page = show(session(aya), "me")
    assert "Town hall" in page
    assert page.count('class="own"') == 1
    assert "Ben" in page.partition("My clubs")[2].partition("</table>")[0]
    assert "My clubs" not in show(session(user("dai")), "me")
