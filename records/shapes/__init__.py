"""Types of responses by subject: pages read them, the API encodes and documents them.

A field is declared once, with its description; the OpenAPI document has each type as a component.
"""
