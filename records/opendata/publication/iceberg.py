"""Apache Iceberg tables over the parts of a publication, for readers without a catalog.

Each publication gets complete metadata with one snapshot: of publication 7 the file
``v7.metadata.json``, and ``version-hint.text`` with the number 7, as in a file system catalog. The
parts contain the field ids of the columns (`records.opendata.publication.tables.number_columns`).

PyIceberg encodes the metadata. It is an extra, and only this module imports it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from io import BytesIO
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from pyiceberg.io import InputFile, OutputFile, OutputStream
from pyiceberg.manifest import (
    DataFile,
    DataFileContent,
    FileFormat,
    ManifestEntry,
    ManifestEntryStatus,
    ManifestFile,
    write_manifest,
    write_manifest_list,
)
from pyiceberg.partitioning import PARTITION_FIELD_ID_START, UNPARTITIONED_PARTITION_SPEC
from pyiceberg.schema import Schema
from pyiceberg.table.metadata import TableMetadataV2
from pyiceberg.table.sorting import UNSORTED_SORT_ORDER
from pyiceberg.typedef import Record
from pyiceberg.types import (
    BooleanType,
    DateType,
    IcebergType,
    IntegerType,
    ListType,
    LongType,
    NestedField,
    PrimitiveType,
    StringType,
    TimestampType,
)

from records.facts.tables import FactColumn
from records.opendata.publication.manifest import Part, metadata_paths, write_file
from records.opendata.publication.tables import number_columns
from records.opendata.tables import DumpTable

_VERSION: Final = 2
_CODEC: Final = "deflate"
_TYPES: Final[dict[str, PrimitiveType]] = {
    "BIGINT": LongType(),
    "BOOLEAN": BooleanType(),
    "DATE": DateType(),
    "INTEGER": IntegerType(),
    "TIMESTAMP": TimestampType(),
    "VARCHAR": StringType(),
}


class _Stream(BytesIO):
    """A stream whose bytes become the content of a file when it is closed."""

    def __init__(self, file: _MemoryFile) -> None:
        super().__init__()
        self.file = file

    def close(self) -> None:
        """Hand over the bytes, once."""
        if not self.closed:
            self.file.content = self.getvalue()
        super().close()


class _MemoryFile(OutputFile):
    """A file in memory, for PyIceberg, with the location at which readers will find it."""

    content = b""

    def __len__(self) -> int:
        """Return the number of bytes after the file was written."""
        return len(self.content)

    def exists(self) -> bool:
        """Return False: each publication has new files."""
        return False

    def to_input_file(self) -> InputFile:
        """Raise an error, since nothing reads the file here."""
        raise NotImplementedError

    def create(self, overwrite: bool = False) -> OutputStream:
        """Return a stream for the bytes."""
        return _Stream(self)


def write_table(
    table: DumpTable, parts: Sequence[Part], address: str, number: int, made: datetime
) -> str:
    """Store the metadata of a table with these parts; return the path of its main file.

    ``address`` is the location of the storage for readers. Files of the same number are replaced:
    a killed publication may have left them. Raises OSError.
    """
    location = f"{address}/{table.name}"
    main_path, snapshot_path, parts_path = metadata_paths(table.name, number)
    schema = _make_schema(table)
    parts_file = _MemoryFile(f"{address}/{parts_path}")
    snapshot_file = _MemoryFile(f"{address}/{snapshot_path}")
    with write_manifest_list(_VERSION, snapshot_file, number, None, number, _CODEC) as lists:
        if parts:  # PyIceberg refuses an empty list of files.
            lists.add_manifests([_list_parts(parts, parts_file, schema, address, number)])
    totals = {"total-data-files": len(parts), "total-records": sum(part.rows for part in parts)}
    milliseconds = int(made.timestamp() * 1000)
    metadata = TableMetadataV2.model_validate(
        {
            "location": location,
            # Readers that refresh a table expect the same one.
            "table-uuid": uuid5(NAMESPACE_URL, location),
            "last-updated-ms": milliseconds,
            "last-column-id": schema.highest_field_id,
            "schemas": [schema],
            "current-schema-id": schema.schema_id,
            "partition-specs": [UNPARTITIONED_PARTITION_SPEC],
            "default-spec-id": UNPARTITIONED_PARTITION_SPEC.spec_id,
            "last-partition-id": PARTITION_FIELD_ID_START - 1,
            "sort-orders": [UNSORTED_SORT_ORDER],
            "default-sort-order-id": UNSORTED_SORT_ORDER.order_id,
            "last-sequence-number": number,
            "current-snapshot-id": number,
            "snapshots": [
                {
                    "snapshot-id": number,
                    "sequence-number": number,
                    "timestamp-ms": milliseconds,
                    "manifest-list": snapshot_file.location,
                    "summary": {"operation": "append"}
                    | {name: str(total) for name, total in totals.items()},
                    "schema-id": schema.schema_id,
                }
            ],
            "refs": {"main": {"snapshot-id": number, "type": "branch"}},
        }
    )
    if parts:
        write_file(parts_path, parts_file.content)
    write_file(snapshot_path, snapshot_file.content)
    write_file(main_path, metadata.model_dump_json().encode())
    return main_path


def _make_schema(table: DumpTable) -> Schema:
    """Return the columns of a table with the field ids of the parts."""
    ids = number_columns(table)
    return Schema(
        *(
            NestedField(ids[column.name][0], column.name, _make_type(column, ids[column.name][1]))
            for column in table.columns
        )
    )


def _make_type(column: FactColumn, element_id: int | None) -> IcebergType:
    if element_id is None:
        return _TYPES[column.type]
    element = _TYPES[column.type.removesuffix("[]")]
    return ListType(element_id, element, element_required=False)


def _list_parts(
    parts: Sequence[Part], file: _MemoryFile, schema: Schema, address: str, number: int
) -> ManifestFile:
    """Write the list of the files of a snapshot; return its description."""
    with write_manifest(
        _VERSION, UNPARTITIONED_PARTITION_SPEC, schema, file, number, _CODEC
    ) as writer:
        for part in parts:
            writer.add_entry(_make_entry(part, address, number))
    return writer.to_manifest_file()


def _make_entry(part: Part, address: str, number: int) -> ManifestEntry:
    """Return the entry of a part among the files of a snapshot."""
    file = DataFile.from_args(
        content=DataFileContent.DATA,
        file_path=f"{address}/{part.path}",
        file_format=FileFormat.PARQUET,
        partition=Record(),
        record_count=part.rows,
        file_size_in_bytes=part.bytes,
    )
    return ManifestEntry.from_args(
        status=ManifestEntryStatus.ADDED, snapshot_id=number, data_file=file
    )
