"""Filters of templates, each a line over a function that has its tests."""
