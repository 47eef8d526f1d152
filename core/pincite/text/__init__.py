"""Text: what counts as a character, a word and a sentence, and where it stands in the source. specs/14-text.md."""
