"""Checks in a process on PostgreSQL, whose results `test_postgres` compares with expected results.

`manage.py shell` calls `run`: one process does all checks, each on empty tables.
"""

from __future__ import annotations

import json
import os
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from functools import partial
from random import Random
from typing import Any, Final, TypeVar
from unittest.mock import patch

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from clubs import clubs, evenings, games, invites, members
from clubs.changes import undo
from clubs.models import Change, Club, ClubGame, Member, Role
from clubs.refused import Refused
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from people import tokens
from people.models import Collection, PlayerRequest
from people.views import me
from records.base import clock
from records.ingest import resumable
from records.jobs import executor, processes, sweeping
from records.jobs.ledger import claim, fail, release, take
from records.models import Heartbeat, Job, PartialUpload, Player, Record, Usage
from tests.clubs import world as clubs_world
from tests.people.oauth_client import OAuthClient, begin, decide, poll
from tests.people.world import reauthenticate, sent, session, token, user
from tests.records.makers import ingest, text, upload
from tests.security.addresses import patterns
from tests.static_files import gather_once

LONG: Final = "LONG" in os.environ
#: How many do the same at the same moment.
THREADS: Final = 8
ATTACKER: Final = "203.0.113.1"
#: A fast hasher for passwords of tests: the hasher of production takes 0.3 s of CPU time.
FAST_HASHERS: Final = ["django.contrib.auth.hashers.MD5PasswordHasher"]
T = TypeVar("T")

#: Parameters of addresses.
PARAMETERS: Final = (
    *("q", "page", "cursor", "page_size", "sort", "player", "event", "ruleset", "profile", "yaku"),
    *("grade", "status", "form", "from", "to", "deals_min", "score_max", "at", "url", "next"),
    *("upload", "file", "game", "record", "show", "errors", "format", "maxwidth", "collection"),
    "lang",
)  # fmt: skip
#: Fields of forms.
FIELDS: Final = (
    *("visibility", "note", "name", "pseudonym", "words", "kind"),
    *("username", "login", "password", "email", "code", "text"),
)
#: Addresses of forms.
FORMS: Final = (
    *("me/change/", "me/games/x/", "me/names/", "check/", "account/login/"),
    *("account/signup/", "account/password/reset/", "account/email/"),
    *("account/reauthenticate/", "account/2fa/authenticate/"),
)
#: Values refused by PostgreSQL and accepted by SQLite, and values accepted by both.
REFUSED: Final = ("\0", "9" * 400)
VALUES: Final = (*REFUSED, "-1", "🎴" * 300, "'\"; DROP TABLE x--%s%n{}", "٣")


def run() -> None:
    """Write the results of all checks as a JSON object, a traceback for a failed check."""
    settings.PASSWORD_HASHERS = FAST_HASHERS
    gather_once(pytest.MonkeyPatch())
    Client().get("/health/live")  # Otherwise all threads of the first check gather the files.
    checks: dict[str, Callable[[], Any]] = {
        "clock ahead": lambda: work_with_clock_off(2),
        "clock behind": lambda: work_with_clock_off(-2),
        "jobs": take_jobs,
        "bounds": exceed_bounds,
        "parameters": send_parameters,
        "clubs": change_a_club,
        "applications": use_codes,
    }
    results: dict[str, Any] = {}
    for name, check in checks.items():
        call_command("flush", interactive=False, verbosity=0, inhibit_post_migrate=True)
        try:
            results[name] = check()
        except Exception:
            results[name] = traceback.format_exc()
    (settings.VAR_DIR / "results.json").write_text(json.dumps(results))


def do_at_once(count: int, do: Callable[[int], T]) -> list[T]:
    """Call a function in threads at the same moment. Return its results."""
    start = threading.Barrier(count)
    results: list[T] = []

    def run_thread(number: int) -> None:
        start.wait()
        try:
            results.append(do(number))
        finally:
            connection.close()

    threads = [threading.Thread(target=run_thread, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == count
    return results


def use_codes() -> dict[str, list[int]]:
    """Use a code, a terminal's code and a refresh token at the same moment; return the statuses."""
    aya = user("aya")
    app = OAuthClient(user("maker"))
    code = app.get_code(aya)
    refresh = app.connect(aya)
    terminal = begin()
    browser = session(aya)
    reauthenticate(browser)
    decide(browser, terminal, "allow")
    return {
        name: sorted(response.status_code for response in do_at_once(THREADS, send))
        for name, send in {
            "code": lambda _number: app.redeem(code),
            "refresh token": lambda _number: app.refresh(refresh),
            "terminal": lambda _number: poll(terminal),
        }.items()
    }


def work_with_clock_off(hours: int) -> dict[str, Any]:
    """Let processes with the right time and with the wrong time do each other's work."""
    right = timezone.now
    results: dict[str, Any] = {}

    @contextmanager
    def wrong_clock() -> Iterator[None]:
        with patch.object(timezone, "now", lambda: right() + timedelta(hours=hours)):
            yield

    def seconds_left(job: Job) -> int:
        job.refresh_from_db()
        return round(((job.lease_until or job.due_at) - clock.now()).total_seconds())

    with wrong_clock():
        received = upload(text(1).encode())
        results["drift"] = round(clock.drift() / 3600)
    job = claim(Job.objects.get().pk)
    assert job is not None
    with wrong_clock():
        results["taken from another"] = take() is not None
        results["resolved"] = sweeping.resolve()
    release(job)
    with wrong_clock():
        job = take()
    assert job is not None
    results["is leased"] = abs(seconds_left(job) - settings.LEASE_SECONDS) < 60
    with wrong_clock():
        fail(job, "failed")
    results["is retried"] = seconds_left(job) < 60
    Job.objects.update(due_at=clock.now())
    with wrong_clock():
        executor.run_next()
        executor.run_next()
    results["state"] = received.progress()["state"]
    with wrong_clock():
        processes.HeartbeatWriter(Heartbeat.Kind.WORKER).write()
    results["is heard"] = processes.has_heartbeat(Heartbeat.Kind.WORKER)
    Heartbeat.objects.all().delete()
    processes.HeartbeatWriter(Heartbeat.Kind.WORKER).write()
    with wrong_clock():
        results["hears"] = processes.has_heartbeat(Heartbeat.Kind.WORKER)
        results["heartbeats deleted"] = processes.tidy()
    partial = resumable.begin(sender="a", name="x", metadata="", length=5)
    PartialUpload.objects.update(expires=clock.now() + timedelta(minutes=30))
    with wrong_clock():
        resumable.tidy()
        results["has partial upload"] = resumable.find(partial.key) is not None
    return results


def take_jobs() -> list[bool]:
    """Let workers take jobs at the same moment. Return whether each job was taken once."""
    for sender in "abcdefgh":
        upload(text(1).encode(), sender=sender)
    jobs = do_at_once(THREADS, lambda _: take())
    keys = sorted(job.pk for job in jobs if job is not None)
    return [keys == sorted(Job.objects.values_list("pk", flat=True))]


def exceed_bounds() -> dict[str, Any]:
    """Send more than a bound permits at the same moment. Return how much was accepted."""
    results: dict[str, Any] = {}

    def begin_parts(_number: int) -> int:
        headers = {"Tus-Resumable": "1.0.0", "Upload-Length": str(400 << 20)}
        client = Client(REMOTE_ADDR=ATTACKER)
        return client.post("/api/v1/uploads/resumable", headers=headers).status_code

    statuses = do_at_once(2 * THREADS, begin_parts)
    results["uploads in parts"] = [statuses.count(201), statuses.count(429)]

    Usage.objects.update(bytes=(2 << 30) - (2000 << 20) - 25_000)

    def send_whole(number: int) -> int:
        noise = Random(number).randbytes(10_000)
        client = Client(REMOTE_ADDR=ATTACKER)
        return client.post("/api/v1/uploads", noise, content_type="text/x-kafu").status_code

    statuses = do_at_once(THREADS, send_whole)
    results["whole uploads"] = [statuses.count(202), statuses.count(429)]

    owner = user("aya")

    def make_token(_number: int) -> None:
        try:
            tokens.create_token(owner=owner, name="a", scopes=["read"])
        except tokens.TooManyTokens:
            pass

    with patch.object(tokens, "MAX_TOKENS", 2):
        do_at_once(THREADS, make_token)
    results["tokens"] = owner.tokens.count()

    browser = session(owner)

    def post(path: str, form: dict[str, str]) -> None:
        client = Client()
        client.cookies = browser.cookies
        client.post(path, form)

    with patch.object(me, "MAX_PENDING", 2):
        request = {"kind": "opt-out", "player": "Aya"}
        do_at_once(THREADS, lambda _: post("/me/names/", request))
    results["requests"] = PlayerRequest.objects.count()

    games = [write(simulate("koikoi", seed=n, options={"months": "1"})) for n in range(16)]
    received = sent(*games, owner=owner)
    keys = list(Record.objects.filter(submissions__upload=received).values_list("key", flat=True))

    def add_collection(number: int) -> None:
        form = {"visibility": "3", "note": "", "new_collection": str(number)}
        post(f"/me/games/{keys[0]}/", form)

    with patch.object(me, "MAX_COLLECTIONS", 2):
        do_at_once(THREADS, add_collection)
    results["collections"] = Collection.objects.count()

    headers = [token(user(f"new{number}"), "upload") for number in range(THREADS)]

    def analyse(number: int, account: int) -> int:
        client = Client(REMOTE_ADDR=ATTACKER)
        url = f"/api/v1/records/{keys[number]}/analysis"
        return client.post(url, headers=headers[account]).status_code

    statuses = do_at_once(THREADS, lambda number: analyse(number, number))
    results["analyses of an address"] = statuses.count(202)
    Job.objects.filter(kind="analysis").delete()
    get_user_model()._default_manager.update(date_joined="2020-01-01T00:00Z")
    statuses = do_at_once(THREADS, lambda number: analyse(number + THREADS, 0))
    results["analyses of an account"] = statuses.count(202)
    return results


def change_a_club() -> dict[str, Any]:
    """Let two officers change the same rows of a club, and accounts join by one invitation."""
    aya, ben = user("aya"), user("ben")
    club, other = clubs_world.found(aya), clubs_world.found(ben, "other")
    joined = clubs_world.joins(club, aya, ben, "Ben")
    first = clubs_world.of(club, aya)
    members.set_role(first, joined, Role.OFFICER)
    second = clubs_world.of(club, ben)

    def do(*actions: Callable[[], object]) -> list[str]:
        def attempt(number: int) -> str:
            try:
                actions[number]()
            except Refused as refused:
                return refused.code
            return "done"

        return sorted(do_at_once(len(actions), attempt))

    cho, dan = (member.pk for member in members.add(first, ["Cho", "Dan"]))
    orders = ((first, cho, dan), (second, dan, cho))
    merges = [
        partial(members.merge, access, *(Member.objects.get(pk=pk) for pk in pks))
        for access, *pks in orders
    ]
    results: dict[str, Any] = {"merge": do(*merges)}
    merged = Change.objects.latest("pk")
    results["undo"] = do(lambda: undo(first, merged), lambda: undo(second, merged))
    invite = invites.create(first, most=1)
    accounts = [user(f"guest{number}") for number in range(THREADS)]
    results["join"] = do(
        *(
            partial(invites.accept, invites.secret_of(invite), account.pk, name=account.username)
            for account in accounts
        )
    )
    day = date(2026, 4, 3)
    results["evening"] = do(
        *(partial(evenings.write, access, day, {}) for access in (first, second))
    )
    sent(text(1), owner=user("cho"))
    record = Record.objects.get()
    do(
        lambda: games.add(first, [record.key]),
        lambda: games.add(clubs_world.of(other, ben), [record.key]),
    )
    results["games"] = ClubGame.objects.count()
    do(lambda: clubs.delete(first), lambda: members.add(second, ["Eri"]))
    results["clubs"] = list(Club.objects.values_list("key", flat=True))
    officer = session(ben)
    forms = (("members", {"claim": "\0"}), ("invites", {"revoke": "\0"}))
    results["null"] = [
        officer.post(f"/clubs/other/{page}/", form).status_code for page, form in forms
    ]
    return results


def send_parameters() -> list[str]:
    """Send parameters of any kind to every address and form. Return the failed requests.

    A user sends one of `REFUSED` to each address, alternately, and a visitor sends the other one to
    forms and to pages of accounts, which redirect a user. In `make test-long` both send all values
    to all addresses.
    """
    upload = ingest(text(1).encode())
    user_client = Client(raise_request_exception=False)
    user_client.force_login(user("aya"))
    paths = {
        f"/{pattern.pattern}"
        for name, pattern, parameters in patterns()
        if not parameters and ":" not in name
    }
    paths |= {"/api/v1/records", "/api/v1/me/games", f"/api/v1/uploads/{upload.key}/games"}
    paths |= {f"/uploads/{upload.key}/", f"/games/{Record.objects.all()[0].key}/"}
    paths |= {f"/players/{Player.objects.all()[0].key}/"}
    failed = []
    for turn, client in enumerate((Client(raise_request_exception=False), user_client)):
        pages = [path for path in sorted(paths) if LONG or turn or path.startswith("/account/")]
        for number, path in enumerate(pages):
            for value in VALUES if LONG else REFUSED[(turn + number) % 2 :][:1]:
                response = client.get(path, dict.fromkeys(PARAMETERS, value))
                status = response.status_code
                if status >= 500 and (path, status) != ("/oembed", 501):
                    failed.append(f"GET {path} {value[:20]!r}")
        for number, path in enumerate(FORMS):
            for value in VALUES if LONG else REFUSED[(turn + number) % 2 :][:1]:
                response = client.post(f"/{path}", dict.fromkeys((*PARAMETERS, *FIELDS), value))
                if response.status_code >= 500:
                    failed.append(f"POST /{path} {value[:20]!r}")
    return failed
