"""Serializers of studies and comments."""
