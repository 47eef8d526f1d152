"""Marked-up and plain documents → blocks, sections and runs of a pack. Pure; shared by the extractors for EPUB, HTML,
Markdown and text. lxml is imported only where a tree is parsed."""
