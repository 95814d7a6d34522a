"""`hana login`, `hana tokens`: a token that is kept for a server, and what it permits."""

from __future__ import annotations

import getpass
import json
import os
import sys
import webbrowser
from pathlib import Path

from hana.errors import Failed
from hana.server import Server

TOKENS = "/me/tokens/"


def login(server: Server) -> str:
    """Open the page of tokens in a browser, ask for one, try it, keep it; a line about it.

    Raises :class:`Failed` for a token that the server refuses.
    """
    page = server.url(TOKENS)
    print(f"Create a token at {page} and paste it here.", file=sys.stderr)
    if sys.stdin.isatty():
        webbrowser.open(page)
        token = getpass.getpass("Token: ").strip()
    else:
        token = sys.stdin.readline().strip()
    if not token:
        raise Failed("no token was given")
    permits = describe(Server(server.address, token))
    _write({**_read(), server.address: token})
    return permits


def logout(server: Server) -> bool:
    """Forget the token of a server; whether there was one. It stays valid until it is revoked."""
    kept = _read()
    found = kept.pop(server.address, None) is not None
    if found:
        _write(kept)
    return found


def token_for(address: str) -> str:
    """The token that is kept for a server; empty for none."""
    return _read().get(Server(address).address, "")


def describe(server: Server) -> str:
    """Whose token it is, and what it permits. Raises :class:`Failed`, also without one."""
    found = server.get("me").json()
    scopes = ", ".join(found["scopes"] or ())
    return f"{server.address}: {found['name']} ({scopes})\nTokens: {server.url(TOKENS)}"


def _file() -> Path:
    place = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(os.environ.get("HANA_CONFIG") or Path(place) / "hana") / "tokens.json"


def _read() -> dict[str, str]:
    try:
        found = json.loads(_file().read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(tokens: dict[str, str]) -> None:
    """Only the owner may read it, from its first byte on."""
    file = _file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = file.with_suffix(".new")
        draft.unlink(missing_ok=True)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as target:
            json.dump(tokens, target, indent=2)
        draft.replace(file)
    except OSError as error:
        raise Failed(f"{file}: {error.strerror or error}") from error
