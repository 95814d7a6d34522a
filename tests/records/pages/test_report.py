"""The report of an upload: progress, faults with their texts, games and their verdicts."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from archives.makers import zipped
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import LONG, part
from records.ingest.receiving import Part, receive
from records.jobs.executor import work_off
from records.models import Upload, Visibility
from records.pages.uploads import page as view
from tests.conformance import CASES
from tests.markup import join_lines
from tests.people import world
from tests.records import makers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


def broken_cases() -> list[Path]:
    """Return an illegal or malformed game of each kind of fault; in `make test-long` all."""
    cases: dict[tuple[str, ...], Path] = {}
    for case in CASES:
        verdict = json.loads(case.read_text(encoding="utf-8"))
        if verdict["status"] in ("illegal", "malformed"):
            name = (str(case),) if LONG else ()
            kind = verdict.get("kind") or verdict["error"]["code"]
            cases[kind, *name] = case
    return [*cases.values()]


BROKEN = part(broken_cases(), one_of=9)


def test_report_waits_before_any_work(client: Client) -> None:
    upload = makers.upload(makers.joined(makers.text(1)))
    page = client.get(f"/uploads/{upload.key}/").content.decode()
    assert 'data-now="waiting"' in page
    assert 'http-equiv="refresh"' in page
    assert f'data-api="/api/v1/uploads/{upload.key}"' in page
    assert re.search(r'<time datetime="[^"]+\+00:00" data-minute>.*? UTC</time>', page)


def test_faulty_games_are_shown_with_the_fault_in_their_text(client: Client) -> None:
    first = makers.text(1)
    upload = makers.ingest(makers.joined(first, makers.illegal(2), makers.MALFORMED))
    response = client.get(f"/uploads/{upload.key}/")
    page = response.content.decode()
    assert 'data-now="done"' in page and 'http-equiv="refresh"' not in page
    illegal, malformed = (game["fault"] for game in response.context["faulty"])
    assert illegal.error["code"] == "not-in-hand"
    fault = next(row for row in illegal.rows if row.fault)
    assert fault.number == illegal.error["line"] > first.count("\n")
    assert fault.caret.endswith("^")
    assert response.context["faulty"][1]["submission"].record is None
    assert '[Rules "poker"]' in next(row for row in malformed.rows if row.fault).text
    assert malformed.position is None
    assert page.count('class="line fault"') == 2


def test_skipped_files_names_to_check_and_pictures_are_explained(client: Client) -> None:
    game = makers.text(1).replace('[Player1 "', '[Player1 "花子', 1).encode("euc_jp")
    parts = {"README.md": b"#", "a.kafu": game, "photo": b"\xff\xd8\xff\xe0" + bytes(99)}
    upload = receive(parts=[Part("g.zip", (zipped(parts),))], via="page")
    picture = receive(parts=[Part("sheet.jpg", (parts["photo"],))], via="page")
    for sent in (upload, picture):
        work_off(sent, lambda _progress: None)
    response = client.get(f"/uploads/{upload.key}/")
    page = response.content.decode()
    assert 'id="passed-over"' in page and "README.md" in page
    assert "read as EUC-JP" in page and "花子" in page
    assert [file for file, _fault in response.context["broken"]["shown"]] == ["g.zip › photo"]
    page = client.get(f"/uploads/{picture.key}/").content.decode()
    assert "This is a picture (JPEG)" in page
    assert 'href="/records/new"' in page and 'href="/sheets/new"' in page


def test_game_that_is_read_while_the_page_is_made_is_in_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = makers.upload(makers.MALFORMED.encode())
    progress = Upload.progress

    def read_first(upload: Upload) -> dict[str, Any]:
        monkeypatch.setattr(Upload, "progress", progress)
        return work_off(upload, lambda _progress: None)

    monkeypatch.setattr(Upload, "progress", read_first)
    response = client.get(f"/uploads/{upload.key}/")
    assert response.context["progress"]["state"] == "done"
    assert len(response.context["faulty"]) == len(response.context["games"]) == 1


def test_illegal_game_is_shown_with_its_table_and_the_legal_moves(client: Client) -> None:
    upload = makers.ingest(makers.joined(makers.text(1), makers.illegal(2)))
    response = client.get(f"/uploads/{upload.key}/")
    position = response.context["faulty"][0]["fault"].position
    game = makers.simulate_months(2)
    number, month = next((n, m) for n, m in enumerate(game.months, 1) if m.turns)
    mover = next(seat for seat in position.seats if seat.moving)
    letters = {card.letter for card, _ in mover.hand}
    assert position.seats.index(mover) + 1 == month.dealer and mover.mark == "dealer"
    assert "".join(card.letter for card, _ in mover.hand) == month.hands[month.dealer]
    assert "".join(card.letter for card, _ in position.field) == month.field
    card, lies = position.questioned[0]
    assert card.letter in month.hands[3 - month.dealer] and "in the hand of" in lies
    assert position.legal and all(move.text[0] in letters for move in position.legal)
    page = response.content.decode()
    assert re.search(rf'href="/games/\w+/#{number}.0"', page)
    assert f"It is {mover.name}&#x27;s turn to play" in page
    assert f"{mover.name} plays" in page
    assert f"/check/?upload={upload.key}&amp;file=1&amp;game=2" in page
    response = client.get(f"/uploads/{upload.key}/", headers={"Accept-Language": "ja"})
    position = response.context["faulty"][0]["fault"].position
    assert not any(move.words.isascii() for move in position.legal)


def test_wrong_claim_is_shown_with_the_computed_one(client: Client) -> None:
    upload = makers.ingest(makers.joined(makers.with_wrong_score(1)))
    response = client.get(f"/uploads/{upload.key}/")
    claims = response.context["faulty"][0]["fault"].claims
    assert (claims[0].what, claims[0].claimed) == ("Month 1, Aya", "+98 mon")
    score = makers.simulate_months(1).months[0].score
    assert score is not None
    assert claims[0].computed == f"{score[0]} mon"
    assert re.search(r'href="/games/\w+/#1.\d+"', response.content.decode())


@pytest.mark.long_only  # the test above shows a claim; units: test_game.py
def test_wrong_claim_is_written_in_the_unit_of_the_ruleset(client: Client) -> None:
    game = simulate("hachihachi", seed=1)
    assert game.final is not None
    game.final = (game.final[0] + 12, *game.final[1:])
    game.months[0].ba = "absolute" if game.months[0].ba != "absolute" else "small"
    upload = makers.ingest(write(game).encode())
    claims = client.get(f"/uploads/{upload.key}/").context["faulty"][0]["fault"].claims
    final = next(claim for claim in claims if claim.what.startswith("Final score of"))
    assert final.difference == "−1\N{NO-BREAK SPACE}kan" and final.claimed.endswith("kan")


def test_every_kind_of_fault_has_a_report(client: Client) -> None:
    texts = [case.with_suffix(".kafu").read_bytes() for case in BROKEN]
    upload = makers.ingest(b"\n".join(texts))
    for page in range(1, len(BROKEN) // view.FAULTS + 2):
        for language in ("en", "ja")[: 2 if page == 1 else 1]:
            address = f"/uploads/{upload.key}/?faults={page}"
            response = client.get(address, headers={"Accept-Language": language})
            assert response.status_code == 200
            for game in response.context["faulty"]:
                is_illegal = game["submission"].status == "illegal"
                is_sheet = is_illegal and game["submission"].record.sheet
                assert bool(game["fault"].position) == (is_illegal and not is_sheet)


def test_games_are_filtered_by_verdict(client: Client) -> None:
    upload = makers.ingest(makers.joined(makers.text(1), makers.illegal(2), makers.MALFORMED))
    address = f"/uploads/{upload.key}/"
    response = client.get(address)
    assert len(response.context["games"]) == 3
    # Games of the same players have their numbers.
    rows = re.findall(r"Aya – Ben</a> <small>(.+?)</small>", join_lines(response.content.decode()))
    assert rows == ["Koi-koi · game 1", "Koi-koi · game 2"]
    response = client.get(f"{address}?status=verified")
    assert [game.status for game in response.context["games"]] == ["verified"]
    assert 'href="?status=illegal#games"' in response.content.decode()
    assert len(client.get(f"{address}?status=nothing").context["games"]) == 3


def test_files_of_the_same_name_are_distinguished(client: Client) -> None:
    parts = [Part("log.kafu", (makers.text(n).encode(),)) for n in (1, 2)]
    upload = receive(parts=[*parts, Part("other.kafu", (makers.MALFORMED.encode(),))], via="api")
    work_off(upload, lambda progress: None)
    page = client.get(f"/uploads/{upload.key}/").content.decode()
    games = page[page.index('id="games"') :]
    assert "file 1" in games and "file 2" in games and "file 3" not in games


def test_newer_verdict_of_the_archive_is_shown_too_and_a_duplicate_is_marked(
    client: Client,
) -> None:
    upload = makers.ingest(makers.joined(makers.with_wrong_score(1)))
    makers.ingest(makers.joined(makers.text(1)))
    page = client.get(f"/uploads/{upload.key}/").content.decode()
    assert page.count("in the archive:") == 2  # at the fault, and in the list
    again = makers.ingest(makers.joined(makers.text(1)))
    page = client.get(f"/uploads/{again.key}/").content.decode()
    assert "already in the archive" in page[page.index('id="games"') :]
    assert re.search(r'href="/games/\w+/"', page)


def test_faults_and_games_are_paged(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "FAULTS", 2)
    monkeypatch.setattr(view, "GAMES", 2)
    upload = makers.ingest(makers.joined(*[makers.MALFORMED] * 5))
    response = client.get(f"/uploads/{upload.key}/?faults=3&page=2")
    assert len(response.context["faulty"]) == 1
    assert [game.number for game in response.context["games"]] == [3, 4]
    page = response.content.decode()
    assert 'href="?faults=2&amp;page=2#faults"' in page
    assert 'href="?faults=3&amp;page=3#games"' in page
    # An invalid number shows a page.
    assert client.get(f"/uploads/{upload.key}/?faults=x&page=99999").status_code == 200


def test_unknown_upload_is_not_found(client: Client) -> None:
    assert client.get("/uploads/nothing/").status_code == 404


def test_copy_is_named_by_the_report_and_by_the_pages_of_both_games(client: Client) -> None:
    first = makers.text(1)
    upload = makers.ingest(first.encode())
    other = makers.ingest(first.replace("[Player1", '[Date "2026-02-03"]\n[Player1').encode())
    keys = [sent.submissions.get().record.key for sent in (upload, other)]  # type: ignore[union-attr]
    page = client.get(f"/uploads/{other.key}/").content.decode()
    assert f'<a href="/games/{keys[0]}/">looks like game <code>{keys[0]}</code></a>' in page
    for key, copy in (keys, reversed(keys)):
        page = client.get(f"/games/{key}/").content.decode()
        assert f'<a href="/games/{copy}/">{copy}</a>' in page
    # A private copy is not named.
    before = client.get(f"/games/{keys[0]}/").content.decode()
    dated = first.replace("[Player1", '[Date "2026-02-04"]\n[Player1')
    world.sent(dated, owner=world.user("aya"), visibility=Visibility.PRIVATE)
    assert client.get(f"/games/{keys[0]}/").content.decode() == before
