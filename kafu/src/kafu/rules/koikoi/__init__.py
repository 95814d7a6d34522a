"""The rules of こいこい; house rules are data."""
