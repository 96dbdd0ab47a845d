"""Fit a reply table to transcripts whose links are known: lay out the cases, take the loss, search its lowest point.

What is fitted here is data to the core, which holds rules alone; a fitted table is handed to `ReplyModel`.
"""
