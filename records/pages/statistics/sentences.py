"""Figures of the statistics as sentences for people, in the language of the request."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from kafu.rules.rulesets import RULESETS
from records.base import figures, labels
from records.base.dates import played
from records.statistics.answer import Answer, Row
from records.statistics.intervals import LEAST, LEAST_OF_SHARE
from records.statistics.sums import ALL

#: Names in a sentence.
_NAMED: Final = 3


def tell(answer: Answer) -> str:
    """Return what a figure says, in one to three sentences.

    Rates of fewer than `LEAST_OF_SHARE` cases are not told: the sentence says that there are too
    few games.
    """
    write = _WRITERS.get(answer.id)
    if write is None:
        return answer.definition
    if not answer.n:
        return _("No games are counted here.")
    sentences = [*write(answer)] or [_("There are too few games to say anything yet.")]
    return ("" if labels.lang() == "ja" else " ").join(sentences)


def _unit(answer: Answer, id: str) -> tuple[str, int]:
    column = next(column for column in answer.columns if column.id == id)
    return column.shown_unit, column.size


def _mean(answer: Answer, id: str, value: float) -> str:
    """Return a mean of a column with its unit: ``5.23 points``, ``30.3貫``."""
    unit, size = _unit(answer, id)
    return figures.with_unit(figures.mean(value, size), unit)


def _rates(rows: Iterable[Row]) -> str:
    """Return names with their rates: ``kasu 15.9 %, tan 11.0 %``."""
    return labels.listed(f"{row['name']} {figures.percent(_number(row, 'rate'))}" for row in rows)


def _number(row: Row, name: str) -> float:
    """Return a number of a row, 0 if it is unknown."""
    value = row[name]
    return float(value) if isinstance(value, int | float) else 0.0


def _most(rows: Iterable[Row], name: str) -> list[Row]:
    return sorted(rows, key=lambda row: -_number(row, name))


def _tell_yaku(answer: Answer) -> Iterator[str]:
    if answer.n < LEAST_OF_SHARE:
        return
    made_rows = [row for row in answer.rows if row["times"] and row["paid"] is None]
    if not made_rows:
        return
    text = _("The yaku made most often, by their share of a player's months: %(yaku)s.")
    yield text % {"yaku": _rates(_most(made_rows, "rate")[:_NAMED])}
    valued = [row for row in made_rows if _number(row, "alone") >= LEAST_OF_SHARE]
    if valued:
        best = _most(valued, "value")[0]
        words = {
            "name": best["name"],
            "value": _mean(answer, "value", _number(best, "value")),
        }
        yield _("The most valuable on average is %(name)s: %(value)s.") % words


def _tell_fit(answer: Answer, fits: str, differs: str) -> Iterator[str]:
    names = [str(row["name"]) for row in answer.rows if row["differs"]]
    if answer.n >= LEAST_OF_SHARE:
        yield differs % {"names": labels.listed(names)} if names else fits


def _tell_hands(answer: Answer) -> Iterator[str]:
    fits = _("Hands were dealt about as often as the odds of the rules say.")
    differs = _("Not dealt as often as the odds of the rules say: %(names)s.")
    yield from _tell_fit(answer, fits, differs)


def _tell_grades(answer: Answer) -> Iterator[str]:
    fits = _("Field grades came about as often as the rules say.")
    yield from _tell_fit(answer, fits, _("Not as often as the rules say: %(names)s."))


def _tell_seats(answer: Answer) -> Iterator[str]:
    row = answer.rows[0]
    if _number(row, "n") < LEAST_OF_SHARE:
        return
    words = {name: figures.percent(_number(row, name)) for name in ("rate", "even")}
    words["dealer"] = labels.dealer_mark(str(answer.filters["ruleset"]))
    text = _("The %(dealer)s won %(rate)s of the months; an even share would be %(even)s.")
    yield text % words
    yield (
        _("That is more than chance.")
        if row["rate_differs"]
        else _("The difference may be chance.")
    )


def _tell_scores(answer: Answer) -> Iterator[str]:
    if answer.n < LEAST_OF_SHARE:
        return
    unit, size = _unit(answer, "low")
    middle, top = _find_bin(answer, 0.5), _find_bin(answer, 0.9)
    low, high = _number(middle, "low"), _number(middle, "high")
    is_point = high - low == 1  # a bin of one whole number
    words = {
        "middle": figures.with_unit(figures.number((low if is_point else high) / size, 0), unit),
        "top": figures.with_unit(figures.number(_number(top, "low") / size, 0), unit),
    }
    text = _("Half of the scores are below %(middle)s; one in ten is %(top)s or more.")
    if is_point and middle is answer.rows[0]:
        text = _("Half of the scores are %(middle)s; one in ten is %(top)s or more.")
    elif is_point:
        text = _("Half of the scores are %(middle)s or less; one in ten is %(top)s or more.")
    yield text % words


def _find_bin(answer: Answer, part: float) -> Row:
    """Return the bin in which a part of all scores, counted from the lowest, is reached."""
    counted = 0.0
    for row in answer.rows:
        counted += _number(row, "count")
        if counted >= part * answer.n:
            break
    return row


def _tell_ends(answer: Answer) -> Iterator[str]:
    if answer.n < LEAST_OF_SHARE:
        return
    row = answer.rows[0]
    words = {
        "name": row["name"],
        "rate": figures.percent(_number(row, "rate")),
        "turns": figures.number(_number(row, "turns"), 1),
    }
    text = _("The most frequent end, of %(rate)s of the months: %(name)s.")
    if _number(row, "rate") > 0.5:
        text = _("Most months, %(rate)s, end by %(name)s.")
    yield text % words
    if _number(row, "turns"):  # Score sheets have no turns.
        yield _("They take %(turns)s turns on average.") % words


def _tell_decisions(answer: Answer) -> Iterator[str]:
    row = next((row for row in answer.rows if _number(row, "n") >= LEAST_OF_SHARE), None)
    choice = RULESETS[str(answer.filters["ruleset"])].choice
    if row is None or choice is None:
        return
    words: dict[str, Any] = {
        "on": labels.decision(choice.on),
        "name": row["name"],
        "n": figures.number(_number(row, "n"), 0),
        "rate": figures.percent(_number(row, "rate")),
    }
    if len(answer.rows) > 1:
        text = _(
            "Most frequent: %(name)s. Players played on (%(on)s) in %(rate)s of %(n)s choices."
        )
    else:
        text = _("Players played on (%(on)s) in %(rate)s of %(n)s choices.")
    yield text % words
    if _number(row, "said") >= LEAST_OF_SHARE:
        words["success"] = figures.percent(_number(row, "success"))
        yield _("After %(on)s they won the month in %(success)s.") % words
    if row["gain_low"] is None:
        return
    gain = _number(row, "gain")
    words["gain"] = _mean(answer, "gain", abs(gain))
    if _number(row, "gain_low") > 0:
        yield _("It brought %(gain)s more than stopping.") % words
    elif _number(row, "gain_high") < 0:
        yield _("It brought %(gain)s less than stopping.") % words
    else:
        yield _("Whether it pays is not decided by these games.")


def _tell_losses(answer: Answer) -> Iterator[str]:
    row = next((row for row in answer.rows if row["kind"] == ALL), None)
    if row is None or answer.n < LEAST_OF_SHARE:
        return
    words = {
        "n": figures.number(answer.n, 0),
        "rate": figures.percent(_number(row, "rate")),
        "loss": _mean(answer, "loss", _number(row, "loss")),
    }
    text = _("Of %(n)s analysed choices %(rate)s were costly. A choice lost %(loss)s on average.")
    yield text % words


def _tell_cards(answer: Answer) -> Iterator[str]:
    best = [row for row in answer.rows if row["gain_low"] is not None][:_NAMED]
    if not best:
        return
    names = [str(row["name"]) for row in best]
    words = {
        "names": labels.listed(names),
        "name": names[0],
        "gain": _mean(answer, "gain", _number(best[0], "gain")),
    }
    yield _("Months went best with %(names)s among the captured cards.") % words
    yield _("With %(name)s they brought %(gain)s more than without it.") % words


def _tell_openings(answer: Answer) -> Iterator[str]:
    rows = [row for row in answer.rows if _number(row, "n") >= LEAST_OF_SHARE]
    if not rows:
        return
    if "score" not in rows[0]:
        text = _("Captured most often by the first card: %(cards)s.")
        yield text % {"cards": _rates(_most(rows, "rate")[:_NAMED])}
        return
    row = rows[0]
    words = {
        "play": row["name"],
        "n": figures.number(_number(row, "n"), 0),
        "rate": figures.percent(_number(row, "rate")),
    }
    text = _("The most frequent first play: %(play)s. Of %(n)s months begun so, %(rate)s were won.")
    yield text % words


def _tell_hatto(answer: Answer) -> Iterator[str]:
    row = answer.rows[0]
    if answer.n < LEAST_OF_SHARE:
        return
    words = {"rate": figures.percent(_number(row, "rate"))}
    yield _("A seat threw a hatto card in %(rate)s of its months.") % words
    if _number(row, "thrown") >= LEAST_OF_SHARE:
        words["paid"] = figures.percent(_number(row, "paid_rate"))
        yield _("In %(paid)s of these throws it had to pay for the others.") % words


def _tell_ratings(answer: Answer) -> Iterator[str]:
    if answer.rows:
        row = answer.rows[0]
        words = {
            "player": labels.person(str(row["player"])),
            "rating": figures.number(_number(row, "rating"), 0),
            "n": figures.number(_number(row, "n"), 0),
        }
        text = ngettext(
            "%(player)s leads, with a rating of %(rating)s after %(n)s rated game.",
            "%(player)s leads, with a rating of %(rating)s after %(n)s rated games.",
            int(_number(row, "n")),
        )
        yield text % words


def _tell_players(answer: Answer) -> Iterator[str]:
    if not answer.rows:
        return
    row = answer.rows[0]
    words = {
        "player": labels.person(str(row["player"])),
        "games": figures.number(_number(row, "games"), 0),
        "rate": figures.percent(_number(row, "rate")),
    }
    text = ngettext(
        "First in this list: %(player)s, with %(games)s game.",
        "First in this list: %(player)s, with %(games)s games.",
        int(_number(row, "games")),
    )
    yield text % words
    if _number(row, "n") >= LEAST_OF_SHARE:
        yield _("%(player)s won %(rate)s of them alone.") % words


def _tell_form(answer: Answer) -> Iterator[str]:
    if answer.n < LEAST_OF_SHARE:
        return
    won = sum(_number(row, "won") for row in answer.rows)
    last = answer.rows[-1]
    words = {
        "rate": figures.percent(won / answer.n),
        "n": figures.number(answer.n, 0),
        "month": played(str(last["month"])),
        "last": figures.percent(_number(last, "rate")),
    }
    yield _("Won %(rate)s of %(n)s months played.") % words
    if len(answer.rows) > 1 and _number(last, "n") >= LEAST_OF_SHARE:
        yield _("In %(month)s it was %(last)s.") % words


def _tell_calendar(answer: Answer) -> Iterator[str]:
    if not answer.rows:
        return
    days = len(answer.rows)
    best = _most(answer.rows, "games")[0]
    text = ngettext("Played on %(days)d day.", "Played on %(days)d days.", days)
    yield text % {"days": days}
    games = int(_number(best, "games"))
    if games > 1:
        words = {"games": games, "day": played(str(best["day"]))}
        yield _("The most games on one day were %(games)d, on %(day)s.") % words


def _tell_strengths(answer: Answer) -> Iterator[str]:
    rows = [row for row in answer.rows if _number(row, "n") >= LEAST_OF_SHARE]
    if not rows:
        if answer.rows:
            yield _("There are too few other players to compare with yet.")
        return
    best = _most(rows, "percentile")[0]
    words = {
        "name": best["name"],
        "n": figures.number(_number(best, "n"), 0),
        "share": figures.percent(_number(best, "percentile")),
    }
    yield _("Best in “%(name)s”: ahead of %(share)s of %(n)s other players.") % words


def _tell_compare(answer: Answer) -> Iterator[str]:
    if answer.n < LEAST_OF_SHARE:
        return
    rows = [row for row in answer.rows if row["differs"]]
    if not rows:
        yield _("Nothing differs from all players by more than chance.")
        return
    for row in rows[:_NAMED]:
        words = {
            "name": row["name"],
            "rate": figures.percent(_number(row, "rate")),
            "all": figures.percent(_number(row, "all")),
        }
        yield _("%(name)s: %(rate)s, of all players %(all)s.") % words


def _tell_versus(answer: Answer) -> Iterator[str]:
    games = int(sum(_number(row, "n") for row in answer.rows))
    if not games:
        return
    words: dict[str, int] = {
        name: int(sum(_number(row, name) for row in answer.rows))
        for name in ("ahead", "level", "behind")
    }
    text = ngettext(
        "In %(games)d game: ahead %(ahead)d times, behind %(behind)d, level %(level)d.",
        "In %(games)d games: ahead %(ahead)d times, behind %(behind)d, level %(level)d.",
        games,
    )
    yield text % {"games": games, **words}


def _tell_rating(answer: Answer) -> Iterator[str]:
    if not answer.rows:
        return
    last = answer.rows[-1]
    words = {
        "rating": figures.number(_number(last, "rating"), 0),
        "rated": figures.number(_number(last, "rated"), 0),
    }
    text = ngettext(
        "The rating is %(rating)s after %(rated)s game.",
        "The rating is %(rating)s after %(rated)s games.",
        int(_number(last, "rated")),
    )
    if last["provisional"]:
        text = ngettext(
            "The rating is %(rating)s after %(rated)s game, and still uncertain.",
            "The rating is %(rating)s after %(rated)s games, and still uncertain.",
            int(_number(last, "rated")),
        )
    yield text % words


def _tell_insights(answer: Answer) -> Iterator[str]:
    rows = [row for row in answer.rows if _number(row, "n") >= LEAST]
    if not rows:
        return
    is_rate = any(column.id == "value" and column.kind == "rate" for column in answer.columns)

    def write(row: Row) -> str:
        number = _number(row, "value")
        return figures.percent(number) if is_rate else _mean(answer, "value", number)

    extremes = answer.extremes
    if extremes is None:
        if len(rows) == 1:
            row = rows[0]
            n = figures.number(_number(row, "n"), 0)
            yield _("%(value)s, in %(n)s cases.") % {"value": write(row), "n": n}
        return
    high, low = extremes.highest, extremes.lowest
    words = {"high": _name(high), "highest": write(high), "low": _name(low), "lowest": write(low)}
    yield _("Highest: %(high)s, %(highest)s. Lowest: %(low)s, %(lowest)s.") % words
    if not extremes.is_apart:
        yield _("The difference may be chance.")


def _name(row: Row) -> str:
    """Return the name of a row of one or two dimensions."""
    return labels.listed(str(row[name]) for name in ("name", "name2") if name in row)


_WRITERS: Final[Mapping[str, Callable[[Answer], Iterator[str]]]] = {
    "yaku": _tell_yaku,
    "hands": _tell_hands,
    "grades": _tell_grades,
    "seats": _tell_seats,
    "scores": _tell_scores,
    "ends": _tell_ends,
    "decisions": _tell_decisions,
    "losses": _tell_losses,
    "cards": _tell_cards,
    "openings": _tell_openings,
    "hatto": _tell_hatto,
    "ratings": _tell_ratings,
    "players": _tell_players,
    "form": _tell_form,
    "calendar": _tell_calendar,
    "strengths": _tell_strengths,
    "compare": _tell_compare,
    "versus": _tell_versus,
    "rating": _tell_rating,
    "insights": _tell_insights,
}
