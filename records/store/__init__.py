"""Storage of judged games as rows, with their owners, visibility and names.

`storing` writes the rows of judged games (`judged`). `ownership`, `visibility`, `claims` and
`pseudonyms` apply decisions of owners and the staff. `replays` replays stored games for pages and
the API.
"""
