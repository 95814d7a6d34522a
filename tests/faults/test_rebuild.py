"""`manage.py rebuild`: an archive rebuilt from its uploads equals the former one."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Environment, Hana
from tests.faults.games import file, games, mixed, wrong, zipped
from tests.records.jobs.ledger import Ledger, hand_in
from tests.records.makers import illegal

pytestmark = pytest.mark.faults

MakeEnv = Callable[..., Environment]
BOTH = pytest.mark.parametrize("postgres", [False, True], ids=["sqlite", "postgresql"])

#: Queries of all data that is read from uploads, without primary keys.
QUESTIONS = {
    "records": "SELECT identity, key, created, status, error_code, text, options, turns_played,"
    " engine_version FROM records_record",
    "verdicts": "SELECT identity, verdict FROM records_record",
    "listings": "SELECT r.identity, l.status, l.best, l.yaku, l.turns, l.deals, l.unwon,"
    " l.grades"
    " FROM records_listing l JOIN records_record r ON r.id = l.record_id",
    "seats": "SELECT r.identity, s.number, s.name, s.final, s.rank, s.yaku, p.key"
    " FROM records_seat s JOIN records_record r ON r.id = s.record_id"
    " JOIN records_player p ON p.id = s.player_id",
    "uploads": "SELECT key, created, via FROM records_upload",
    "files": "SELECT u.key, f.number, f.name, f.size, f.sha256, j.state FROM records_uploadfile f"
    " JOIN records_upload u ON u.id = f.upload_id JOIN records_job j ON j.id = f.job_id",
    "submissions": "SELECT u.key, f.number, s.number, s.line, s.status, s.error, s.mismatches,"
    " s.duplicate, r.identity FROM records_submission s JOIN records_upload u ON u.id = s.upload_id"
    " JOIN records_uploadfile f ON f.job_id = s.file_id"
    " LEFT JOIN records_record r ON r.id = s.record_id",
    "chunks": "SELECT u.key, f.number, c.first_game, c.games, c.verified, c.mismatch, c.malformed,"
    " c.illegal, c.duplicates, j.state FROM records_chunk c"
    " JOIN records_upload u ON u.id = c.upload_id JOIN records_uploadfile f ON f.job_id = c.file_id"
    " JOIN records_job j ON j.id = c.job_id",
    "players": "SELECT key, name, games FROM records_player",
}


def everything(ledger: Ledger) -> dict[str, list[str]]:
    """Return the results of all queries, comparable."""
    return {name: sorted(map(repr, ledger.ask(query))) for name, query in QUESTIONS.items()}


@pytest.fixture
def filled(hana_env: MakeEnv, hana: Hana) -> Callable[[bool], tuple[Environment, Ledger]]:
    """Return a maker of archives with games of all kinds."""

    def make(postgres: bool) -> tuple[Environment, Ledger]:
        env = hana_env(postgres=postgres, HANA_CHUNK_GAMES="7")
        again = games("Gin", "Hana")
        hand_in(
            hana,
            env,
            mixed("Aya", "Gin"),
            zipped(one=file(*again, illegal(1)), two=file(wrong(again[0])), three=b""),
            file(*again[:3]),
        )
        work_off(hana, env)
        return env, Ledger(env)

    return make


def work_off(hana: Hana, env: Environment) -> None:
    """Run all open jobs."""
    code = "from records.operations.rebuild import work; work(lambda _: None)"
    hana("shell", "--no-imports", "-c", code, env=env)


@BOTH
def test_archive_rebuilt_in_place_equals_the_former_one(
    filled: Any, hana: Hana, postgres: bool
) -> None:
    env, ledger = filled(postgres)
    before = everything(ledger)
    assert len(before["records"]) == 25
    out = hana("rebuild", "--from-uploads", env=env).stdout
    assert "games that no upload gives: 0" in out
    assert everything(ledger) == before
    assert "differences: 0" in hana("rebuild", "--check", env=env).stdout
    assert everything(ledger) == before


@BOTH
def test_check_reports_changed_rows(filled: Any, hana: Hana, postgres: bool) -> None:
    env, ledger = filled(postgres)
    key = ledger.ask("SELECT key FROM records_record WHERE status = 'verified' LIMIT 1")[0][0]
    break_it(
        ledger,
        f"UPDATE records_record SET status = 'mismatch' WHERE key = '{key}'",
        "DELETE FROM records_submission WHERE number = 2 AND duplicate",
        "UPDATE records_seat SET final = 0 WHERE final IS NOT NULL AND number = 1",
        "UPDATE records_player SET games = games + 1 WHERE name = 'Gin'",
    )
    before = everything(ledger)
    output = hana("rebuild", "--check", env=env, status=1).stdout
    for expected_text in (
        f"game {key}: record:",
        "seats:",
        "sum of all submissions",
        "duplicates:",
    ):
        assert expected_text in output
    assert ": counted as 9 games, has 8" in output
    assert everything(ledger) == before
    assert "players counted anew: 1" in hana("rebuild", "--from-uploads", env=env).stdout
    assert "differences: 0\n" in hana("rebuild", "--check", env=env).stdout


@BOTH
def test_check_names_a_lost_file_of_facts_and_goes_on(
    filled: Any, hana: Hana, postgres: bool
) -> None:
    env, ledger = filled(postgres)
    lost = next(Path(env["HANA_VAR"]).rglob("results.parquet"))
    lost.unlink()
    key = ledger.ask("SELECT key FROM records_record WHERE visibility = 3 LIMIT 1")[0][0]
    break_it(ledger, f"UPDATE records_record SET visibility = 1 WHERE key = '{key}'")
    report = hana("rebuild", "--check", env=env, status=1).stdout
    assert "/results.parquet is missing" in report
    assert "the ratings are not compared: facts " in report
    assert f"game {key}: visibility: 1 is 3 by ownerships" in report
    assert "corrected owners or visibility: 1" in hana("rebuild", "--from-uploads", env=env).stdout
    hana("facts", "--check", "--repair", env=env)
    assert f"game {key}" not in hana("rebuild", "--check", env=env).stdout


def break_it(ledger: Ledger, *statements: str) -> None:
    """Change the database behind the archive's back."""
    for statement in statements:
        ledger.do(statement)


@BOTH
def test_interrupted_rebuild_is_finished_by_any_worker(
    filled: Any, hana: Hana, postgres: bool
) -> None:
    env, ledger = filled(postgres)
    before = everything(ledger)
    code = "from records.operations.rebuild import begin; begin()"
    hana("shell", "--no-imports", "-c", code, env=env)
    assert everything(ledger)["records"] == before["records"], "shown meanwhile"
    work_off(hana, env)
    assert everything(ledger) == before


@BOTH
def test_archive_rebuilt_from_bytes_alone_equals_the_former_one(
    filled: Any, hana_env: MakeEnv, hana: Hana, postgres: bool
) -> None:
    env, ledger = filled(postgres)
    before = everything(ledger)
    new = hana_env(postgres=postgres, HANA_CHUNK_GAMES="7")
    shutil.copytree(Path(env["HANA_VAR"]) / "uploads", Path(new["HANA_VAR"]) / "uploads")
    assert "taken in: 3" in hana("rebuild", "--orphans", env=new).stdout
    after = everything(Ledger(new))
    for name in ("listings", "seats", "players"):
        assert after[name] == before[name], name
    assert "differences: 0" in hana("facts", "--check", env=new).stdout
    identities = "SELECT identity, key, status FROM records_record ORDER BY 1"
    assert Ledger(new).ask(identities) == ledger.ask(identities)
    assert len(after["submissions"]) == len(before["submissions"])
    assert "taken in: 0" in hana("rebuild", "--orphans", env=new).stdout


def test_game_whose_upload_is_lost_stays(filled: Any, hana: Hana) -> None:
    env, ledger = filled(False)
    games_before = ledger.number("SELECT count(*) FROM records_record")
    hana("shell", "--no-imports", "-c", FORGET, env=env)
    out = hana("rebuild", "--from-uploads", env=env).stdout
    assert "games that no upload gives: 9" in out
    assert ledger.number("SELECT count(*) FROM records_record") == games_before


#: The upload of the ZIP archive is lost, with its illegal game and Hana's games.
FORGET = """
from records.models import Upload
upload = Upload.objects.get(files__name="games.kafu", files__number=1, pk=2)
upload.delete()
"""
