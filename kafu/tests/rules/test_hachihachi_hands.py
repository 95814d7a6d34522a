"""Dealt-hand yaku of hachihachi: the document's examples, with the cards laid open."""

import pytest

from kafu.cards import letters, mask
from kafu.rules.hachihachi.hands import chaff_yaku, count_yaku, declarations, value

#: 配札時例 of the table of 手役: hand, yaku, cards laid open.
EXAMPLES = [
    ("AFdeflq", "sanbon", "def"),
    ("ERSTglr", "tatesanbon", "RST"),
    ("FGMPQSo", "kuttsuki", "FGMPQS"),
    ("IJKLSUi", "teshi", "IJKL"),
    ("NOPghop", "haneken", "NOPghop"),
    ("BEFcdef", "ichinishi", "BEFcdef"),
    ("ghijlmn", "shiso", "ghijlmn"),
    ("EFGVWXs", "futasanbon", "EFGVWX"),
    ("MNPghik", "sanbon-tatesanbon", "MNPghi"),
    ("Yabctuv", "futatatesanbon", "Yabtuv"),
    ("BDJOmpq", "aka", "DOmpq"),
    ("FKPWfor", "tanichi", "KPWfor"),
    ("CGHSdeq", "toichi", "CGHSeq"),
    ("OPTXins", "pikaichi", "OPTXin"),
    ("KTabfpt", "karasu", "KTabfpt"),
]


def found(hand: str) -> set[tuple[str, int, str]]:
    """Every right declaration: yaku, kan, cards."""
    return {
        ("+".join(declaration.yaku), declaration.kan, letters(declaration.cards))
        for declaration in declarations(mask(hand))
    }


def opened(hand: str, yaku: str) -> set[str]:
    """Return the ways to lay cards open for a declaration."""
    return {laid for name, _kan, laid in found(hand) if name == yaku}


@pytest.mark.parametrize(("hand", "yaku", "laid"), EXAMPLES)
def test_example_of_the_table_has_its_yaku_and_open_cards(hand: str, yaku: str, laid: str) -> None:
    kan = value((yaku,))
    assert kan is not None
    assert (yaku, kan, laid) in found(hand)


@pytest.mark.parametrize(("hand", "yaku", "laid"), EXAMPLES[:10])
def test_example_of_a_count_yaku_has_no_other_yaku(hand: str, yaku: str, laid: str) -> None:
    assert {name for name, _kan, _laid in found(hand)} == {yaku}


def test_willow_counts_as_chaff_or_as_itself() -> None:
    """Supplement (5): (a) 空素 or 光一, (b) 短一 or 赤."""
    assert found("oCKLafm") == {("karasu", 4, "CKLafmo"), ("pikaichi", 4, "CKLafm")}
    assert found("FqKLafm") == {("tanichi", 3, "KLafmq"), ("aka", 2, "KLafm")}


def test_aka_lays_open_the_ribbons_beyond_four() -> None:
    """Supplement (6): of the player's choice; the slip of willow may be shown as dregs."""
    assert opened("BFJNCDG", "aka") == {"CDG"}
    assert opened("BFJNRCD", "aka") == {"BCD", "CDF", "CDJ", "CDN", "CDR"}
    seven = opened("BFJNRVZ", "aka")
    assert len(seven) == 35 and all(len(laid) == 3 for laid in seven)
    assert "CDGq" in opened("BFJCDGq", "aka") and "CDG" in opened("BFJCDGq", "aka")


def test_compound_lays_open_the_cards_of_both_yaku() -> None:
    """Supplement (7): (a) 赤立三本, the slip of iris open, two hidden; (b) 光一手四, all open."""
    assert ("aka+tatesanbon", 5, "RSTmp") in found("FRSTlmp")
    assert ("pikaichi+teshi", 10, "GKqstuv") in found("GKqstuv")


def test_lower_yaku_of_a_family_is_not_offered() -> None:
    """Supplement (7): (b) cannot be declared as 光一立三本, but each family alone can (H2)."""
    names = {name for name, _kan, _laid in found("GKqstuv")}
    assert names == {"teshi", "pikaichi", "pikaichi+teshi"}


@pytest.mark.parametrize(
    ("hand", "yaku"),
    [
        ("tuvAEIM", "tatesanbon"),
        ("stuAEIM", "sanbon"),
        ("MNOAEIQ", "tatesanbon"),
        ("YabAEIM", "tatesanbon"),
        ("UVWAEIM", "sanbon"),
        ("stuvAEI", "teshi"),
        ("tuvMNOA", "futatatesanbon"),
        ("stuMNOA", "sanbon-tatesanbon"),
        ("AEIMQUY", None),
        ("ABEFIMQ", None),
    ],
)
def test_three_of_certain_months_is_tatesanbon_and_of_others_sanbon(
    hand: str, yaku: str | None
) -> None:
    """H4: any three of months 4, 5 and 7; of paulownia the dregs only."""
    assert count_yaku(mask(hand)) == yaku


def test_seven_cards_with_two_pictures_make_no_chaff_yaku() -> None:
    assert list(chaff_yaku(mask("AECDGHK"))) == []


@pytest.mark.parametrize(
    ("declared", "kan"),
    [
        (("tanichi", "futatatesanbon"), 13),
        (("toichi", "ichinishi"), 12),
        (("aka", "sanbon"), 4),
        (("aka", "karasu"), None),
        (("sanbon", "teshi"), None),
        (("goko",), None),
        ((), None),
    ],
)
def test_declaration_has_the_value_of_the_documents_examples(
    declared: tuple[str, ...], kan: int | None
) -> None:
    """The document's examples of compounds, and hands without a declaration."""
    assert value(declared) == kan
