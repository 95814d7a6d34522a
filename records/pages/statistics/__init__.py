"""The pages of statistics (/statistics/): forms, tables, charts."""
