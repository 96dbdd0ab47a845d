"""Walkers over the memory."""
