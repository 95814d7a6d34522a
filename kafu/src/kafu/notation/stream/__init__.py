"""Splitting of a byte stream into pieces of one game each, in any form and encoding."""
