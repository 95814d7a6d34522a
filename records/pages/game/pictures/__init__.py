"""Tables as pictures: drawn, as PNG, and a month as an animation or a strip."""
