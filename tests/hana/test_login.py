"""`hana login`: the code, the stored tokens, their refresh, and `hana logout`."""

from __future__ import annotations

import json
import stat
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import requests

from hana.cli import main
from hana.login import Login
from hana.state import Failed, state_folder
from tests.conftest import Environment, Hana
from tests.records.makers import text

Capture = pytest.CaptureFixture[str]

MAKE_USER = """
from django.contrib.auth import get_user_model
get_user_model().objects.get_or_create(username="aya")
"""
DECIDE = """
import time
from django.contrib.auth import get_user_model
from oauth2_provider.models import DeviceGrant
user = get_user_model().objects.get(username="aya")
while not DeviceGrant.objects.filter(status="authorization-pending").update(user=user, status="{}"):
    time.sleep(0.1)
"""


@pytest.fixture(scope="module")
def account(archive_env: Environment) -> Environment:
    """Return the environment of the archive, with an account."""
    Hana()("shell", "--command", MAKE_USER, env=archive_env)
    return archive_env


def log_in(address: str, env: Environment, monkeypatch: pytest.MonkeyPatch, status: str) -> int:
    """Run `hana login` while the user decides; return the exit status."""
    monkeypatch.setattr("hana.login.time.sleep", lambda _seconds: threading.Event().wait(0.2))
    with ThreadPoolExecutor() as pool:
        decision = pool.submit(Hana(), "shell", "--command", DECIDE.format(status), env=env)
        code = main(["--server", address, "login"])
        decision.result()
    return code


def stored() -> Path:
    """Return the only file of a log-in."""
    (file,) = state_folder().glob("login-*")
    return file


def expire(file: Path) -> dict[str, Any]:
    """Let the stored access token end; return the tokens."""
    tokens: dict[str, Any] = json.loads(file.read_text())
    file.write_text(json.dumps(tokens | {"expires": time.time()}))
    return tokens


def test_log_in_stores_tokens_that_are_refreshed_and_revoked(
    address: str,
    account: Environment,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: Capture,
) -> None:
    assert log_in(address, account, monkeypatch, "authorized") == 0
    out = capsys.readouterr().out
    assert "/me/device/ and enter the code " in out and "Logged in as aya." in out
    file = stored()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    path = tmp_path / "year.kafu"
    path.write_text(text(1))
    arguments = ["--server", address, "upload", "--visibility", "private", str(path)]
    assert main(arguments) == 0
    tokens = expire(file)
    assert main(arguments) == 0
    assert json.loads(file.read_text())["refresh_token"] != tokens["refresh_token"]
    expire(file)
    logins = [Login(address) for _ in range(4)]
    with ThreadPoolExecutor() as pool:
        texts = set(pool.map(Login.token, logins))
    assert len(texts) == 1, "one of the processes refreshes, and the others wait"
    headers = {"Authorization": f"Bearer {texts.pop()}"}
    assert requests.get(f"{address}/api/v1/me", headers=headers, timeout=60).ok
    assert main(["--server", address, "logout"]) == 0
    assert not list(state_folder().glob("login-*"))
    assert requests.get(f"{address}/api/v1/me", headers=headers, timeout=60).status_code == 401
    assert main(["--server", address, "logout"]) == 0
    assert capsys.readouterr().out.endswith("You were not logged in.\n")


def test_refused_log_in_stores_nothing(
    address: str, account: Environment, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert log_in(address, account, monkeypatch, "denied") == 2
    assert "the log-in was refused" in capsys.readouterr().err
    assert not state_folder().exists()


def test_revoked_log_in_is_told_and_forgotten(address: str) -> None:
    login = Login(address)
    login._write({"access_token": "a", "refresh_token": "b", "expires_in": 0})
    with pytest.raises(Failed, match="hana login"):
        login.token()
    assert login.token() == ""


def test_log_in_survives_a_server_that_is_away() -> None:
    login = Login("http://127.0.0.1:9")
    login._write({"access_token": "a", "refresh_token": "b", "expires_in": 0})
    with pytest.raises(requests.ConnectionError):
        login.token()
    assert stored() == login.file
    assert main(["--server", "http://127.0.0.1:9", "login"]) == 2
