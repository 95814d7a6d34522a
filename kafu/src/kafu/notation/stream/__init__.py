"""Cutting of byte streams into pieces with one game each, in any form and encoding."""
