"""The responses of a reader's device, compared with those of the server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse

from kafu.analysis.choices import default_effort
from kafu.bridge import call as call_library
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.device.calls import call
from records.models import Analysis, Record
from records.pages.learn.lessons import LESSONS
from records.services import analyses
from tests.conftest import ROOT
from tests.people.world import sent
from tests.records.pages.writing.actions import short_game

pytestmark = pytest.mark.django_db

NEW = {"ruleset": "koikoi", "players": [" Aya", "Ben "], "tags": {"Event": "E", "Result": "x"}}
SHEET = {"ruleset": "hachihachi", "players": ["Aya", "Ben", "Chie"], "at": 1}


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("api:positions", {"new": NEW, "deal": {"number": 1, "random": True, "seed": 3}}),
        ("api:positions", {"kafu": short_game(3), "at": "2.4", "comment": " A remark. "}),
        ("api:positions", {"kafu": short_game(3), "at": "9.9"}),
        ("api:sheets", SHEET | {"months": [{"sums": ["5", "5", ""], "stone": 2}]}),
        ("api:sheets", SHEET | {"months": [{"sums": ["+5", "five", ""]}]}),
        ("first-month", {"ruleset": "koikoi", "seed": LESSONS["koikoi"].seeds[0], "actions": []}),
    ],
)
def test_device_responds_as_the_server(
    client: Client, name: str, fields: dict[str, Any], lang: str
) -> None:
    address = reverse(name)
    response = client.post(
        address, fields, content_type="application/json", headers={"Accept-Language": lang}
    )
    result = json.loads(
        call(address.rpartition("/")[2], json.dumps({"fields": fields, "lang": lang}))
    )
    if response.status_code == 200:
        assert result == {"value": response.json()}
    else:
        assert result["error"]["message"] == response.json()["detail"]


def test_device_knows_names_of_cards_and_the_library(client: Client) -> None:
    fields = {"names": "crane, 8-bright", "lying": ""}
    served = client.get(reverse("api:cards"), fields).json()
    assert json.loads(call("cards", json.dumps({"fields": fields, "lang": "en"}))) == {
        "value": served
    }
    text = json.dumps({"text": short_game(3)})
    assert call("verify", text) == call_library("verify", text)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_device_analyses_a_game_as_the_archive(
    client: Client, without_facts: None, settings: LazySettings, lang: str
) -> None:
    settings.ANALYSIS_DEALS = default_effort("koikoi").most
    sent(write(simulate("koikoi", seed=8, options={"months": "1"})))
    record = Record.objects.get()
    analyses.make(record)
    address = reverse("analysis", args=[record.key])
    page = client.get(address, headers={"Accept-Language": lang}).content.decode()
    fields: dict[str, Any] = {"kafu": record.text, "choices": [], "deals": []}
    fields["page"] = reverse("game", args=[record.key])
    while "html" not in fields:
        arguments = json.dumps({"fields": fields, "lang": lang})
        fields |= json.loads(call("analysis", arguments))["value"]
    report = reverse("api:record-analysis", args=[record.key])
    assert fields["html"].replace('data-report=""', f'data-report="{report}"') in page
    assert fields["report"] == Analysis.objects.get().found


def test_device_needs_neither_settings_nor_models() -> None:
    fields = json.dumps({"fields": {"names": "?!", "lying": ""}, "lang": "ja"})
    program = f"""
import sys
from records.device.calls import call
print(call("cards", {fields!r}))
print([name for name in sys.modules if name.startswith(("django.db.models", "records.models"))])
"""
    env = {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    message, modules = result.stdout.splitlines()
    assert "札" in json.loads(message)["error"]["message"]
    assert modules == "[]"
