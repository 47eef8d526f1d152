"""Query, filter → evidence."""
