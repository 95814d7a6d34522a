"""Score notebooks -> score sheets: tables of months and players, as people keep them.

In: a file (CSV, TSV, a workbook) or pasted text, and the ruleset, which no notebook names. Out: the
sheet with its verdict, or what is not understood, at its cell. `table` and `workbook` read cells,
`layout` finds the parts of the table, `months` reads its rows, `sheet` writes the score sheet.
"""
