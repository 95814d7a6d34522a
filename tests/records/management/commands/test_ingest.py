"""`manage.py ingest`."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from records.models import Record, Upload
from tests.records.makers import MALFORMED, joined, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


def test_files_and_folders_become_one_upload(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.kafu").write_bytes(joined(text(1), MALFORMED))
    (tmp_path / "b.kafu").write_bytes(joined(text(2), text(1)))
    call_command("ingest", str(tmp_path))
    up = Upload.objects.get()
    assert up.via == "command"
    assert [file.name for file in up.files.all()] == ["a.kafu", "b.kafu"]
    assert Record.objects.count() == 2
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"upload {up.key}: 4 of 4 games: 3 verified, 1 malformed, 1 duplicates"


def test_missing_path_is_refused_and_stores_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.kafu").write_text(text(1))
    with pytest.raises(CommandError, match="no such file") as caught:
        call_command("ingest", str(tmp_path / "a.kafu"), str(tmp_path / "no"))
    assert caught.value.returncode == 2
    assert not Upload.objects.exists()
