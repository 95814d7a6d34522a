"""GET records/{key}/replay."""

from __future__ import annotations

import pytest

from kafu.judging.replay import stored_replay
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import LONG
from records.models import Record
from tests.api.contract import Api, problem
from tests.records.makers import UNSUPPORTED, illegal, ingest

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

#: Among games of these seeds are payments for hatto and for shares.
SEEDS = range(1, 7) if LONG else (1,)
SHEET = """[Kafu "1"]
[Rules "koikoi"]
[Player1 "a"]
[Player2 "b"]
[Sheet "1"]

month 1 dealer 1
score 1 +5 2 0
"""


def test_replay_equals_that_of_the_library(api: Api, record: Record) -> None:
    body = api.get(f"records/{record.key}/replay").json()
    game = read(record.text).game
    assert game is not None
    expected = stored_replay(game)
    assert body == {"ruleset": expected.pop("rules"), **expected}
    assert body["status"] == "verified"


def test_payments_have_reason_and_payer(api: Api) -> None:
    """Hachihachi: the event of a payment for hatto or sage names payer, card and turn."""
    ingest("\n".join(write(simulate("hachihachi", seed=seed)) for seed in SEEDS).encode())
    reasons = set()
    for record in Record.objects.all():
        body = api.get(f"records/{record.key}/replay").json()
        assert body["status"] == "verified"
        for deal in body["deals"]:
            for step in deal["steps"]:
                for event in step["events"]:
                    if event["kind"] == "pay":
                        assert sum(event["amounts"]) == 0
                        assert ("payer" in event) == (event["why"] != "share")
                        reasons.add(event["why"])
    assert {"share", "hatto"} <= reasons


def test_illegal_game_is_replayed_up_to_its_fault(api: Api) -> None:
    ingest(illegal(1).encode())
    key = Record.objects.get().key
    english = api.get(f"records/{key}/replay").json()
    japanese = api.get(f"records/{key}/replay", {"lang": "ja"}).json()
    assert english["status"] == "illegal"
    assert english["deals"][-1]["end"] is None
    assert english["error"]["code"] == japanese["error"]["code"]
    assert english["error"]["message"] != japanese["error"]["message"]


@pytest.mark.parametrize(
    ("game", "rules"), [(UNSUPPORTED, "hanaawase sheet"), (SHEET, "koikoi sheet")]
)
def test_score_sheet_has_no_replay(api: Api, game: str, rules: str) -> None:
    ingest(game.encode())
    body = problem(api.get(f"records/{Record.objects.get().key}/replay"), "no-replay", 404)
    assert rules in body["detail"]
