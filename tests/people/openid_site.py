"""A small OpenID Connect provider for log-in tests."""

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
    """A provider whose next visitor has `claims`, and whose `outcome` is "code" or an error."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.issuer = f"http://127.0.0.1:{self.server_port}"
        self.claims: dict[str, Any] = {"sub": "1"}
        self.outcome = "code"
        self.queries_by_code: dict[str, dict[str, str]] = {}
        self.queries: list[dict[str, str]] = []
        threading.Thread(target=self.serve_forever, args=[0.05], daemon=True).start()

    @property
    def variables(self) -> dict[str, str]:
        """Return the environment of an archive with log-in through this provider."""
        return {
            "HANA_OPENID_NAME": "Club",
            "HANA_OPENID_ISSUER": self.issuer,
            "HANA_OPENID_CLIENT_ID": CLIENT["client_id"],
            "HANA_OPENID_SECRET": CLIENT["secret"],
        }

    def create_id_token(self, nonce: str | None) -> str:
        """Return an ID token with the claims; unsigned if that is the outcome."""
        moment = int(time.time())
        claims = {"iss": self.issuer, "aud": "archive", "iat": moment, "exp": moment + 60}
        claims |= {"nonce": nonce} | self.claims
        if self.outcome == "unsigned":
            return jwt.encode(claims, None, algorithm="none")
        return jwt.encode(claims, "k" * 32, algorithm="HS256")


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        provider = self.server
        if url.path == "/.well-known/openid-configuration" and provider.outcome != "away":
            paths = {"authorization_endpoint": "authorize", "token_endpoint": "token"}
            configuration = {name: f"{provider.issuer}/{path}" for name, path in paths.items()}
            methods = ["client_secret_post"]
            configuration |= {"issuer": provider.issuer, "jwks_uri": f"{provider.issuer}/jwks"}
            if provider.outcome == "nothing":
                configuration = {}
            self.send_json(configuration | {"token_endpoint_auth_methods_supported": methods})
        elif url.path == "/authorize":
            provider.queries.append(query)
            code = secrets.token_urlsafe()
            provider.queries_by_code[code] = query
            state = "another" if provider.outcome == "state" else query["state"]
            is_denied = provider.outcome == "access_denied"
            outcome = {"error": "access_denied"} if is_denied else {"code": code}
            self.send_response(302)
            self.send_header(
                "Location", f"{query['redirect_uri']}?{urlencode(outcome | {'state': state})}"
            )
            self.end_headers()
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        fields = {name: values[0] for name, values in parse_qs(body).items()}
        query = self.server.queries_by_code.pop(fields.get("code", ""), None)
        is_right = fields["client_secret"] == CLIENT["secret"] and "code_verifier" in fields
        if query is None or not is_right or self.server.outcome == "token":
            self.send_error(400)
            return
        token = self.server.create_id_token(query.get("nonce"))
        tokens = {"access_token": "t", "token_type": "Bearer", "id_token": token}
        if self.server.outcome == "no token":
            del tokens["id_token"]
        self.send_json(tokens)

    def send_json(self, value: dict[str, Any]) -> None:
        """Send a response with this value as JSON."""
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""
