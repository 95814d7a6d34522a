"""How fast it is: `python -m bench.verify`, `bench.ingest`, `bench.reading`, `bench.browse`."""
