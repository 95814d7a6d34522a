"""Pages for people with an account, and to get one."""
