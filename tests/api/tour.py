"""Requests to every operation of the API on a small archive, for its examples."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from datetime import date, time
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from clubs import access, clubs, evenings, seasons
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from people.models import READ, UPLOAD
from people.tokens import create_token
from records.models import Record
from records.privacy.access import Viewer
from records.statistics.registry import FIGURES
from tests.api.contract import operation
from tests.people.world import do_jobs, user
from tests.records.makers import illegal
from tests.records.problems import store_some

BASE = "/api/v1/"
JSON = "application/json"
KAFU = "text/x-kafu"
TABLE = "月,親,Aya,Ben\r\n1月,Aya,7,\r\n2月,Aya,,5\r\n"
#: Figures that are about a player.
OF_PLAYERS = ("form", "rating", "versus")


@dataclass
class Body:
    """The body of a request or a response; `status` is empty for a request."""

    media: str
    content: Any
    status: str = ""


@dataclass
class Exchange:
    """The bodies of a request and its response; None for a missing body."""

    request: Body | None
    response: Body | None


@dataclass
class Tour:
    """A client with a token that records the first exchange of each operation."""

    token: str
    exchanges: dict[str, Exchange] = field(default_factory=dict)

    def send(
        self, method: str, path: str, body: Any = None, media: str = JSON, **headers: str
    ) -> Any:
        """Send a request and require success; return the JSON of the response, or the response.

        Without any body in request and response, record the response to a call without the token.
        """
        data = {} if body is None else {"data": body, "content_type": media}
        sent = {"Authorization": f"Bearer {self.token}", **headers}
        call = getattr(Client(), method)
        address = f"{BASE}{path}".rstrip("/")
        response = call(address, headers=sent, **data)
        assert response.status_code < 300, response.content
        name = operation(method, response.wsgi_request.path)["operationId"]
        request = None if body is None or isinstance(body, bytes) else Body(media, body)
        exchange = Exchange(request, _body_of(response))
        if exchange == Exchange(None, None):
            exchange.response = _body_of(call(address))
        self.exchanges.setdefault(name, exchange)
        return response.json() if response.get("Content-Type") == JSON else response


def _body_of(response: Any) -> Body | None:
    """Return the body of a response; for lines, the first line."""
    if response.status_code in (201, 204) and not response.content:
        return None
    content = response.getvalue().decode()
    media = response["Content-Type"].partition(";")[0]
    if media == "application/x-ndjson":
        content = json.loads(content.partition("\n")[0])
    elif media.endswith("json"):
        content = json.loads(content)
    return Body(media, content, str(response.status_code))


def visit_every_operation(monkeypatch: pytest.MonkeyPatch) -> dict[str, Exchange]:
    """Return an exchange of each operation by operation id."""
    tour = Tour(create_token(owner=user("aya"), name="tour", scopes=(READ, UPLOAD))[1])
    write_games(tour)
    upload = send_uploads(tour)
    key = Record.objects.filter(sheet=False, status="verified").order_by("pk")[0].key
    read_games(tour, key)
    read_statistics(tour)
    keep_things(tour, key, monkeypatch)
    keep_club(tour, key)
    for name in ("", "names", "odds/koikoi", "problems", "quota", "statistics", "me"):
        tour.send("get", name)
    tour.send("get", "cards?names=松に鶴, pine ribbon")
    tour.send("patch", f"uploads/{upload}", {"visibility": "unlisted"})
    tour.send("delete", f"records/{key}/ownership")
    return tour.exchanges


def keep_club(tour: Tour, key: str) -> None:
    """Read and change a club of the caller with a season and an evening."""
    account = get_user_model().objects.get(username="aya")
    record = Record.objects.get(key=key)
    club = clubs.found(account.pk, key="kyoto", name="Kyoto", player=record.players[0])
    officer = access.of(club, Viewer(account.pk))
    days = {"first": date(2026, 1, 1), "last": date(2026, 12, 31)}
    season = seasons.create(officer, {"name": "2026", "ruleset": record.ruleset, **days})
    evenings.write(officer, date(2026, 11, 28), {"time": time(19), "place": "Fushimi"})
    tour.send("post", "clubs/kyoto/games", {"records": [key], "day": "2026-11-28"})
    entry = {"kind": "penalty", "name": record.players[0], "day": "2026-11-28", "amount": -5}
    entries = f"clubs/kyoto/seasons/{season.key}/entries"
    tour.send("post", entries, {"entries": [{**entry, "reason": "Came late."}]})
    for path in ("", "/kyoto", *(f"/kyoto/{part}" for part in ("members", "evenings", "games"))):
        tour.send("get", f"clubs{path}")
    for part in ("", "/standings", "/standings.csv", "/entries"):
        tour.send("get", f"clubs/kyoto/seasons/{season.key}{part}")
    tour.send("get", "clubs/kyoto/seasons")
    tour.send("delete", f"clubs/kyoto/games/{key}")


def write_games(tour: Tour) -> None:
    """Write games and sheets without storing."""
    deal = {"number": 1, "hands": ["AEIMQUYc", "BFJNRVZd"], "field": "CGKOSWej", "dealer": 1}
    new = {"ruleset": "koikoi", "players": ["Aya", "Ben"], "options": {"months": "2"}}
    tour.send("post", "positions", {"new": new, "deal": deal, "do": ["AxC"]})
    tour.send("post", "positions", illegal(3), KAFU)
    lines = [{"seat": 3, "label": "sanbon"}, {"seat": 2, "label": "akatan"}]
    months = [{"ba": "large", "lines": lines}, {"dealer": 1}]
    players = ["Aya", "Ben", "Chie"]
    tour.send("post", "sheets", {"ruleset": "hachihachi", "players": players, "months": months})
    tour.send("post", "notebooks?ruleset=koikoi&options=months=2", TABLE, "text/csv")
    for path in ("verify", "verify.ndjson"):
        tour.send("post", path, illegal(3), KAFU)


def send_uploads(tour: Tour) -> str:
    """Upload games; return the key of the first upload."""
    months = simulate("koikoi", seed=4, options={"months": "2"})
    further_games = [simulate("koikoi", seed=seed, options={"months": "2"}) for seed in (5, 6)]
    body = "\n".join([write(months), *map(write, further_games), illegal(3), "no game\n"])
    created = tour.send("post", "uploads", body, KAFU)
    do_jobs()
    key = str(created["key"])
    for part in ("", "/files", "/games", "/report", "/report.csv", "/report.ndjson"):
        tour.send("get", f"uploads/{key}{part}")
    tus = {"Tus-Resumable": "1.0.0"}
    name = f"filename {base64.b64encode(b'year.kafu').decode()}"
    for _ in range(2):
        headers = {**tus, "Upload-Length": "12", "Upload-Metadata": name}
        created = tour.send("post", "uploads/resumable", **headers)
    partial = created["Location"].removeprefix(BASE)
    octets = "application/offset+octet-stream"
    tour.send("patch", partial, b'[Kafu "1"]', octets, **tus, **{"Upload-Offset": "0"})
    tour.send("delete", partial, **tus)
    secret = {"Upload-Secret": "kept-by-the-browser-of-the-sender".replace("-", "")}
    game = write(simulate("koikoi", seed=9))
    anonymous = Client().post(f"{BASE}uploads", game, KAFU, headers=secret)
    do_jobs()
    tour.send("post", f"uploads/{anonymous.json()['key']}/claim", **secret)
    return key


def read_games(tour: Tour, key: str) -> None:
    """Read the games, a whole game, its analysis and problem, and a corrected game."""
    for path in ("records", "me/uploads", "me/games", "me/games/export"):
        tour.send("get", path)
    for form in ("", ".ndjson", ".kafu", ".csv"):
        tour.send("get", f"records/export{form}?keys={key}")
    for form in (".ndjson?include=verdict,facts", ".kafu", ".csv"):
        tour.send("get", f"records{form}")
        tour.send("get", f"me/games{form}")
    for form in ("", ".ndjson"):
        tour.send("get", f"records/changes{form}?changed_since=2000-01-01")
    for part in ("", ".kafu", "/replay", "/sheet", "/ownership", "/situations?at=1.0"):
        tour.send("get", f"records/{key}{part}")
    tour.send("get", f"records/{key}/sheet.csv")
    tour.send("post", f"records/{key}/analysis")
    do_jobs()
    tour.send("get", f"records/{key}/analysis")
    record = Record.objects.get(key=key)
    store_some(record)
    tour.send("get", f"problems/today?ruleset={record.ruleset}")
    former = Record.objects.get(status="illegal").key
    fresh = write(simulate("koikoi", seed=3))
    replaced = tour.send("post", f"uploads?replaces={former}", fresh, KAFU)
    do_jobs()
    (game,) = tour.send("get", f"uploads/{replaced['key']}/games")["results"]
    tour.send("get", game["record"].partition(BASE)[2] + "/history")
    tour.send("patch", f"records/{key}/ownership", {"note": "The first of the evening."})


def read_statistics(tour: Tour) -> None:
    """Query each figure."""
    player = Record.objects.filter(status="verified")[0].players[0]
    for name, figure in FIGURES.items():
        query = f"ruleset={'koikoi' if 'koikoi' in figure.rulesets else figure.rulesets[0]}"
        query += f"&player={player}" * (name in OF_PLAYERS)
        for ending in ("", ".csv"):
            tour.send("get", f"statistics/{name}{ending}?{query}")


def keep_things(tour: Tour, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Create and delete comments, studies and drafts."""
    comment = tour.send(
        "post", f"records/{key}/comments", {"at": "1.2", "text": "Why not the crane?"}
    )
    tour.send("get", f"records/{key}/comments")
    tour.send("post", f"comments/{comment['key']}/reports", {"reason": "An advertisement."})
    entry = {"record": key, "at": "1.2", "note": "The field is rich."}
    fields = {"title": "Openings", "visibility": "public", "entries": [entry]}
    study = f"studies/{tour.send('post', 'studies', fields)['key']}"
    tour.send("post", f"{study}/entries", {"record": key, "at": "1.4"})
    tour.send("patch", study, {"notes": "From one evening."})
    for path in ("studies", "me/studies", study):
        tour.send("get", path)
    draft = {"kind": "game", "title": "Koi-koi", "changed": "2026-11-21T06:00:00Z"}
    tour.send("put", "me/drafts/evening", {**draft, "state": {"kafu": '[Kafu "1"]'}})
    for path in ("me/drafts", "me/drafts/evening"):
        tour.send("get", path)
    for path in ("me/drafts/evening", study, f"comments/{comment['key']}"):
        tour.send("delete", path)
