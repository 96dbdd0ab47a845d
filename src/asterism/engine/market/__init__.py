"""Market feeds: taken in, and their levels read."""
