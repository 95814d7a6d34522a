"""The metrics and labels in expressions of Prometheus."""

from __future__ import annotations

from typing import NamedTuple

import promql_parser
from promql_parser import MatchOp, VectorSelector


class Condition(NamedTuple):
    """A condition on a label: a value, or a pattern."""

    label: str
    value: str
    is_pattern: bool


class Selector(NamedTuple):
    """The samples that an expression reads."""

    metric: str
    conditions: list[Condition]


def parse_selectors(expression: str) -> list[Selector]:
    """Return the selectors of an expression. Raises ValueError for an invalid expression."""
    selectors = []

    def visit(node: object) -> None:
        if isinstance(node, VectorSelector):
            conditions = [
                Condition(matcher.name, matcher.value, matcher.op in (MatchOp.Re, MatchOp.NotRe))
                for matcher in node.matchers.matchers
            ]
            selectors.append(Selector(str(node.name), conditions))

    promql_parser.walk(promql_parser.parse(expression), pre_visit=visit)
    return selectors
