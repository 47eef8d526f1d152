"""Imported first by the process that workers are forked from: what each of them would load for itself.

The language model is unpacked in a thread, which takes no turn from the imports; `all_preloaded`, imported last, waits for it, as no
thread may run when a process is forked.
"""

from threading import Thread

from pincite.text.language import load

LANGUAGE = Thread(target=load)
LANGUAGE.start()

from pincite.indexing import cutting, worker  # noqa: E402  after the thread has begun
from pincite.plugin import making, manager  # noqa: E402

__all__ = ["LANGUAGE", "cutting", "making", "manager", "worker"]
