"""Missing, damaged and outdated parts are reported and written again, never left out silently."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.management import call_command

from records.facts import parts, repair
from records.facts.parts import PartUnavailable, find_live, get_storage
from records.facts.snapshot import SUSPECT
from records.models import FactPart, Record, StaleFacts, Visibility
from records.operations import health
from records.operations.monitoring import measure_archive
from tests.records.facts.naive import assert_right, count, find_differences
from tests.records.idle import do_idle_jobs

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.fixture(autouse=True)
def never_searched(three_parts: list[FactPart]) -> None:
    """Make the sweep search for the files of the three parts."""
    cache.delete(repair.SEARCHED)


def remove(path: Path) -> None:
    """Remove a file."""
    path.unlink()


def truncate(path: Path) -> None:
    """Cut a file in two."""
    os.truncate(path, path.stat().st_size // 2)


def run_command(*arguments: str) -> tuple[int, str]:
    """Return the exit status and the output of `manage.py facts`."""
    output = io.StringIO()
    try:
        call_command("facts", *arguments, stdout=output)
    except SystemExit as error:
        return int(str(error.code)), output.getvalue()
    return 0, output.getvalue()


@pytest.mark.long_only  # the other tests have each fault alone
def test_check_goes_on_after_a_damaged_file_and_repairs_all_in_one_run(
    three_parts: list[FactPart],
) -> None:
    first, second, third = three_parts
    truncate(Path(get_storage().path(f"{first.name}/games.parquet")))
    FactPart.objects.filter(pk=second.pk).delete()
    remove(Path(get_storage().path(f"{third.name}/seats.parquet")))
    status, output = run_command("--check")
    assert status == 1
    for part, table in ((first, "games"), (third, "seats")):
        assert f"{part.name}/{table}.parquet is " in output
    assert "2 games have no rows in other files than these" in output
    assert f"game {second.first_game}, revision 0: " in output
    assert "differences: 4" in output
    status, output = run_command("--check", "--repair")
    assert (status, output.splitlines()[-1]) == (0, "due: 3")
    assert_right()
    assert count("games") == 3
    assert run_command("--check") == (0, "games: 3\r\ndifferences: 0\ndue: 0\n")


@pytest.mark.long_only  # a silently changed file is named
def test_file_that_cannot_be_read_is_named(three_parts: list[FactPart]) -> None:
    path = Path(get_storage().path(f"{three_parts[0].name}/seats.parquet"))
    path.unlink()
    path.mkdir()
    assert f"facts {three_parts[0].name}/seats.parquet: " in run_command("--check", "--repair")[1]


def test_damaged_facts_are_shown_until_they_are_written_again(
    three_parts: list[FactPart],
) -> None:
    def read_metric() -> float:
        (damaged,) = (figure for figure in measure_archive() if figure.name == "hana_facts_damaged")
        return damaged.values[()]

    assert (health.check_facts(), read_metric()) == (health.OK, 0)
    remove(Path(get_storage().path(f"{three_parts[1].name}/seats.parquet")))
    with pytest.raises(PartUnavailable):
        count("seats")
    assert (health.check_facts(), read_metric()) == (health.DAMAGED, 1)
    repair.tidy()
    assert (health.check_facts(), read_metric()) == (health.DAMAGED, 1)
    do_idle_jobs("facts")
    assert (health.check_facts(), read_metric()) == (health.OK, 0)


def test_silently_changed_file_is_found(three_parts: list[FactPart]) -> None:
    path = Path(get_storage().path(f"{three_parts[0].name}/seats.parquet"))
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 255
    path.write_bytes(data)
    assert find_differences() == [
        f"{three_parts[0].name}/seats.parquet is damaged",
        "1 games have no rows in other files than these",
    ]


def test_sweep_writes_missing_and_suspected_parts_again(three_parts: list[FactPart]) -> None:
    remove(Path(get_storage().path(f"{three_parts[0].name}/deals.parquet")))
    repair.tidy()
    assert count("games") == 2
    truncate(Path(get_storage().path(f"{three_parts[1].name}/deals.parquet")))
    with pytest.raises(PartUnavailable):
        count("deals")
    assert cache.get(SUSPECT)
    repair.tidy()
    assert count("games") == 1
    assert_right()


def test_wrong_rows_are_found_and_repaired() -> None:
    first, second, _third = Record.objects.order_by("pk")
    FactPart.objects.filter(first_game=first.pk).delete()  # simulates a part that was never listed
    Record.objects.filter(pk=second.pk).update(facts=-1, visibility=Visibility.PRIVATE)
    faults = find_differences()
    assert [text.split(":")[0] for text in faults] == [
        f"game {first.pk}, revision 0",
        f"game {second.pk}, revision 0",
    ]
    run_command("--check", "--repair")
    assert_right()
    assert count("games") == 2


def test_games_of_another_engine_are_due_and_count_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(repair, "ENGINE", "another")
    monkeypatch.setattr(parts, "ENGINE", "another")
    for _ in range(4):
        repair.tidy()
    assert count("games") == 3
    do_idle_jobs("facts")
    assert count("games") == 3
    assert StaleFacts.objects.count() == 3
    assert find_live().filter(engine="another").count() == 1


@pytest.mark.long_only  # the sweep writes suspected parts again
def test_parts_of_an_earlier_form_are_written_again() -> None:
    FactPart.objects.update(form=0)
    assert count("games") == 0
    repair.tidy()
    assert_right()
    assert count("games") == 3


def test_rebuild_makes_all_public_games_due() -> None:
    Record.objects.filter(pk=Record.objects.latest("pk").pk).update(visibility=Visibility.PRIVATE)
    assert run_command("--rebuild") == (0, "due: 2\n")
    assert count("games") == 2
    assert_right()
    _status, output = run_command()
    assert output.splitlines()[-2:] == ["due: 0", "left out: 3"]
    assert output.startswith("koikoi: 4 parts, 5 games, ")
