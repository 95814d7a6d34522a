"""`manage.py simulate`."""

import pytest
from django.core.management import CommandError, call_command

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.rules import rulesets
from tests.records.makers import text


def simulate(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command prints."""
    call_command("simulate", *arguments)
    return capsys.readouterr().out


def test_same_seed_gives_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    out = simulate(capsys, "koikoi", "--games=2", "--seed=5")
    assert out == f"{text(5)}\n{text(6)}"


def test_ruleset_without_an_engine_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All five have one; a version that lacks one would say so."""
    others = {id: one for id, one in rulesets.RULESETS.items() if id != "hanaawase"}
    monkeypatch.setattr(rulesets, "_RULESETS", others)
    with pytest.raises(CommandError) as caught:
        simulate(capsys, "hanaawase")
    assert caught.value.returncode == 2
    assert "hanaawase" in str(caught.value)


def test_number_of_players_is_used_or_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert '[Player5 "Emi"]' in simulate(capsys, "hachihachi-bga", "--players=5")
    assert "[Player4 " not in simulate(capsys, "hachihachi-bga")
    with pytest.raises(CommandError) as caught:
        simulate(capsys, "koikoi", "--players=3")
    assert caught.value.returncode == 2
    assert "koikoi is for 2 players, not 3" in str(caught.value)
    assert '[Player5 "Emi"]' in simulate(capsys, "hachihachi-bga", "--seats=5")


def test_house_rules_are_options_of_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    out = simulate(capsys, "koikoi", "--house=koikoi-ai", "--option=months=2", "--option=bai=7")
    assert '[Options "bai=7 months=2 profile=koikoi-ai"]' in out
    assert verify(read(out)).verdict.status == "verified"
    assert "[Options" not in simulate(capsys, "hanaawase")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("koikoi", "--house=nobody"), "koikoi, koikoi-ai, koikoi-nintendo"),
        (("hanaawase", "--house=koikoi"), "hanaawase: no house 'koikoi'; there are: none"),
        (("koikoi", "--option=bai=1000"), "koikoi: bai=1000: expected one of 0…999"),
        (("koikoi", "--option=bai"), "koikoi: bai=: expected one of 0…999"),
        (("hachihachi-bga", "--option=ba=A"), "no option 'ba'; there are: months, etsunen"),
        (("hachihachi-bga", "--option=months=4"), "months=4: expected one of 6, 12"),
        (("hanaawase", "--option=ba=A"), "there are: none"),
        (("koikoi", "--option=bai=1", "--option=bai=2"), "bai=2, but bai=1 before"),
        (("koikoi", "--house=koikoi", "--option=profile=koikoi-ai"), "before"),
    ],
)
def test_invalid_house_rules_are_refused(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    with pytest.raises(CommandError) as caught:
        simulate(capsys, *arguments)
    assert (caught.value.returncode, capsys.readouterr().out) == (2, "")
    assert said in str(caught.value)


def test_rare_games_are_verified_and_repeated_by_their_seed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The same seed gives the same games; they verify, and have what others never have."""
    out = simulate(capsys, "hachihachi", "--rare", "--games=6")
    assert out == simulate(capsys, "hachihachi", "--rare", "--games=6")
    assert "\ndraw " in out and "\nvoid " in out
    for rest in out.removeprefix("[Kafu").split("\n\n[Kafu"):
        assert verify(read(f"[Kafu{rest}")).verdict.status == "verified"
