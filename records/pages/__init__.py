"""The pages: thin views that query `records.search` and pass the result to a template."""
