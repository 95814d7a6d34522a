"""Requests at the same moment: together they get no more than one after the other would."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.conftest import Environment, Hana

#: Threads on PostgreSQL that do the same at the same moment; how many of them succeed.
SCRIPT = """
import json, threading
from django.db import connection
from django.test import Client
from people import tokens
from people.models import Collection, PlayerRequest
from people.views import me
from records.models import Usage
from django.contrib.auth.models import User
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.models import Job
from tests.people import world
from tests.people.world import sent, session, user
from tests.records.makers import text
from random import Random

def at_once(count, do):
    start, done = threading.Barrier(count), []
    def run(number):
        start.wait()
        try:
            done.append(do(number))
        finally:
            connection.close()
    threads = [threading.Thread(target=run, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == count
    return done

results = {}

def begin(number):
    tus = {"Tus-Resumable": "1.0.0", "Upload-Length": str(400 << 20)}
    client = Client(REMOTE_ADDR="203.0.113.1")
    return client.post("/api/v1/uploads/resumable", headers=tus).status_code
found = at_once(40, begin)
results["uploads in parts"] = (found.count(201), found.count(429))

Usage.objects.update(bytes=(2 << 30) - (2000 << 20) - 25_000)
def whole(number):
    noise = Random(number).randbytes(10_000)
    client = Client(REMOTE_ADDR="203.0.113.1")
    return client.post("/api/v1/uploads", noise, content_type="text/x-kafu").status_code
found = at_once(8, whole)
results["whole uploads"] = (found.count(202), found.count(429))

owner = user("aya")
def make(number):
    try:
        tokens.make(owner=owner, name="a", scopes=["read"])
    except tokens.TooMany:
        pass
tokens.MOST = 2
at_once(8, make)
results["tokens"] = owner.tokens.count()

browser = session(owner)
def again():
    client = Client()
    client.cookies = browser.cookies
    return client
def ask(number):
    again().post("/me/names/", {"kind": "opt-out", "player": "Aya"})
me.PENDING = 2
at_once(8, ask)
results["requests"] = PlayerRequest.objects.count()

key = sent(text(1), owner=owner).submissions.get().record.key
def collect(number):
    fields = {"visibility": "3", "note": "", "new_collection": str(number)}
    again().post(f"/me/games/{key}/", fields)
me.MOST = 2
at_once(8, collect)
results["collections"] = Collection.objects.count()

games = [write(simulate("koikoi", seed=n, options={"months": "1"})) for n in range(16)]
upload = sent(*games)
keys = [one.record.key for one in upload.submissions.all()]
headers = [world.token(user(f"new{n}"), "upload") for n in range(8)]
def analyse(number, account):
    client = Client(REMOTE_ADDR="203.0.113.1")
    url = f"/api/v1/records/{keys[number]}/analysis"
    return client.post(url, headers=headers[account]).status_code
results["analyses of an address"] = at_once(8, lambda n: analyse(n, n)).count(202)
Job.objects.filter(kind="analysis").delete()
User.objects.update(date_joined="2020-01-01T00:00Z")
results["analyses of an account"] = at_once(8, lambda n: analyse(n + 8, 0)).count(202)
print(json.dumps(results))
"""


def test_requests_at_the_same_moment_do_not_exceed_a_bound_together(
    hana: Hana, hana_env: Callable[..., Environment]
) -> None:
    env = hana_env(postgres=True, ALLOWED_HOSTS="testserver", HANA_RATES="uploads=1000/60")
    found = json.loads(hana("shell", "--command", SCRIPT, env=env).stdout.splitlines()[-1])
    assert found == {
        "uploads in parts": [5, 35],
        "whole uploads": [2, 6],
        "tokens": 2,
        "requests": 2,
        "collections": 2,
        "analyses of an address": 5,
        "analyses of an account": 5,
    }
