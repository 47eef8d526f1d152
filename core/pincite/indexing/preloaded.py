"""Imported first by the process that workers are forked from: what each of them would load for itself."""

from pincite.indexing import cutting, worker
from pincite.plugin import making, manager

__all__ = ["cutting", "making", "manager", "worker"]
