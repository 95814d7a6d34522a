"""Requests to users' programs: allowed addresses, and the sending process."""
