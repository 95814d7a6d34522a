import re
from datetime import date
from unittest.mock import patch

import pytest
from django.core.management import call_command

from kafu.rules import ENGINE_VERSION
from records.models import Listing, Record
from records.operations import reverify
from tests.records.makers import illegal, ingest, joined, text, with_wrong_score

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


def spoil(*keys: str) -> None:
    """Make records look as if an older engine had judged them, wrongly."""
    for record in Record.objects.filter(key__in=keys):
        record.engine_version = "0"
        record.status = "unsupported"
        record.verdict = {}
        record.save()
        Listing.objects.filter(record=record).update(deals=0, yaku="")


def test_only_outdated_records_are_judged_again(capsys: pytest.CaptureFixture[str]) -> None:
    ingest(joined(text(1), text(2), illegal(3), with_wrong_score(4)))
    before = {r.key: (r.status, r.verdict, r.deals_played) for r in Record.objects.all()}
    listings = list(Listing.objects.values_list())
    changed = dict(Record.objects.values_list("key", "changed"))
    spoiled = [r.key for r in Record.objects.all()[:3]]
    spoil(*spoiled)
    call_command("reverify")
    printed = capsys.readouterr().out
    assert "verified again: 3, with another status: 3" in printed
    for key in spoiled:
        status, verdict, _deals = before[key]
        code = f" ({verdict['error']['code']})" if verdict["error"] else ""
        assert f"{key}: unsupported, now {status}{code}\n" in printed
    for record in Record.objects.all():
        assert (record.status, record.verdict, record.deals_played) == before[record.key]
        assert record.engine_version == ENGINE_VERSION
        assert (record.changed != changed[record.key]) == (record.key in spoiled)
    assert list(Listing.objects.values_list()) == listings


def test_reverification_resumes_where_it_was_interrupted() -> None:
    ingest(joined(*map(text, range(1, 5))))
    with patch.object(reverify, "BATCH", 2):
        assert reverify.forget_all() == 4
        assert next(reverify.reverify()).judged == 2
        assert reverify.find_outdated().count() == 2
        assert [batch.judged for batch in reverify.reverify()] == [2]
    assert reverify.find_outdated().count() == 0


def test_all_records_are_judged_again_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    ingest(joined(text(1), text(2)))
    call_command("reverify", "--all")
    assert "verified again: 2" in capsys.readouterr().out
    call_command("reverify")
    assert "verified again: 0" in capsys.readouterr().out


def test_shares_judge_each_record_once(capsys: pytest.CaptureFixture[str]) -> None:
    ingest(joined(*map(text, range(1, 6))))
    spoil(*Record.objects.values_list("key", flat=True))
    for number in (1, 2):
        call_command("reverify", f"--share={number}/2")
    printed = capsys.readouterr().out
    assert {"verified again: 2", "verified again: 3"} == set(
        re.findall(r"verified again: \d", printed)
    )
    assert reverify.find_outdated().count() == 0


def test_text_that_no_longer_reads_is_kept_as_malformed() -> None:
    ingest(text(1).encode())
    Record.objects.update(engine_version="0", text="[Kafu broken")
    list(reverify.reverify())
    record = Record.objects.get()
    assert (record.status, record.text) == ("malformed", "[Kafu broken")
    assert record.error_code == record.verdict["error"]["code"]
    assert reverify.find_outdated().count() == 0


def test_records_dated_otherwise_get_the_date_and_keep_their_addresses() -> None:
    """An older reader did not recognize two records as the same game."""
    dated = [
        text(number).replace('[Player1 "', '[Date "2026-02-03"]\n[Player1 "', 1)
        for number in (1, 2)
    ]
    ingest(joined(*dated))
    first, second = Record.objects.order_by("pk")
    keys = [first.key, second.key]
    for record, identity in ((first, "0" * 64), (second, "1" * 64)):
        record.text = first.text.replace("2026-02-03", "2026/2/3")
        record.engine_version, record.identity, record.date = "0", identity, "2026/2/3"
        record.date_from = record.date_to = None
        record.save()
    list(reverify.reverify())
    records = list(Record.objects.order_by("pk"))
    assert [record.key for record in records] == keys
    assert {(record.date, record.date_from) for record in records} == {
        ("2026-02-03", date(2026, 2, 3))
    }
    assert [record.identity == record.verdict["identity"] for record in records] == [True, False]
    assert not any(record.verdict["warnings"] for record in records)
    assert Listing.objects.filter(day_from=date(2026, 2, 3).toordinal()).count() == 2


def test_names_stored_with_blanks_are_trimmed_and_keep_their_address() -> None:
    ingest(text(1).encode())
    record = Record.objects.get()
    name = record.players[0]
    old_text = record.text.replace(f'"{name}"', f'"{name} "', 1)
    Record.objects.update(text=old_text, identity="0" * 64, engine_version="0")
    list(reverify.reverify())
    assert [(row.key, row.identity, row.text) for row in Record.objects.all()] == [
        (record.key, record.identity, record.text)
    ]
