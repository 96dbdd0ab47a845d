"""What is learned, edited, forgotten; and dreams."""
