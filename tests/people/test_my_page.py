"""The page of a user's own games: first steps, results, opponents, drafts, own names."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any, Final

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people import results
from people.accounts import lifecycle
from people.models import Draft, OwnName
from records.models import Analysis, Player, Record, Visibility
from records.services.analyses import store_report
from tests.markup import join_lines
from tests.people.world import sent, session, user
from tests.records.makers import text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

#: The report of a game of koi-koi whose seat 1, Aya, was too bold.
ANALYSIS: Final = {
    "choices": [
        {"deal": 1, "seat": seat, "kind": "say", "played": "koikoi", "loss": loss}
        | {"costly": False, "reason": "", "options": []}
        for seat, loss in ((1, 1.5), (1, 0.0), (2, 2.0), (2, 1.0))
    ],
    "deals": [
        {
            "deal": 1,
            "parts": {
                "deal": {"value": [-4.5, 4.5], "error": [3.0, 3.0]},
                "stock": {"value": [1.5, -1.5], "error": [4.0, 4.0]},
                "own": {"value": [1.2, 0.0], "error": [1.0, 0.0]},
                "others": {"value": [0.0, -1.2], "error": [0.0, 1.0]},
            },
        },
        {"deal": 2, "parts": None},
    ],
}


def claim_name(browser: Client, name: str) -> None:
    """Claim a name as the page does."""
    assert browser.post(reverse("add_own_name"), {"name": name})["Location"] == reverse("me")


def load_page(browser: Client, query: str = "") -> str:
    """Return the page of the user's games."""
    return join_lines(browser.get(f"{reverse('me')}{query}").content.decode())


def wins_of(name: str, *records: Record) -> int:
    """Return the number of games with this name in the first rank."""
    return sum(seat.rank == 1 for record in records for seat in record.seats.filter(name=name))


def test_new_account_is_told_the_three_things_to_do_first() -> None:
    browser = session(user("neu"))
    page = load_page(browser)
    for name in ("new-sheet", "upload", "add_own_name"):
        assert f'"{reverse(name)}"' in page.partition("Three things to begin with")[2]
    claim_name(browser, "Aya")
    assert "No finished game has this name yet" in load_page(browser)


def test_results_and_opponents_follow_the_names_of_the_user() -> None:
    owner = user("aya")
    sent(text(1), text(2), text(3), owner=owner, visibility=Visibility.PRIVATE)
    sent(text(4))
    browser = session(owner)
    page = load_page(browser)
    assert re.findall(r'<button[^>]* name="name" value="(\w+)"', page) == ["Aya", "Ben"]
    claim_name(browser, "ＡＹＡ")
    page = load_page(browser)
    wins = wins_of("Aya", *Record.objects.filter(ownerships__owner=owner))
    assert f"{wins} wins in 3 games" in page or f"{wins} win in 3 games" in page
    assert page.count('class="won"><span><bdi>Aya') == wins
    assert page.count('<span class="when"> saved ') == 3, "the games have no date"
    opponents = page.partition("Opponents</h3>")[2].partition("</ul>")[0]
    assert "Ben" in opponents and f"{wins} won, {3 - wins} lost" in opponents
    Player.objects.filter(name="Ben").update(statistics=False)
    assert "Opponents</h3>" not in load_page(browser)


def test_games_behind_and_ahead_after_half_of_the_months_are_counted() -> None:
    owner = user("aya")
    sent(*(text(seed, months="6") for seed in range(1, 7)), owner=owner)
    outcomes: dict[str, list[bool]] = {"Ahead": [], "Behind": []}
    for record in Record.objects.all():
        first, second = zip(*(deal["score"] for deal in record.verdict["deals"][:3]), strict=True)
        if sum(first) != sum(second):
            side = "Ahead" if sum(first) > sum(second) else "Behind"
            outcomes[side].append(wins_of("Aya", record) == 1)
    browser = session(owner)
    claim_name(browser, "Aya")
    words = " ".join(re.sub(r"<[^>]+>", " ", load_page(browser)).split())
    for side, wins in outcomes.items():
        assert wins, "the games have both sides"
        assert f"{side}: won {sum(wins)} of {len(wins)} games" in words


def test_luck_and_choices_are_of_own_seats_in_analysed_games() -> None:
    owner = user("aya")
    sent(text(1), text(2), owner=owner, visibility=Visibility.PRIVATE)
    sent(text(3))
    for record in Record.objects.all():
        store_report(record, 1, ANALYSIS)
    browser = session(owner)
    assert "Luck and choices" not in load_page(browser)
    claim_name(browser, "Aya")
    words = " ".join(re.sub(r"<[^>]+>", " ", load_page(browser)).split())
    luck = "Luck −6.0 ± 7.1 mon · own choices 2.4 ± 1.4 mon 2 too bold, 0 too careful"
    assert f"Luck and choices Koi-koi 2 analysed games {luck}" in words


def test_migration_adds_the_variance_of_own_choices() -> None:
    sent(text(1))
    seats = store_report(Record.objects.get(), 1, ANALYSIS).seats
    Analysis.objects.update(seats=[[*row[:4], *row[5:]] for row in seats])
    import_module("records.migrations.0031_own_variance").add_own_variance(apps, None)
    assert Analysis.objects.get().seats == [list(row) for row in seats]


def test_questions_about_public_games_lead_to_insights() -> None:
    owner = user("aya")
    browser = session(owner)
    claim_name(browser, "Aya")
    sent(text(1), owner=owner, visibility=Visibility.PRIVATE)
    assert "More about my games" not in load_page(browser)
    sent(text(2), owner=owner)
    questions = load_page(browser).partition("More about my games")[2].partition("</ul>")[0]
    links = re.findall(r'href="([^"]+)">([^<]+)<', questions)
    assert links[2][1] == "Balance with another seat by opponent"
    for address, words in links:
        page = browser.get(address.replace("&amp;", "&"))
        assert page.status_code == 200 and words in page.content.decode(), address
    Player.objects.filter(name="Aya").update(statistics=False)
    assert "More about my games" not in load_page(browser)


def test_filtered_list_and_other_users_show_no_results() -> None:
    owner = user("aya")
    sent(text(1), owner=owner)
    browser = session(owner)
    claim_name(browser, "Aya")
    assert "My results" in load_page(browser)
    assert "My results" not in load_page(browser, "?player=Aya")
    assert "No game of yours matches" in load_page(browser, "?player=Nobody")
    assert "My results" not in load_page(session(user("ben")))


def test_names_are_limited_removed_and_deleted_with_the_account(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(results, "MAX_NAMES", 1)
    owner = user("aya")
    browser = session(owner)
    claim_name(browser, "Aya")
    claim_name(browser, "a y a")
    claim_name(browser, "\0 ")
    assert (
        "At most 1 names"
        in browser.post(reverse("add_own_name"), {"name": "Chie"}, follow=True).content.decode()
    )
    name = OwnName.objects.get()
    assert (name.owner, name.name) == (owner, "Aya")
    browser.post(reverse("remove_own_name", args=[name.key]))
    assert not OwnName.objects.exists()
    claim_name(browser, "Aya")
    lifecycle.close(owner, withdraw=False)
    assert not OwnName.objects.exists()


def test_shared_first_rank_is_a_draw() -> None:
    sent(text(1))
    record = Record.objects.prefetch_related("seats__player").get()
    for seat in record.seats.all():
        seat.rank = 1
    standing = results.standing([record], [Player.objects.get(name="Aya").key])
    assert [result.outcome for result in standing.last] == [results.LEVEL]
    assert (standing.wins, standing.ended, standing.opponents[0].against.level) == (0, 1, 1)


def test_drafts_lead_to_the_page_that_opens_them() -> None:
    owner: Any = user("aya")
    for number in range(6):
        Draft.objects.create(
            owner=owner,
            key=f"k{number}",
            kind="sheet" if number else "game",
            title=f"Draft {number}",
            changed=timezone.now(),
            state="{}",
        )
    page = load_page(session(owner))
    assert f'{reverse("new-sheet")}?draft=k5"' in page and "and 1 more" in page
    assert "Draft 0" not in page
