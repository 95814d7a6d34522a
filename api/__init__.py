"""The REST API over the archive."""
