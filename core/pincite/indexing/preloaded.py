"""Imported first by the process that workers are forked from: what each of them would load for itself.

It falls silent: a worker that is given up while it begins would have its traceback on the person's terminal.
"""

import os

from pincite.indexing import cutting, worker
from pincite.plugin import making, manager

__all__ = ["cutting", "making", "manager", "worker"]

_null = os.open(os.devnull, os.O_WRONLY)
os.dup2(_null, 2)
os.close(_null)
