"""What is generated from the program: pages of docs/, and the stub of the synchronous face."""
