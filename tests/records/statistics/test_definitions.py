"""Pages, the API and the documents share the definitions of figures."""

from __future__ import annotations

from io import StringIO

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.utils.translation import override

from lengths import LONG
from records.statistics.registry import FIGURES, definitions_table


def test_documents_contain_the_table_of_figures() -> None:
    out = StringIO()
    call_command("statistics", "--definitions", stdout=out)
    assert out.getvalue().strip() == definitions_table()
    text = (settings.BASE_DIR / "docs/statistics.md").read_text(encoding="utf-8")
    assert f"<!-- definitions -->\n\n{definitions_table()}\n\n<!-- /definitions -->" in text


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "ja"] if LONG else ["ja"])
def test_pages_and_api_have_the_same_definitions(client: Client, language: str) -> None:
    headers = {"Accept-Language": language}
    paths = client.get("/api/v1/schema?format=json", headers=headers).json()["paths"]
    listed = client.get("/api/v1/statistics", headers=headers).json()["statistics"]
    with override(language):
        assert [(entry["id"], entry["definition"], entry["formula"]) for entry in listed] == [
            (figure.id, str(figure.definition), str(figure.formula)) for figure in FIGURES.values()
        ]
        for id, figure in FIGURES.items():
            description = paths[f"/api/v1/statistics/{id}"]["get"]["description"]
            assert str(figure.definition) in description and str(figure.formula) in description
        shown = client.get("/statistics/koikoi/", headers=headers).context["answers"]
        for answer in (entry["answer"] for entry in shown):
            figure = FIGURES[answer.id]
            assert (answer.definition, answer.formula, answer.basis) == (
                str(figure.definition),
                str(figure.formula),
                str(figure.basis),
            )
