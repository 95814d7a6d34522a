"""The regular expressions of the product, and a check of their parts that may not be linear.

`find_doubts` compares the characters of each unbounded repetition with what may precede and follow
it. Three shapes take more than linear time:

- *restarted*: a search can begin inside the run that an earlier attempt has scanned in vain;
- *adjacent*: two repetitions can share a run in many ways;
- *nested*: a repetition can continue its run, or end it and begin the next turn of a loop.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any, Final, NamedTuple

from tests.conftest import ROOT

#: The folders with the sources of the product, and the path of their modules.
_SOURCES: Final = (
    *((ROOT / name, ROOT) for name in ("api", "hana", "hanaarchive", "people", "records")),
    (ROOT / "kafu/src/kafu", ROOT / "kafu/src"),
)
_SEARCHING: Final = frozenset(("search", "sub", "subn", "findall", "finditer", "split"))
_MATCHING: Final = frozenset(("match", "fullmatch"))
#: Representative characters: ASCII, and at least one of each further kind.
_ALPHABET: Final = frozenset(
    [
        *map(chr, range(0x100)),
        *"\u2028\u3000\u200b\ufeff\ufe0f\u0301\u3099あア漢ーｱ０Ａ［］＂“”＞貫親\U0001f600",
    ]
)


class Expression(NamedTuple):
    """A regular expression: its module and name, and how the product uses it.

    A call in a function has its source as a name. ``pattern`` is None where it is made of
    variables.
    """

    module: str
    name: str
    pattern: re.Pattern[Any] | None
    is_searched: bool
    is_whole: bool


def list_expressions() -> Iterator[Expression]:
    """Yield every regular expression of the product."""
    trees = {}
    for folder, root in _SOURCES:
        for path in sorted(folder.rglob("*.py")):
            if "migrations" not in path.parts:
                name = ".".join(path.relative_to(root).with_suffix("").parts)
                trees[name.removesuffix(".__init__")] = ast.parse(path.read_text("utf-8"))
    uses = _list_uses(trees)
    for name, tree in trees.items():
        if not any(isinstance(node, ast.Name) and node.id == "re" for node in ast.walk(tree)):
            continue
        module = importlib.import_module(name)
        for variable, value in vars(module).items():
            if not _is_assigned(tree, variable):
                continue
            if isinstance(value, re.Pattern):
                key = (name if variable.startswith("_") else "", variable)
                yield _make_expression(name, variable, value, uses.get(key, set()))
                continue
            for pattern in _find_patterns(value):
                yield _make_expression(name, variable, pattern, {"search"})
        yield from _list_calls(name, module, tree)


def _make_expression(
    module: str, name: str, pattern: re.Pattern[Any] | None, methods: set[str]
) -> Expression:
    is_searched = bool(methods & _SEARCHING) or not methods & _MATCHING
    return Expression(module, name, pattern, is_searched, "fullmatch" in methods)


def _list_uses(trees: Mapping[str, ast.Module]) -> Mapping[tuple[str, str], set[str]]:
    """Return the methods called on each name, as in ``_NAME.search``, by module and name.

    The module of a public name is "".
    """
    uses: dict[tuple[str, str], set[str]] = {}
    for module, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                base = node.value
                name = base.id if isinstance(base, ast.Name) else getattr(base, "attr", "")
                key = (module if name.startswith("_") else "", name)
                uses.setdefault(key, set()).add(node.attr)
    return uses


def _is_assigned(tree: ast.Module, name: str) -> bool:
    return any(
        isinstance(target, ast.Name) and target.id == name
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    )


def _find_patterns(value: object) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _find_patterns(item)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _find_patterns(item)


def _list_calls(name: str, module: ModuleType, tree: ast.Module) -> Iterator[Expression]:
    """Yield the expressions in calls such as ``re.sub`` in the functions of a module."""
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    for node in {node for function in functions for node in ast.walk(function)}:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        base, method = node.func.value, node.func.attr
        if not (isinstance(base, ast.Name) and base.id == "re" and method != "escape"):
            continue
        try:
            source = eval(compile(ast.Expression(node.args[0]), name, "eval"), vars(module))
            pattern = re.compile(source)
        except NameError:
            pattern = None
        yield _make_expression(name, ast.unparse(node.args[0]), pattern, {method})


class _Repetition(NamedTuple):
    """An unbounded repetition: its characters, and whether it may give characters back.

    ``can_fail`` says that the pattern may not match what follows the repetition.
    """

    chars: frozenset[str]
    gives_back: bool
    can_fail: bool


class _Part(NamedTuple):
    """A part of a sequence: its first characters and its repetitions.

    An optional part need not take a character; a part can fail if it may match at no length.
    """

    first: frozenset[str]
    is_optional: bool
    can_fail: bool
    repetitions: tuple[_Repetition, ...] = ()


class _Doubts:
    """The doubts about one pattern, collected while its parts are visited."""

    def __init__(self, pattern: re.Pattern[Any], *, is_searched: bool, is_whole: bool) -> None:
        self.found: set[str] = set()
        self.flags = pattern.flags
        source = pattern.pattern
        text = source.decode("latin-1") if isinstance(source, bytes) else source
        nodes = list(parser.parse(text, self.flags))
        parts = self._visit_sequence(nodes, can_fail=is_whole)
        if is_searched:
            begins = _first_of(parts) & self._chars_before(nodes)
            runs = (run for part in parts for run in part.repetitions)
            if any(run.can_fail and run.chars & begins for run in runs):
                self.found.add("restarted")

    def _chars_before(self, nodes: Sequence[Any]) -> frozenset[str]:
        """Return the characters behind which the pattern can begin."""
        first: tuple[Any, Any] = nodes[0] if nodes else (None, ())
        op, value = first
        if op is sre.AT and value is sre.AT_BEGINNING:
            return frozenset("\n") if self.flags & re.MULTILINE else frozenset()
        if op in (sre.ASSERT, sre.ASSERT_NOT) and value[0] < 0 and len(value[1]) == 1:
            chars = self._chars(value[1][0])
            return chars if op is sre.ASSERT else _ALPHABET - chars
        return _ALPHABET

    def _visit_sequence(self, nodes: Sequence[Any], *, can_fail: bool) -> list[_Part]:
        parts: list[_Part] = []
        follows = can_fail
        for node in reversed(list(nodes)):
            part = self._visit(node, can_fail=follows)
            follows = follows or part.can_fail
            parts.insert(0, part)
        for index, part in enumerate(parts):
            for run in part.repetitions:
                self._check_adjacent(run, parts[index + 1 :])
        return parts

    def _check_adjacent(self, run: _Repetition, parts: Sequence[_Part]) -> None:
        """Note a repetition that can share the characters of an earlier ``run``."""
        for part in parts if run.gives_back else ():
            is_entered = bool(part.first & run.chars) or not part.first
            if is_entered and any(r.can_fail and r.chars & run.chars for r in part.repetitions):
                self.found.add("adjacent")
            if not (part.is_optional or is_entered):
                return

    def _visit(self, node: Any, *, can_fail: bool) -> _Part:
        op, value = node
        if op is sre.AT:
            return _Part(frozenset(), True, True)
        if op in (sre.ASSERT, sre.ASSERT_NOT):
            ahead = _join(self._visit_sequence(value[1], can_fail=True))
            return _Part(frozenset(), True, True, ahead.repetitions)
        if op is sre.SUBPATTERN:
            return _join(self._visit_sequence(value[3], can_fail=can_fail))
        if op is sre.ATOMIC_GROUP:
            part = _join(self._visit_sequence(value, can_fail=False))
            return _hold(part, can_fail=can_fail)
        if op is sre.BRANCH:
            branches = [_join(self._visit_sequence(b, can_fail=can_fail)) for b in value[1]]
            return _Part(
                frozenset().union(*(branch.first for branch in branches)),
                any(branch.is_optional for branch in branches),
                all(branch.can_fail for branch in branches),
                tuple(run for branch in branches for run in branch.repetitions),
            )
        if op in _REPEATS:
            return self._visit_repetition(op, *value, can_fail=can_fail)
        return _Part(self._chars(node), False, True)

    def _visit_repetition(
        self, op: Any, least: int, most: int, body: Sequence[Any], *, can_fail: bool
    ) -> _Part:
        is_possessive = op is sre.POSSESSIVE_REPEAT
        parts = self._visit_sequence(body, can_fail=can_fail and not is_possessive)
        part = _join(parts)
        if is_possessive:
            part = _hold(part, can_fail=can_fail)
        runs = part.repetitions
        if most is sre.MAXREPEAT:
            for index, inner in enumerate(parts):
                behind = _first_of([*parts[index + 1 :], part])
                if any(r.gives_back and r.can_fail and r.chars & behind for r in inner.repetitions):
                    self.found.add("nested")
            chars = self._chars_in(body)
            runs = (*runs, _Repetition(chars, not is_possessive, can_fail))
        return _Part(part.first, part.is_optional or not least, bool(least and part.can_fail), runs)

    def _chars_in(self, nodes: Sequence[Any]) -> frozenset[str]:
        """Return the characters that any part of a sequence can take."""
        chars: frozenset[str] = frozenset()
        for op, value in nodes:
            if op is sre.BRANCH:
                chars = chars.union(*map(self._chars_in, value[1]))
            elif op in (*_REPEATS, sre.SUBPATTERN):
                chars |= self._chars_in(value[-1])
            elif op is sre.ATOMIC_GROUP:
                chars |= self._chars_in(value)
            elif op not in (sre.AT, sre.ASSERT, sre.ASSERT_NOT):
                chars |= self._chars((op, value))
        return chars

    def _chars(self, node: Any) -> frozenset[str]:
        """Return the characters of a node that takes one."""
        op, value = node
        items = list(value) if op is sre.IN else [node]
        is_negated = items[0][0] is sre.NEGATE
        chars = frozenset().union(*(_chars_of(item, self.flags) for item in items[is_negated:]))
        return _ALPHABET - chars if is_negated else chars


@lru_cache(maxsize=10_000)
def _chars_of(item: tuple[Any, Any], flags: int) -> frozenset[str]:
    """Return the characters of an item of a set."""
    op, value = item
    if op is sre.CATEGORY:
        category = re.compile(_CATEGORIES[value], flags & re.ASCII)
        return frozenset(filter(category.match, _ALPHABET))
    if op is sre.ANY:
        return _ALPHABET if flags & re.DOTALL else _ALPHABET - {"\n"}
    low, high = value if op is sre.RANGE else (value, value)
    chars = frozenset(letter for letter in _ALPHABET if low <= ord(letter) <= high)
    if flags & re.IGNORECASE:
        chars |= _ALPHABET & {letter.swapcase() for letter in chars}
    return _ALPHABET - chars if op is sre.NOT_LITERAL else chars


_REPEATS: Final = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
_CATEGORIES: Final = {
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_NOT_DIGIT: r"\D",
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_WORD: r"\W",
}


def _hold(part: _Part, *, can_fail: bool) -> _Part:
    """Return a part whose repetitions give nothing back to what follows."""
    runs = part.repetitions
    return part._replace(
        repetitions=tuple(_Repetition(run.chars, False, run.can_fail or can_fail) for run in runs)
    )


def _first_of(parts: Sequence[_Part]) -> frozenset[str]:
    """Return the first characters of a sequence."""
    first: frozenset[str] = frozenset()
    for part in parts:
        first |= part.first
        if not part.is_optional:
            break
    return first


def _join(parts: Sequence[_Part]) -> _Part:
    """Return a sequence as one part."""
    return _Part(
        _first_of(parts),
        all(part.is_optional for part in parts),
        any(part.can_fail for part in parts),
        tuple(run for part in parts for run in part.repetitions),
    )


def find_doubts(expression: Expression) -> set[str]:
    """Return the shapes of an expression that may take more than linear time."""
    if expression.pattern is None:
        return {"variable"}
    is_searched, is_whole = expression.is_searched, expression.is_whole
    return _Doubts(expression.pattern, is_searched=is_searched, is_whole=is_whole).found
