"""What is told of stars and connections, and what time does to them."""
