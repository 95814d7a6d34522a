"""HANA_STORAGE_URL: the address of the bucket."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from hanaarchive import environment

NAME = "HANA_STORAGE_URL"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "s3://key:se%2Fcret@s3.example/hana",
            {
                "endpoint_url": "https://s3.example",
                "bucket_name": "hana",
                "location": "",
                "region_name": "us-east-1",
                "addressing_style": "path",
                "access_key": "key",
                "secret_key": "se/cret",
            },
        ),
        (
            "s3+http://[::1]:9000/hana/a/b/?region=eu&addressing=virtual",
            {
                "endpoint_url": "http://[::1]:9000",
                "bucket_name": "hana",
                "location": "a/b/",
                "region_name": "eu",
                "addressing_style": "virtual",
            },
        ),
    ],
)
def test_address_gives_the_options_of_the_bucket(url: str, expected: dict[str, str]) -> None:
    assert environment.parse_bucket(url) == expected


def test_without_an_address_there_is_no_bucket() -> None:
    assert environment.parse_bucket("") is None


@pytest.mark.parametrize(
    "url",
    [
        "https://secret:secret@s3.example/hana",
        "s3://secret@s3.example/hana",
        "s3://:secret@s3.example/hana",
        "s3://s3.example",
        "s3://s3.example/",
        "s3:///hana/secret",
        "s3://secret:secret@s3.example:port/hana",
        "s3://s3.example/hana?secret=x",
        "s3://s3.example/hana?addressing=secret",
        "s3://s3.example/hana#secret",
        "s3://[::secret/hana",
    ],
)
def test_wrong_address_is_refused_without_its_secret(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=NAME) as raised:
        environment.parse_bucket(url)
    assert "secret" not in str(raised.value).replace("SECRET", "")


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "find_spec", lambda name: None)
    with pytest.raises(ImproperlyConfigured, match="boto3 and django-storages"):
        environment.parse_bucket("s3://s3.example/hana")


def find_public(url: str, address: str = "") -> environment.PublicFiles | None:
    """Return the public files of an archive in /var/lib/hana and in the bucket hana."""
    private = environment.parse_bucket("s3://key:secret@s3.example/hana")
    return environment.public_files(url, address, Path("/var/lib/hana"), private)


def test_public_files_have_an_address_for_readers() -> None:
    assert find_public("") is None
    directory = find_public("/srv/facts/")
    assert directory is not None and directory.bucket is None
    assert directory.address == "/srv/facts"
    bucket = find_public("s3://key:secret@s3.example/facts/hana")
    assert bucket is not None and bucket.bucket is not None
    assert bucket.bucket["location"] == "hana/"
    assert bucket.address == "s3://facts/hana"
    named = find_public("/srv/facts", "https://facts.example.org/")
    assert named is not None and named.address == "https://facts.example.org"


@pytest.mark.parametrize(
    "url",
    [
        "/",
        "/var/lib",
        "/var/lib/hana",
        "/var/lib/hana/uploads",
        "/srv/../var/lib/hana",
        "s3://s3.example/hana/public",
        "https://s3.example/facts",
        "facts",
    ],
)
def test_public_files_are_apart_from_private_files(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="HANA_PUBLIC_STORAGE_URL"):
        find_public(url)
