"""The caller's stored data other than games: drafts, webhooks."""
