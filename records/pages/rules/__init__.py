"""The pages on the games themselves: rules (/rules/), cards (/cards/), odds (/odds/)."""
