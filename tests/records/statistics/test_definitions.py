"""What a figure is, is said in one place: pages, the API and the documents have it from there."""

from __future__ import annotations

from io import StringIO

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.utils.translation import override

from records.statistics.definitions import table
from records.statistics.registry import FIGURES


def test_the_documents_have_the_table() -> None:
    out = StringIO()
    call_command("statistics", "--definitions", stdout=out)
    assert out.getvalue().strip() == table()
    text = (settings.BASE_DIR / "docs/statistics.md").read_text(encoding="utf-8")
    assert f"<!-- definitions -->\n\n{table()}\n\n<!-- /definitions -->" in text


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "ja"])
def test_pages_and_api_say_the_same(client: Client, language: str) -> None:
    headers = {"Accept-Language": language}
    paths = client.get("/api/v1/schema?format=json", headers=headers).json()["paths"]
    listed = client.get("/api/v1/statistics", headers=headers).json()["statistics"]
    with override(language):
        assert [(one["id"], one["definition"], one["formula"]) for one in listed] == [
            (figure.id, str(figure.definition), str(figure.formula)) for figure in FIGURES.values()
        ]
        for id, figure in FIGURES.items():
            told = paths[f"/api/v1/statistics/{id}"]["get"]["description"]
            assert str(figure.definition) in told and str(figure.formula) in told
        shown = client.get("/statistics/koikoi/", headers=headers).context["answers"]
        for one in shown:
            figure = FIGURES[one["answer"].id]
            words = one["answer"].definition, one["answer"].formula, one["answer"].basis
            assert words == (str(figure.definition), str(figure.formula), str(figure.basis))
