"""Texts: words, stems, names, which text holds which word, and how much a word says by being rare."""
