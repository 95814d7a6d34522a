"""Cards by name. In: text of people and of other programs. Out: card letters, and letters as names.

`table` has the names, `statements` finds the cards in a text, `placing` tells alike ones apart,
`reading` and `writing` put both together.
"""
