"""Serializers, one module a subject; the schema is made from them."""
