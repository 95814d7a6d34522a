"""The ledger of work: rows that are due, the processes that work on them, and the sweep."""
