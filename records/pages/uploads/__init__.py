"""The pages of uploads (/upload/, /check/): forms, reports, correction of a faulty text."""
