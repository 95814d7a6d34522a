"""Intake: from the bytes of an upload to judged games, which `records.store` writes.

    receiving.receive       bytes -> upload and files (resumable: in parts; idempotency: with a key)
    unpacking.unpack        an archive -> its files
    cutting.cut_file        a file -> chunks, with the place of each game
    judging.judge_chunk     a chunk -> judged games -> rows, in the transaction that ends its job

`quotas` limits the use of each sender, and `stopping` ends an upload that exceeds a quota.
`queries` and `report` read the results. `drafts` manages objects without rows, and `leftovers`
removes files of killed processes.
"""
