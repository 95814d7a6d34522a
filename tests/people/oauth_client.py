"""An application of OAuth 2, as tests use it: addresses, PKCE, and a user's consent."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from django.test import Client
from django.urls import reverse

from people import applications
from people.views.applications import DEVICE_GRANT
from tests.people.world import reauthenticate, session

BACK: Final = "https://app.test/back"
#: The example of RFC 7636.
VERIFIER: Final = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
CHALLENGE: Final = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


class OAuthClient:
    """A registered application."""

    def __init__(self, maker: Any, name: str = "Koi app", back: str = BACK) -> None:
        self.application = applications.register(maker, name, [back])
        self.id = self.application.client_id

    def query(self, **fields: str) -> dict[str, str]:
        """Return the query of the consent page."""
        return {
            "response_type": "code",
            "client_id": self.id,
            "redirect_uri": BACK,
            "scope": "read upload",
            "state": "s1",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            **fields,
        }

    def ask(self, browser: Client, **fields: str) -> Any:
        """Return the consent page in a browser."""
        return browser.get(reverse("authorize"), self.query(**fields))

    def get_code(self, user: Any, **fields: str) -> str:
        """Return the code that a consenting user brings back."""
        browser = session(user)
        reauthenticate(browser)
        return returned(answer(browser, self.ask(browser, **fields)))["code"]

    def redeem(self, code: str, **fields: str) -> Any:
        """Return the response to a code."""
        return self.post(
            "oauth_token",
            grant_type="authorization_code",
            code=code,
            redirect_uri=BACK,
            code_verifier=VERIFIER,
            **fields,
        )

    def refresh(self, tokens: dict[str, Any]) -> Any:
        """Return the response to a refresh token."""
        text = tokens["refresh_token"]
        return self.post("oauth_token", grant_type="refresh_token", refresh_token=text)

    def connect(self, user: Any, scope: str = "read upload") -> dict[str, Any]:
        """Return the tokens for the account of a consenting user."""
        tokens: dict[str, Any] = self.redeem(self.get_code(user, scope=scope)).json()
        return tokens

    def post(self, name: str, **fields: str) -> Any:
        """Return the response of an endpoint."""
        return Client().post(
            reverse(name),
            "&".join(f"{key}={value}" for key, value in ({"client_id": self.id} | fields).items()),
            content_type="application/x-www-form-urlencoded",
            headers={"Origin": "https://app.test"},
        )


def answer(browser: Client, page: Any, **changed: str) -> Any:
    """Return the response to the form of a consent page, allowed unless ``allow`` is empty."""
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.content.decode())
    return browser.post(page.request["PATH_INFO"], dict(fields) | {"allow": "true"} | changed)


def returned(response: Any) -> dict[str, str]:
    """Return the query with which a browser is sent back to the application."""
    address = urlsplit(response["Location"])
    assert f"{address.scheme}://{address.netloc}{address.path}" == BACK
    return {name: values[0] for name, values in parse_qs(address.query).items()}


def call(text: str, name: str = "api:me") -> Any:
    """Return a response of the API to a token."""
    return Client().get(reverse(name), headers={"Authorization": f"Bearer {text}"})


def begin(**fields: str) -> dict[str, Any]:
    """Return the codes of a terminal with the command `hana`."""
    body = {"client_id": applications.COMMAND, "scope": "read upload"} | fields
    response = Client().post(
        reverse("oauth_device"),
        "&".join(f"{name}={value}" for name, value in body.items()),
        content_type="application/x-www-form-urlencoded",
    )
    codes: dict[str, Any] = response.json()
    return codes


def poll(codes: dict[str, Any], client: str = applications.COMMAND) -> Any:
    """Return the response to a waiting terminal."""
    fields = {
        "grant_type": DEVICE_GRANT,
        "client_id": client,
        "device_code": codes["device_code"],
    }
    return Client().post(reverse("oauth_token"), fields)


def decide(browser: Client, codes: dict[str, Any], decision: str) -> None:
    """Enter the code of a terminal, and decide."""
    page = browser.post(reverse("connect_device"), {"code": codes["user_code"].lower()})
    assert "<bdi>hana</bdi>" in page.content.decode()
    fields = {"code": codes["user_code"], "decision": decision}
    assert browser.post(reverse("connect_device"), fields).status_code == 302
