"""Log-in at another site, by OpenID Connect: a real one, a real archive, and browsers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, expect

from tests.conftest import Environment, Hana, bare_env
from tests.people.openid import Provider

USERS = """
from django.contrib.auth import get_user_model
from allauth.account.models import EmailAddress
User = get_user_model()
aya = User.objects.create_user("aya", password="a long word", email="aya@club.example")
EmailAddress.objects.create(user=aya, email="aya@club.example", verified=True, primary=True)
User.objects.create_user("ben", password="a long word")
from allauth.socialaccount.models import SocialAccount
barred = User.objects.create_user("barred", password="a long word", is_active=False)
SocialAccount.objects.create(user=barred, provider="site", uid="barred")
"""


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    """The other site."""
    found = Provider()
    yield found
    found.shutdown()
    found.server_close()


#: Every session was opened an hour ago.
AGE = """
from importlib import import_module
from django.conf import settings
from django.contrib.sessions.models import Session
Store = import_module(settings.SESSION_ENGINE).SessionStore
for key in Session.objects.values_list("pk", flat=True):
    store = Store(key)
    for record in store.get("account_authentication_methods", ()):
        record["at"] -= 3600
        store.modified = True
    store.save()
"""


@pytest.fixture(scope="module")
def runner() -> Iterator[Hana]:
    """Runs the archive."""
    found = Hana()
    yield found
    found.end()


@pytest.fixture(scope="module")
def environment(provider: Provider, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The variables of an archive that lets people log in at the other site."""
    var = tmp_path_factory.mktemp("elsewhere")
    rates = "login=1000/60,logins=1000/60,register=1000/60"
    return bare_env(
        HANA_ENV="development", HANA_VAR=str(var), HANA_RATES=rates, **provider.variables
    )


@pytest.fixture(scope="module")
def archive(runner: Hana, environment: Environment) -> str:
    """The address of that archive, which has a user, aya."""
    runner("migrate", env=environment)
    runner("shell", "--no-imports", "-c", USERS, env=environment)
    return f"http://127.0.0.1:{runner.web(environment)[1]}"


class Person:
    """Somebody's browser, by hand."""

    def __init__(self, archive: str) -> None:
        self.archive, self.session = archive, requests.Session()

    def get(self, path: str) -> requests.Response:
        """A page."""
        return self.session.get(f"{self.archive}{path}", timeout=60)

    def post(self, path: str, at: str = "/account/login/", **fields: str) -> requests.Response:
        """A form of the page ``at``."""
        page = self.get(at).text
        found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert found, page
        data = {"csrfmiddlewaretoken": found[1], **fields}
        headers = {"Referer": f"{self.archive}{at}"}
        return self.session.post(f"{self.archive}{path}", data=data, headers=headers, timeout=60)

    def comes(self, query: str = "") -> requests.Response:
        """Log in by the other site."""
        return self.post(f"/account/oidc/site/login/{query}")

    def joins(self, name: str) -> requests.Response:
        """Choose a name, where it is asked for."""
        return self.post("/account/elsewhere/signup/", "/account/elsewhere/signup/", username=name)

    @property
    def name(self) -> str:
        """Who is logged in, or nobody."""
        found = re.search(r"<dt>User name</dt><dd><bdi>(.+?)</bdi>", self.get("/account/").text)
        return found[1] if found else ""


@pytest.fixture
def person(archive: str, provider: Provider) -> Person:
    """A new one, for whom the other site answers."""
    provider.answer = "code"
    return Person(archive)


def test_who_is_new_chooses_a_name_and_comes_back(
    person: Person, provider: Provider, archive: str
) -> None:
    provider.claims = {"sub": "chie", "preferred_username": "ＣＨＩＥ", "email": "c@club.example"}
    page = person.comes("?next=/me/names/")
    assert "You are logged in at Club" in page.text and 'value="CHIE"' in page.text
    asked = provider.asked[-1]
    assert set(asked["scope"].split()) == {"openid", "profile"}
    assert asked["code_challenge_method"] == "S256"
    assert "already an account" in person.joins("ａｙａ").text
    assert person.joins("chie").url == f"{archive}/me/names/"
    assert person.name == "chie"
    account = person.get("/account/").text
    assert "connected" in account and "club.example" not in account
    again = Person(archive)
    again.comes("?next=https://evil.example/")
    assert again.name == "chie"


def test_an_address_leads_to_no_account(person: Person, provider: Provider) -> None:
    provider.claims = {"sub": "thief", "email": "aya@club.example", "email_verified": True}
    assert "Choose a user name" in person.comes().text
    assert person.name == ""


def test_who_has_an_account_connects_it_and_keeps_a_way_in(
    person: Person, provider: Provider, archive: str
) -> None:
    provider.claims = {"sub": "aya"}
    person.post("/account/login/", login="aya", password="a long word")
    connections = "/account/elsewhere/"
    page = person.post("/account/oidc/site/login/?process=connect", connections)
    assert "Disconnect" not in page.text, "a session may be stolen: the password first"
    person.post("/account/reauthenticate/", "/account/reauthenticate/", password="a long word")
    page = person.post("/account/oidc/site/login/?process=connect", connections)
    assert "Disconnect" in page.text
    again = Person(archive)
    again.comes()
    assert again.name == "aya"
    provider.claims = {"sub": "only"}
    other = Person(archive)
    other.comes()
    other.joins("only")
    number = re.search(r'name="account" value="(\d+)"', other.get(connections).text)
    assert number
    refused = other.post(connections, connections, account=number[1])
    assert "Set a password first" in refused.text
    number = re.search(r'name="account" value="(\d+)"', person.get(connections).text)
    assert number
    assert "No site is connected" in person.post(connections, connections, account=number[1]).text


def test_old_session_without_password_makes_no_token_until_it_logs_in_again(
    person: Person, provider: Provider, runner: Hana, environment: Environment
) -> None:
    provider.claims = {"sub": "dan"}
    person.comes()
    person.joins("dan")
    form = {"name": "laptop", "scopes": "read", "days": "365"}
    assert "hana_" in person.post("/me/tokens/", "/me/tokens/", **form).text
    runner("shell", "--no-imports", "-c", AGE, env=environment)
    refused = person.post("/me/tokens/", "/me/tokens/", **form)
    assert refused.status_code == 403 and "hana_" not in refused.text
    assert 'name="next" value="/me/tokens/"' in refused.text
    field = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', refused.text)
    assert field
    data = {"csrfmiddlewaretoken": field[1], "next": "/me/tokens/"}
    address = f"{person.archive}/account/oidc/site/login/"
    back = person.session.post(address, data=data, headers={"Referer": refused.url}, timeout=60)
    assert back.url == f"{person.archive}/me/tokens/"
    assert "hana_" in person.post("/me/tokens/", "/me/tokens/", **form).text


def test_who_is_connected_to_one_account_is_not_to_another(
    person: Person, provider: Provider, archive: str
) -> None:
    """Not if the other one asks from within, either."""
    provider.claims = {"sub": "one"}
    person.comes()
    person.joins("one")
    connections, again = "/account/elsewhere/", "/account/reauthenticate/"
    ben = Person(archive)
    ben.post("/account/login/", login="ben", password="a long word")
    ben.post(again, again, password="a long word")
    page = ben.post("/account/oidc/site/login/?process=connect", connections)
    assert "This log-in belongs to another account here." in page.text
    assert "No site is connected" in page.text
    back = Person(archive)
    back.comes()
    assert (back.name, ben.name) == ("one", "ben")


def test_a_barred_account_stays_barred(person: Person, provider: Provider) -> None:
    provider.claims = {"sub": "barred"}
    page = person.comes()
    assert page.status_code < 500 and "Choose a user name" not in page.text
    assert person.name == ""


def test_a_closed_account_stays_closed(person: Person, provider: Provider, archive: str) -> None:
    provider.claims = {"sub": "gone"}
    person.comes()
    person.joins("gone")
    person.post("/account/delete/", "/account/delete/", games="withdraw", understood="on")
    assert person.name == ""
    assert "Choose a user name" in Person(archive).comes().text


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("access_denied", "You cancelled the log-in"),
        ("state", "did not confirm who you are"),
        ("token", "did not confirm who you are"),
        ("away", "could not be reached"),
        ("nothing", "could not be reached"),
    ],
)
def test_what_goes_wrong_there_is_a_page_here(
    person: Person, provider: Provider, answer: str, sentence: str
) -> None:
    provider.claims, provider.answer = {"sub": "x"}, answer
    page = person.comes()
    assert sentence in page.text and page.status_code < 500
    assert person.name == ""


@pytest.mark.parametrize("changed", [{"aud": "another"}, {"iss": "https://else"}, {"exp": 1}])
def test_a_wrong_token_logs_nobody_in(
    person: Person, provider: Provider, changed: dict[str, Any]
) -> None:
    provider.claims = {"sub": "x"} | changed
    page = person.comes()
    assert "did not confirm who you are" in page.text and page.status_code < 500
    assert person.name == ""


@pytest.mark.parametrize(
    ("locale", "width", "log_in", "button"),
    [
        ("ja-JP", 390, "Club でログイン", "アカウントを作る"),
        ("en-US", 1280, "Log in with Club", "Create"),
    ],
)
def test_in_a_browser(
    chromium: Browser,
    archive: str,
    provider: Provider,
    locale: str,
    width: int,
    log_in: str,
    button: str,
) -> None:
    """The policy of the page lets the form lead to the other site."""
    provider.claims, provider.answer = {"sub": locale}, "code"
    context = chromium.new_context(locale=locale, viewport={"width": width, "height": 800})
    page = context.new_page()
    page.goto(f"{archive}/account/login/")
    page.get_by_role("button", name=log_in).click()
    page.locator("[name=username]").fill(f"of-{locale}")
    page.locator("main [type=submit]").click()
    page.wait_for_url("**/me/")
    page.goto(f"{archive}/account/")
    expect(page.locator("main")).to_contain_text(f"of-{locale}")
    expect(page.locator("main")).to_contain_text("Club")
    context.close()


def test_nothing_is_there_where_none_is_named(
    hana: Hana, hana_env: Callable[..., Environment], tmp_path: Path
) -> None:
    env = hana_env()
    person = Person(f"http://127.0.0.1:{hana.web(env)[1]}")
    assert "oidc" not in person.get("/account/login/").text
    assert person.get("/account/oidc/site/login/").status_code == 404


@pytest.mark.parametrize(
    ("left_out", "changed", "expected"),
    [
        ("HANA_OPENID_SECRET", {}, "HANA_OPENID_SECRET: not set"),
        ("", {"HANA_OPENID_ISSUER": "http://club.example"}, "expected an address such as https"),
    ],
)
def test_half_of_it_is_refused_at_the_start(
    hana: Hana,
    hana_env: Callable[..., Environment],
    provider: Provider,
    left_out: str,
    changed: dict[str, str],
    expected: str,
) -> None:
    variables = {name: v for name, v in provider.variables.items() if name != left_out} | changed
    done = hana("check", env=hana_env(**variables), status=1)
    assert expected in done.stderr and "a secret" not in done.stderr
