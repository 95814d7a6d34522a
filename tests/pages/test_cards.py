"""The sprite has all cards, and everything that a card uses."""

import re
from pathlib import Path

from records import cards

SPRITE = Path(cards.__file__).parent / "static/records/cards.svg"


def test_every_card_has_a_symbol() -> None:
    symbols = re.findall(r'<symbol id="card-([^"]+)"', SPRITE.read_text())
    assert sorted(symbols) == sorted([*cards.LETTERS, "back", "blank", "unknown"])


def test_every_part_that_is_used_is_there() -> None:
    text = SPRITE.read_text()
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)


def test_it_is_small_and_has_neither_style_nor_script() -> None:
    text = SPRITE.read_text()
    assert len(text) < 100_000
    assert "style" not in text and "script" not in text and "url(" not in text


def test_slips_have_their_colours() -> None:
    """Red with a poem on 1–3, plain red on 4, 5, 7 and 11, blue on 6, 9 and 10."""
    for card in cards.PACK:
        symbol = re.search(rf'<symbol id="card-{card.letter}".*?</symbol>', SPRITE.read_text())
        assert symbol is not None
        found = re.findall(r'href="#(poem|slipb?)"', symbol[0])
        if card.kind is not cards.Kind.SLIP:
            assert found == []
        elif card.month in (1, 2, 3):
            assert found == ["poem"]
        else:
            assert found == ["slipb" if card.month in (6, 9, 10) else "slip"]
