"""Recall: the entries that answer a query, with reasons (spec 03, last section; docs/recall.md).

stems, words  text to words, stems and names          cues        what an entry or a question is like beside its words
entries       what can be recalled, as columns        postings    which rows hold a key, and the other way
index         all entries, kept as they come and go   lexical     BM25 over windows
vectors       cosines over windows, near words        signals     how well each entry answers by itself
links         one hop from the best                   rank        one ranking with reasons
parameters    every weight, with its source
"""
