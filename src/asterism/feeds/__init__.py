"""Feeds: market events out of files, in order, with every row accounted for.

`open_feed` opens a file, `merge_feeds` joins several of one symbol. A feed gives batches of events, each with its place
in the whole; rows that are not used are counted by name, and the malformed ones named by their line.
"""

from asterism.feeds.mappings import Layout
from asterism.feeds.merging import merge_feeds
from asterism.feeds.reading import open_feed
from asterism.feeds.stream import Feed, FeedBatch

__all__ = ["Feed", "FeedBatch", "Layout", "merge_feeds", "open_feed"]
