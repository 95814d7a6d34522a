"""The play of a deal as all rulesets share it: table, seats, actions, declarations, ledger."""
