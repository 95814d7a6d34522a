"""Alerts, dashboard and configuration in deploy/monitoring, and the sections of the runbooks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
import yaml
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from hanaarchive import metrics
from tests.conftest import ROOT
from tests.ops.promql import Condition, parse_selectors

FOLDER = ROOT / "deploy" / "monitoring"
CONFIGURATION: dict[str, Any] = yaml.safe_load((FOLDER / "prometheus.yaml").read_text())
ALERTS: list[dict[str, Any]] = [
    rule
    for name in CONFIGURATION["rule_files"]
    for group in yaml.safe_load((FOLDER / name).read_text())["groups"]
    for rule in group["rules"]
]
DASHBOARD: dict[str, Any] = json.loads((FOLDER / "dashboard.json").read_text())
SCALING: dict[str, Any] = yaml.safe_load((ROOT / "deploy/kubernetes/keda/worker.yaml").read_text())


def list_expressions() -> Iterator[str]:
    """Yield every expression over the metrics."""
    yield from (alert["expr"] for alert in ALERTS)
    yield from (target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"])
    yield from (trigger["metadata"]["query"] for trigger in SCALING["spec"]["triggers"])


def matches(condition: Condition, value: str) -> bool:
    """Return whether a value of a label meets a condition."""
    if not condition.is_pattern:
        return value == condition.value
    return re.fullmatch(condition.value, value) is not None


@pytest.mark.django_db
def test_expressions_read_metrics_and_labels_that_the_archive_exposes() -> None:
    metrics.observe("/games/<slug:key>/", "GET", 500, 0.1)
    exposition = Client().get("/metrics").content.decode()
    families = list(text_string_to_metric_families(exposition))
    labels = {
        name: list[dict[str, str]]() for f in families for name in (s.name for s in f.samples)
    }
    for family in families:
        for sample in family.samples:
            labels[sample.name].append(sample.labels)
    # Prometheus itself adds this one.
    labels["up"] = [{"job": config["job_name"]} for config in CONFIGURATION["scrape_configs"]]
    for expression in list_expressions():
        selectors = parse_selectors(expression)
        assert selectors
        for metric, conditions in selectors:
            assert metric in labels, expression
            for condition in conditions:
                values = {sample[condition.label] for sample in labels[metric]}
                assert any(matches(condition, value) for value in values), expression
                # Each of several alternatives exists.
                if condition.is_pattern and re.fullmatch(r"[a-z-]+(\|[a-z-]+)+", condition.value):
                    assert set(condition.value.split("|")) <= values, expression


def test_dashboard_has_panels_side_by_side() -> None:
    places = [panel["gridPos"] for panel in DASHBOARD["panels"]]
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(places) > 10
    assert all(place["x"] + place["w"] <= 24 for place in places)
    for one, other in combinations(places, 2):
        is_beside = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
        assert is_beside or one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]


def test_each_alert_names_its_section_of_the_runbooks() -> None:
    sections = re.split(r"^## ", (ROOT / "docs/runbooks.md").read_text(), flags=re.M)[1:]
    anchors = {
        re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-"): text
        for heading, _, text in (section.partition("\n") for section in sections)
    }
    alerts = {}
    for alert in ALERTS:
        path, _, anchor = alert["annotations"]["runbook"].partition("#")
        assert path == "docs/runbooks.md" and alert["labels"]["severity"] in ("page", "ticket")
        assert f"*{alert['alert']}.*" in anchors[anchor]
        alerts[anchor] = alert
    assert set(alerts) == set(anchors)


def test_each_alert_has_a_case_of_promtool() -> None:
    """`make test-deployment` runs the cases."""
    faults, _sound = yaml.safe_load((ROOT / "tests/ops/alerts.yaml").read_text())["tests"]
    [case] = faults["promql_expr_test"]
    fired = {re.findall('"(.+)"', sample["labels"])[0] for sample in case["exp_samples"]}
    assert fired == {alert["alert"] for alert in ALERTS}
