"""All moves in words, a page that needs no script."""

import re

import pytest
from django.test import Client

from kafu.judging.replay import stored_replay
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.models import Record
from tests.markup import join_lines
from tests.records import makers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


def test_page_of_moves_links_every_step(client: Client) -> None:
    game = simulate("hachihachi", seed=2)
    game.months[0].turns[0].comments.append("well <b>played</b>")
    makers.ingest(write(game).encode())
    key = Record.objects.get().key
    steps = [
        f"{number}.{step}"
        for number, deal in enumerate(stored_replay(game)["deals"], start=1)
        for step in range(len(deal["steps"]))
    ]
    for lang, words in (("en", " and captures "), ("ja", "カスを取る。")):
        response = client.get(f"/games/{key}/moves/", headers={"Accept-Language": lang})
        page = join_lines(response.content.decode())
        links = re.findall(
            rf'<li(?: class="hand" value="\d+")?><a href="/games/{key}/\?at=([\d.]+)">', page
        )
        assert links == steps
        assert "well &lt;b&gt;played" in page and words in page
        assert "<script" not in page.partition("<main")[2]
        assert f'href="/games/{key}/"' in page
    assert f'href="/games/{key}/moves/"' in client.get(f"/games/{key}/").content.decode()
    for address in steps[:2]:
        assert client.get(f"/games/{key}/?at={address}").context["frame"].at == address
