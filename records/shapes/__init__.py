"""Types of responses and of bodies of requests, by subject.

Services fill responses, pages read them, the API encodes them. A field is declared once, with its
description; the OpenAPI document has each type as a component.
"""
