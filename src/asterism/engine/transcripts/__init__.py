"""Transcripts: read, kept, and their evidence."""
