"""The rules of 三人はちはち."""
