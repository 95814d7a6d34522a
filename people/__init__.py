"""Accounts of users, with tokens, webhooks, collections and requests about names."""
