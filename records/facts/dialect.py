"""Statements about facts in ClickHouse's SQL, translated from DuckDB's by sqlglot.

Each query is written once, for DuckDB. Differences that sqlglot does not know are here; the list
with the trial is decision 39 (docs/decisions/0039-clickhouse.md). Nested selections are merged, so
that a cluster groups where it reads. Values stay parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar, Final

from sqlglot import exp, parse_one
from sqlglot.dialects.clickhouse import ClickHouse
from sqlglot.generators.clickhouse import ClickHouseGenerator
from sqlglot.optimizer.merge_subqueries import merge_subqueries
from sqlglot.optimizer.qualify import qualify

#: ClickHouse's types of DuckDB's types. All columns of facts may be null.
_TYPES: Final = {
    "VARCHAR": "String",
    "BIGINT": "Int64",
    "INTEGER": "Int32",
    "SMALLINT": "Int16",
    "TINYINT": "Int8",
    "BOOLEAN": "Bool",
    "DOUBLE": "Float64",
    "DECIMAL(38,0)": "Decimal(38, 0)",
}
_FUNCTIONS: Final = {
    "hash": "cityHash64",
    "list_position": "indexOf",
    "bit_count": "bitCount",
}
#: Names and types of the columns of tables.
Schema = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


class _Generator(ClickHouseGenerator):
    TRANSFORMS: ClassVar[Any] = ClickHouseGenerator.TRANSFORMS | {
        exp.BitwiseAnd: lambda self, node: self.func("bitAnd", node.this, node.expression),
        exp.BitwiseLeftShift: lambda self, node: _shift(self, "bitShiftLeft", node),
        exp.BitwiseRightShift: lambda self, node: _shift(self, "bitShiftRight", node),
        exp.IntDiv: lambda self, node: self.func("intDiv", node.this, node.expression),
        exp.GenerateSeries: lambda self, node: (
            f"CAST({self.func('range', node.args['start'], node.args['end'])}, 'Array(Int64)')"
        ),
        exp.GroupConcat: lambda self, node: _concatenate(self, node),
    }


def _shift(generator: ClickHouseGenerator, name: str, node: exp.Binary) -> str:
    """Return a shift of 64 bits: ClickHouse shifts a literal within its 8 bits."""
    return generator.func(name, exp.cast(node.this, "BIGINT", dialect="duckdb"), node.expression)


def _concatenate(generator: ClickHouseGenerator, node: exp.GroupConcat) -> str:
    """Return the ordered concatenation of a group, whose order ClickHouse does not define."""
    text, keys = node.this, []
    if isinstance(text, exp.Order):
        text, keys = text.this, [generator.sql(ordered.this) for ordered in text.expressions]
    row = ", ".join((*keys, generator.sql(text)))
    rows = f"arraySort(groupArray(tuple({row})))"
    texts = f"arrayMap(sorted -> sorted.{len(keys) + 1}, {rows})"
    return f"arrayStringConcat({texts}, {generator.sql(node, 'separator')})"


def type_of(value: Any) -> str:
    """Return ClickHouse's type of the value of a parameter."""
    if isinstance(value, list):
        return f"Array({type_of(value[0]) if value else 'Int64'})"
    types = {bool: "Bool", int: "Int64", float: "Float64", str: "String"}
    return types.get(type(value), "Nullable(Int64)")


def write_structure(columns: Mapping[str, str]) -> str:
    """Return names and types of columns, by their types in DuckDB, as ClickHouse declares them."""
    return ", ".join(f'"{name}" Nullable({_TYPES[type]})' for name, type in columns.items())


@lru_cache(maxsize=512)
def translate(select: str, parameters: tuple[tuple[str, str], ...], schema: Schema) -> str:
    """Return a SELECT in ClickHouse's SQL.

    ``parameters`` are the names and ClickHouse's types of the values, ``schema`` the columns of all
    tables in the statement.
    """
    types = dict(parameters)
    tables: dict[str, object] = {table: dict(columns) for table, columns in schema}
    tree = parse_one(select, read="duckdb")
    tree = qualify(tree, schema=tables, dialect="duckdb", validate_qualify_columns=False)
    tree = merge_subqueries(tree)
    for added in [*tree.find_all(exp.Sum)]:
        _widen(added)
    for function in [*tree.find_all(exp.Anonymous)]:
        name = function.name.lower()
        function.set("this", _FUNCTIONS.get(name, function.name))
        if name == "list_position":  # A key of joins: unsigned and signed keys do not match.
            function.replace(exp.cast(function.copy(), "BIGINT", dialect="duckdb"))
    for value in [*tree.find_all(exp.Parameter, exp.Placeholder)]:
        value.replace(exp.var(f"{{{value.name}:{types[value.name]}}}"))
    return _Generator(dialect=ClickHouse, identify=True).generate(tree)


def _widen(node: exp.Sum) -> None:
    """Add up products of whole numbers as decimal numbers of 38 digits.

    ClickHouse would drop the upper bits of a sum of 64 bits, where DuckDB has 128. Too large a
    decimal number is an error.
    """
    first = node.this
    if not isinstance(first, exp.Mul) or first.find(exp.Div):
        return
    while isinstance(first.this, exp.Mul):
        first = first.this
    first.set("this", exp.cast(first.this, "DECIMAL(38, 0)", dialect="duckdb"))
