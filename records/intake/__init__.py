"""Bytes become judged games: uploads are received, unpacked, cut into chunks, read and replayed."""
