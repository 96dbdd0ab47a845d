"""Texts: words, stems, names, and how much a word says by being rare."""
