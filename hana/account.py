"""`hana login` and `hana tokens`: the stored token of a server, and its permissions."""

from __future__ import annotations

import getpass
import json
import os
import sys
import webbrowser
from pathlib import Path

from hana.server import Server
from hana.state import Failed

TOKENS = "/me/tokens/"


def login(server: Server) -> str:
    """Open the page of tokens in a browser, read a token, test it and store it.

    Return a description of the token. Raise :class:`Failed` if the server refuses it.
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
    description = describe(Server(server.address, token))
    _write({**_read(), server.address: token})
    return description


def logout(server: Server) -> bool:
    """Delete the stored token of a server. Return whether there was one.

    The token stays valid until the user revokes it.
    """
    tokens = _read()
    if tokens.pop(server.address, None) is None:
        return False
    _write(tokens)
    return True


def token_for(address: str) -> str:
    """Return the stored token of a server, or an empty string."""
    return _read().get(Server(address).address, "")


def describe(server: Server) -> str:
    """Return the owner and the scopes of the server's token. Raise :class:`Failed` without one."""
    user = server.get("me").json()
    scopes = ", ".join(user["scopes"] or ())
    return f"{server.address}: {user['name']} ({scopes})\nTokens: {server.url(TOKENS)}"


def _file() -> Path:
    place = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(os.environ.get("HANA_CONFIG") or Path(place) / "hana") / "tokens.json"


def _read() -> dict[str, str]:
    try:
        tokens = json.loads(_file().read_text())
    except (OSError, ValueError):
        return {}
    return tokens if isinstance(tokens, dict) else {}


def _write(tokens: dict[str, str]) -> None:
    """Store the tokens in a file that only its owner can read."""
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
