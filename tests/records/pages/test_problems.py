"""The pages of daily problems, with and without scripts, and of own costly choices."""

from __future__ import annotations

import re
from datetime import timedelta
from secrets import token_hex
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from records.models import Analysis, ProblemAnswer, Record
from records.services import problems
from tests.people.world import sent, session, user
from tests.records import makers
from tests.records.pages.accounts import sign_up
from tests.records.problems import list_choices, store_some
from tests.services import wait_until

pytestmark = pytest.mark.django_db

PHONE: Any = {"width": 390, "height": 664}


@pytest.fixture(scope="module")
def record_for_all(rows_for_all: None) -> Record:
    """Return a game of an owner with a problem and an analysis with three costly choices."""
    sent(makers.text(1), owner=user("owner"))
    record = Record.objects.get()
    store_some(record)
    choices = [choice | {"costly": True} for choice in list_choices(record, 3)]
    Analysis.objects.create(
        record=record, engine="x", most=2, made="2026-01-01T00:00Z", found={"choices": choices}
    )
    return record


@pytest.fixture
def record(record_for_all: Record, db: None) -> Record:
    return record_for_all


def find_moves(page: str) -> list[str]:
    return re.findall(r'class="option[^"]*"\s+data-move="([^"]+)"', page)


def test_page_without_scripts_shows_the_answer_of_a_move(record: Record) -> None:
    """The answer has the values of all actions, and a link to the step of the game."""
    browser, address = Client(), reverse("problems")
    page = browser.get(address).content.decode()
    best, other, *_ = moves = find_moves(page)
    assert len(re.findall(r"</bdi> <b>\d+</b>", page)) == 2, "each seat has its sum"
    assert 'data-answer tabindex="-1" hidden' in " ".join(page.split())
    day = reverse("problem", args=[problems.today()])
    assert f'action="{day}#answer"' in page and 'name="move"' in page
    right, wrong = (
        " ".join(browser.get(day, {"move": move}).content.decode().split())
        for move in (best, other)
    )
    assert 'data-answer tabindex="-1" >' in right and "data-right >" in right
    assert "data-wrong hidden>" in right and "data-right hidden>" in wrong
    assert f'class="option best" data-move="{best}"' in wrong
    assert f'class="option chosen" data-move="{other}"' in wrong
    assert wrong.count("data-mean=") == len(moves)
    assert f"{reverse('game', args=[record.key])}?at=1." in wrong
    japanese = browser.get(day, headers={"Accept-Language": "ja"}).content.decode()
    assert "今日の一手" in japanese and "の番です。どの札を打ちますか？" in japanese
    assert find_moves(browser.get("/").content.decode()) == moves


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("2026-13-01/", 404, "Expected a day such as"),
        ("2020-01-01/", 404, "There is no problem for this day."),
        ("2999-01-01/", 404, "This day has not begun yet."),
        ("?ruleset=%3Cgo", 404, "There is no ruleset of this name."),
        ("?ruleset=hachihachi", 200, "There is no problem for this day."),
        ("?move=%3Cb", 400, "“&lt;b” is not an action of this problem."),
    ],
)
def test_wrong_address_is_told(record: Record, path: str, status: int, words: str) -> None:
    response = Client().get(reverse("problems") + path)
    assert response.status_code == status
    assert words in response.content.decode()


def test_account_remembers_the_first_answer(record: Record) -> None:
    browser, address = session(user("aya")), reverse("problem-answers")
    page = browser.get("/").content.decode()
    (written, *_) = re.findall(r'value="(koikoi [^"]+)"', page)
    response = browser.post(address, {"answer": written})
    assert response.status_code == 302 and "&move=" in response["Location"]
    shown = browser.get(reverse("problems")).content.decode()
    assert "Right: this is the best action." in shown and "in a row" in shown
    assert 'class="option best"' in shown
    assert browser.post(address, {"answer": "koikoi 2026-13-01 A"}).status_code == 404
    assert ProblemAnswer.objects.get().is_best


def test_own_choices_are_shown_one_by_one(record: Record) -> None:
    owner, address = session(record.ownerships.get().owner), reverse("my-problems")
    page = owner.get(address).content.decode()
    assert "1 of 3" in page and len(find_moves(page)) > 2
    last = owner.get(address, {"n": "3", "move": find_moves(page)[0]})
    assert "data-answer" in last.content.decode()
    for wrong in ({"n": "4"}, {"n": "x"}, {"n": "1", "move": "?"}):
        assert owner.get(address, wrong).status_code == 404
    assert "1 of" not in owner.get(address, {"player": "nobody"}).content.decode()
    both = owner.get(address, {"player": [*record.players, "nobody"]}).content.decode()
    assert "1 of 3" in both and "?n=2&amp;player=" in both
    assert "None of your analysed games" in session(user("ben")).get(address).content.decode()


def find_buttons(page: Page) -> tuple[Locator, Locator]:
    """Return the buttons of the best action and of another one."""
    best = page.locator("[data-problem]").get_attribute("data-best")
    button = f'button[data-move="{best}"]'
    return page.locator(button), page.locator(f"button[data-move]:not({button})").first


def test_tap_shows_the_answer_at_once_and_the_device_remembers_it(page: Page, site: str) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"{site}/problems/")
    right, wrong = find_buttons(page)
    wrong.click()
    expect(page.locator("[data-wrong]")).to_be_in_viewport()
    expect(right).to_have_class(re.compile("best"))
    expect(wrong).to_have_class(re.compile("chosen"))
    expect(page.locator("[data-yours]:visible")).to_have_count(1)
    right.click()
    expect(page.locator("[data-right]")).to_be_visible()
    page.reload()
    expect(page.locator("[data-wrong]")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    answers = {str(problems.today() - timedelta(days=i)): ["A", True] for i in (1, 2)}
    page.evaluate(
        "(answers) => localStorage.setItem('hana-problems-koikoi', JSON.stringify(answers))",
        answers,
    )
    page.goto(f"{site}/problems/")
    expect(page.locator("[data-streak] b")).to_have_text("2")
    right.click()
    expect(page.locator("[data-streak] b")).to_have_text("3")


def test_answer_of_the_device_moves_to_the_account(page: Page, site: str) -> None:
    page.goto(f"{site}/problems/")
    find_buttons(page)[0].click()
    sign_up(page.context, site, f"member-{token_hex(4)}")
    page.goto(f"{site}/problems/")
    page.evaluate("localStorage.clear()")

    def is_stored() -> bool:
        return "account-answers" in page.request.get(f"{site}/problems/").text()

    wait_until(is_stored, "the account has the answer")
    page.reload()
    expect(page.locator("[data-right]")).to_be_visible()
