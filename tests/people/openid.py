"""Another site at which people log in: a small provider of OpenID Connect."""

from __future__ import annotations

import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt

CLIENT = {"client_id": "archive", "secret": "a secret"}


class Provider(ThreadingHTTPServer):
    """`claims` is who comes; `answer` how a log-in goes: by "code", or with another error."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.issuer = f"http://127.0.0.1:{self.server_port}"
        self.claims: dict[str, Any] = {"sub": "1"}
        self.answer = "code"
        self.codes: dict[str, dict[str, str]] = {}
        self.asked: list[dict[str, str]] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def variables(self) -> dict[str, str]:
        """What an archive is told of it."""
        return {
            "HANA_OPENID_NAME": "Club",
            "HANA_OPENID_ISSUER": self.issuer,
            "HANA_OPENID_CLIENT_ID": CLIENT["client_id"],
            "HANA_OPENID_SECRET": CLIENT["secret"],
        }

    def token(self) -> str:
        """An ID token of who comes."""
        moment = int(time.time())
        claims = {"iss": self.issuer, "aud": "archive", "iat": moment, "exp": moment + 60}
        return jwt.encode(claims | self.claims, "k" * 32, algorithm="HS256")


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        where = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(where.query).items()}
        site = self.server
        if where.path == "/.well-known/openid-configuration" and site.answer != "away":
            paths = {"authorization_endpoint": "authorize", "token_endpoint": "token"}
            found = {name: f"{site.issuer}/{path}" for name, path in paths.items()}
            methods = ["client_secret_post"]
            found |= {"issuer": site.issuer, "jwks_uri": f"{site.issuer}/jwks"}
            if site.answer == "nothing":
                found = {}
            self.say(found | {"token_endpoint_auth_methods_supported": methods})
        elif where.path == "/authorize":
            site.asked.append(asked)
            code = secrets.token_urlsafe()
            site.codes[code] = asked
            state = "another" if site.answer == "state" else asked["state"]
            said = {"error": site.answer} if site.answer == "access_denied" else {"code": code}
            self.send_response(302)
            self.send_header(
                "Location", f"{asked['redirect_uri']}?{urlencode(said | {'state': state})}"
            )
            self.end_headers()
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        given = {name: values[0] for name, values in parse_qs(body).items()}
        known = self.server.codes.pop(given.get("code", ""), None)
        right = known and given["client_secret"] == CLIENT["secret"] and "code_verifier" in given
        if not right or self.server.answer == "token":
            self.send_error(400)
            return
        self.say({"access_token": "t", "token_type": "Bearer", "id_token": self.server.token()})

    def say(self, found: dict[str, Any]) -> None:
        """JSON."""
        body = json.dumps(found).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""
