"""Clubs: members, seasons and evenings, with the games that members play and keep together."""
