"""`manage.py odds`. No test here has a database: pytest-django would fail one that uses it."""

import json

import pytest
from django.core.management import CommandError, call_command

from kafu.odds.exact import odds
from kafu.odds.form import to_json
from kafu.rules.rulesets import RULESETS


def print_odds(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the command and return its output."""
    call_command("odds", *arguments)
    return capsys.readouterr().out


@pytest.mark.parametrize("rules", sorted(RULESETS))
def test_json_equals_that_of_the_api(capsys: pytest.CaptureFixture[str], rules: str) -> None:
    assert json.loads(print_odds(capsys, rules, "--format=json")) == to_json(odds(rules))


def test_matrix_is_printed_in_columns(capsys: pytest.CaptureFixture[str]) -> None:
    lines = print_odds(capsys, "hachihachi").splitlines()
    assert lines[0] == "sannin hachihachi (eighty-eight for three)"
    rows = [line.split() for line in lines if line.startswith("shisō  ")]
    assert rows[0] == ["shisō", "500", "-", "9", "8", "10", "1", "528"]
    assert rows[2][-2:] == ["73,629,072", "139,449"]
    zetsuba = next(line for line in lines if line.startswith("zetsuba"))
    assert zetsuba.split()[3:] == ["2.9521", "23.6702", "%", "23.6702", "%", "100.0000", "%"]
    assert lines[-1] == "A bond left after December (etsunen)  4.4059 %"


def test_japanese_table_is_aligned_by_width(capsys: pytest.CaptureFixture[str]) -> None:
    lines = print_odds(capsys, "koikoi", "--lang=ja").splitlines()
    assert lines[0] == "こいこい"
    row = next(line for line in lines if line.startswith("二三本喰付"))
    assert row.split() == ["二三本喰付", "63,360", "0.016791", "%", "1/5,955.63"]
    # An East Asian letter is two columns wide.
    wide = next(line for line in lines if line.startswith("手四 "))
    assert len(wide) - len(row) == len("三本喰")


def test_ruleset_without_odds_is_refused() -> None:
    with pytest.raises(CommandError, match="'hachihachi', 'koikoi'"):
        call_command("odds", "nothing")


def test_ruleset_without_etsunen_ends_with_its_deals(capsys: pytest.CaptureFixture[str]) -> None:
    lines = print_odds(capsys, "hachihachi-bga").splitlines()
    assert lines[-1].split()[:5] == ["zetsuba", "(absolute", "field)", "2.9823", "23.6702"]
