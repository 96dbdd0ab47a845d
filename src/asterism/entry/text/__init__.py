"""What the values of a memory look like as lines of text: the same for every front door that shows text."""
