"""Judged games become rows: records, submissions, seats and counters."""

from collections import Counter
from datetime import UTC, datetime
from typing import Any
from unittest.mock import patch

import pytest
from django.core.management import call_command
from django.test import override_settings

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.rules import ENGINE_VERSION
from kafu.rules.hachihachi.sheet_cards import HachihachiMonth
from kafu.rules.sheets.witness import Undecided
from records.base import clock
from records.base.keys import record_key
from records.ingest import cutting, judging, storing
from records.ingest.ownership import RESTORE_PERIOD, take_down
from records.jobs.ledger import LeaseLost, claim
from records.models import Chunk, Job, Ownership, Player, Record, Seat, Submission, Visibility
from records.models.facts import family_of
from records.services import visibility
from records.texts.pieces import piece_of
from tests.api.contract import Api
from tests.records.ingest.test_sheets import written_year
from tests.records.makers import (
    MALFORMED,
    UNSUPPORTED,
    illegal,
    ingest,
    joined,
    text,
    upload,
    with_wrong_score,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


def test_implausible_date_counts_as_none() -> None:
    dates = ("2999-01-01", "2026-02-03", "1066-10-14", "2025-01-01")
    ingest(
        *(
            text(seed).replace("[Player1", f'[Date "{day}"]\n[Player1').encode()
            for seed, day in enumerate(dates, start=1)
        )
    )
    days = dict(Record.objects.values_list("date", "date_from"))
    assert {day: first and str(first) for day, first in days.items()} == {
        "2999-01-01": None,
        "2026-02-03": "2026-02-03",
        "1066-10-14": None,
        "2025-01-01": "2025-01-01",
    }
    listed = [game["date"] for game in Api().get("records", {"sort": "played"}).json()["results"]]
    assert listed[:2] == ["2026-02-03", "2025-01-01"]


def test_verified_game_fills_every_column() -> None:
    ingest(
        text(1).replace("[Player1", '[Event "New Year"]\n[Date "2026-01-??"]\n[Player1').encode()
    )
    record = Record.objects.get()
    verification = verify(read(record.text), facts=True)
    verdict = verification.verdict
    assert record.identity == verdict.identity
    assert record.key == record_key(record.identity)
    assert (record.ruleset, record.profile, record.status) == ("koikoi", "koikoi", "verified")
    assert (record.event, record.date, record.termination) == ("New Year", "2026-01-??", "normal")
    assert str(record.date_from) == "2026-01-01"
    assert str(record.date_to) == "2026-01-31"
    assert record.error_code == ""
    assert record.engine_version == ENGINE_VERSION
    assert record.deals_played == len(verdict.deals) == record.listing.deals
    assert verification.game is not None
    assert record.turns_played == sum(month.played for month in verification.game.months)
    assert record.verdict["source"] == f"{record.key}.kafu"
    assert record.verdict["deals"] == verdict.to_stored()["deals"]

    seats = list(record.seats.all())
    assert verdict.final is not None
    assert [seat.final for seat in seats] == list(verdict.final)
    best = max(verdict.final)
    assert [seat.rank for seat in seats] == [1 if f == best else 2 for f in verdict.final]
    assert [seat.player.name for seat in seats] == [seat.name for seat in seats] == record.players
    for seat in seats:
        completed_yaku = Counter(
            line.label
            for deal in verdict.deals
            for line in deal.ledger
            if line.amounts[seat.number - 1] > 0 and family_of(line.label) != "other"
        )
        listed = (word.partition("*") for word in seat.yaku.split())
        assert {label: int(often or 1) for label, _, often in listed} == completed_yaku
    assert record.listing.unwon == sum(deal.winner is None for deal in verdict.deals)


def stored(submission: Submission) -> dict[str, Any]:
    """Return the error of a submission with an error."""
    assert submission.error is not None
    return dict(submission.error)


@pytest.mark.usefixtures("without_sheets")
def test_every_piece_has_a_submission_with_its_text() -> None:
    texts = [text(1), MALFORMED, illegal(2), with_wrong_score(3), UNSUPPORTED]
    up = ingest(joined(*texts))
    submissions = list(up.submissions.order_by("number"))
    assert [s.status for s in submissions] == [
        "verified",
        "malformed",
        "illegal",
        "mismatch",
        "unsupported",
    ]
    assert [piece_of(s).text().strip() for s in submissions] == [t.strip() for t in texts]
    assert [s.record is None for s in submissions] == [False, True, False, False, False]
    assert stored(submissions[1])["line"] == submissions[1].line + 1
    assert stored(submissions[2])["deal"] is not None
    assert submissions[3].error is None
    assert submissions[3].mismatches
    assert Record.objects.count() == 4


def test_verdict_of_a_record_has_the_places_of_its_text() -> None:
    up = ingest(joined(text(1), "; a comment\n\n" + illegal(2)))
    submission = up.submissions.get(status="illegal")
    record = submission.record
    assert record is not None
    again = verify(read(record.text)).verdict
    assert again.error is not None
    assert record.verdict["error"]["line"] == again.error.line
    assert record.error_code == again.error.code.id
    assert stored(submission)["line"] > record.verdict["error"]["line"]


def test_second_upload_of_a_game_is_a_duplicate() -> None:
    first = ingest(joined(text(1), text(2)))
    second = ingest(joined(text(2), text(3), text(2)))
    assert Record.objects.count() == 3
    assert [s.duplicate for s in first.submissions.order_by("number")] == [False, False]
    assert [s.duplicate for s in second.submissions.order_by("number")] == [True, False, True]
    assert second.progress()["games"]["duplicates"] == 2
    record = Record.objects.get(identity=verify(read(text(2))).verdict.identity)
    assert record.submissions.count() == 3
    assert record.first_chunk == first.chunks.get()
    assert Player.objects.count() == Seat.objects.values("player").distinct().count() == 2


def test_better_text_replaces_that_of_the_record() -> None:
    ingest(with_wrong_score(1).encode())
    before = Record.objects.get()
    assert before.status == "mismatch"
    up = ingest(text(1).encode())
    after = Record.objects.get()
    assert (after.pk, after.key, after.created) == (before.pk, before.key, before.created)
    assert after.changed > before.changed
    assert (after.status, after.text) == ("verified", text(1))
    assert after.verdict["mismatches"] == []
    assert after.seats.count() == 2
    assert after.listing.deals == after.deals_played == len(after.verdict["deals"])
    assert up.submissions.get().duplicate
    assert Submission.objects.filter(status="mismatch").count() == 1, "as judged on its day"


def test_worse_or_equal_text_does_not_replace_that_of_the_record() -> None:
    ingest(text(1).encode())
    commented = text(1).replace("month 1", "month 1", 1) + "; seen later\n"
    up = ingest(joined(with_wrong_score(1), commented))
    record = Record.objects.get()
    assert (record.status, record.text) == ("verified", text(1))
    assert record.changed == record.created
    statuses = [(s.status, s.duplicate) for s in up.submissions.order_by("number")]
    assert statuses == [("mismatch", True), ("verified", True)]


def test_text_with_a_wrong_round_number_is_replaced_by_a_right_one() -> None:
    wrong = text(1).replace("\n2. ", "\n3. ", 1)
    ingest(wrong.encode())
    assert [(r.status, r.text) for r in Record.objects.all()] == [("illegal", wrong)]
    call_command("reverify", "--all")
    assert [(r.status, r.text) for r in Record.objects.all()] == [("illegal", wrong)]
    for sent in (text(1), wrong):
        ingest(sent.encode())
        assert [(r.status, r.text) for r in Record.objects.all()] == [("verified", text(1))]
    assert Submission.objects.filter(status="illegal").count() == 2


def test_better_of_two_texts_in_one_chunk_is_stored() -> None:
    up = ingest(joined(with_wrong_score(1), text(1)))
    assert Record.objects.get().status == "verified"
    statuses = [(s.status, s.duplicate) for s in up.submissions.order_by("number")]
    assert statuses == [("mismatch", False), ("verified", True)]


def test_statuses_are_ordered_from_verified_to_illegal() -> None:
    order = ["verified", "consistent", "unfinished", "mismatch", "unsupported", "illegal"]
    for place, status in enumerate(order):
        assert all(storing.is_better(status, worse) for worse in order[place + 1 :])
        assert not any(storing.is_better(status, than) for than in order[: place + 1])


def test_key_of_another_game_is_lengthened() -> None:
    with patch.object(
        storing, "record_key", lambda identity, size: identity[:8] if size > 8 else "same"
    ):
        up = ingest(joined(text(1), text(2), text(3)))
    keys = {record.key for record in Record.objects.all()}
    assert len(keys) == 3
    assert "same" in keys
    assert not up.submissions.filter(duplicate=True).exists()
    assert not up.submissions.filter(record=None).exists()


def test_lost_lease_writes_nothing() -> None:
    file = upload(text(1).encode()).files.get()
    job = claim(file.pk)
    assert job is not None
    cutting.cut_file(job)
    chunk = Chunk.objects.get()
    judged = list(judging.judge(chunk))
    late = claim(chunk.pk)
    assert late is not None
    Job.objects.filter(pk=chunk.pk).update(lease="another")
    with pytest.raises(LeaseLost):
        judging.store_chunk(late, judged)
    assert not Record.objects.exists()
    assert not Submission.objects.exists()
    late.lease = "another"
    judging.store_chunk(late, judged)
    with pytest.raises(LeaseLost):
        judging.store_chunk(late, judged)
    assert Submission.objects.count() == 1


@pytest.mark.usefixtures("without_sheets")
@override_settings(CHUNK_GAMES=2)
def test_counters_equal_the_submissions() -> None:
    up = ingest(
        joined(text(1), MALFORMED, text(1)), joined(with_wrong_score(2), UNSUPPORTED, text(3))
    )
    for chunk in up.chunks.all():
        rows = chunk.submissions.all()
        assert chunk.games == len(rows)
        assert chunk.duplicates == sum(s.duplicate for s in rows)
        for status in ("verified", "mismatch", "malformed", "unsupported", "illegal"):
            assert getattr(chunk, status) == sum(s.status == status for s in rows)
    assert up.progress()["games"] == {
        "read": 6,
        "total": 6,
        "verified": 3,
        "consistent": 0,
        "unfinished": 0,
        "mismatch": 1,
        "unsupported": 1,
        "illegal": 0,
        "malformed": 1,
        "duplicates": 1,
    }


def test_label_of_a_payment_has_its_family() -> None:
    kinds = [family_of(label) for label in ("haneken", "aotan", "tobikomi", "kobiki", "points")]
    assert kinds == ["dealt", "captured", "special", "other", "other"]


def test_scores_of_an_illegal_game_end_before_the_fault() -> None:
    ingest(illegal(1).encode())
    record = Record.objects.get()
    assert record.status == "illegal"
    assert record.listing.deals == record.deals_played == len(record.verdict["deals"])
    assert all(seat.final is None and seat.rank is None for seat in record.seats.all())
    labels = {line["label"] for deal in record.verdict["deals"] for line in deal["ledger"]}
    assert set(record.listing.yaku.split()) == labels


def test_times_of_withdrawals_and_jobs_are_the_databases(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = datetime(2026, 10, 5, 12, tzinfo=UTC)
    monkeypatch.setattr(clock, "now", lambda: moment)
    upload = ingest(text(1).encode())
    visibility.request_change(upload, Visibility.WITHDRAWN)
    upload.refresh_from_db()
    job = Job.objects.get(kind="visibility")
    assert (upload.withdrawn_at, job.created) == (moment, moment)
    assert visibility.restorable_until(upload) == moment + RESTORE_PERIOD


def test_times_of_uploads_and_games_are_the_databases(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = datetime(2026, 10, 5, 12, tzinfo=UTC)
    monkeypatch.setattr(clock, "now", lambda: moment)
    upload = ingest(text(1).encode())
    record = Record.objects.get()
    ownership = Ownership.objects.get(record=record)
    times = {upload.created, ownership.created, record.created, record.changed}
    take_down([record.pk])
    record.refresh_from_db()
    assert times | {record.gone} == {moment}


def test_sheet_with_a_month_that_is_not_decided_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of the engine concerns its game alone, which a later engine can judge."""

    def give_up(*_month: object) -> None:
        raise Undecided

    monkeypatch.setattr(HachihachiMonth, "find_cards", give_up)
    ingest(joined(write(written_year()), text(1)))
    statuses = Record.objects.order_by("sheet").values_list("sheet", "status")
    assert list(statuses) == [(False, "verified"), (True, "unsupported")]
