"""Texts: words, stems, names, and which text holds which word."""
