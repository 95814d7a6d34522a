"""Filters and tags of templates, thin wrappers around tested functions."""
