"""`hana login`, `hana tokens`: a token is stored for one server."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from hana import account
from hana.cli import main
from tests.conftest import Environment, Hana

Capture = pytest.CaptureFixture[str]
MAKE = """
from django.contrib.auth import get_user_model
from people import tokens
user = get_user_model().objects.create_user("client")
print("TOKEN" + tokens.create_token(owner=user, name="client", scopes=["read"])[1])
"""


def test_valid_token_is_stored_for_its_server_only(
    address: str,
    archive_env: Environment,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    printed = Hana()("shell", "--command", MAKE, env=archive_env).stdout
    token = printed.partition("TOKEN")[2].split()[0]
    monkeypatch.setattr("sys.stdin", io.StringIO("hana_wrong\n"))
    assert main(["--server", address, "login"]) == 2
    assert f"{address}/me/tokens/" in capsys.readouterr().err
    assert account.token_for(address) == ""
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{token}\n"))
    assert main(["--server", address, "login"]) == 0
    assert "client (read)" in capsys.readouterr().out
    stored = tmp_path / "config" / "tokens.json"
    assert json.loads(stored.read_text()) == {address: token}
    assert stored.stat().st_mode & 0o077 == 0
    assert main(["--server", address, "tokens"]) == 0
    assert "client (read)" in capsys.readouterr().out
    assert account.token_for("http://127.0.0.1:1") == "", "no other server's"
    assert main(["--server", address, "list", "--mine"]) == 0
    assert main(["--server", address, "login", "--forget"]) == 0
    assert main(["--server", address, "tokens"]) == 2, "without one"


def test_login_opens_the_page_of_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("getpass.getpass", lambda prompt: "")
    assert main(["--server", "https://hana.example", "login"]) == 2
    assert opened == ["https://hana.example/me/tokens/"]
