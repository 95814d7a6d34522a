"""Growth of CPU time with the length of an input, and the units whose repetition is such an input.

`find_growth` measures a function with a text of 2,000 characters and one of 16,000. Only where the
time between them grows faster than their length, the text is doubled further; where it would be too
long at the largest input, that input is measured. Quadratic code therefore costs a test less than a
second.
"""

from __future__ import annotations

import math
import random
import signal
import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

#: The largest exponent of time by length, for an input that costs more than `NOTICEABLE` seconds.
MAX_EXPONENT: Final = 1.3
NOTICEABLE: Final = 0.3
#: The most CPU seconds of the largest input that the code accepts.
MOST_SECONDS: Final = 3.0
#: The length of the first text, how many times longer the second is, and CPU seconds that are too
#: short to be measured.
_SHORT: Final = 2_000
_TIMES: Final = 8
_IMMEASURABLE: Final = 0.002
#: CPU seconds after which a call is stopped.
_STOPPED: Final = 20.0
#: A shorter time is measured again, because the machine may have been busy.
_UNCERTAIN: Final = 8.0


class Growth(NamedTuple):
    """CPU seconds at the lengths n, 2n and 4n."""

    unit: str
    length: int
    seconds: tuple[float, float, float]

    @property
    def exponent(self) -> float:
        """Return the exponent of time by length."""
        return math.log(self.seconds[2] / max(self.seconds[0], 1e-6), 4)

    def __str__(self) -> str:
        times = ", ".join(f"{seconds:.2f}" for seconds in self.seconds)
        return f"{self.unit!r}: {self.length:,} to {4 * self.length:,} characters, {times} s"


class _TooSlow(BaseException):
    """The end of a call that would take minutes."""


def _stop(signal_number: int, frame: object) -> None:
    raise _TooSlow


def measure(run: Callable[[str], object], text: str) -> float:
    """Return the CPU seconds of ``run`` with ``text``, which is stopped after `_STOPPED`."""
    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, _STOPPED)
    begun = time.process_time()
    try:
        run(text)
    except _TooSlow:
        pass
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return time.process_time() - begun


def repeat(unit: str, length: int) -> str:
    """Return ``unit`` repeated to a text of at most ``length`` characters."""
    return unit * max(1, length // len(unit))


def find_growth(run: Callable[[str], object], unit: str, most: int) -> Growth | None:
    """Return the times that grow faster than the length of a repeated unit; None for linear time.

    ``most`` is the length of the longest text that ``run`` accepts. A text of this length also
    must not cost more than `MOST_SECONDS`.
    """
    least = measure(run, unit)
    length = min(_SHORT, most // _TIMES)
    times = [measure(run, repeat(unit, length * n)) - least for n in (1, _TIMES)]
    if times[1] < _IMMEASURABLE or _is_linear(times[0], times[1], _TIMES, most / length / _TIMES):
        return None
    if times[1] < _TIMES**MAX_EXPONENT * times[0]:
        longest = measure(run, repeat(unit, most)) - least
        if _is_linear(times[1], longest, most / length / _TIMES, 1):
            return None
    times = [measure(run, repeat(unit, length * n)) for n in (1, 2)]
    while 4 * length <= most:
        times.append(measure(run, repeat(unit, 4 * length)))
        growth = Growth(unit, length, (times[-3], times[-2], times[-1]))
        if _is_too_much(growth) and times[-1] < _UNCERTAIN:
            growth = _measure_again(run, growth)
        if _is_too_much(growth):
            return growth
        if length >= _SHORT * _TIMES and _is_linear(
            growth.seconds[0], growth.seconds[2], 4, most / length / 4
        ):
            return None
        length *= 2
    return None


def _is_linear(short: float, long: float, times: float, times_to_most: float) -> bool:
    """Return whether time grows with the length only, and will be short for the longest text.

    The text of ``long`` seconds is ``times`` as long as the other, and the longest text is
    ``times_to_most`` as long as the first.
    """
    return long < times**MAX_EXPONENT * short and long * times_to_most < MOST_SECONDS


def _is_too_much(growth: Growth) -> bool:
    longest = growth.seconds[2]
    is_steep = longest > NOTICEABLE and growth.exponent > MAX_EXPONENT
    return is_steep or longest > MOST_SECONDS


def _measure_again(run: Callable[[str], object], growth: Growth) -> Growth:
    """Return the shorter of two times of each length."""
    again = (measure(run, repeat(growth.unit, growth.length * n)) for n in (1, 2, 4))
    shorter = tuple(map(min, growth.seconds, again))
    return growth._replace(seconds=(shorter[0], shorter[1], shorter[2]))


# fmt: off
_BLANKS: Final = tuple(chr(code) for code in range(0x3001) if chr(code).isspace())
_INVISIBLE: Final = tuple(
    "\u00ad\u034f\u115f\u180e\u200b\u200c\u200d\u200e\u202e\u2060\u3164\ufeff\ufe0f"
)
_ASCII: Final = tuple(chr(code) for code in range(0x21, 0x7F) if not chr(code).isalnum())
_WIDE: Final = tuple(chr(ord(sign) + 0xFEE0) for sign in _ASCII)
_SIGNS: Final = tuple(
    "、。・「」『』【】〜ー…※×▲−–—’‘“”«»¡°™𝟏①½〇一十月日年貫文点親花札松鶴あアｱﾞがéßİıﬁωяאع한ᄀ"
)
_LETTERS: Final = tuple("aAxXkvVZz_0179")
_CONTROLS: Final = ("\0", "\x01", "\x1a", "\x7f", "\ud800", "\ue000", "\uffff", "\U000e0001")
#: Marks in the wrong order, which normalization sorts.
_MARKS: Final = (
    *("\u0301", "\u0300\u0316", "a\u0301\u0323", "\u3099", "\u0345\u0301", "\u05b0\u0591"),
)
_ROWS: Final = (
    *("\r\n", " \n", "\t\n", "\n\r", "\u3000\n", "\u0085\n", "\u2028\n", "\u200b\n", " \r", "\n "),
    *("x\n", "A\n", "a b\n", "A/B\n", "A\n/", "/\n", "=\n", "1\n", "1.\n", ";\n", ";a\n"),
    *("{\n", "}\n"),
    *("{a}\n", "[\n", "]\n", "[a\n", "[code]\n", "[/code]\n", "[quote=a]\n", "<p>\n"),
    *("<br>", "<p "),
    *("```\n", "~~~\n", "> ", ">\n", "> \n", "-- \n", "--\n"),
    *('"\n', "\\\n", ",\n", ",,\n", "\t\t\n"),
)
_STATEMENTS: Final = (
    *('[Kafu "1"]\n', "[Kafu", "Kafu", '[a "b"]\n', '[Player1 "花子"]\n', "[Player1 "),
    *("[Sheet ", '["'),
    *("month 1 dealer 1\n", "month ", "hand 1 ABC\n", "hand 1 ", "field ABC\n", "field "),
    *("stock ..."),
    *("draw 1A 2B\n", "split 1AB\n", "show 1 teshi AB\n", "bid 1in 2out\n", "bid 1 in "),
    *("1in ", "ba "),
    *("redeal a\n", "void a\n", "pay sanko 1 +1 2 -1\n", "pay a+b ", "a + "),
    *("score 1 +5 2 -5\n", "+ "),
    *("1 +5 ", "1 + 5 ", "final ", "swap 1\n", "blind 1\n", "stone 1\n", "hnad 1 "),
    *("- 1 ", "▲1k6 "),
)
_TURNS: Final = (
    *("A/B ", "AxB/CxD ", "AxB/", "A", "1. ", "1. A/B ", "1.A", "1:", "1: A", "99999"),
    *("=sage", "=sage "),
    *("=koikoi 1 ", "=こいこい", "=", "= ", "//", "/ ", "x", "AxBxC", "A B C ", "{a}"),
    *("{a} ", "{}", "{a", "a}"),
    *("{;", ";{", "｛", "；", "A{a}", "/{a}", "A=a", "A=a/B=a ", "1.2.", "...", "…", "?"),
)
_NAMES: Final = (
    *("crane ", "pine crane, ", "pine ", "Pine Crane ", "hand 1 pine crane\n"),
    *("crane/moon ", "moon x ", "a b "),
    *("松に鶴", "松に鶴、", "松に鶴/月 ", "松 ", "松の", "松のカス1 ", "月 ", "1-2 ", "01-1"),
    *("m1_bright ", "#1 "),
    *("[1,2] ", "[1 , 2]", "1-", "_-", "- ", "pine_", "water lily, ", "aaa ", "aeiou"),
    *("Ab ", "1a", "8月の光"),
)
_CELLS: Final = (
    *(",", "\t", ";,", "a,", "1,", '"a",', '""'),
    *('",', "月,", "1月,", "合計,", "1月,5,-5\n", "月,Aya,Ben\n"),
    *("+5,", "(5)", "5文", "1 000", "1,000 ", "親", "(親)", "◎", ". ", ": ", ".:", "12貫"),
    *("/a", "(", "sep=,\n"),
)
_OBJECTS: Final = (
    *("{}", "[]", "[[", '{"a":', '{"a":1}', '{"a":[', '"a",', '"\\', "\\", '\\"', "\\\\"),
    *("\\u0041", "\\u"),
    *("1,", "1e9,", "-", "null,", "[1,2],", '{"kafu":"1"}\n', '[{"kafu"', "9" * 40, "1.", "true,"),
    *("Watch Start: P1=a\n", "[CARD-INDEX] ", "CPU ", "P1 ", "2026-01-01 ", "令和8年", "明治"),
    *("(日)", "12:00"),
    *("%41", "&amp;", "&#1;", "a=b&", "a@b.", "http://a/", "*a", "_a_", "`a", "![", "]("),
    *("| ", "# ", "../"),
)
# fmt: on
#: The texts that are repeated, each once.
UNITS: Final = tuple(
    dict.fromkeys(
        (
            *_BLANKS,
            *_INVISIBLE,
            *_ASCII,
            *_WIDE,
            *_SIGNS,
            *_LETTERS,
            *_CONTROLS,
            *_MARKS,
            *_ROWS,
            *_STATEMENTS,
            *_TURNS,
            *_NAMES,
            *_CELLS,
            *_OBJECTS,
        )
    )
)


def pairs(seed: str, count: int) -> Sequence[str]:
    """Return ``count`` of the texts of two units, the same for a ``seed``."""
    chance = random.Random(seed)
    return ["".join(chance.sample(UNITS, 2)) for _ in range(count)]
