"""Specs of charts by the JSON schema of Vega-Lite, which the package altair contains."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jsonschema_rs

from records.statistics.vega_lite import SCHEMA, spec
from tests.records.pages.test_charts import CHARTS, make_answer


def load_schema() -> dict[str, Any]:
    """Return the schema. The module of altair is not imported, which would take seconds."""
    module = find_spec("altair")
    assert module and module.origin
    path = Path(module.origin).parent / f"vegalite/{Path(SCHEMA).stem}/schema/vega-lite-schema.json"

    def quote_reference(node: dict[str, Any]) -> dict[str, Any]:
        """Names of definitions contain characters that a reference must not contain."""
        if "$ref" in node:
            node["$ref"] = quote(node["$ref"], safe="#/")
        return node

    schema: dict[str, Any] = json.loads(path.read_bytes(), object_hook=quote_reference)
    return schema


def test_spec_of_every_kind_of_chart_is_valid() -> None:
    validator = jsonschema_rs.validator_for(load_schema())
    for chart in CHARTS:
        written = spec(make_answer(chart))
        validator.validate(written)
        assert not validator.is_valid({**written, "height": "high"})
