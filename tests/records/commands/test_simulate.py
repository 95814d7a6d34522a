import pytest
from django.core.management import CommandError, call_command

from kafu.rules import rulesets
from tests.records.makers import text


def simulate(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command prints."""
    call_command("simulate", *arguments)
    return capsys.readouterr().out


def test_the_same_seed_gives_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    out = simulate(capsys, "koikoi", "--games=2", "--seed=5")
    assert out == f"{text(5)}\n{text(6)}"


def test_a_ruleset_without_an_engine(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All five have one; a version that lacks one would say so."""
    monkeypatch.delitem(rulesets._RULESETS, "hanaawase")
    with pytest.raises(CommandError) as caught:
        simulate(capsys, "hanaawase")
    assert caught.value.returncode == 2
    assert "hanaawase" in str(caught.value)


def test_players_at_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert '[Player5 "Emi"]' in simulate(capsys, "hachihachi-bga", "--players=5")
    assert "[Player4 " not in simulate(capsys, "hachihachi-bga")
    with pytest.raises(CommandError) as caught:
        simulate(capsys, "koikoi", "--players=3")
    assert caught.value.returncode == 2
    assert "2 to 2 players" in str(caught.value)
