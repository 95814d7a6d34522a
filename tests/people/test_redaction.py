"""The report of an upload with a real name, as read by different viewers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from records.ingest.receiving import Part, receive
from records.jobs.executor import work_off
from records.models import Player, Upload
from records.privacy.redaction import HIDDEN, Redaction
from records.services.pseudonyms import set_pseudonym
from tests.people.world import session, token, user
from tests.records.makers import illegal, text, with_wrong_score

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

REAL, SHOWN = "Hanako Yamada", "Wisteria"


@cache
def make_redaction() -> Redaction:
    return Redaction({REAL: SHOWN, "花子": "藤", "Aya": "Aya S."})


@pytest.mark.parametrize(
    ("text", "expected"),
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
def test_name_in_a_report_is_replaced_by_its_pseudonym(text: Any, expected: Any) -> None:
    assert make_redaction().redact_report(text) == expected


def test_text_without_a_redacted_name_is_not_covered() -> None:
    assert Redaction({}).redact_report(REAL) == REAL
    assert not Redaction({}).covers(REAL)
    assert make_redaction().covers(f"[Player1 “{REAL.upper()}”]")
    assert make_redaction().covers(r'{"players": ["\u82b1\u5b50"]}')
    assert not make_redaction().covers("Ayako")


def with_real_name(game: str) -> str:
    """Return the game with the real name of its first player."""
    return game.replace('[Player1 "Aya"]', f'[Player1 "{REAL}"]')


@pytest.fixture(scope="module")
def upload(rows_for_all: None) -> Upload:
    """Return an upload with every kind of line in its report.

    Its last game does not contain the real name.
    """
    games = [
        with_real_name(illegal(1)),
        with_real_name(with_wrong_score(2)),
        with_real_name(text(3)).replace('[Rules "koikoi"]', f'[Rules "{REAL}"]'),
        with_real_name(text(4)).replace('[Rules "koikoi"]', f'[Rules "koikoi"]\n[Date "{REAL}"]'),
        with_real_name(text(5)).replace("month 1 ", f"{REAL} month 1 "),
        illegal(6),
    ]
    part = Part(f"{REAL.replace(' ', '_')}.kafu", ("\n".join(games).encode(),))
    broken = Part(f"{REAL}.zip", (b"PK\x03\x04" + bytes(40),))
    upload = receive(parts=[part, broken], via="api", owner=user("sender").pk)
    work_off(upload, lambda _: None)
    set_pseudonym(Player.objects.get(name=REAL), SHOWN)
    return upload


def answers(upload: Upload, client: Client, **headers: Any) -> Iterator[tuple[str, str]]:
    """Yield each address of the report with its body."""
    names = ("upload-games", "upload-files", "upload-report", "upload-report-csv")
    addresses = [reverse("report", args=[upload.key])]
    for name in (*names, "upload-report-ndjson"):
        address = reverse(f"api:{name}", args=[upload.key])
        addresses += (f"{address}?lang={lang}" for lang in ("en", "ja"))
    for address in addresses:
        response = client.get(address, headers=headers)
        assert response.status_code == 200
        streamed = getattr(response, "streaming", False)
        body = b"".join(response.streaming_content) if streamed else response.content  # type: ignore[attr-defined]
        yield address, body.decode()


def test_other_viewers_of_a_report_read_the_pseudonym(upload: Upload) -> None:
    other_user = user("other")
    bodies = [
        *answers(upload, Client()),
        *islice(answers(upload, session(other_user)), 2),
        *islice(answers(upload, Client(), **token(other_user, "read")), 2),
    ]
    for address, body in bodies:
        assert "hanako" not in body.casefold(), address
        assert SHOWN in body, address


def test_only_texts_without_a_redacted_name_are_quoted_to_others(upload: Upload) -> None:
    def mend(client: Client, game: int) -> int:
        query = {"upload": upload.key, "file": "1", "game": str(game)}
        return client.get(reverse("check"), query).status_code

    assert [mend(Client(), game) for game in range(1, 7)] == [404] * 5 + [200]
    assert [mend(session(upload.owner), game) for game in range(1, 7)] == [200] * 6
    page = Client().get(reverse("report", args=[upload.key])).content.decode()
    own_page = session(upload.owner).get(reverse("report", args=[upload.key])).content.decode()
    for part, all_of_them in (("Correct it", 5), ('class="excerpt"', 4)):
        assert own_page.count(part) == all_of_them  # a mismatch has no line
        assert page.count(part) == 1  # only the last game is listed
