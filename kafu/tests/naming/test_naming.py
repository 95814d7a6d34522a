"""Names of cards: spellings, shared names, and translation of games in both directions."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kafu import cards
from kafu.importers import read_piece
from kafu.judging.verify import verify
from kafu.naming.statements import letters_of
from kafu.naming.table import key_of, names, nearest
from kafu.naming.translation import to_names
from kafu.notation.faults import Malformed
from kafu.notation.reading.reader import Reading
from kafu.notation.stream.cut import cut
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.rules.rulesets import RULESETS
from kafu.simulation.simulate import simulate
from lengths import LONG, examples
from simulated import simulated

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


def test_spelling_of_a_name_is_read_as_its_letters() -> None:
    for name, letters in [
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
        *((name, "M") for name in ("藤に不如帰", "藤に郭公", "卯月に子規", "April Cuckoo")),
        *((name, "E") for name in ("梅に鴬", "如月のタネ", "plum blossom with nightingale")),
        *((name, "c") for name in ("芒に満月", "葉月の光札", "Susuki Grass with Full Moon")),
        *(
            (name, "I")
            for name in ("桜に幔幕", "cherry blossom curtain", "弥生の光", "さくらにまく")
        ),
        *((name, "U") for name in ("牡丹に胡蝶", "水無月の種札", "tree peony with butterflies")),
        *(
            (name, "Q")
            for name in (
                "菖蒲に橋",
                "Water iris bridge",
                "皐月のタネ",
                "花菖蒲に八つ橋",
                "菖蒲に八ッ橋",
            )
        ),
        *((name, "r") for name in ("柳に雷", "lightning", "Willow with Lightning", "nov_plain_1")),
        *((name, "o") for name in ("柳に雨", "willow and rain man", "November Bright", "11-1")),
        *(
            (name, "B")
            for name in ("pine and poetry ribbon", "pine with red poem slip", "松の短冊札")
        ),
        *(
            (name, "J")
            for name in ("Cherry with Red Poetry Ribbon", "桜の赤タン", "3-2", "mar_ribbon_1")
        ),
        *((name, "V") for name in ("Peony Blue Ribbon", "m06_2", "jun-purple-slip", "六月の青短")),
        *((name, "N") for name in ("藤に赤短冊", "Wisteria Red Plain Ribbon", "apr_ribbon")),
        *(
            (name, "A")
            for name in ("1-1", "m1_1", "01-1", "jan_bright_1", "睦月の光", "まつにつる")
        ),
        *((name, "C") for name in ("Pine Chaff 1", "pine_plain1", "jan-kasu-1", "1-3", "松の滓1")),
        *((name, "D") for name in ("Pine Chaff 2", "pine_plain_2", "m01_junk_2", "松のカス札2")),
        *((name, "k") for name in ("楓に鹿", "神無月のタネ", "Maple with Deer", "october_seed")),
        *((name, "s") for name in ("師走の光", "桐にほうおう", "Paulownia with Chinese Phoenix")),
        ("pine chaff 1 plum chaff 2 1 ribbon, 松のカス2...", "CHBD..."),
        ("松に鶴松のカス松のカス", "ACD"),
        ("pine crane pine dregs, pine dregs", "ACD"),
        ("松に鶴、？ QR ...", "A?QR..."),
    ]:
        assert letters_of(name) == letters


def test_every_name_of_a_card_is_read_as_its_letter() -> None:
    for card in cards.PACK:
        for name in (card.ja, card.en, card.romaji):
            assert card.letter in names()[key_of(name)]
        for lang in ("ja", "en"):
            assert letters_of(cards.unique_name(card.letter, lang)) == card.letter


def test_only_chaff_cards_share_a_name() -> None:
    for key, letters in names().items():
        assert len(letters) == 1 or all(
            cards.CARD[letter].kind is cards.Kind.CHAFF for letter in letters
        ), key


@pytest.mark.parametrize(
    ("wrong", "near"), [("松に亀", "松に鶴"), ("pine turtle", "pine with crane")]
)
def test_fault_of_a_wrong_name_has_the_nearest_names(wrong: str, near: str) -> None:
    with pytest.raises(Malformed) as raised:
        letters_of(f"QR {wrong}")
    assert raised.value.fault.code.id == "no-card-name"
    assert near in raised.value.fault.expected
    assert raised.value.fault.column == 4


def test_nonsense_has_no_nearest_name() -> None:
    assert nearest("ぽ" * 5000) == ()


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("Water lily, pine crane", "Water"),
        ("Wild iris bridge, pine crane", "Wild iris bridge"),
        ("pine crane, Water", "Water"),
        ("a crane", "a crane"),
        ("Water", "Water"),
        ("Iris", "Iris"),
        ("松に鶴、Tea", "Tea"),
        ("松に青短", "松"),
        ("pine crane-2", "-2"),
    ],
)
def test_word_that_is_no_name_is_not_read_as_letters(words: str, wrong: str) -> None:
    with pytest.raises(Malformed) as raised:
        letters_of(words)
    assert raised.value.fault.code.id == "no-card-name"
    assert raised.value.fault.values["text"].startswith(wrong)


def test_name_used_more_often_than_it_has_cards_is_a_fault() -> None:
    with pytest.raises(Malformed) as raised:
        letters_of("松のカス、松のカス、松のカス")
    assert raised.value.fault.code.id == "card-name-used"
    assert raised.value.fault.message("ja").endswith("ほかの場所にあります: 松のカス（C）")


@settings(max_examples=examples(20), deadline=None)
@given(
    st.sampled_from([(rules, players) for rules in RULESETS for players in RULES[rules].seats]),
    st.sampled_from(["ja", "en"]),
    st.integers(0, 2),
)
def test_record_written_by_names_is_read_back(table: tuple[str, int], lang: str, seed: int) -> None:
    game = simulated(*table, seed)
    month = game.months[0]
    month.notes = {"month": ["松に鶴, pine crane; 1. A/B"], "field": ["AxB/C } moon = 3"]}
    for turn in month.turns[:2]:
        turn.comments = ["桐のカス x / {"]
    text = write(game)
    with_names = to_names(text, lang)
    assert with_names != text
    result = reading(with_names)
    assert result.game is not None, (result.fault, with_names)
    assert write(result.game) == text
    assert [warning.code.id for warning in result.warnings] == ["card-names"]


FOUR = (
    HEAD.replace("koikoi", "hachihachi-bga").replace(
        "\n[Term", '\n[Player3 ""]\n[Player4 ""]\n[Term'
    )
    + "month 1 dealer 2\nhand 1 {}\nhand 2 CHOShln\nhand 3 FGIJQYs\nhand 4 KNPWadv\n"
    + "field fimpqt\nstock {}...\nbid 2 in 3 in 4 in\n"
)


@pytest.mark.parametrize(
    ("hand", "stock", "expected"),
    [
        ("ADMZoru", "松に鶴、松のカス2、松に赤短", "ADB"),
        ("松に鶴、松のカス、MZoru", "松のカス、松に鶴、松に赤短", "DAB"),
        ("ADMZoru", "松のカス、松に赤短", "DB"),
    ],
)
def test_hand_of_a_player_who_is_out_is_in_the_draw_pile(
    hand: str, stock: str, expected: str
) -> None:
    assert f"\nstock {expected}...\n" in canonical(FOUR.format(hand, stock))


@pytest.mark.parametrize(
    ("stock", "letters"),
    [
        ("松に鶴、松に鶴", "AA"),
        ("桜に幕、芒のカス1、芒のカス2", "Ief"),
        ("菖蒲のカス、菖蒲のカス、菖蒲のカス", "TSS"),
    ],
)
def test_card_that_is_written_twice_is_read_for_the_engine(stock: str, letters: str) -> None:
    result = reading(FOUR.format("ADMZoru", stock))
    assert result.game is not None and result.game.months[0].stock == letters
    assert verify(result).verdict.status == "illegal"


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize(
    "rows",
    [
        "hand 1 CPRUfgmu\nshow 1 aka -",
        "hand 1 CPRUfgmu\nshow 1 aka+sanbon CPR",
        "hand 1 CPRUfgmu\nhand 2 CQSW\nfield ACC\nredeal misdeal",
        "draw 1A 2A\nsplit 1AAKQ 2BDIM\nhand 1 AA\n1. AxA/A AxAA/A",
    ],
)
def test_rows_with_unusual_cards_written_by_names_are_read_back(rows: str, lang: str) -> None:
    text = canonical(f"{DEAL}{rows}\n")
    assert canonical(to_names(text, lang)) == text


def test_blanks_around_the_sign_of_joined_yaku_are_read_beside_names() -> None:
    rows = "hand 1 松に鶴、松に赤短、松のカス\nshow 1 aka + sanbon 松に鶴、松に赤短、松のカス\n"
    assert "\nshow 1 aka+sanbon ABC\n" in canonical(DEAL + rows)


def test_hands_of_three_players_are_not_in_the_draw_pile() -> None:
    """Nobody is out at a table of three, so the pile has no card of a hand."""
    three = FOUR.replace('[Player4 ""]\n', "").replace("hand 4 KNPWadv\n", "")
    three = three.partition("bid")[0].replace("dealer 2", "dealer 1")
    result = reading(three.format("松のカス、松のカス、MZoru", "松のカス、松のカス"))
    assert result.game is not None and result.game.months[0].stock == "CC"


def test_chaff_of_the_third_player_is_the_card_in_the_hand() -> None:
    rows = "hand 1 松に鶴\nhand 2 松のカス1\nhand 3 松のカス2\nfield 桜に幕\n"
    head = DEAL.replace("koikoi", "hanaawase").replace("\n[Term", '\n[Player3 ""]\n[Term')
    turns = "1. 松に鶴/梅のカス1 藤のカス1/藤のカス2 松のカス/梅のカス2\n"
    result = reading(f"{head}{rows}{turns}")
    assert result.game is not None
    third = result.game.months[0].turns[2]
    assert third.value[0].card == "D"


def test_numbered_card_is_not_used_for_its_shared_name() -> None:
    deal = "hand 1 松のカス\nfield 松のカス1\n"
    assert "\nhand 1 D\nfield C\n" in canonical(DEAL + deal)


def test_turn_may_continue_in_the_next_line() -> None:
    moves = (
        "1. 松のカス x 松に鶴 /\n梅に鶯 {c}\n 桜に幕\nx 桜の短冊、桜のカス、桜のカス\n/ 藤のカス\n"
    )
    deal = "hand 1 松のカス\nhand 2 桜に幕\nfield 松に鶴 桜の短冊 桜のカス 桜のカス\n"
    assert "\n1. CxA/E {c} IxJKL/O\n" in canonical(DEAL + deal + moves)


def test_invisible_characters_in_names_are_removed() -> None:
    result = reading(DEAL + "hand 1 松\u200bに鶴、松の\u00adカス\nfield 梅に\u200e亀\n")
    assert result.fault is not None
    assert (result.fault.code.id, result.fault.line, result.fault.column) == ("no-card-name", 9, 7)
    result = reading(DEAL + "hand 1 松\u200bに鶴、松の\u00adカス\nhand 2 \u200e桜に幕\nfield E\n")
    assert result.game is not None
    assert result.game.months[0].hands == {1: "AC", 2: "I"}
    assert [(fault.code.id, fault.line, fault.column) for fault in result.warnings] == [
        ("card-names", 8, 8),
        ("invisible-character", 8, 9),
        ("invisible-character", 9, 8),
    ]


@pytest.mark.parametrize("rules", RULESETS)
def test_chaff_without_numbers_is_chosen_by_its_place(rules: str) -> None:
    for seed in range(5 if LONG else 1):
        text = write(simulate(rules, seed=seed))
        plain = re.sub(r"(カス)[123]", r"\1", to_names(text, "ja"))
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


def test_places_of_faults_refer_to_the_text_with_names() -> None:
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
def test_row_without_names_has_a_fault_of_the_notation(row: str) -> None:
    result = reading(DEAL + row + "\n")
    assert result.fault is not None
    assert result.fault.code.id not in ("no-card-name", "card-name-used")


@pytest.mark.parametrize(
    ("cards_", "letters"),
    [
        ("crane", "A"),
        ("Water iris bridge", "Q"),
        ("pine crane  pine dregs", "AC"),
        ("chou", "chou"),
        ("ecran", "acenr"),
        ("acenr", "acenr"),
    ],
)
def test_words_of_names_are_names_unless_they_are_letters_in_card_order(
    cards_: str, letters: str
) -> None:
    assert f"hand 1 {letters}\n" in canonical(f"{DEAL}hand 1 {cards_}\nfield B\n")


@given(st.text(st.sampled_from("松に鶴のカスcrane x/,、= 1.:[]#{};\n月の光?Aa")))
def test_any_text_has_a_game_or_a_fault(text: str) -> None:
    result = reading(DEAL + text)
    assert (result.game is None) != (result.fault is None)
