"""Pages for people with an account, and to create one."""
