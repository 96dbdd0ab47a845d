"""Use cases: what a memory does when it is asked, over the pure core and a store."""
