"""Pages of studies: lists, one of them, and the forms with which its owner changes it."""
