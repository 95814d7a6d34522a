"""The rules of 八八 for three to six players, as on Board Game Arena."""
