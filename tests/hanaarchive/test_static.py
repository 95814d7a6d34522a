"""Static files as browsers get them."""

import gzip

from django.test import Client


def test_compressed_module_is_the_source_without_comments(client: Client) -> None:
    source = b"".join(client.get("/static/records/site.js"))
    packed = client.get("/static/records/site.js", headers={"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    served = gzip.decompress(b"".join(packed))
    comment, code = source.split(b"*/\n", 1)
    assert comment.startswith(b"/**")
    assert served == code
    assert "Content-Security-Policy" not in packed


def test_typefaces_are_cached_for_ever(client: Client) -> None:
    sheet = b"".join(client.get("/static/records/site.css")).decode()
    names = {part.split('"')[0] for part in sheet.split('url("')[1:]}
    assert len(names) == 3
    for name in names:
        response = client.get(f"/static/records/{name}")
        assert (response.status_code, response["Content-Type"]) == (200, "font/woff2")
        assert "immutable" in response["Cache-Control"]
