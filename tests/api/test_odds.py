"""GET odds/{ruleset}."""

from __future__ import annotations

import pytest

from kafu.odds.exact import odds
from kafu.odds.form import to_json
from kafu.rules.rulesets import RULESETS
from lengths import part
from tests.api.contract import Api, problem


@pytest.mark.parametrize("ruleset", part(sorted(RULESETS)))
def test_odds_equal_those_of_the_library(api: Api, ruleset: str) -> None:
    response = api.get(f"odds/{ruleset}")
    assert response.status_code == 200
    assert response.json() == to_json(odds(ruleset))


def test_unknown_ruleset_is_not_found(api: Api) -> None:
    body = problem(api.get("odds/nothing"), "not-found", 404)
    assert "hachihachi, koikoi" in body["detail"]


def test_unknown_parameter_is_refused(api: Api) -> None:
    problem(api.get("odds/koikoi", {"profile": "koikoi-ai"}), "invalid-parameter", 400)
