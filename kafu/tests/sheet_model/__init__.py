"""An independent model of score sheets, which looks for 48 cards that make a month's payments.

The model is written from the rule documents, the rulings and the glossary alone. It shares no code
with the rulesets, the machines and the judge of sheets, so that it can contradict their reading.
OR-tools' CP-SAT solver looks for a deal and a way in which each month's cards were captured.

It ignores stones, next dealers, settlements, the order of lines, and months that are written as one
sum. The order in which cards were played is modelled in koi-koi alone, for the winner's turns.
"""
