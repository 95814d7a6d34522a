"""`include=` of exports and reports: verdict, moves, facts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from kafu.cards import mask
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.models import Player, Record, Visibility
from records.services.pseudonyms import set_pseudonym
from tests.api.contract import Api, check, operation, problem
from tests.people.world import sent, token, user
from tests.records.makers import MALFORMED, illegal, ingest, joined, text, with_wrong_score

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]
ALL = "include=verdict,moves,facts"


def get_lines(path: str, **headers: str) -> list[dict[str, Any]]:
    """Return the lines of a file after checking each against the document."""
    address = f"/api/v1/{path}"
    response: Any = Client().get(address, headers=headers)
    assert response.status_code == 200, response.content
    content = operation("get", address.partition("?")[0])["responses"]["200"]["content"]
    lines = [json.loads(line) for line in response.getvalue().splitlines()]
    for line in lines:
        check(content["application/x-ndjson"]["schema"], line)
    return lines


def test_export_includes_verdict_moves_and_facts(api: Api) -> None:
    ingest(joined(text(1), with_wrong_score(2), illegal(3)))
    bare = get_lines("records.ndjson")
    for bare_line, line in zip(bare, get_lines(f"records.ndjson?{ALL}"), strict=True):
        whole = api.get(f"records/{line['key']}").json()
        assert line.pop("verdict") == whole["verdict"]
        assert line.pop("moves") == whole["kafu"]
        assert len(line.pop("facts")) >= len(whole["verdict"]["deals"])
        assert line == bare_line
    (exported,) = get_lines(f"records/export.ndjson?keys={bare[0]['key']}&include=moves")
    assert set(exported) - set(bare[0]) == {"moves"}


def test_each_deal_has_facts() -> None:
    ingest(joined(text(1), write(simulate("hachihachi", seed=2))))
    for line in get_lines("records.ndjson?include=facts,verdict"):
        deals = line["verdict"]["deals"]
        assert len(line["facts"]) == len(deals)
        for deal in line["facts"]:
            assert len(deal["hands"]) == len(line["players"])
            assert all(decision["seat"] <= len(line["players"]) for decision in deal["decisions"])
            assert deal["captured"] is not None
    first = Record.objects.order_by("pk")[0]
    (line,) = get_lines(f"records/export.ndjson?keys={first.key}&include=facts")
    replay = Client().get(f"/api/v1/records/{first.key}/replay").json()
    dealt = replay["deals"][0]["steps"][0]["hands"]
    assert [mask(hand) for hand in line["facts"][0]["hands"]] == [mask(hand) for hand in dealt]


def test_score_sheet_has_no_facts() -> None:
    sheet = '[Kafu "1"]\n[Rules "koikoi"]\n[Player1 "a"]\n[Player2 "b"]\n[Sheet "1"]\n\n'
    ingest(f"{sheet}month 1 dealer 1\nscore 1 +5 2 -5\n".encode())
    (line,) = get_lines("records.ndjson?include=facts,verdict")
    assert line["sheet"] and line["facts"] is None


def test_report_includes_verdict_moves_and_facts() -> None:
    upload = ingest(joined(text(1), MALFORMED, illegal(2)))
    bare = get_lines(f"uploads/{upload.key}/report.ndjson")
    lines = get_lines(f"uploads/{upload.key}/report.ndjson?{ALL}")
    assert [line["verdict"] and line["verdict"]["status"] for line in lines] == [
        *("verified", None, "illegal")
    ]
    assert lines[1]["moves"] is None and lines[1]["facts"] is None
    assert [{name: line[name] for name in bare[0]} for line in lines] == bare


def test_included_fields_hide_what_the_viewer_may_not_see() -> None:
    owner = user("owner")
    upload = sent(text(1), illegal(2), owner=owner)
    Record.objects.filter(status="illegal").update(visibility=Visibility.PRIVATE)
    for player in Player.objects.all():
        set_pseudonym(player, f"Mask {player.pk}")
    real_names = list(Player.objects.values_list("real_name", flat=True))
    for lines in (
        get_lines(f"uploads/{upload.key}/report.ndjson?{ALL}"),
        get_lines(f"records.ndjson?{ALL}"),
    ):
        for line in lines:
            members = json.dumps([line.get(name) for name in ("verdict", "moves")])
            assert not any(f'"{name}"' in members for name in real_names)
    report = get_lines(f"uploads/{upload.key}/report.ndjson?{ALL}", **token(owner, "read"))
    assert all(line["verdict"] for line in report)
    assert all(
        line["moves"] for line in get_lines(f"me/games.ndjson?{ALL}", **token(owner, "read"))
    )


def test_query_count_does_not_depend_on_the_games() -> None:
    ingest(joined(text(1), text(2)))
    with CaptureQueriesContext(connection) as few:
        get_lines(f"records.ndjson?{ALL}")
    ingest(joined(*(text(seed) for seed in range(3, 6))))
    with CaptureQueriesContext(connection) as later_queries:
        get_lines(f"records.ndjson?{ALL}")
    assert len(later_queries) == len(few)


@pytest.mark.parametrize(
    "query",
    [".ndjson?include=texts", ".csv?include=moves", "?include=verdict"],
)
def test_invalid_include_is_refused(api: Api, query: str) -> None:
    body = problem(api.get(f"records{query}"), "invalid-parameter", 400)
    assert [error["name"] for error in body["errors"]] == ["include"]
