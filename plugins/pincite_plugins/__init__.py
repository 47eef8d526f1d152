"""The built-in plugins, each loaded by entry point exactly as a third party's is."""
