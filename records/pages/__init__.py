"""The pages: thin views that ask `records.search` and hand what they get to a template."""
