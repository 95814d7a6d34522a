"""The pages: thin views that ask `records.queries` and hand what they get to a template."""
