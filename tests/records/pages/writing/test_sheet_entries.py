"""What was entered in the form of a score sheet: stored with its text, and opened again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from corpus import library_cases
from kafu.editing.sheet_forms import LineWanted, MonthWanted, OfferedMonth, write_sheet
from kafu.facade.errors import BadValue
from kafu.rules.rulesets import RULESETS
from lengths import examples, part
from records.ingest.receiving import Part, receive
from records.ingest.sheet_entries import MAX_BYTES, checked
from records.jobs.executor import work_off
from records.models import Player, Record, Upload, UploadFile, Visibility
from records.pages.editor.sheet_reopening import reopened_data
from records.privacy.access import ANONYMOUS, Viewer
from records.search import games
from records.services.pseudonyms import set_pseudonym
from records.services.visibility import request_change
from tests.people.world import do_jobs, sent, session, user

pytestmark = pytest.mark.django_db

NAMES = ("Aya", "Ben", "Chie", "Dan", "Eri", "Fumi", "Gen")
#: Card points as captured, which are absent from texts.
COUNTED = MonthWanted(ba="large", captured=["118", "62", ""], counted=True)
AMOUNTS = st.sampled_from(["", "0", "5", "-5", "+12", "▲18", "１２", " 7 "])


def entries_of(months: Sequence[MonthWanted]) -> str:
    return json.dumps([asdict(month) for month in months])


def store(
    text: str, months: Sequence[MonthWanted], owner: Any = None, visibility: int = Visibility.PUBLIC
) -> Record:
    """Store a sheet with what was entered, and return its game."""
    file = Part("paste.kafu", [text.encode()], checked(entries_of(months)))
    owner = owner and owner.pk
    upload = receive(parts=[file], via="page", owner=owner, visibility=visibility)
    work_off(upload, lambda progress: None)
    record = upload.submissions.get().record
    assert record is not None
    return record


def opened(record: Record, viewer: Viewer = ANONYMOUS) -> dict[str, Any]:
    """Return the form of a sheet as JSON."""
    shown = games.get(record.key, viewer)
    data = reopened_data(shown, viewer)
    assert data is not None
    form: dict[str, Any] = json.loads(json.dumps(data))
    return form


def hachihachi(*months: MonthWanted, **tags: str) -> str:
    return write_sheet("hachihachi", NAMES[:3], {}, months, tags=tags).text


@st.composite
def lines(draw: st.DrawFn, offered: OfferedMonth) -> LineWanted:
    """Draw a payment that the month may have."""
    offer = draw(st.sampled_from(offered.offers))
    seat = draw(st.sampled_from(offered.playing.list_receivers(offer) or offered.playing.order))
    payers = [payer for payer in offered.payers(offer) if payer != seat]
    return LineWanted(
        seat,
        offer.id,
        draw(st.none() | AMOUNTS),
        draw(st.sampled_from([0, *payers])),
        offer.halves and draw(st.booleans()),
        draw(st.sampled_from([None, True, False])) if offer.struck else None,
    )


@st.composite
def forms(draw: st.DrawFn, rules: str) -> tuple[tuple[str, ...], list[MonthWanted]]:
    """Draw players, and months as the form has them: right or wrong, with readable amounts."""
    count = draw(st.sampled_from(list(RULESETS[rules].seats)))
    seats = st.integers(1, count)
    by_seat = st.lists(AMOUNTS, min_size=count, max_size=count)
    months: list[MonthWanted] = []
    for _number in range(draw(st.integers(1, 3))):
        out = tuple(draw(st.permutations(range(1, count + 1)))[3:]) if count > 3 else ()
        blank = MonthWanted(out=out, dealer=draw(st.none() | seats))
        try:
            offered = write_sheet(rules, NAMES[:count], {}, [*months, blank]).offered
        except BadValue:
            assume(False)
        month = replace(
            blank,
            ba=draw(st.sampled_from([None, *offered.grades])),
            stone=draw(st.none() | seats),
            nothing=draw(st.booleans()),
        )
        if draw(st.booleans()):
            month = replace(month, sums=draw(by_seat), short=True)
        else:
            month = replace(month, lines=draw(st.lists(lines(offered), max_size=3)))
            if draw(st.booleans()):
                month = replace(month, captured=draw(by_seat), counted=True)
            else:
                month = replace(month, points=draw(by_seat))
        months.append(month)
    return NAMES[:count], months


@pytest.mark.parametrize("rules", part(list(RULESETS)))
@settings(max_examples=examples(10), deadline=None)
@given(data=st.data())
@pytest.mark.usefixtures("without_facts")
def test_form_is_opened_as_it_was_entered(rules: str, data: st.DataObject) -> None:
    players, months = data.draw(forms(rules))
    try:
        written = write_sheet(rules, players, {}, months, tags={"Event": "Moon  viewing"})
    except BadValue:
        assume(False)
    assume(any(month.month.payments for month in written.months))
    form = opened(store(written.text, months))
    assert form["months"] == json.loads(entries_of(months))
    assert (form["players"], form["unsaid"]) == (list(players), [])
    assert form["at"] == min((fault.number for fault in written.faults), default=1)


@pytest.mark.parametrize("rules", part(list(RULESETS)))
def test_sheet_that_came_as_text_is_written_again_or_the_form_says_what_it_lacks(
    rules: str,
) -> None:
    sheets = [case for case in library_cases() if case.is_sheet and case.folder == rules]
    for case in part(sheets, one_of=8):
        text = case.verification.text
        form = reopened_data(Record(pk=0, text=text), ANONYMOUS)
        assert form is not None
        months = [
            MonthWanted(**month | {"lines": [LineWanted(**line) for line in month["lines"]]})
            for month in form["months"]
        ]
        written = write_sheet(rules, form["players"], form["options"], months, tags=form["tags"])
        assert (written.text == text) != bool(form["unsaid"]), case


def test_page_stores_what_was_entered_with_a_game_and_with_its_correction() -> None:
    client = session(user("owner"))
    former = ""
    for points in ("62", "63"):
        month = replace(COUNTED, captured=["118", points, ""])
        fields = {"text": hachihachi(month), "entries": entries_of([month]), "replaces": former}
        client.post(reverse("upload"), fields)
        do_jobs()
        record = Record.objects.get(gone=None)
        former = record.key
        assert opened(record)["months"][0]["captured"] == ["118", points, ""]
    assert Record.objects.count() == 2


@pytest.mark.parametrize(
    "entries",
    [
        "",
        "{}",
        "[1",
        '[{"dealer": "Aya"}]',
        '[{"points": ["Aya"]}]',
        '[{"lines": [{"seat": 1, "label": "aka", "gain": "Aya"}]}]',
        "[" + ",".join(["{}"] * 65) + "]",
        '[{"lines": [' + ",".join(['{"seat": 1, "label": "aka"}'] * 41) + "]}]",
        '[{"x": ' + "[" * 2000 + "]" * 2000 + "}]",
        '[{"x": "' + "x" * MAX_BYTES + '"}]',
    ],
)
def test_page_stores_the_text_without_entries_that_no_form_has(
    client: Client, entries: str
) -> None:
    client.post(reverse("upload"), {"text": hachihachi(COUNTED), "entries": entries})
    assert UploadFile.objects.get().entries is None


def test_entries_that_write_another_text_are_not_opened() -> None:
    record = store(hachihachi(COUNTED), [MonthWanted(points=["1", "2", ""])])
    (month,) = opened(record)["months"]
    assert (month["points"], month["captured"]) == (["+5k", "-4k4", "-8"], [])


def test_entries_are_opened_by_who_may_read_their_text_alone() -> None:
    """A private sheet, which another sender made public without its entries."""
    owner, text = user("owner"), hachihachi(COUNTED)
    record = store(text, [COUNTED], owner, Visibility.PRIVATE)
    sent(text)
    assert opened(record, Viewer(owner.pk))["months"][0]["captured"]
    assert not opened(record)["months"][0]["captured"]


def test_entries_of_a_withdrawn_sheet_are_not_opened() -> None:
    owner, text = user("owner"), hachihachi(COUNTED)
    record = store(text, [COUNTED], owner)
    sent(text)
    assert opened(record)["months"][0]["captured"]
    request_change(Upload.objects.get(owner=owner), Visibility.WITHDRAWN)
    do_jobs()
    assert not opened(record)["months"][0]["captured"]


def test_form_of_a_player_with_a_pseudonym_has_that_name(client: Client) -> None:
    record = store(hachihachi(COUNTED, Event="Aya at home"), [COUNTED])
    set_pseudonym(Player.objects.get(name="Aya"), "Wisteria")
    form = opened(record)
    assert form["months"][0]["captured"] == COUNTED.captured
    assert form["players"][0] == "Wisteria" and form["tags"]["Event"] == "Wisteria at home"
    page = session(None).get(reverse("new-sheet"), {"record": record.key}).content.decode()
    assert "Wisteria" in page and "Aya" not in page
