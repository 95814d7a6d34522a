"""Score sheets (記入式): what the checks of all rulesets share; each has its own in its package."""
