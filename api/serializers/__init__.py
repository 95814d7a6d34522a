"""Serializers of requests, and of database rows in responses, by subject."""
