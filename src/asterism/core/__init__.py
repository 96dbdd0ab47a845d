"""The pure part: no IO, no clock, no chance, no environment. Old value in, new value and a record out."""
