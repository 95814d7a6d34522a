"""Pictures of tables: drawings, PNG, and a month as an animation or a strip."""
