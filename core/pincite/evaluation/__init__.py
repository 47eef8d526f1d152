"""Measuring an engine on a test collection (specs/12-eval.md)."""
