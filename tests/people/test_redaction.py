"""The report of an upload that contains a real name: who may read what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from records.intake.receiving import Part, receive
from records.models import Player, Upload
from records.privacy.redaction import HIDDEN, Redaction
from records.store.pseudonyms import give
from records.work.worker import work_off
from tests.people.world import session, token, user
from tests.records.makers import illegal, text, with_wrong_score

REAL, SHOWN = "Hanako Yamada", "Wisteria"
REDACTION = Redaction({REAL: SHOWN, "花子": "藤", "Aya": "Aya S."})


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("found “Hanako Yamada”", "found “Wisteria”"),
        ("HANAKO  YAMADA", "Wisteria"),
        ("hanako_yamada-2019.kafu", "Wisteria-2019.kafu"),
        ("Ｈａｎａｋｏ Ｙａｍａｄａ", SHOWN),
        ("山田花子の対局", "山田藤の対局"),
        ("Aya", "Aya S."),
        ("Ayako, papaya", "Ayako, papaya"),
        ("expected a name, found Hanako Y…", HIDDEN),
        ("something else that was cut…", "something else that was cut…"),
        ("", ""),
        (None, None),
        (7, 7),
        ({"found": [REAL, 3]}, {"found": [SHOWN, 3]}),
    ],
)
def test_names(said: Any, told: Any) -> None:
    assert REDACTION.reported(said) == told


def test_without_pseudonyms_nothing_is_redacted() -> None:
    assert Redaction({}).reported(REAL) == REAL
    assert not Redaction({}).covers(REAL)
    assert REDACTION.covers(f"[Player1 “{REAL.upper()}”]")
    assert REDACTION.covers(r'{"players": ["\u82b1\u5b50"]}')
    assert not REDACTION.covers("Ayako")


def named(game: str) -> str:
    """A game of hers."""
    return game.replace('[Player1 "Aya"]', f'[Player1 "{REAL}"]')


@pytest.fixture
def upload(db: None) -> Upload:
    """An upload of somebody with everything that a report can tell; two games are without her."""
    games = [
        named(illegal(1)),
        named(with_wrong_score(2)),
        named(text(3)).replace('[Rules "koikoi"]', f'[Rules "{REAL}"]'),
        named(text(4)).replace('[Rules "koikoi"]', f'[Rules "koikoi"]\n[Date "{REAL}"]'),
        named(text(5)).replace("month 1 ", f"{REAL} month 1 "),
        illegal(6),
    ]
    part = Part(f"{REAL.replace(' ', '_')}.kafu", ("\n".join(games).encode(),))
    broken = Part(f"{REAL}.zip", (b"PK\x03\x04" + bytes(40),))
    found = receive(parts=[part, broken], via="api", owner=user("sender").pk)
    work_off(found, lambda _: None)
    give(Player.objects.get(name=REAL), SHOWN)
    return found


def answers(upload: Upload, client: Client, **headers: Any) -> Iterator[tuple[str, str]]:
    """Each address of the report with what it says."""
    names = ("upload-games", "upload-files", "upload-report", "upload-report-csv")
    addresses = [
        reverse("report", args=[upload.key]),
        *(reverse(f"api:{name}", args=[upload.key]) for name in (*names, "upload-report-ndjson")),
    ]
    for address in addresses:
        for lang in ("en", "ja"):
            response = client.get(
                address, {"lang": lang} if "/api/" in address else {}, headers=headers
            )
            assert response.status_code == 200
            streamed = getattr(response, "streaming", False)
            body = b"".join(response.streaming_content) if streamed else response.content  # type: ignore[attr-defined]
            yield address, body.decode()


def test_others_read_the_pseudonym(upload: Upload) -> None:
    other = user("other")
    for client, headers in ((Client(), {}), (session(other), {}), (Client(), token(other, "read"))):
        for address, body in answers(upload, client, **headers):
            assert "hanako" not in body.casefold(), address
            assert SHOWN in body, address


def test_who_sent_it_and_the_staff_read_what_was_sent(upload: Upload) -> None:
    staff = user("staff", staff=True)
    for client in (session(upload.owner), session(staff)):
        for address, body in answers(upload, client):
            assert "Hanako" in body, address
            assert SHOWN not in body, address
    for _address, body in answers(upload, Client(), **token(staff, "read")):
        assert "Hanako" not in body  # a token of the staff's without the scope admin


def test_texts_without_such_a_name_are_quoted_to_all(upload: Upload) -> None:
    def mend(client: Client, game: int) -> int:
        query = {"upload": upload.key, "file": "1", "game": str(game)}
        return client.get(reverse("check"), query).status_code

    assert [mend(Client(), game) for game in range(1, 7)] == [404] * 5 + [200]
    assert [mend(session(upload.owner), game) for game in range(1, 7)] == [200] * 6
    page = Client().get(reverse("report", args=[upload.key])).content.decode()
    own = session(upload.owner).get(reverse("report", args=[upload.key])).content.decode()
    for part, all_of_them in (("Correct it here", 5), ('class="excerpt"', 4)):
        assert own.count(part) == all_of_them  # a mismatch has no line
        assert page.count(part) == 1  # of the last game
