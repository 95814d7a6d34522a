"""Words and facts of a game, taken from two records of the game."""

from __future__ import annotations

from kafu.judging.verify import verify
from kafu.notation.game import Game
from kafu.notation.reading.reader import Reading, read
from kafu.notation.writer import identity, write
from kafu.simulation.simulate import simulate


def game(tags: str, word: str) -> Game:
    """Return a game with the tags, and with a word in comments of all kinds."""
    lines = write(simulate("koikoi", seed=1)).splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("1. "))
    lines[first] += f" {{turn {word}}}"
    lines[first - 1] += f" {{field {word}}}"
    rules = next(place for place, line in enumerate(lines) if line.startswith("[Rules"))
    lines.insert(rules + 1, tags)
    parsed = read(f"{{head {word}}}\n" + "\n".join(lines) + "\n").game
    assert parsed is not None
    return parsed


def annotate(facts: Game, words: Game) -> Game:
    """Return a game in the words of another."""
    annotated = verify(Reading(facts)).in_words_of(words)
    assert annotated is not None and annotated.game is not None
    return annotated.game


def test_words_come_from_one_and_moves_and_claims_from_the_other() -> None:
    facts, words = game('[Event "Facts"]\n[Site "There"]', "one"), game('[Event "Words"]', "two")
    facts.months[0].score, words.months[0].score = (1, 0), (2, 0)
    annotated = annotate(facts, words)
    assert annotated.months[0].score == (1, 0)
    assert annotated.tags == words.tags
    assert identity(annotated) == identity(facts) == identity(words)
    written = write(annotated)
    assert all(f"{place} two" in written for place in ("head", "turn", "field"))
    assert "one" not in written and "There" not in written
    assert "one" in write(facts) and "two" in write(words), "neither is changed"


def test_how_a_game_ended_is_no_word() -> None:
    facts = game('[Termination "abandoned"]', "one")
    words = game('[Termination "unfinished"]', "two")
    assert annotate(facts, words).tags["Termination"] == "abandoned"
    del facts.tags["Termination"]
    assert "Termination" not in annotate(facts, words).tags
