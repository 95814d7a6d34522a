"""Pictures for previews of links: what other sites show of a page (`records.pages.link_previews`).

`drawings` places words and cards, `views` reads what they show.
"""
