"""Messages of faults name players, yaku, decisions and field grades, not seats and ids."""

from string import Formatter

import pytest

from kafu.notation import codes as notation_codes
from kafu.notation.faults import Code
from kafu.rules import codes
from kafu.rules.sentences import RuleCode
from kafu.rules.verdict import localise_fault

LOWER = {"seat": 2, "yaku": "toichi+sanbon", "due": "toichi / aka+sanbon", "ruling": "H2"}


def test_ids_are_written_as_names() -> None:
    assert codes.SHOW_LOWER.text("ja", LOWER).startswith(
        "プレイヤー2の手札の役は十一・三本ではなく十一 / 赤・三本です"
    )
    assert codes.SHOW_LOWER.text("en", LOWER).startswith(
        "player 2: the yaku of the hand is tōichi / aka + sanbon, not tōichi + sanbon"
    )


def test_seats_are_written_as_known_players() -> None:
    values = {"seat": 1, "players": "2, 3"}
    assert "出るのはプレイヤー2、プレイヤー3" in codes.BID_CLOSED.text("ja", values)
    assert "出るのはあや、健" in codes.BID_CLOSED.text("ja", values, ["x", "あや", "健"])
    stored = {"code": "hand-missing", "line": 1, "values": {"seat": 1}}
    shown = localise_fault(stored, "en", ["Aya {seat}", "Ken"])
    assert shown and shown["message"] == "the hand of Aya {seat} is missing"


@pytest.mark.parametrize(
    ("code", "values", "sentence"),
    [
        (codes.DECISION_DUE, {"due": "agari / sage"}, "宣言が必要です: あがり / 下げ"),
        (codes.SHEET_BA, {"grade": "small", "due": "large2"}, "場は小場にはなりません"),
        (codes.NOT_CHECKED, {"where": "final"}, "最終得点"),
        (
            codes.SHOW_FALSE,
            {"seat": 1, "yaku": "unheard-of"},
            "プレイヤー1にunheard-ofはできていません",
        ),
    ],
)
def test_sentence_has_the_words_of_the_documents(
    code: Code, values: dict[str, str], sentence: str
) -> None:
    assert sentence in code.text("ja", values)


@pytest.mark.parametrize(("label", "words"), [("month", "month's sum"), ("points", "card points")])
def test_label_that_is_no_term_of_the_game_is_english_in_an_english_message(
    label: str, words: str
) -> None:
    message = codes.SHEET_WINNER_GETS.text("en", {"label": label})
    assert message.startswith(f"{words}: the winner")


def test_plain_sentence_numbers_cards_of_one_name() -> None:
    values = {"card": "g", "due": "j", "take": "i"}
    plain = codes.CAPTURE_WRONG.text("ja", values, plain=True)
    assert plain == "菊に盃で取れるのは菊のカス2で、菊のカス1ではありません"


def test_plain_sentence_has_neither_letters_nor_rulings() -> None:
    values = {"row": 1, "seat": 2, "card": "G"}
    full, plain = (codes.DRAW_TWICE.text("ja", values, plain=plain) for plain in (False, True))
    assert "梅のカス（G）はすでに" in full and full.endswith(" (C7, K1)")
    assert plain == "場所決めの1回目: プレイヤー2の梅のカスはすでに引かれています"
    opened = {"seat": 1, "cards": "AB?EG", "ruling": "C3"}
    assert "card AB?EG (C3)" in codes.SHOW_CARDS.text("en", opened)
    assert codes.SHOW_CARDS.text("en", opened, plain=True).endswith(
        "laid open: pine with crane, pine with red poem ribbon, an unknown card, plum with warbler,"
        " plum chaff"
    )


def check_sentences(code: Code) -> None:
    """Check that the sentences of both languages use the same values, by known formats."""
    fields = [
        {(name, spec) for _, name, spec, _ in Formatter().parse(text) if name}
        for text in (code.en, code.ja)
    ]
    assert fields[0] == fields[1]
    specs = {spec for _, spec in fields[0] if spec}
    assert specs <= {"seat", "card", "yaku", "word", "grade", "claim"}
    assert not specs or isinstance(code, RuleCode)


def test_both_sentences_of_every_code_use_the_same_values() -> None:
    for code in codes.CODES.values():
        check_sentences(code)


def test_sentence_of_the_reader_names_the_player() -> None:
    values = {"seat": "2", "read": "+5"}
    sentences = {
        (lang, names): notation_codes.POINTS_FILLED_IN.text(lang, values, names)
        for lang in ("en", "ja")
        for names in ((), ("Aya", "Ken"))
    }
    assert (
        "of player 2 are" in sentences["en", ()] and "of Ken are" in sentences["en", ("Aya", "Ken")]
    )
    assert sentences["ja", ()].startswith("プレイヤー2の") and sentences[
        "ja", ("Aya", "Ken")
    ].startswith("Kenの")
