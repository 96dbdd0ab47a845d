"""Pages and pictures that need nothing else: the annotated transcript, the heat map, links through time."""
