"""Log-in through another site by OpenID Connect, with a real provider."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
import requests
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page
from pytest_django import Settings

from hanaarchive import environment
from lengths import part
from tests.conftest import Environment, Hana
from tests.markup import join_lines
from tests.people.openid_site import CLIENT, Provider
from tests.people.world import PASSWORD, confirmed, user

CONNECTIONS = "/account/elsewhere/"
TOKENS = "/me/tokens/"


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    """Start the other site."""
    server = Provider()
    yield server
    server.shutdown()
    server.server_close()


class Person:
    """A person's browser, which can log in at the other site."""

    def __init__(self) -> None:
        self.client = Client()

    def get(self, path: str) -> Any:
        """Return a page."""
        return self.client.get(path, follow=True)

    def post(self, path: str, **fields: str) -> Any:
        """Send a form, and return the resulting page."""
        return self.follow(self.client.post(path, fields))

    def follow(self, response: Any) -> Any:
        """Follow redirects, including one to the other site and back."""
        while response.status_code == 302:
            address = response["Location"]
            if not address.startswith("/"):
                visit = requests.get(address, allow_redirects=False, timeout=60)
                address = visit.headers["Location"].removeprefix("http://testserver")
            response = self.client.get(address)
        return response

    def log_in(self, query: str = "") -> Any:
        """Log in at the other site."""
        return self.post(f"/account/oidc/site/login/{query}")

    def connect(self) -> Any:
        """Connect the account of the logged-in user to the other site."""
        return self.log_in("?process=connect")

    def choose_name(self, name: str) -> Any:
        """Submit a user name."""
        return self.post("/account/elsewhere/signup/", username=name)

    def reauthenticate(self) -> None:
        """Enter the password again."""
        self.post("/account/reauthenticate/", password=PASSWORD)

    def disconnect(self) -> Any:
        """Send the form that disconnects the account from the other site."""
        number = re.search(r'name="account" value="(\d+)"', body(self.get(CONNECTIONS)))
        assert number
        return self.post(CONNECTIONS, account=number[1])

    @property
    def name(self) -> str:
        """Return the user name of the logged-in user, or an empty text."""
        page = join_lines(body(self.get("/account/")))
        match = re.search(r"<dt>User name</dt><dd><bdi>(.+?)</bdi>", page)
        return match[1] if match else ""


def body(response: Any) -> str:
    """Return the text of a response."""
    text: str = response.content.decode()
    return text


def sign_up(provider: Provider, name: str) -> Person:
    """Return the browser of a new account, created by a log-in at the other site."""
    provider.claims = {"sub": name}
    person = Person()
    person.log_in()
    person.choose_name(name)
    assert person.name == name
    return person


@pytest.fixture
def person(db: None, provider: Provider, settings: Settings) -> Person:
    """Return a browser of an archive with log-in through the other site."""
    provider.outcome = "code"
    settings.OPENID = {"name": "Club", "issuer": provider.issuer, **CLIENT}
    configuration = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]
    application = {
        "provider_id": settings.OPENID_ID,
        "name": "Club",
        **CLIENT,
        "settings": {"server_url": provider.issuer, "fetch_userinfo": False},
    }
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": configuration | {"APPS": [application]}}
    return Person()


def test_new_person_chooses_a_name_and_comes_back(person: Person, provider: Provider) -> None:
    user("aya")
    provider.claims = {"sub": "chie", "preferred_username": "ＣＨＩＥ", "email": "c@club.example"}
    policy = person.get("/account/login/")["Content-Security-Policy"]
    assert f"; form-action 'self' {provider.issuer.rstrip('/')}; " in policy
    page = body(person.log_in("?next=/me/names/"))
    assert "You are logged in at Club" in page and 'value="CHIE"' in page
    query = provider.queries[-1]
    assert set(query["scope"].split()) == {"openid", "profile"}
    assert query["code_challenge_method"] == "S256"
    assert "already an account" in body(person.choose_name("ａｙａ"))
    assert person.choose_name("chie").wsgi_request.path == "/me/names/"
    assert person.name == "chie"
    account = body(person.get("/account/"))
    assert "connected" in account and "club.example" not in account
    returning = Person()
    assert returning.log_in("?next=https://evil.example/").wsgi_request.path == "/me/"
    assert returning.name == "chie"


def test_query_of_the_log_in_address_changes_no_parameter_of_the_request(
    person: Person, provider: Provider
) -> None:
    provider.claims = {"sub": "chie"}
    foreign = "client_id=x&redirect_uri=https://evil.example/&response_type=token&state=s&prompt=y"
    person.log_in(f"?{urlencode({'auth_params': foreign, 'scope': 'email,offline_access'})}")
    query = provider.queries[-1]
    assert set(query) == {
        *("client_id", "redirect_uri", "response_type", "scope", "state", "nonce"),
        *("code_challenge", "code_challenge_method"),
    }
    assert (query["client_id"], query["response_type"]) == ("archive", "code")
    assert query["redirect_uri"] == "http://testserver/account/oidc/site/login/callback/"
    assert set(query["scope"].split()) == {"openid", "profile"} and query["state"] != "s"


def test_each_log_in_has_its_own_nonce(person: Person, provider: Provider) -> None:
    provider.claims = {"sub": "chie"}
    for _ in range(2):
        person.log_in()
    first, second = (query["nonce"] for query in provider.queries[-2:])
    assert first != second and len(first) > 20


def test_email_address_of_an_account_does_not_log_in_to_it(
    person: Person, provider: Provider
) -> None:
    confirmed("aya", "aya@club.example")
    provider.claims = {"sub": "thief", "email": "aya@club.example", "email_verified": True}
    assert "Choose a user name" in body(person.log_in())
    assert person.name == ""
    assert EmailAddress.objects.get().user.get_username() == "aya"


def test_account_is_connected_after_its_password_and_keeps_a_way_in(
    person: Person, provider: Provider
) -> None:
    user("aya")
    provider.claims = {"sub": "aya"}
    person.post("/account/login/", login="aya", password=PASSWORD)
    person.connect()
    assert not SocialAccount.objects.exists(), "a session may be stolen: the password first"
    person.reauthenticate()
    assert "Disconnect" in body(person.connect())
    returning = Person()
    returning.log_in()
    assert returning.name == "aya"
    assert "No site is connected" in body(person.disconnect())
    without_password = sign_up(provider, "only")
    assert "Set a password first" in body(without_password.disconnect())


@pytest.mark.long_only  # tests/security/test_confirmation.py
def test_old_session_without_password_makes_no_token_until_it_logs_in_again(
    person: Person, provider: Provider
) -> None:
    person = sign_up(provider, "dan")
    form = {"name": "laptop", "scopes": "read", "days": "365"}
    assert "hana_" in body(person.post(TOKENS, **form))
    session = person.client.session
    for record in session["account_authentication_methods"]:
        record["at"] -= 3600
    session.save()
    refused = person.post(TOKENS, **form)
    assert refused.status_code == 403 and "hana_" not in body(refused)
    assert f'name="next" value="{TOKENS}"' in body(refused)
    again = person.post("/account/oidc/site/login/", next=TOKENS)
    assert again.wsgi_request.path == TOKENS
    assert "hana_" in body(person.post(TOKENS, **form))


def test_login_that_belongs_to_another_account_is_not_connected(
    person: Person, provider: Provider
) -> None:
    sign_up(provider, "chie")
    user("ben")
    person.post("/account/login/", login="ben", password=PASSWORD)
    person.reauthenticate()
    page = body(person.connect())
    assert "This log-in belongs to another account here." in page
    assert "No site is connected" in page
    returning = Person()
    returning.log_in()
    assert (returning.name, person.name) == ("chie", "ben")


def test_inactive_account_is_not_logged_in(person: Person, provider: Provider) -> None:
    barred = user("barred")
    barred.is_active = False
    barred.save()
    SocialAccount.objects.create(user=barred, provider="site", uid="barred")
    provider.claims = {"sub": "barred"}
    page = person.log_in()
    assert page.status_code < 500 and "Choose a user name" not in body(page)
    assert person.name == ""


def test_closed_account_is_not_opened_again(person: Person, provider: Provider) -> None:
    leaver = sign_up(provider, "gone")
    leaver.post("/account/delete/", games="withdraw", understood="on")
    assert leaver.name == ""
    assert "Choose a user name" in body(person.log_in())


@pytest.mark.parametrize(
    ("outcome", "claims", "sentence"),
    [
        ("access_denied", {}, "You cancelled the log-in"),
        ("state", {}, "did not confirm who you are"),
        ("token", {}, "did not confirm who you are"),
        ("away", {}, "could not be reached"),
        ("nothing", {}, "could not be reached"),
        ("code", {"aud": "another"}, "did not confirm who you are"),
        ("code", {"iss": "https://else"}, "did not confirm who you are"),
        ("code", {"exp": 1}, "did not confirm who you are"),
        ("unsigned", {}, "did not confirm who you are"),
        ("no token", {}, "did not confirm who you are"),
        *(
            ("code", claims, "did not confirm who you are")
            for claims in (
                *(
                    {"sub": subject}
                    for subject in part([None, 7, "", "x" * 5000, {"id": 1}, "a\0b"])
                ),
                *({"nonce": None}, {"nonce": "of another log-in"}),
                *({"iat": 4e9}, {"iat": "now"}, {"nbf": 4e9}, {"azp": "another"}),
            )
        ),
    ],
)
def test_fault_of_the_other_site_is_explained_and_logs_nobody_in(
    person: Person, provider: Provider, outcome: str, claims: dict[str, Any], sentence: str
) -> None:
    provider.claims, provider.outcome = {"sub": "x"} | claims, outcome
    page = person.log_in()
    assert sentence in body(page) and page.status_code < 500
    assert person.name == ""


def test_log_in_elsewhere_is_absent_without_a_provider(db: None) -> None:
    assert "oidc" not in body(Client().get(reverse("account_login")))
    assert Client().get("/account/oidc/site/login/").status_code == 404


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"HANA_OPENID_SECRET": ""}, "HANA_OPENID_SECRET: not set"),
        ({"HANA_OPENID_ISSUER": "http://club.example"}, "expected an address such as https"),
    ],
)
def test_incomplete_configuration_is_refused_without_its_secret(
    provider: Provider, changes: dict[str, str], expected: str
) -> None:
    with pytest.raises(ImproperlyConfigured, match=expected) as refusal:
        environment.openid(environment.read(provider.variables | changes))
    assert CLIENT["secret"] not in str(refusal.value)


@pytest.mark.long_only  # the first test checks the policy that a browser obeys
def test_browser_follows_the_form_to_the_other_site_and_back(
    page: Page, hana: Hana, hana_env: Callable[..., Environment], provider: Provider
) -> None:
    """The Content-Security-Policy must allow the form to redirect to the other site.

    The environment names that site.
    """
    provider.claims, provider.outcome = {"sub": "emi"}, "code"
    archive = f"http://127.0.0.1:{hana.web(hana_env(**provider.variables))[1]}"
    page.goto(f"{archive}/account/login/")
    page.get_by_role("button", name="Log in with Club").click()
    page.locator("[name=username]").fill("emi")
    page.locator("main [type=submit]").click()
    page.wait_for_url("**/me/")
