"""The style sheet in the headers of pages."""

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.views.decorators.clickjacking import xframe_options_exempt

from hanaarchive.http.announced import announce_style


@pytest.mark.django_db
@pytest.mark.parametrize(("path", "status"), [("/", 200), ("/games/none/", 404)])
def test_page_announces_its_first_sheet(client: Client, path: str, status: int) -> None:
    response = client.get(path)
    address, *parameters = response["Link"].split("; ")
    _before, sheet = response.content.decode().split('<link rel="stylesheet" href="')[:2]
    assert response.status_code == status
    assert address.strip("<>") == sheet.split('"')[0]
    assert parameters == ["rel=preload", "as=style"]


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/admin/", "/games", "/api/v1/rulesets", "/robots.txt"])
def test_nothing_is_announced_where_the_sheet_is_not_used(admin_client: Client, path: str) -> None:
    assert "Link" not in admin_client.get(path)


def test_nothing_is_announced_on_pages_for_other_sites(rf: RequestFactory) -> None:
    request = rf.get("/embed/")
    request.resolver_match = None
    response = xframe_options_exempt(lambda _request: HttpResponse("<p>"))(request)
    announce_style(request, response)
    assert "Link" not in response
