"""The page of a game."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from kafu.judging.replay import stored_replay
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import REDEALS, VOIDS
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import part
from records.base import labels
from records.models import Record
from records.templatetags.words import mark_units
from records.wording.steps import amount, place_words, tell
from tests import conformance
from tests.markup import join_lines
from tests.records import makers
from turns import put_card

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


def get_page(client: Client, **record: str) -> str:
    """Return the page of the last game with these values."""
    key = Record.objects.filter(**record).latest("pk").key
    return client.get(f"/games/{key}/").content.decode()


def newest() -> Record:
    """Return the game that was stored last."""
    return Record.objects.latest("pk")


@pytest.fixture(scope="module")
def verified(rows_for_all: None) -> Record:
    """Return a verified game of koi-koi, for the tests that change nothing."""
    makers.ingest(makers.text(1).encode())
    return Record.objects.get()


def test_page_of_a_verified_game_has_score_text_and_without_scripts_the_first_table(
    client: Client, verified: Record
) -> None:
    response = client.get(f"/games/{verified.key}/")
    page = response.content.decode()
    assert 'class="status verified"' in page
    assert page.count("data-pick=") == verified.deals_played
    score = response.context["score"]
    assert score.final == verified.verdict["final"]
    assert [after for _amount, after in score.steps[-1].cells] == score.final
    assert verified.identity in page
    game = read(verified.text).game
    assert game is not None
    table = stored_replay(game)["deals"][0]["steps"][0]
    felt = page[page.index("data-felt") : page.index("data-controls")]
    drawn = sorted(re.findall(r"#card-(\w+)\"", felt))
    assert drawn == sorted([*"".join([*table["hands"], table["field"]]), "back"])
    response = client.get(f"/games/{verified.key}.kafu")
    assert response.content.decode() == verified.text
    assert response.headers["Content-Type"] == "text/x-kafu; charset=utf-8"
    assert f'filename="{verified.key}.kafu"' in response.headers["Content-Disposition"]


def test_page_of_an_illegal_game_has_fault_and_replay(client: Client) -> None:
    makers.ingest(makers.joined(makers.illegal(1)))
    page = get_page(client, status="illegal")
    assert 'class="status illegal"' in page
    assert "is not in the hand" in page
    assert 'class="line fault"' in page and 'class="line mark"' in page
    assert 'class="fault" data-fault' in page


def test_page_of_an_illegal_game_begins_at_the_fault(client: Client) -> None:
    """A box at the top says where and what is wrong; the legal moves have pictures of cards."""
    game = makers.simulate_months(1)
    month = game.months[1]
    turn = month.turns[0]
    put_card(turn, month.hands[3 - month.dealer][0])
    makers.ingest(write(game).encode())
    page = get_page(client, status="illegal")
    title = page[page.index('<h2 id="illegal">') : page.index('<a href="#fault">See the moment')]
    assert "Month 2 · turn 1:" in title and " is not in the hand" in title
    assert ' at="2.0"' in page
    legal = page[page.index('<ol class="legal">') : page.index("</ol>", page.index('"legal"'))]
    assert legal.count("<svg") >= legal.count("<li>") > 0


def test_page_of_a_mismatch_marks_the_wrong_figure(client: Client) -> None:
    makers.ingest(makers.joined(makers.with_wrong_score(2)))
    page = get_page(client, status="mismatch")
    assert '<td class="figure wrong">+98 mon</td>' in page
    # The message at the top links to the table immediately below the replay.
    assert '<a href="#fault">See the difference and correct it</a>' in page
    places = [page.index(part) for part in ("</kafu-replay>", 'id="fault"', "data-what-if-begin")]
    assert places == sorted(places)


@pytest.mark.usefixtures("without_sheets")
def test_page_of_an_unsupported_ruleset_has_its_text(client: Client) -> None:
    makers.ingest(makers.UNSUPPORTED.encode())
    page = get_page(client, status="unsupported")
    assert "does not support this ruleset yet" in page
    assert "notice bad" not in page, "nothing is wrong with it"
    assert 'id="replay"' not in page
    assert "month 1 dealer 1" in page


@pytest.mark.long_only  # test_hostile_content.py has such names on all pages
def test_name_with_markup_is_escaped(client: Client) -> None:
    game = makers.text(1).replace('[Player1 "', '[Player1 "</script><b>')
    makers.ingest(game.encode())
    page = client.get(f"/games/{Record.objects.latest('pk').key}/").content.decode()
    assert "</script><b>" not in page
    assert "&lt;/script&gt;&lt;b&gt;" in page


def test_name_to_the_left_or_of_many_letters_is_isolated_and_cut(client: Client) -> None:
    """The reader removes the override."""
    override, arabic = "\u202e", "\u0641\u0644\u0627\u0646"
    game = makers.text(1).replace('[Player1 "', f'[Player1 "{override}' + "W" * 300)
    game = game.replace('[Player2 "', f'[Player2 "{arabic} ')
    makers.ingest(game.encode())
    response = client.get(f"/games/{Record.objects.latest('pk').key}/")
    first, second = response.context["players"]
    assert first == "W" * 39 + "…"
    assert second.startswith(f"\u2068{arabic}") and second.endswith("\u2069")
    moves = client.get(f"/games/{Record.objects.latest('pk').key}/moves/").content.decode()
    assert f"{second} plays" in moves
    table = client.get("/games/").content.decode()
    assert override not in table and f"<bdi>{arabic}" in table and "W" * 40 not in table


def test_moves_in_japanese_have_the_terms_of_the_documents(
    client: Client, verified: Record
) -> None:
    address = f"/games/{verified.key}/moves/"
    page = client.get(address, headers={"Accept-Language": "ja"}).content.decode()
    assert "が札を配る。" in page and "をめくり" in page and "勝負" in page


def test_score_of_four_players_has_bids_prize_and_sums_in_kan(client: Client) -> None:
    """The table leads from the total to the final, in the unit of the ruleset."""
    makers.ingest(write(simulate("hachihachi-bga", seed=3, players=4)).encode())
    record = newest()
    response = client.get(f"/games/{record.key}/")
    score, final = response.context["score"], record.verdict["final"]
    start, prize = score.steps
    assert [amount for amount, _after in start.cells] == [-5 * 12] * 4
    assert [after for _amount, after in prize.cells] == final
    sums = [amount(sum_, units=labels.units("hachihachi-bga")) for sum_ in final]
    page = join_lines(response.content.decode())
    assert re.findall(r'<b class="total spoiler">(.*?)</b>', page) == [*map(mark_units, sums)]
    games = join_lines(client.get("/games/?ruleset=hachihachi-bga").content.decode())
    listed = re.findall(r'<b class="sums spoiler">(.*?)</b>', games)
    assert listed == [*map(mark_units, sums)]
    rows = client.get(f"/games/{record.key}/sheet").content.decode()
    assert '<tbody class="top">' in rows


@pytest.mark.parametrize(
    ("language", "words"), part([("ja", "月石清算"), ("en", "tsukiishi seisan")], one_of=2)
)
def test_score_has_each_step_of_the_settlement(client: Client, language: str, words: str) -> None:
    """S11: stones, the prize of 10 kan, rounding to kan, and its remainder for the top."""
    path = conformance.OWN / "hachihachi" / "sheet-document.kafu"
    makers.ingest(path.read_bytes())
    address = f"/games/{Record.objects.latest('pk').key}/"
    response = client.get(address, headers={"Accept-Language": language})
    score = response.context["score"]
    assert [[amount for amount, _after in step.cells] for step in score.steps] == [
        [-5, -3, 8],
        [-120, -120, -120],
        [-4, 0, 3],
        [0, 361, 0],
    ]
    assert [after for _amount, after in score.steps[-1].cells] == [156, 852, -1008]
    # A payment has each player before the amount.
    name, paid = score.deals[0].ledger[0].amounts[0]
    cells = re.sub(r"\s+|<[^>]*>", " ", response.content.decode())
    assert f"{name}&nbsp; {amount(paid, units=score.units)}" in cells
    page = response.content.decode()
    assert words in page and page.index(words) < page.rindex('class="final"')


def test_reason_to_throw_cards_in_has_a_name() -> None:
    step: dict[str, Any] = {
        "kind": "redeal",
        "seat": None,
        "card": "",
        "take": "",
        "say": "ba4",
        "events": [],
    }
    with translation.override("ja"):
        assert "場四" in tell(step, {}, [], units=None)
    for reason in (*REDEALS, *VOIDS):
        assert labels.thrown_in(reason) != reason


def test_value_of_a_yaku_has_the_unit_of_the_ruleset() -> None:
    event = {"kind": "yaku", "seat": 1, "yaku": "akatan", "amount": 7}
    step = {"kind": "say", "seat": 1, "card": "", "take": "", "say": "sage", "events": [event]}
    assert tell(step, {}, ["Aya"], units=labels.units("hachihachi")).endswith(
        ": 7\N{NO-BREAK SPACE}kan."
    )
    assert tell(step, {}, ["Aya"], units=None).endswith(": 7.")


@pytest.mark.parametrize("address", ["/games/nothing/", "/games/nothing.kafu", "/no-page"])
def test_missing_page_is_404(client: Client, address: str) -> None:
    response = client.get(address)
    assert response.status_code == 404
    assert "<h1>Not found</h1>" in response.content.decode()


@pytest.mark.long_only  # names of many letters are cut alike
def test_long_event_is_cut_but_among_the_tags(client: Client) -> None:
    tag = f'[Event "{"W" * 4000}"]\n'
    makers.ingest(makers.text(1).replace("[Player1", f"{tag}[Player1").encode())
    record = newest()
    assert len(record.event) > 80
    tags = get_page(client).split('<dl class="tags">')[-1]
    for address in (f"/games/{record.key}/", f"/games/{record.key}/sheet", "/games/"):
        page = client.get(address).content.decode()
        head = page.split('<dl class="tags">')[0]
        assert "W" * 79 + "…" in head and "W" * 80 not in head
    assert "W" * 4000 in tags  # the list of tags has the whole text


def test_head_says_who_won_by_how_much_and_which_month_decided(client: Client) -> None:
    makers.ingest(makers.text(1, months="12").encode())
    key = newest().key
    response = client.get(f"/games/{key}/")
    outcome, score = response.context["outcome"], response.context["score"]
    margin = abs(score.final[0] - score.final[1])
    winner = next(player for player in outcome.standings if player.has_won)
    assert outcome.words == f"{winner.name} wins by {margin} mon"
    place = [player.has_won for player in outcome.standings].index(True)
    leads = [deal.totals[place] > deal.totals[1 - place] for deal in score.deals]
    number = outcome.cause.deal
    assert all(leads[number - 1 :]) and not any(leads[number - 2 : number - 1])
    assert f'<a href="#{number}.0"' in response.content.decode()
    saved = client.get(f"/games/{key}/?saved").content.decode()
    card = saved.partition("data-own=")[2].partition("</section>")[0]
    assert f"{outcome.words} · {outcome.cause.words}</span>" in card and "data-share" in card


def test_house_rules_of_a_game_are_shown_in_words(client: Client) -> None:
    game = simulate("koikoi", seed=1, options={"months": "3", "profile": "koikoi-nintendo"})
    makers.ingest(write(game).encode())
    address = f"/games/{Record.objects.latest('pk').key}/"
    japanese = client.get(address, headers={"Accept-Language": "ja"})
    assert ("月数", "3か月") in japanese.context["options"]
    assert "こいこい · 任天堂系" in join_lines(japanese.content.decode())
    assert "· koikoi-nintendo" not in client.get(address).content.decode()


def test_tabs_of_results_are_hidden_without_spoilers(client: Client, verified: Record) -> None:
    """The comments are open then."""
    tab = r'<details (class="spoiler" )?name="about"( open)?>'
    assert re.findall(tab, join_lines(get_page(client))) == [
        ('class="spoiler" ', " open"),
        ('class="spoiler" ', ""),
        ("", ""),
        ("", ""),
    ]
    client.cookies["spoilers"] = "hide"
    assert re.findall(tab, join_lines(get_page(client)))[2] == ("", " open")


@pytest.mark.parametrize("part", ["moves/", "sheet"])
def test_pages_of_results_ask_first_without_spoilers(
    client: Client, verified: Record, part: str
) -> None:
    address = f"/games/{verified.key}/{part}"
    client.cookies["spoilers"] = "hide"
    page = join_lines(client.get(address).content.decode())
    assert '<html lang="en" class="no-spoilers">' in page
    assert re.search(r'class="[^"]*spoiler-note">.*<a href="\?results=shown">', page)
    assert re.search(r'<(section|div) class="[^"]*\bspoiler"', page)
    shown = join_lines(client.get(f"{address}?results=shown").content.decode())
    assert '<html lang="en">' in shown


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ("3.14", "Month 2, step 14"),
        ("2.0", "Month 2"),
        ("1", "Month 1"),
        ("4", "4"),
        ("end", "end"),
    ],
)
def test_place_of_a_replay_is_told_in_words(at: str, words: str) -> None:
    assert place_words(at, [1, 2, 2]) == words
