"""The documentation site: built strictly, with links that lead somewhere, and served at /docs/."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from django.conf import LazySettings
from django.test import Client

from tests.conftest import ROOT

LINK = re.compile(r'(?:href|src)="([^"]+)"')
TARGET = re.compile(r'(?:id|name)="([^"]+)"')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site."""
    folder = tmp_path_factory.mktemp("documentation")
    command = [sys.executable, str(ROOT / "scripts/documentation"), str(folder)]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return folder / "site"


def test_links_lead_to_a_file_and_a_place_in_it(site: Path) -> None:
    """The generator checks only links between pages."""
    pages = {page: page.read_text() for page in site.rglob("*.html") if page.name != "404.html"}
    targets = {page: set(TARGET.findall(text)) for page, text in pages.items()}
    assert len(pages) > 60
    broken = []
    for page, text in pages.items():
        for link in map(html.unescape, set(LINK.findall(text))):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            file = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            file = file / "index.html" if file.is_dir() else file
            place = unquote(parts.fragment)
            if not file.is_file() or (place and file in targets and place not in targets[file]):
                broken.append(f"{page.relative_to(site)}: {link}")
    assert not broken


def test_reference_has_each_name_of_the_library_with_its_example(site: Path) -> None:
    text = (site / "reference/index.html").read_text()
    names = (ROOT / "kafu/src/kafu/__init__.py").read_text().split("__all__ = [")[1].split("]")[0]
    public = set(re.findall(r'"(\w+)"', names)) - {"__version__"}
    assert public == {id.removeprefix("kafu.") for id in TARGET.findall(text) if id.count(".") == 1}
    assert "&gt;&gt;&gt;" in text


def test_archive_serves_the_site_under_its_policy(site: Path, settings: LazySettings) -> None:
    settings.DOCUMENTATION = site
    client = Client()
    for path in ("/docs/", "/docs/kafu/docs/guide/", "/docs/rest/ja.html"):
        response = client.get(path)
        assert response.status_code == 200
        assert "script-src" not in response["Content-Security-Policy"]
        assert not re.search(rb"<script>|<style|onload=", b"".join(response))
    assert client.get("/docs")["Location"] == "docs/"
    assert client.get("/docs/nothing/").status_code == 404


def test_archive_without_the_site_leads_to_what_it_has(
    tmp_path: Path, settings: LazySettings
) -> None:
    settings.DOCUMENTATION = tmp_path / "missing"
    assert Client().get("/docs/")["Location"] == "/kafu/programs/"
