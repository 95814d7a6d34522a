"""Exact odds of dealt hands and of field grades."""
