"""Imported by the process that workers are forked from: what each of them would load for itself."""

from pincite.indexing import cutting, worker
from pincite.plugin import making, manager
from pincite.text.language import load

__all__ = ["cutting", "load", "making", "manager", "worker"]

load()
