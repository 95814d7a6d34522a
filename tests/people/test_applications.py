"""Applications by OAuth 2: registration, consent, tokens, terminals, revocation."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from oauth2_provider.models import AccessToken, Application, DeviceGrant, Grant, RefreshToken

from hanaarchive.logs import logging_config
from people import applications, tokens
from people.accounts import lifecycle
from people.applications import hash_code
from tests.people.oauth_client import (
    BACK,
    CHALLENGE,
    VERIFIER,
    OAuthClient,
    answer,
    begin,
    call,
    decide,
    poll,
    returned,
)
from tests.people.world import PASSWORD, reauthenticate, session, user
from tests.security.hostile import COMMENT

pytestmark = pytest.mark.django_db


@pytest.fixture
def aya(db: None) -> Any:
    """Create a user."""
    return user("aya")


@pytest.fixture
def app(db: None) -> OAuthClient:
    """Register an application of another user."""
    return OAuthClient(user("maker"))


@pytest.fixture
def browser(aya: Any) -> Client:
    """Return a browser in which the user has just entered the password."""
    client = session(aya)
    reauthenticate(client)
    return client


def test_consenting_user_gives_an_application_its_scopes(aya: Any, app: OAuthClient) -> None:
    issued = app.connect(aya)
    assert (issued["expires_in"], issued["scope"]) == (3600, "read upload")
    assert call(issued["access_token"]).json()["scopes"] == ["read", "upload"]
    stored = str(
        [vars(row) for model in (AccessToken, RefreshToken) for row in model.objects.all()]
    )
    assert issued["access_token"] not in stored and issued["refresh_token"] not in stored


def test_consent_page_names_application_scopes_and_address(
    app: OAuthClient, browser: Client
) -> None:
    response = app.ask(browser)
    page = response.content.decode()
    for words in ("<bdi>Koi app</bdi>", "<bdi>maker</bdi>", "private", BACK):
        assert words in page
    assert "form-action 'self' https://app.test;" in response["Content-Security-Policy"]
    assert "no-store" in response["Cache-Control"]
    assert "Access-Control-Allow-Origin" not in response
    assert "admin" not in page


def test_hostile_name_is_escaped_on_the_consent_page(aya: Any, browser: Client) -> None:
    page = OAuthClient(aya, COMMENT).ask(browser).content.decode()
    assert "&lt;x-evil" in page and "<x-evil" not in page


def test_consent_page_cannot_be_skipped(aya: Any, app: OAuthClient, browser: Client) -> None:
    app.connect(aya)
    assert app.ask(browser, approval_prompt="auto").status_code == 200


def test_consent_asks_for_the_password(aya: Any, app: OAuthClient) -> None:
    response = app.ask(session(aya))
    assert response["Location"].startswith(reverse("account_reauthenticate"))


def test_log_in_leads_back_to_the_consent_page(aya: Any, app: OAuthClient) -> None:
    browser = Client()
    log_in = app.ask(browser)["Location"]
    response = browser.post(log_in, {"login": "aya", "password": PASSWORD})
    page = browser.get(response["Location"])
    assert "<bdi>Koi app</bdi>" in page.content.decode()


def test_user_of_another_site_logs_in_there_before_the_consent(aya: Any, app: OAuthClient) -> None:
    aya.set_unusable_password()
    aya.save()
    response = app.ask(session(aya))
    assert response.status_code == 403
    assert f"{reverse('authorize')}?response_type=code&amp;" in response.content.decode()


def test_user_who_refuses_gives_nothing(app: OAuthClient, browser: Client) -> None:
    response = answer(browser, app.ask(browser), allow="")
    back = returned(response)
    assert (back["error"], back["state"]) == ("access_denied", "s1")


def test_application_deleted_before_the_decision_gets_nothing(
    app: OAuthClient, browser: Client
) -> None:
    page = app.ask(browser)
    app.application.delete()
    assert answer(browser, page).status_code == 404


def test_unregistered_redirect_address_gets_nothing(app: OAuthClient, browser: Client) -> None:
    elsewhere = "https://thief.test/back"
    response = app.ask(browser, redirect_uri=elsewhere)
    assert response.status_code == 400
    assert "got nothing from your account" in response.content.decode()
    response = answer(browser, app.ask(browser), redirect_uri=elsewhere)
    assert response.status_code == 400 and "Location" not in response


@pytest.mark.parametrize(
    "fields",
    [
        {"code_challenge": ""},
        {"code_challenge": CHALLENGE + "x" * 200},
        {"code_challenge_method": "plain"},
        {"code_challenge_method": ""},
        {"response_type": "token"},
        {"scope": "read admin"},
        {"scope": "evil"},
    ],
)
def test_unsafe_request_is_refused(
    app: OAuthClient, browser: Client, fields: dict[str, str]
) -> None:
    assert "error" in returned(app.ask(browser, **fields))


@pytest.mark.parametrize("changed", ["code_challenge", "code_challenge_method"])
def test_challenge_removed_from_the_form_is_refused(
    app: OAuthClient, browser: Client, changed: str
) -> None:
    response = answer(browser, app.ask(browser), **{changed: ""})
    assert returned(response)["error"] == "invalid_request"


@pytest.mark.parametrize(
    "address",
    [
        *(f"{BACK}?x=1", f"{BACK}#", f"{BACK};x", f"{BACK}/../x", "https://app.test:444/back"),
        *("https://a@app.test/back", "https://app.test\\@thief.test/back", "//app.test/back"),
        *("javascript:alert(1)//app.test/back", "http://127.0.0.1:abc/local"),
        *("http://127.0.0.1:80;script-src */local", "http://127.0.0.1:1@thief.test/local"),
        *("http://localhost:8080/local", "http://[::1]/local"),
    ],
)
def test_address_like_a_registered_one_gets_nothing(
    aya: Any, browser: Client, address: str
) -> None:
    app = OAuthClient(aya, back=f"{BACK} http://127.0.0.1/local")
    assert app.ask(browser, redirect_uri=address).status_code == 400


def test_program_on_the_own_computer_chooses_its_port(aya: Any, browser: Client) -> None:
    """RFC 8252, section 7.3."""
    app = OAuthClient(aya, back="http://127.0.0.1/local")
    response = answer(browser, app.ask(browser, redirect_uri="http://127.0.0.1:49152/local"))
    assert response["Location"].startswith("http://127.0.0.1:49152/local?code=")


def test_consent_is_neither_framed_nor_posted_by_another_site(
    app: OAuthClient, browser: Client
) -> None:
    page = app.ask(browser)
    assert "frame-ancestors 'none'" in page["Content-Security-Policy"]
    assert page["X-Frame-Options"] == "DENY"
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = browser.cookies
    assert strict.post(reverse("authorize"), app.query(allow="true")).status_code == 403
    form = {"code": begin()["user_code"], "decision": "allow"}
    assert strict.post(reverse("connect_device"), form).status_code == 403


def test_scope_added_to_the_form_is_refused(app: OAuthClient, browser: Client) -> None:
    response = answer(browser, app.ask(browser), scope="read admin")
    assert returned(response)["error"] == "invalid_scope"


def test_code_is_valid_once_for_its_application(aya: Any, app: OAuthClient) -> None:
    code = app.get_code(aya)
    assert OAuthClient(aya, "other").redeem(code).json()["error"] == "invalid_grant"
    assert app.redeem(code).status_code == 200
    assert app.redeem(code).json()["error"] == "invalid_grant"


@pytest.mark.parametrize("verifier", [{}, {"code_verifier": ""}, {"code_verifier": CHALLENGE}])
def test_code_without_its_verifier_is_refused(
    aya: Any, app: OAuthClient, verifier: dict[str, str]
) -> None:
    fields = {"code": app.get_code(aya), "redirect_uri": BACK, **verifier}
    response = app.post("oauth_token", grant_type="authorization_code", **fields)
    assert response.json()["error"] in ("invalid_grant", "invalid_request")


@pytest.mark.parametrize("scope", ["read+upload", "admin", "read+admin"])
def test_scope_added_to_a_refresh_is_refused(aya: Any, app: OAuthClient, scope: str) -> None:
    text = app.connect(aya, scope="read")["refresh_token"]
    fields = {"refresh_token": text, "scope": scope}
    response = app.post("oauth_token", grant_type="refresh_token", **fields)
    assert response.json()["error"] == "invalid_scope"


def test_errors_of_endpoints_are_no_pages(aya: Any, app: OAuthClient) -> None:
    """A page of another site may post a form whose values the error repeats."""
    response = app.redeem(app.get_code(aya), resource="<script>")
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")
    for name in ("oauth_token", "oauth_device", "oauth_revoke"):
        response = app.post(name, grant_type="<b>", token="<b>", scope="<b>")
        assert not response.content or response["Content-Type"] == "application/json", name


def test_codes_in_the_address_are_refused(aya: Any, app: OAuthClient) -> None:
    code = hash_code(app.get_code(aya))
    address = f"{reverse('oauth_token')}?code={code}"
    fields = {"grant_type": "authorization_code", "client_id": app.id, "code_verifier": VERIFIER}
    assert Client().post(address, fields).json()["error"] == "invalid_request"


@pytest.mark.parametrize("grant", ["password", "client_credentials", "implicit", "", "%00"])
def test_other_grants_are_refused(app: OAuthClient, grant: str) -> None:
    fields = {"username": "aya", "password": "x", "device_code": "x"}
    response = app.post("oauth_token", grant_type=grant, **fields)
    assert response.status_code in (400, 401)
    assert response["Cache-Control"] == "private, no-store"


def test_refresh_token_works_once_and_its_reuse_ends_the_access(aya: Any, app: OAuthClient) -> None:
    first = app.connect(aya)
    second = app.refresh(first).json()
    assert call(second["access_token"]).status_code == 200
    assert call(first["access_token"]).status_code == 401
    assert OAuthClient(aya, "other").refresh(second).json()["error"] == "invalid_grant"
    assert app.refresh(first).json()["error"] == "invalid_grant"
    assert call(second["access_token"]).status_code == 401
    assert app.refresh(second).json()["error"] == "invalid_grant"


def test_expired_token_is_refused_until_refreshed(aya: Any, app: OAuthClient) -> None:
    issued = app.connect(aya)
    AccessToken.objects.update(expires=timezone.now() - timedelta(seconds=1))
    response = call(issued["access_token"])
    assert response.status_code == 401
    assert response["WWW-Authenticate"] == 'Bearer realm="HanaArchive", error="invalid_token"'
    assert call(app.refresh(issued).json()["access_token"]).status_code == 200


def test_unused_access_ends_and_is_tidied_up(aya: Any, app: OAuthClient) -> None:
    issued = app.connect(aya)
    AccessToken.objects.update(expires=timezone.now() - timedelta(days=91))
    assert app.refresh(issued).json()["error"] == "invalid_grant"
    assert applications.list_access(aya) == []
    applications.tidy()
    assert not AccessToken.objects.exists() and not RefreshToken.objects.exists()


def test_application_cannot_exceed_its_scope(aya: Any, app: OAuthClient) -> None:
    text = app.connect(aya, scope="read")["access_token"]
    headers = {"Authorization": f"Bearer {text}"}
    response = Client().post(reverse("api:uploads"), {}, headers=headers)
    assert response.status_code == 403
    assert 'error="insufficient_scope", scope="upload"' in response["WWW-Authenticate"]


def test_application_of_staff_has_no_rights_of_staff(app: OAuthClient) -> None:
    text = app.connect(user("boss", staff=True))["access_token"]
    assert call(text).json()["scopes"] == ["read", "upload"]


def test_user_ends_the_access_of_one_application(aya: Any, app: OAuthClient) -> None:
    other = OAuthClient(aya, "Other app").connect(aya)
    issued = app.connect(aya)
    browser = session(aya)
    assert "Koi app" in browser.get(reverse("applications")).content.decode()
    page = browser.post(reverse("revoke_access", args=[app.id]), follow=True).content.decode()
    assert "<bdi>Koi app</bdi>" not in page
    assert call(issued["access_token"]).status_code == 401
    assert app.refresh(issued).status_code == 400
    assert call(other["access_token"]).status_code == 200


def test_application_revokes_its_own_tokens_only(aya: Any, app: OAuthClient) -> None:
    issued = app.connect(aya)
    OAuthClient(aya, "other").post("oauth_revoke", token=issued["refresh_token"])
    assert call(issued["access_token"]).status_code == 200
    assert app.post("oauth_revoke", token=issued["refresh_token"]).status_code == 200
    assert call(issued["access_token"]).status_code == 401


def test_closed_account_ends_access_and_its_applications(aya: Any, app: OAuthClient) -> None:
    own = OAuthClient(aya, "own").connect(user("ben"))
    issued = app.connect(aya)
    lifecycle.close(aya, withdraw=False)
    assert call(issued["access_token"]).status_code == 401
    assert app.refresh(issued).json()["error"] == "invalid_grant"
    assert call(own["access_token"]).status_code == 401
    assert not Application.objects.filter(user=aya).exists()


def test_locked_account_gives_applications_no_access(
    aya: Any, app: OAuthClient, browser: Client
) -> None:
    issued, code, codes = app.connect(aya), app.get_code(aya), begin()
    decide(browser, codes, "allow")
    aya.is_active = False
    aya.save()
    assert call(issued["access_token"]).status_code == 401
    for response in (app.refresh(issued), app.redeem(code), poll(codes)):
        assert response.json()["error"] == "invalid_grant"


def test_reset_password_ends_the_access_of_applications(aya: Any, app: OAuthClient) -> None:
    issued = app.connect(aya)
    assert tokens.has_programs(aya)
    lifecycle.apply_new_password(aya, revoke=True)
    assert not tokens.has_programs(aya)
    assert call(issued["access_token"]).status_code == 401


def test_pages_of_other_sites_may_use_the_endpoints(aya: Any, app: OAuthClient) -> None:
    response = app.redeem(app.get_code(aya))
    assert response["Access-Control-Allow-Origin"] == "*"
    metadata = Client().get("/.well-known/oauth-authorization-server", headers={"Origin": BACK})
    assert metadata["Access-Control-Allow-Origin"] == "*"
    assert metadata.json()["code_challenge_methods_supported"] == ["S256"]


def test_issuer_of_a_code_is_the_address_of_the_site(app: OAuthClient, browser: Client) -> None:
    metadata = browser.get(reverse("oauth_metadata")).json()
    assert returned(answer(browser, app.ask(browser)))["iss"] == metadata["issuer"]


# Registration


def register(browser: Client, **fields: str) -> str:
    """Return the page after registering an application."""
    form = {"name": "Koi app", "redirect_uris": BACK} | fields
    return browser.post(reverse("applications"), form, follow=True).content.decode()


def test_user_registers_and_deletes_an_application(aya: Any) -> None:
    browser = session(aya)
    page = register(browser, redirect_uris=f"{BACK}\nhttp://127.0.0.1/back")
    application = Application.objects.get(user=aya)
    assert application.client_id in page
    assert application.redirect_uris.split() == [BACK, "http://127.0.0.1/back"]
    assert application.client_type == Application.CLIENT_PUBLIC
    path = reverse("delete_application", args=[application.client_id])
    assert session(user("ben")).post(path).status_code == 404
    browser.post(path)
    assert not Application.objects.filter(user=aya).exists()


@pytest.mark.parametrize(
    "address",
    [
        *("http://app.test/back", "javascript:alert(1)", "https://app.test/#x", "app.test"),
        *("https://a@app.test/", "//app.test", "https://*.test/", "http://[::1/"),
    ],
)
def test_unsafe_redirect_address_is_not_registered(aya: Any, address: str) -> None:
    assert 'class="errorlist"' in register(session(aya), redirect_uris=address)
    assert not Application.objects.exists()


def test_application_over_the_limit_is_refused(aya: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(applications, "MAX_APPLICATIONS", 1)
    register(session(aya))
    assert "the most that an account can have" in register(session(aya), name="second")
    assert Application.objects.count() == 1


# Terminals


def test_allowed_terminal_gets_tokens_once(browser: Client) -> None:
    codes = begin()
    assert codes["verification_uri"].endswith(reverse("connect_device"))
    assert codes["user_code"] in browser.get(codes["verification_uri_complete"]).content.decode()
    assert poll(codes).json()["error"] == "authorization_pending"
    decide(browser, codes, "allow")
    issued = poll(codes).json()
    assert call(issued["access_token"]).json()["name"] == "aya"
    assert issued["refresh_token"].startswith(applications.REFRESH_MARK)
    assert poll(codes).json()["error"] == "invalid_grant"


def test_terminal_that_asks_too_often_is_told_to_slow_down(browser: Client) -> None:
    codes = begin()
    errors = [poll(codes).json()["error"] for _ in range(3)]
    assert errors == ["authorization_pending", "slow_down", "slow_down"]
    grant = DeviceGrant.objects.get()
    assert grant.interval == codes["interval"] + 2 * 5
    for seconds, error in ((14, "slow_down"), (21, "authorization_pending")):
        DeviceGrant.objects.update(last_checked=timezone.now() - timedelta(seconds=seconds))
        assert poll(codes).json()["error"] == error
    decide(browser, codes, "allow")
    assert poll(codes).status_code == 200, "a decision is told at any time"


def test_codes_are_stored_as_hashes_only(aya: Any, app: OAuthClient, browser: Client) -> None:
    codes, code = begin(), app.get_code(aya)
    stored = str([vars(row) for model in (Grant, DeviceGrant) for row in model.objects.all()])
    assert hash_code(code) in stored and hash_code(codes["user_code"]) in stored
    for text in (code, codes["device_code"], codes["user_code"]):
        assert text not in stored
        fields = {"code": hash_code(text), "device_code": hash_code(text)}
        assert app.redeem(fields["code"]).status_code == 400, "a stolen hash is no code"
        assert poll(fields).json()["error"] == "invalid_grant"


def test_refused_or_late_terminal_gets_nothing(browser: Client) -> None:
    codes = begin()
    decide(browser, codes, "refuse")
    assert poll(codes).json()["error"] == "access_denied"
    codes = begin()
    decide(browser, codes, "allow")
    DeviceGrant.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert poll(codes).json()["error"] == "expired_token"
    applications.tidy()
    assert not DeviceGrant.objects.exists()


def test_reset_password_ends_an_allowed_code(aya: Any, browser: Client) -> None:
    codes = begin()
    decide(browser, codes, "allow")
    tokens.revoke_all(aya)
    assert poll(codes).json()["error"] == "invalid_grant"


def test_code_of_a_terminal_is_for_its_client(aya: Any, browser: Client) -> None:
    codes = begin()
    decide(browser, codes, "allow")
    other = applications.register(aya, "other", [])
    assert poll(codes, other.client_id).json()["error"] == "invalid_grant"
    assert poll(codes).status_code == 200


def test_application_with_pages_gets_no_code_of_terminals(app: OAuthClient) -> None:
    assert begin(client_id=app.id) == {"error": "unauthorized_client"}
    assert not DeviceGrant.objects.exists()


def test_unreadable_value_is_refused_everywhere(app: OAuthClient, browser: Client) -> None:
    for name in ("oauth_token", "oauth_device", "oauth_revoke"):
        assert app.post(name, client_id="%00").status_code == 400
        header = {"Authorization": "Basic é"}
        assert Client().post(reverse(name), headers=header).status_code == 400
    assert app.ask(browser, client_id="\0").status_code == 400


@pytest.mark.parametrize("fields", [{"scope": "admin"}, {"client_id": "nobody"}])
def test_terminal_with_an_invalid_request_gets_no_code(fields: dict[str, str]) -> None:
    assert "error" in begin(**fields)
    assert not DeviceGrant.objects.exists()


def test_wrong_code_is_told_and_guesses_are_limited(browser: Client) -> None:
    form = {"code": "BBBB-BBBB", "decision": "allow"}
    page = browser.post(reverse("connect_device"), form)
    assert "No program waits for this code" in page.content.decode()
    statuses = {browser.post(reverse("connect_device"), form).status_code for _ in range(10)}
    assert 429 in statuses


def test_lines_of_the_libraries_are_not_logged_in_detail() -> None:
    loggers = logging_config(json=True, level="DEBUG", routine_level="DEBUG")["loggers"]
    assert {loggers[name]["level"] for name in ("oauthlib", "oauth2_provider")} == {"WARNING"}
