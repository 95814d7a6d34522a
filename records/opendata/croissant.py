"""The dataset card of a dump: Croissant 1.0, JSON-LD for search engines and tools.

The format is https://docs.mlcommons.org/croissant/docs/croissant-spec.html.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePath
from typing import Any, Final

from records.opendata.files import CONTENT_TYPES

#: Terms of Croissant and of the underlying vocabularies.
_TERMS: Final = (
    *("citeAs", "column", "equivalentProperty", "extract", "field", "fileObject", "fileProperty"),
    *("fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField"),
    *("path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate"),
    *("separator", "source", "subField", "transform"),
)
_CONTEXT: Final[Mapping[str, Any]] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in _TERMS},
}
_DATA_TYPES: Final[Mapping[str, str]] = {
    "BOOLEAN": "sc:Boolean",
    "DATE": "sc:Date",
    "DOUBLE": "sc:Float",
    "TIMESTAMP": "sc:DateTime",
    "VARCHAR": "sc:Text",
}


def describe_dump(
    manifest: Mapping[str, Any], page: str, address: Callable[[str], str]
) -> dict[str, Any]:
    """Return the dataset card of a dump.

    ``page`` is the absolute URL of the open data; ``address`` maps a file name of the dump to a
    URL.
    """
    month, made_at = manifest["month"], manifest["made"]
    return {
        "@context": dict(_CONTEXT),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": "HanaArchive",
        "description": (
            "Games of hanafuda (koi-koi, hachihachi and others), judged by their rules: texts, and "
            "tables of games, deals, turns, yaku, payments and decisions."
        ),
        "url": page,
        "version": f"{month.replace('-', '.')}.0",
        "datePublished": made_at[:10],
        "license": manifest["licence"]["url"],
        "creator": {"@type": "sc:Organization", "name": "HanaArchive", "url": page},
        "citeAs": f"HanaArchive: open data of hanafuda games, {month}. {page}",
        "keywords": ["hanafuda", "koi-koi", "hachihachi", "card games", "花札"],
        "isAccessibleForFree": True,
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": file["name"],
                "name": file["name"],
                "contentUrl": address(file["name"]),
                "contentSize": f"{file['bytes']} B",
                **_describe_lines(manifest.get("lines", {}).get(file["name"])),
                "encodingFormat": CONTENT_TYPES[PurePath(file["name"]).suffix].partition(";")[0],
                "sha256": file["sha256"],
            }
            for file in manifest["files"]
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": name,
                "name": name,
                "description": f"A row is {table['row']}.",
                "field": [*_describe_fields(name, table)],
            }
            for name, table in manifest["tables"].items()
        ],
    }


def _describe_lines(lines: Mapping[str, Any] | None) -> dict[str, str]:
    """Return the description of a file of JSON lines; None for other files."""
    if lines is None:
        return {}
    fields = "; ".join(f"{column['name']}: {column['meaning']}" for column in lines["columns"])
    return {"description": f"JSON lines. A line is {lines['row']}. {fields}."}


def _describe_fields(name: str, table: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for column in table["columns"]:
        type_ = column["type"].removesuffix("[]")
        field = {
            "@type": "cr:Field",
            "@id": f"{name}/{column['name']}",
            "name": column["name"],
            "description": column["meaning"],
            "dataType": _DATA_TYPES.get(type_, "sc:Integer"),
            "source": {
                "fileObject": {"@id": f"{name}.parquet"},
                "extract": {"column": column["name"]},
            },
        }
        yield field | ({"repeated": True} if type_ != column["type"] else {})
