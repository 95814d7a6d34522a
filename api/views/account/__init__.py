"""What a caller keeps on the server besides games: drafts, webhooks."""
