"""The play of a deal, shared by all rulesets: table, seats, actions, declarations, ledger."""
