"""Accounts of users, with tokens, collections and requests about names."""
