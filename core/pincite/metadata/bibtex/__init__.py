"""BibTeX and BibLaTeX files → records: `read_bibtex`.

The file is split into blocks by bibtexparser 2. Measured on 16 real files (PINCITE_CORPORA, bib/) it keeps every
entry, those without a key or with a key that was used before included; pybtex 0.26 drops the repeated ones (25 of
512 in a Mendeley export).
"""

from pincite.metadata.bibtex.records import Bibliography, read_bibtex

__all__ = ["Bibliography", "read_bibtex"]
