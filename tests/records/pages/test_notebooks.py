"""Score notebooks on the page that checks a game: shown before anything is stored."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

import kafu
from records.models import Record, Upload
from records.pages.uploads.checking import NotebookView

pytestmark = pytest.mark.django_db

TABLE = "月,場,親,Aya,Ben,Chie,備考\n睦月,大場,Aya,2貫,▲1貫,(1貫),よい月\n如月,,Ben,-6,6,,\n"


def check(client: Client, **fields: Any) -> tuple[NotebookView, str]:
    """Send the form of the check; return the notebook of the page, and the page."""
    response = client.post("/check/", fields)
    assert response.status_code == 200
    assert not Record.objects.exists() and not Upload.objects.exists()
    return response.context["notebook"], response.content.decode()


def test_pasted_table_asks_for_its_rules(client: Client) -> None:
    notebook, page = check(client, text=TABLE.replace("\n", "\r\n"))
    assert notebook.players == ["Aya", "Ben", "Chie"]
    values = [choice.value for choice in notebook.choices]
    assert "hachihachi" in values and "koikoi" not in values
    assert not notebook.is_sheet and not notebook.faults
    assert 'name="rules"' in page and "formaction" not in page
    assert "formnovalidate>Check<" in page, "a game in place of the table needs no ruleset"


def test_chosen_rules_make_a_sheet_that_is_shown_before_it_is_sent(client: Client) -> None:
    notebook, page = check(client, text=TABLE, rules="hachihachi")
    assert notebook.is_sheet
    months = [(row.month, row.grade, row.dealer, row.amounts) for row in notebook.months]
    assert months == [
        ("Month 1", "ōba", "Aya", [24, -12, -12]),
        ("Month 2", "", "Ben", [-6, 6, 0]),
    ]
    assert list(notebook.totals) == [18, -6, -12]
    assert kafu.read(notebook.text).is_sheet
    assert "This was understood" in page and "よい月" in page and "+2\N{NO-BREAK SPACE}kan" in page

    response = client.post("/upload/", {"text": notebook.text, "visibility": "public"})
    assert response.status_code == 302
    assert Upload.objects.count() == 1


def test_sheet_is_made_again_of_its_table_by_other_rules(client: Client) -> None:
    first, _page = check(client, text="Aya,Ben\n6,0\n0,4\n", rules="koikoi", dealer="2", ended="on")
    assert "[Options" in first.text and "dealer 2" in first.text
    again, page = check(
        client, text=first.text, table=first.table, again="1", rules="koikoi/koikoi-nintendo"
    )
    assert again.table == first.table
    assert '[Options "profile=koikoi-nintendo"]' in again.text
    assert "Dealer of the first month" in page


@pytest.mark.parametrize(
    ("text", "rules", "cell", "message"),
    [
        ("月,Aya,Ben\n1,7,o5\n", "koikoi", "C2", "“o5” is no amount of Ben in month 1"),
        ("月,Aya,Ben\n1,7,0\n2,0,99999\n", "koikoi", "C3", "+99999 is no sum of a month"),
    ],
)
def test_cell_with_a_fault_is_named_with_a_way_to_the_form(
    client: Client, text: str, rules: str, cell: str, message: str
) -> None:
    notebook, page = check(client, text=text, rules=rules)
    assert notebook.faults[0]["cell"] == cell
    assert message in notebook.faults[0]["message"]
    assert not notebook.is_sheet and notebook.text.startswith("月\tAya\tBen\n")
    assert 'href="/sheets/new"' in page


def test_option_of_the_house_is_taken_or_named(client: Client) -> None:
    table = "月,Aya,Ben\n1,7,-7\n2,-5,5\n"
    notebook, _page = check(client, text=table, rules="koikoi", options="pays=yes")
    assert '[Options "pays=yes"]' in notebook.text
    notebook, page = check(client, text=table, rules="koikoi", options="pays=perhaps")
    assert not notebook.is_sheet
    assert "pays" in notebook.faults[0]["words"] and 'value="pays=perhaps"' in page


def test_page_is_in_japanese(client: Client) -> None:
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "ja"
    _notebook, page = check(client, text=TABLE, rules="hachihachi")
    assert "読み取った内容" in page and "大場" in page
