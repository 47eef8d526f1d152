"""Passage, query → the sentence worth reading."""
