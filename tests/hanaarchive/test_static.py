"""Static files as browsers get them."""

import gzip
import re
import subprocess
from pathlib import Path

from django.test import Client

from hanaarchive.http.static import strip_comments

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "records/static/records"


def test_compressed_module_is_the_source_without_comments(client: Client) -> None:
    source = b"".join(client.get("/static/records/site.js"))
    packed = client.get("/static/records/site.js", headers={"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    served = gzip.decompress(b"".join(packed))
    comment, code = source.split(b"*/\n", 1)
    assert comment.startswith(b"// @ts-check\n/**")
    assert served == code
    assert not {"Content-Security-Policy", "Referrer-Policy"} & set(packed.headers)


def test_unchanged_module_gets_no_policy(client: Client) -> None:
    tag = client.get("/static/kafu/engine_worker.js")["Etag"]
    unchanged = client.get("/static/kafu/engine_worker.js", headers={"If-None-Match": tag})
    assert unchanged.status_code == 304
    assert "Content-Security-Policy" not in unchanged.headers


def test_typefaces_are_cached_for_ever(client: Client) -> None:
    sheet = b"".join(client.get("/static/records/site.css")).decode()
    names = {part.split('"')[0] for part in sheet.split('url("')[1:]}
    assert len(names) == 4
    for name in names:
        response = client.get(f"/static/records/{name}")
        assert (response.status_code, response["Content-Type"]) == (200, "font/woff2")
        assert "immutable" in response["Cache-Control"]


def test_logo_of_pages_is_the_icon() -> None:
    drawing = re.findall("<(?:rect|circle|path)[^>]*>", (STATIC / "icon.svg").read_text())
    page = (ROOT / "templates/base.html").read_text()
    assert len(drawing) == 3
    assert all(shape.replace("/>", " />") in page for shape in drawing)


def test_comments_that_fill_lines_are_left_out() -> None:
    text = b"/** A\n * b. */\nrun(); // c\n  // d\nconst at = 'http://e'; /* f */\n"
    assert strip_comments(text) == b"run(); // c\nconst at = 'http://e'; /* f */\n"


def test_scripts_without_comments_are_sound(tmp_path: Path) -> None:
    for source in STATIC.rglob("*.js"):
        if "vendor" not in source.parts:
            copy = tmp_path / source.relative_to(STATIC)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(strip_comments(source.read_bytes()))
    command = [str(ROOT / ".venv/bin/oxlint"), "--quiet", str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout


def test_style_sheets_without_comments_keep_their_rules() -> None:
    for source in STATIC.rglob("*.css"):
        text = source.read_bytes()
        assert strip_comments(text).count(b"{") == text.count(b"{"), source
