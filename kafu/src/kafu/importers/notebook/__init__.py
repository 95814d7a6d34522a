"""Convert score notebooks, tables of months and players, into score sheets.

The input is a file (CSV, TSV or a workbook) or pasted text, and the ruleset, which notebooks do not
name. The output is a judged sheet, or faults with their cells. `table` and `workbook` read
cells, `layout` finds the parts of a table, `months` reads its rows, and `sheet` composes the score
sheet.
"""
