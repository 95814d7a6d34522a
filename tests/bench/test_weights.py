"""Weights of requests, compared with the CPU seconds of uncached responses."""

from __future__ import annotations

import pytest

from bench import weights
from records.serving.limits import GROUPS, UNITS_PER_SECOND
from tests.records.makers import ingest, text

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("group", weights.ADDRESSES)
def test_weight_is_at_least_half_of_the_measured_cost(rows_for_all: None, group: str) -> None:
    """CPU seconds of this process hardly depend on the load of the machine."""
    ingest(*(text(seed).encode() for seed in range(3)))
    for path, seconds in weights.measure(group):
        assert 2 * GROUPS[group].weight >= seconds * UNITS_PER_SECOND, (path, seconds)


def test_every_group_that_computes_in_web_threads_is_measured() -> None:
    computing = {name for name, group in GROUPS.items() if group.room == "work"}
    assert computing - {"report"} == weights.ADDRESSES.keys()  # a report needs an upload
