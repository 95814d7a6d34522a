"""Score sheets (記入式): the checks shared by all rulesets."""
