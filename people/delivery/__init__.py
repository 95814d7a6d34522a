"""Requests to programs of users: where they may lead, and the process that sends them."""
