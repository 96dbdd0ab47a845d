"""Recall: the entries that answer a query, with reasons (spec 03, last section; docs/recall.md).

entries       what can be recalled, as columns        cues        what an entry or a question is like beside its words
index         all entries, kept as they come and go   postings    which rows hold a key, and the other way
vectors       cosines over windows, near words        lexical     BM25 over windows
speakers      who a question speaks of                chance      how probable it is that a hit answers
looks         what the best entries are like          said        who said it: gaps between speakers
links         one hop from the best                   signals     how well each entry answers by itself
asked_time    when a question asks about              time_phrases  its words of time, as stretches of days
times         when entries were told, as signals
parameters    every weight, with its source           scored      every row's score, and what it is the sum of
hits          what a reader gets of a hit             model       what a reader gets of a recall
prompt        an answer as text for a prompt          unanswered  questions that were left open
rank          one ranking with reasons
"""
