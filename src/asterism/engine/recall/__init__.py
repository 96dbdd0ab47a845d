"""Questions, and answers with reasons."""
