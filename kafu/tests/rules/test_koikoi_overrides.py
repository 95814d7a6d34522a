"""Single house rules of koi-koi on top of a profile (K15): the effect of each option."""

from __future__ import annotations

from dataclasses import fields
from random import Random

import pytest

from kafu import cards
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.rules.house_rules import read_options
from kafu.rules.koikoi.profiles import HOUSE_RULES, PROFILES, Profile, find_profile
from kafu.rules.koikoi.yaku import GROWS, REPLACES, ROWS, TEYAKU
from kafu.rules.play.actions import Begin, Deal, Illegal, Redeal, Say, ShowAction
from kafu.rules.play.machine import Phase
from kafu.rules.rulesets import find_ruleset
from kafu.simulation.simulate import simulate
from lengths import LONG, part
from rules.tables import (
    after,
    exhausted,
    make_machine,
    make_profile,
    played,
    position,
    result,
    yaku,
)

CHAFF = cards.letters(cards.CHAFF)
KNOWN = RULES["koikoi"].options


def values(captured: str, **options: str) -> dict[str, int]:
    """Return the yaku of captured cards with their values in a house."""
    machine = make_machine(**options)
    return yaku(position(captured, hand="b", stock="a", machine=machine), machine)


# The table ----------------------------------------------------------------------------------------


@pytest.mark.long
def test_every_rule_of_a_house_has_an_option_that_overrides_it() -> None:
    assert list(KNOWN) == ["profile", *HOUSE_RULES]
    changed = set()
    for name, option_values in KNOWN.items():
        if name == "profile":
            continue
        for id in PROFILES:
            for value in (
                option_values.known
                if LONG
                else sorted(option_values.known)[:: len(option_values.known) // 4 or 1]
            ):
                new = make_profile(profile=id, **{name: value})
                changed |= {
                    field.name
                    for field in fields(Profile)
                    if getattr(new, field.name) != getattr(PROFILES[id], field.name)
                }
    assert changed == {field.name for field in fields(Profile)} - {"id"}


@pytest.mark.parametrize("id", part(list(PROFILES)[::-1]))
def test_house_has_the_value_of_each_option(id: str) -> None:
    """Every value of every option is read from the resulting house."""
    on = {"teyaku": "yes", "ginmi": "yes"} | {row.id: "5" for row in ROWS}
    for name, option_values in KNOWN.items():
        if name != "profile":
            for value in sorted(option_values.known, key=lambda word: (len(word), word))[:12]:
                profile_of_value = make_profile(profile=id, **{**on, name: value})
                assert read_options(HOUSE_RULES, profile_of_value)[name] == value, (name, value)


def test_order_of_options_is_ignored() -> None:
    options = {"profile": "koikoi-ai", "otori-over": "no", "otori": "18", "kotori": "7"}
    options |= {"kasu-step": "2", "sakazuki": "scored", "shiso": "9", "teyaku": "yes"}
    assert find_profile(options) == find_profile(dict(reversed(options.items())))


def test_profile_spelt_out_by_options_is_the_same_house() -> None:
    """The profile of the KoiKoi-AI logs, spelt out on top of the document's."""
    written = dict(find_ruleset("koikoi").defaults("koikoi-ai"))
    profile_of_options = find_profile(written)
    assert profile_of_options is not None
    assert set(profile_of_options.yaku) == set(PROFILES["koikoi-ai"].yaku)
    for field in fields(Profile):
        if field.name not in ("id", "yaku"):
            assert getattr(profile_of_options, field.name) == getattr(
                PROFILES["koikoi-ai"], field.name
            )


def test_game_with_any_option_is_verified() -> None:
    """Options by chance, several at once, on every profile."""
    random = Random(15)
    names = [name for name in KNOWN if name not in ("profile", "months", "start")]
    for seed in range(60):
        options = {"profile": random.choice(sorted(PROFILES)), "months": "3"}
        for name in random.sample(names, 8):
            option_values = sorted(KNOWN[name].known, key=lambda word: (len(word), word))
            options[name] = random.choice(option_values[:20])
        text = write(simulate("koikoi", seed=seed, options=options))
        verdict = verify(read(text)).verdict
        assert (verdict.status, verdict.warnings) == ("verified", []), options


# Captured yaku ------------------------------------------------------------------------------------


def test_captured_yaku_follow_the_options() -> None:
    for captured, options, expected in [
        ("AIcos", {"goko": "34"}, {"goko": 34}),  # 五光 with 祝儀
        ("Ig", {"hanami": "0"}, {}),
        ("AEMdps", {"profile": "koikoi-ai", "otori": "18"}, {"otori": 18}),
        ("Icg", {"profile": "koikoi-ai", "teppo": "6"}, {"teppo": 6}),
        ("BFJVhl", {"akatan-aotan": "3"}, {"akatan-aotan": 3, "akatan": 7, "aotan": 7, "tan": 2}),
        # How they grow.
        ("EMQUYd", {"goun": "0", "tane-step": "3"}, {"tane": 4}),
        ("BFJNRVZ", {"kusa": "0", "tan-step": "0"}, {"akatan": 7, "tan": 1}),
        (CHAFF[:12], {"kasu-step": "2"}, {"kasu": 5}),
        ("BFJNR", {"akatan-step": "2", "tan": "0"}, {"akatan": 11}),
        ("YkUEd", {"inoshikacho-step": "1", "tane": "0"}, {"inoshikacho": 8}),
        # Exclusions.
        ("AIcos", {"goko-over": "no"}, {"goko": 24, "shiko": 16}),
        ("AIcs", {"shiko-over": "no"}, {"shiko": 16, "sanko": 6}),
        ("AEMdps", {"otori-over": "no", "tane": "0"}, {"otori": 18, "kotori": 7}),
        ("Icg", {"teppo-over": "no"}, {"teppo": 6, "tsukimi": 2, "hanami": 2}),
        ("EQUYg", {"goun-over": "yes"}, {"goun": 15}),
        ("YkUEd", {"inoshikacho-over": "yes"}, {"inoshikacho": 6}),
        ("BFJNR", {"akatan-over": "yes"}, {"akatan": 7}),
        ("VhlNR", {"aotan-over": "yes"}, {"aotan": 7}),
        (
            "BFJVhl",
            {"akatan-aotan": "20", "akatan-aotan-over": "yes"},
            {"akatan-aotan": 20},
        ),
        # Rain and sake.
        ("Icgr", {"rain": "no"}, {"teppo": 6}),
        ("Icgr", {"profile": "koikoi-ai", "rain": "yes"}, {}),
        ("Icgr", {"profile": "koikoi-nintendo", "rain": "yes", "hanami": "0"}, {}),
        ("IcgrA", {}, {"teppo": 6, "sanko": 6}),
        ("IcgrA", {"hinode": "no"}, {"sanko": 6}),
        ("Icgt", {}, {"teppo": 6}),
        ("Icgt", {"mist": "yes"}, {}),
        ("Igs", {"mist": "yes"}, {}),
        ("Icgr", {"mist": "yes", "rain": "no"}, {"teppo": 6}),
        ("IcgtrA", {"mist": "yes"}, {"teppo": 6, "sanko": 6}),
        ("IcgtA", {"mist": "yes", "hinode": "no"}, {"sanko": 6}),
        (CHAFF[:9] + "g", {"sakazuki": "no"}, {}),
        (CHAFF[:9] + "g", {"sakazuki": "yes"}, {"kasu": 1}),
    ]:
        assert values(captured, **options) == expected


def test_ten_chaff_with_the_cup_give_the_right_if_the_option_permits() -> None:
    """K6."""
    for option, phase in (("scored", Phase.HAND), ("yes", Phase.DECIDE), ("no", Phase.HAND)):
        machine = make_machine(sakazuki=option)
        table = position(CHAFF[:7] + "g", hand="b", field="a", stock="W", machine=machine)
        assert after(table, "bxa/W", machine).phase is phase, option


def test_sake_yaku_is_worth_more_after_a_call_by_option() -> None:
    machine = make_machine(hanami_called="7")
    state = position("Ig", hand="b", stock="a", machine=machine)
    assert yaku(state, machine) == {"hanami": 2}
    assert yaku(state.replace(calls=(1, 0)), machine) == {"hanami": 7}


def test_every_yaku_that_grows_or_replaces_is_in_the_table() -> None:
    ids = {row.id for row in ROWS}
    assert (
        set(GROWS) | set(REPLACES) | {replaced for over in REPLACES.values() for replaced in over}
        <= ids
    )
    for row in ROWS:
        assert row.over in ((), REPLACES.get(row.id, ()))


# Dealt-hand yaku ----------------------------------------------------------------------------------


def shown(hand: str, **options: str) -> tuple[str, int] | None:
    """Return the value of a shown dealt hand."""
    machine = make_machine(**options)
    remaining = [card for card in cards.LETTERS if card not in hand]
    state, _ = machine.apply(
        machine.start(),
        Deal(1, 1, {1: hand, 2: "".join(remaining[::5])}, "".join(remaining[1::5]), None),
    )
    for action in machine.legal_actions(state):
        if isinstance(action, ShowAction) and action.seat == 1:
            state, _ = machine.apply(state, action)
            state, _ = machine.apply(state, Begin())
            return result(state).ledger[0].label, result(state).score[0]
    return None


@pytest.mark.parametrize(
    ("hand", "options", "expected"),
    [
        ("ABEFIJMN", {}, ("kuttsuki", 10)),
        ("ABEFIJMN", {"kuttsuki": "12"}, ("kuttsuki", 12)),
        ("ABEFIJMN", {"kuttsuki": "0"}, None),
        ("ABEFIJMN", {"teyaku": "no", "kuttsuki": "12"}, None),
        ("ABEFIJMN", {"profile": "koikoi-ai", "teyaku": "yes"}, ("kuttsuki", 10)),
        ("ABCDEFIJ", {}, ("teshi-kuttsuki", 40)),
        ("ABCDEFIJ", {"teshi-kuttsuki": "0"}, ("teshi", 6)),  # K4: not listed on its own
        ("ABCDEFGI", {"shiso": "0", "teshi": "8"}, ("teshi", 8)),
        ("ABCDEFGH", {"futateshi": "100"}, ("futateshi", 100)),
        ("ABCEFGIJ", {"futasanbon-kuttsuki": "0"}, None),
        ("ABCEFGIM", {"futasanbon": "11"}, ("futasanbon", 11)),
        ("ABCEFIJM", {"haneken": "4"}, ("haneken", 4)),
    ],
)
def test_dealt_hand_yaku_follow_the_options(
    hand: str, options: dict[str, str], expected: tuple[str, int] | None
) -> None:
    assert shown(hand, **options) == expected


def test_dealt_hands_with_their_own_values_keep_their_table() -> None:
    written = {row.id: str(row.value) for row in TEYAKU}
    assert make_profile(**written).teyaku == TEYAKU


# The deal -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "field", "options", "again"),
    [
        ("EFIJMNQR", "ABCUVYZg", {}, False),
        ("EFIJMNQR", "ABCUVYZg", {"shima": "3"}, True),
        ("EFIJMNQR", "ABCDVYZg", {"profile": "koikoi-nintendo", "shima": "4"}, True),
        ("EFIJMNQR", "ABCUVYZg", {"profile": "koikoi-nintendo", "shima": "4"}, False),
        ("EFGHMQUY", "ABIJVZcg", {}, False),
        ("EFGHMQUY", "ABIJVZcg", {"shima-hand": "yes", "teyaku": "no"}, True),
        ("EFGHMQUY", "ABIJVZcg", {"profile": "koikoi-ai", "shima-hand": "no"}, False),
    ],
)
def test_month_is_dealt_again_by_option(
    first: str, field: str, options: dict[str, str], again: bool
) -> None:
    machine = make_machine(**options)
    remaining = [card for card in cards.LETTERS if card not in first + field]
    state, _ = machine.apply(
        machine.start(), Deal(1, 1, {1: first, 2: "".join(remaining[::3])[:8]}, field, None)
    )
    assert (Redeal("shima") in machine.legal_actions(state)) == again


@pytest.mark.parametrize(
    ("winner", "dealer", "option", "due"),
    [
        *((1, 1, "winner", 1), (2, 1, "winner", 2)),
        *((1, 1, "loser", 2), (2, 1, "loser", 1)),
        *((1, 1, "turns", 2), (2, 1, "turns", 2)),
    ],
)
def test_dealer_after_a_won_month_follows_the_option(
    winner: int, dealer: int, option: str, due: int
) -> None:
    machine = make_machine(dealer=option)
    state = position("AIc" if winner == 1 else "", hand="s", field="t", stock="R", machine=machine)
    state = state.replace(dealer=dealer)
    if winner == 2:
        # The same table from the opponent's side.
        table = state.table
        table = table.replace(
            hands=table.hands[::-1],
            hidden=table.hidden[::-1],
            captured=(0, cards.mask("AIc")),
        )
        state = state.replace(table=table, seat=2)
        state = state.replace(made=(machine.yaku(state, 1), machine.yaku(state, 2)))
    ended, _ = machine.apply(after(state, "sxt/R", machine), Say("shobu"))
    assert (result(ended).winner, result(ended).next_dealer) == (winner, due)


@pytest.mark.parametrize(
    ("options", "month", "dealer", "score"),
    [
        ({}, 1, 2, (0, 0)),
        ({"nagare": "next"}, 2, 2, (0, 0)),
        ({"nagare-dealer": "stays"}, 1, 1, (0, 0)),
        ({"oyaken": "3"}, 2, 1, (3, 0)),
        ({"oyaken": "3", "pays": "yes"}, 2, 1, (3, -3)),
        ({"oyaken": "3", "dealer": "loser"}, 2, 2, (3, 0)),
        ({"oyaken": "3", "oyaken-wins": "no"}, 2, 2, (3, 0)),
        ({"profile": "koikoi-ai", "oyaken": "0", "nagare": "again"}, 1, 1, (0, 0)),
    ],
)
def test_score_of_hands_played_out_follows_the_option(
    options: dict[str, str], month: int, dealer: int, score: tuple[int, int]
) -> None:
    """K2, K11; 親権: the dealer gets the value and wins the month."""
    state = exhausted(make_machine(**options))
    assert (result(state).end, state.month, state.dealer) == ("nagare", month, dealer)
    assert result(state).score == score
    wins = bool(score[0]) and options.get("oyaken-wins") != "no"
    assert result(state).winner == (1 if wins else None)
    assert state.winners == ({1: (1,), 0: (0,)}[wins] if month == 2 else ())


# こいこい --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "calls", "lines"),
    [
        ({}, (2, 1), {"sanko": 6}),
        ({"koikoi-bonus": "2"}, (0, 1), {"sanko": 6}),
        ({"koikoi-bonus": "2"}, (2, 1), {"sanko": 6, "koikoi": 4}),
        ({"koikoi-bonus": "2", "koikoi-times": "1"}, (2, 0), {"sanko": 6, "koikoi": 6}),
        ({"koikoi-times": "1"}, (3, 0), {"sanko": 6, "koikoi": 12}),
        ({"bai": "6"}, (0, 0), {"sanko": 6, "bai": 6}),
        ({"bai": "7"}, (0, 0), {"sanko": 6}),
        ({"koikoigaeshi": "yes"}, (0, 1), {"sanko": 6, "koikoigaeshi": 6}),
        ({"koikoigaeshi": "yes"}, (1, 0), {"sanko": 6}),
        ({"bai": "6", "koikoigaeshi": "yes"}, (0, 2), {"sanko": 6, "bai": 6, "koikoigaeshi": 12}),
    ],
)
def test_score_added_for_calls_and_totals_follows_the_options(
    options: dict[str, str], calls: tuple[int, int], lines: dict[str, int]
) -> None:
    machine = make_machine(**options)
    right = after(position("AI", hand="c", field="e", stock="R", machine=machine), "cxe/R", machine)
    ended, _ = machine.apply(right.replace(calls=calls), Say("shobu"))
    assert {line.label: line.amounts[0] for line in result(ended).ledger} == lines


@pytest.mark.parametrize(
    ("options", "turn", "calls", "words"),
    [
        ({}, 14, 9, ["shobu", "koikoi"]),
        ({"koikoi-last": "no"}, 14, 0, ["shobu"]),
        ({"koikoi-last": "no"}, 12, 0, ["shobu", "koikoi"]),
        ({"koikoi-most": "2"}, 4, 1, ["shobu", "koikoi"]),
        ({"koikoi-most": "2"}, 4, 2, ["shobu"]),
    ],
)
def test_koikoi_is_legal_by_option(
    options: dict[str, str], turn: int, calls: int, words: list[str]
) -> None:
    machine = make_machine(**options)
    state = position("AI", hand="c", field="e", stock="R", turn=turn, machine=machine)
    right = after(state, "cxe/R", machine).replace(calls=(calls, 0))
    assert machine.legal_actions(right) == [Say(word) for word in words]
    if len(words) == 1:
        with pytest.raises(Illegal):
            machine.apply(right, Say("koikoi"))


# The end of the game ------------------------------------------------------------------------------


def test_obiki_takes_two_months_or_more_of_every_season() -> None:
    """大引: paid with the last month, for any winner of the month."""
    machine = make_machine(obiki="20", kobiki="0", nagare="next", ginmi="no")
    state = played(machine, "112121211112")
    assert [(line.label, line.amounts) for line in result(state).ledger] == [
        ("sanko", (0, 6)),
        ("obiki", (20, 0)),
    ]
    assert state.final == (8 * 6 + 20, 4 * 6)
    for winners in ("112122211112", "110121011011"):
        lines = {line.label for line in result(played(machine, winners)).ledger}
        assert ("obiki" in lines) == (winners == "110121011011")
    assert "obiki" not in {
        line.label for line in result(played(make_machine(), "112121211112")).ledger
    }


def test_obiki_without_whole_seasons_is_not_paid() -> None:
    machine = make_machine(obiki="20", months="2", ginmi="no")
    assert result(played(machine, "11")).score == (6, 0)
    machine = make_machine(obiki="20", months="3", ginmi="no", kobiki="7", pays="yes")
    assert result(played(machine, "111")).score == (33, -33)


@pytest.mark.parametrize(
    ("options", "final"),
    [
        ({}, (12 + 5 + 2, 6)),
        ({"ginmi": "no"}, (12, 6)),
        ({"ginmi-base": "10"}, (12 + 10 + 2, 6)),
        ({"ginmi-month": "3"}, (12 + 5 + 6, 6)),
        ({"ginmi-month": "0", "ginmi-base": "0"}, (12, 6)),
        ({"ginmi": "no", "ginmi-base": "10"}, (12, 6)),
        ({"start": "50"}, (62 + 7, 56)),
        ({"start": "50", "pays": "yes"}, (56 + 7, 44)),
    ],
)
def test_prize_of_the_year_follows_the_option(
    options: dict[str, str], final: tuple[int, int]
) -> None:
    assert played(make_machine(months="3", **options), "121").final == final


def test_tie_without_kaeriharu_ends_the_game() -> None:
    """K13."""
    assert played(make_machine(months="2"), "12").final is None
    assert played(make_machine(months="2", kaeriharu="no"), "12").final == (6, 6)
    ai = {"profile": "koikoi-ai", "months": "2", "kaeriharu": "yes", "bust": "no"}
    assert played(make_machine(**ai), "12").final is None


def test_player_with_nothing_left_ends_the_game_by_option() -> None:
    options = {"start": "6", "pays": "yes"}
    assert played(make_machine(**options), "1").final is None
    over = played(make_machine(**options, bust="yes"), "1")
    assert (over.phase, over.totals) == (Phase.OVER, (12, 0))


def test_least_total_applies_in_a_month_played_over() -> None:
    """K9."""
    for option, phase in (("6", Phase.DECIDE), ("7", Phase.HAND)):
        machine = make_machine(shibori=option)
        state = position("AI", hand="c", field="e", stock="R", replayed=True, machine=machine)
        assert after(state, "cxe/R", machine).phase is phase
