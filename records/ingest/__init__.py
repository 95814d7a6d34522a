"""Ingest: from the bytes of an upload to stored games.

    receiving.receive       bytes -> upload and files (resumable.append: in parts)
    unpacking.unpack        an archive -> the files in the archive
    cutting.cut_file        a file -> chunks, with the place of each game
    judging.judge_chunk     a chunk -> judged games -> rows, in the transaction that ends the job

`storing` writes the rows of judged games, and `ownership` changes owners and visibility.
`quotas` limits the use of each sender, and stops an upload exceeding a quota. `reports` reads the
results. `object_drafts` manages objects without rows, and `leftovers` removes files of killed
processes.
"""
