"""Imported last by the process that workers are forked from: no thread runs any more."""

from pincite.indexing.preloaded import LANGUAGE

LANGUAGE.join()
