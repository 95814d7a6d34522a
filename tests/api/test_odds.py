"""GET odds/{ruleset}."""

from __future__ import annotations

import pytest

from kafu.odds.exact import odds
from kafu.odds.form import to_json
from kafu.rules.rulesets import RULESETS
from tests.api.contract import Api, problem


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_the_odds_of_a_ruleset(api: Api, ruleset: str) -> None:
    response = api.get(f"odds/{ruleset}")
    assert response.status_code == 200
    assert response.json() == to_json(odds(ruleset))


def test_a_conditional_request(api: Api) -> None:
    response = api.get("odds/hachihachi")
    assert "max-age" in response["Cache-Control"]
    again = api.get("odds/hachihachi", **{"If-None-Match": response["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert api.get("odds/koikoi", **{"If-None-Match": response["ETag"]}).status_code == 200


def test_a_ruleset_whose_odds_are_not_known(api: Api) -> None:
    body = problem(api.get("odds/nothing"), "not-found", 404)
    assert "hachihachi, koikoi" in body["detail"]


def test_an_unknown_parameter(api: Api) -> None:
    problem(api.get("odds/koikoi", {"profile": "koikoi-ai"}), "invalid-parameter", 400)
