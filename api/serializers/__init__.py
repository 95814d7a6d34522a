"""What is sent, and rows of the database as JSON, one module a subject."""
