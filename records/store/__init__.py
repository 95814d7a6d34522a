"""Judged games become rows: records and their parts, who owns them, who may see them."""
