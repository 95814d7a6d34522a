"""Performance: `python -m bench.verify`, `bench.ingest`, `bench.reading`, `bench.browse`."""
