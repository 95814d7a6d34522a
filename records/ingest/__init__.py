"""Ingest: from the bytes of an upload to stored games.

    receiving.receive       bytes -> upload and files (resumable.append: in parts)
    unpacking.unpack        an archive -> its files
    cutting.cut_file        a file -> chunks, with the place of each game
    judging.judge_chunk     a chunk -> judged games -> rows, in the transaction that ends its job

`storing` writes the rows of judged games (`judged`), and `ownership` changes their owners and
visibility. `quotas` limits the use of each sender, and `stopping` ends an upload that exceeds a
quota. `upload_queries` and `report` read the results. `object_drafts` manages objects without rows,
and `leftovers` removes files of killed processes.
"""
