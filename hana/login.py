"""`hana login`: access to an account by a code that the user enters in a browser (RFC 8628)."""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path
from typing import Any, Final

import requests

from hana.state import Failed, state_folder

CLIENT: Final = "hana"
SCOPES: Final = "read upload"
DEVICE_GRANT: Final = "urn:ietf:params:oauth:grant-type:device_code"
#: Timeouts in seconds for the connection, and for the next byte of a response.
TIMEOUT: Final = (5, 30)
#: Seconds before its end in which an access token is refreshed.
MARGIN: Final = 120
#: Seconds to wait for another process that refreshes the same tokens, and between two looks.
REFRESH_SECONDS: Final = 60
LOOK_SECONDS: Final = 0.1


class Login:
    """The tokens for an account of a server, in a file that only the user can read."""

    def __init__(self, address: str) -> None:
        """Find the file for the address of a server."""
        self.address = address
        digest = hashlib.sha256(address.encode()).hexdigest()
        self.file = state_folder() / f"login-{digest}"
        #: The name of the file while a process refreshes the tokens. A refresh token works once.
        self.claimed = self.file.with_suffix(".refreshing")

    def token(self) -> str:
        """Return a valid access token, or an empty string if the user is not logged in.

        Raise :class:`Failed` if the log-in has ended, and requests' errors.
        """
        tokens = _read(self.file)
        if not tokens and not self.claimed.exists():
            return ""
        if not _is_valid(tokens):
            tokens = self._refresh()
        return str(tokens["access_token"])

    def begin(self) -> dict[str, Any]:
        """End a former log-in, and return the codes of a new one. Raise :class:`Failed`."""
        self.end()
        response = self._post("device", client_id=CLIENT, scope=SCOPES)
        if response.status_code != requests.codes.ok:
            raise Failed(f"{self.address} offers no log-in by a code ({response.status_code})")
        codes: dict[str, Any] = response.json()
        return codes

    def wait(self, codes: dict[str, Any]) -> None:
        """Wait until the user has entered the code, and store the tokens. Raise :class:`Failed`."""
        end = time.monotonic() + codes["expires_in"]
        pause = float(codes["interval"])
        while time.monotonic() < end:
            time.sleep(pause)
            try:
                response = self._post(
                    "token", grant_type=DEVICE_GRANT, device_code=codes["device_code"]
                )
                answer: dict[str, Any] = response.json()
            except (requests.RequestException, ValueError):
                continue  # the server may be away for a moment
            if response.status_code == requests.codes.ok:
                self._write(answer)
                return
            error = answer.get("error")
            if error == "slow_down":
                pause += 5
            elif error != "authorization_pending":
                raise Failed("the log-in was refused" if error == "access_denied" else str(error))
        raise Failed("the code has expired")

    def end(self) -> bool:
        """Revoke and delete the tokens; return whether there were any."""
        tokens = _read(self.file)
        if not tokens:
            return False
        self._post("revoke", token=tokens["refresh_token"])
        self.file.unlink(missing_ok=True)
        return True

    def _refresh(self) -> dict[str, Any]:
        """Return new tokens, refreshed by this process or another."""
        try:
            self.file.rename(self.claimed)
        except FileNotFoundError:
            return self._wait_for_other()
        tokens = _read(self.claimed)
        if _is_valid(tokens):  # another process refreshed them before
            self.claimed.rename(self.file)
            return tokens
        try:
            response = self._post(
                "token", grant_type="refresh_token", refresh_token=tokens["refresh_token"]
            )
            if response.status_code == requests.codes.bad_request:
                self.claimed.unlink()
                raise Failed("the log-in has ended: run “hana login”")
            response.raise_for_status()
            tokens = self._write(response.json())
        except requests.RequestException:
            self.claimed.rename(self.file)
            raise
        self.claimed.unlink()
        return tokens

    def _wait_for_other(self) -> dict[str, Any]:
        end = time.monotonic() + REFRESH_SECONDS
        while time.monotonic() < end:
            if _is_valid(tokens := _read(self.file)):
                return tokens
            time.sleep(LOOK_SECONDS)
        self.claimed.unlink(missing_ok=True)  # the other process was killed
        raise Failed("the log-in has ended: run “hana login”")

    def _write(self, issued: dict[str, Any]) -> dict[str, Any]:
        """Store the tokens of a response, and return them with the time of their end."""
        tokens = {
            "access_token": issued["access_token"],
            "refresh_token": issued["refresh_token"],
            "expires": time.time() + issued["expires_in"],
        }
        self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = self.file.with_suffix(f".{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(tokens, file)
        draft.replace(self.file)
        return tokens

    def _post(self, endpoint: str, **fields: str) -> requests.Response:
        return requests.post(
            f"{self.address}/oauth/{endpoint}",
            data={"client_id": CLIENT, **fields},
            timeout=TIMEOUT,
            allow_redirects=False,
        )


def _read(file: Path) -> dict[str, Any]:
    """Return the tokens in a file, or nothing."""
    try:
        tokens: dict[str, Any] = json.loads(file.read_text())
    except (OSError, ValueError):
        return {}
    return tokens


def _is_valid(tokens: dict[str, Any]) -> bool:
    return bool(tokens) and tokens["expires"] > time.time() + MARGIN
