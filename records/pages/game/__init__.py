"""The page of a game (/games/KEY/): replay, moves in words, score, score sheet, pictures."""
