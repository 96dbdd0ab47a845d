"""Looking after a memory: verify, doctor, erase, what if."""
