"""The resources of the API, one module per subject."""
