"""Front doors: the command line now, others later; what they show is built in `render`."""
