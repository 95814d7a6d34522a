"""Bytes become judged games: the way of an upload, one step a module.

In: files of a sender. Out: judged games, which `records.store` writes.

    receiving.receive       bytes -> upload and files (resumable: in parts; idempotency: once a key)
    unpacking.unpack        an archive -> the files in it
    cutting.cut_file        a file -> chunks, with the place of each game
    judging.judge_chunk     a chunk -> judged games -> rows, in one transaction with its ``done``

`quotas` bounds what one sender may use, `stopping` ends an upload for that, `queries` and `report`
say what became of it. `drafts` has the objects that no row names yet, `leftovers` removes what
killed processes left.
"""
