"""Finding, loading and making plugins."""
