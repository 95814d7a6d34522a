"""Cards by their names: every way of writing one, alike ones told apart, games there and back."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafu import cards
from kafu.importers import read_piece
from kafu.judging.verify import verify
from kafu.naming.statements import letters_of
from kafu.naming.table import exact, key_of, names, nearest
from kafu.naming.writing import named
from kafu.notation.faults import Malformed
from kafu.notation.reading.reader import Reading
from kafu.notation.stream.cut import cut
from kafu.notation.writer import write
from kafu.rules.rulesets import RULESETS
from kafu.simulation.simulate import simulate
from lengths import LONG

HEAD = (
    '[Kafu "1"]\n[Rules "koikoi"]\n[Player1 "Aya"]\n[Player2 "Ben"]\n[Termination "unfinished"]\n\n'
)
DEAL = HEAD + "month 1 dealer 1\n"


def reading(text: str) -> Reading:
    (piece,) = cut(io.BytesIO(text.encode()))
    return read_piece(piece)


def canonical(text: str) -> str:
    result = reading(text)
    assert result.game is not None, result.fault
    return write(result.game)


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        *((name, "A") for name in ("松に鶴", "松の光", "1月の光", "crane", "Pine with Crane")),
        *((name, "A") for name in ("1-bright", "1 bright", "jan-hikari", "matsu ni tsuru", "鶴")),
        *((name, "B") for name in ("松の短冊", "松のたん", "pine ribbon", "pine red ribbon")),
        *((name, "c") for name in ("芒に月", "すすきに月", "ススキの光", "moon", "８月の光")),
        *(
            (name, "g")
            for name in ("菊に盃", "菊の杯", "sake cup", "mum_cup", "Chrysanthemum animal")
        ),
        *((name, "o") for name in ("柳に小野道風", "雨の光", "rain man", "ono-no-michikaze")),
        *((name, "s") for name in ("桐に鳳凰", "hōō", "Paulownia bright", "#47")),
        *((name, "t") for name in ("桐のカス", "桐の素", "paulownia chaff", "12 kasu")),
        *((name, "v") for name in ("桐のカス3", "paulownia dregs-3", "#44", "[12,4]")),
        ("松に鶴松のカス松のカス", "ACD"),
        ("pine crane pine dregs, pine dregs", "ACD"),
        ("松に鶴、？ QR ...", "A?QR..."),
    ],
)
def test_name_as_people_write_it_is_read_as_its_letters(name: str, letters: str) -> None:
    assert letters_of(name) == letters


def test_every_name_of_a_card_is_read_as_its_letter() -> None:
    for card in cards.PACK:
        for name in (card.ja, card.en, card.romaji):
            assert card.letter in names()[key_of(name)]
        for lang in ("ja", "en"):
            assert letters_of(exact(card.letter, lang)) == card.letter


def test_only_dregs_share_a_name() -> None:
    for key, letters in names().items():
        assert len(letters) == 1 or all(
            cards.CARD[letter].kind is cards.Kind.DREGS for letter in letters
        ), key


@pytest.mark.parametrize(("wrong", "near"), [("松に亀", "松に鶴"), ("pine turtle", "pine dregs")])
def test_fault_of_a_wrong_name_has_the_nearest_names(wrong: str, near: str) -> None:
    with pytest.raises(Malformed) as raised:
        letters_of(f"QR {wrong}")
    assert raised.value.fault.code.id == "no-card-name"
    assert near in raised.value.fault.expected
    assert raised.value.fault.column == 4


def test_nonsense_has_no_nearest_name() -> None:
    assert nearest("ぽ" * 5000) == ()


def test_name_used_for_more_cards_than_it_has_is_a_fault() -> None:
    with pytest.raises(Malformed) as raised:
        letters_of("松のカス、松のカス、松のカス")
    assert raised.value.fault.code.id == "card-name-used"
    assert raised.value.fault.message("ja").endswith("ほかの場所にあります: 松のカス（C）")


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_game_written_by_names_is_read_back(rules: str, lang: str) -> None:
    for seed in range(3 if LONG else 1):
        text = write(simulate(rules, seed=seed))
        with_names = named(text, lang)
        assert with_names != text
        result = reading(with_names)
        assert result.game is not None, result.fault
        assert write(result.game) == text
        assert [warning.code.id for warning in result.warnings] == ["card-names"]


@pytest.mark.parametrize("rules", RULESETS)
def test_dregs_without_numbers_are_those_on_the_table(rules: str) -> None:
    for seed in range(5 if LONG else 1):
        text = write(simulate(rules, seed=seed))
        plain = re.sub(r"(カス)[123]", r"\1", named(text, "ja"))
        verdict = verify(reading(plain)).verdict
        assert (verdict.status, verdict.error) == ("verified", None)
        assert verdict.final == verify(reading(text)).verdict.final


def test_moves_are_read_in_both_languages() -> None:
    moves = (
        "1. 松のカスx松に鶴/梅に鶯 2:桜に幕x桜の短冊、桜のカス、桜のカス/藤のカス=こいこい",
        "1. pine dregs x pine crane / warbler  2: curtain x cherry ribbon, cherry dregs, "
        "cherry dregs / wisteria dregs=koikoi",
    )
    deal = "hand 1 松のカス\nhand 2 桜に幕\nfield 松に鶴 桜の短冊 桜のカス 桜のカス\n"
    for text in moves:
        assert "\n1. CxA/E 2:IxJKL/O=koikoi\n" in f"{canonical(DEAL + deal + text)}\n"


def test_letters_and_comments_are_left_unchanged() -> None:
    text = DEAL + "hand 1 松に鶴 {松に鶴 is; here\nand} BC ; moon\nfield EF 月\n1. AxB/C {鶴}\n"
    written = canonical(text)
    assert "hand 1 ABC {松に鶴 is; here and} {moon}\nfield EFc\n1. AxB/C {鶴}\n" in written


def test_places_of_faults_are_those_of_the_text_with_names() -> None:
    result = reading(DEAL + "hand 1 松に鶴、松のカス、松の短冊\nfield 梅に鶯\n1. 松に鶴xE/?\n")
    assert result.fault is not None
    assert (result.fault.code.id, result.fault.line) == ("unknown-card-here", 10)
    legal = reading(
        DEAL + "hand 1 松に鶴\nhand 2 桜に幕\nfield 梅に鶯\n1. 松に鶴/梅のカス 桜に幕/藤のカス\n"
    )
    assert legal.game is not None
    second = legal.game.months[0].turns[1]
    assert second.place == (11, 13)
    assert legal.game.months[0].places["field"][0] == 10


def test_wrong_name_in_a_game_is_a_fault_at_its_place() -> None:
    result = reading(DEAL + "hand 1 松に鶴 松に亀\n")
    assert result.fault is not None
    assert result.fault.code.id == "no-card-name"
    assert (result.fault.line, result.fault.column) == (8, 12)


@pytest.mark.parametrize("row", ["hand 1 CPRUfgX9", "hand 1 亀", "1. AxBx", "hello world", "moon"])
def test_row_without_names_has_a_fault_of_kafu(row: str) -> None:
    result = reading(DEAL + row + "\n")
    assert result.fault is not None
    assert result.fault.code.id not in ("no-card-name", "card-name-used")


def test_word_of_letters_is_read_as_letters() -> None:
    """crane and moon are letters of cards too."""
    assert "hand 1 acenr\n" in canonical(DEAL + "hand 1 crane\nfield A\n")


@given(st.text(st.sampled_from("松に鶴のカスcrane x/,、= 1.:[]#{};\n月の光?Aa")))
def test_any_text_has_a_game_or_a_fault(text: str) -> None:
    result = reading(DEAL + text)
    assert (result.game is None) != (result.fault is None)
