"""Pages for users with an account, and for registration."""
