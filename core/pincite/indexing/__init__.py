"""Indexing: from a source's records to chunks, words and vectors, in passes that each find their own work."""
