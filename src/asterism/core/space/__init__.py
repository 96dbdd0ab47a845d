"""A space: what all capabilities fold into, what stands on what, and the space as one graph."""
