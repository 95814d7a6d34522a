"""八八 for three to six, as on Board Game Arena."""
