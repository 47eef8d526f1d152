"""Makes the golden index of the current format: ``python tests/golden/make_index.py``, once for each version of the store.

The folder that it writes, ``tests/golden/index-VERSION``, is kept for good: every later pincite must open it (specs/03-store.md).
"""

import dataclasses
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from pincite.indexing.plain import plain_pack  # noqa: E402
from pincite.values.ledger import FileEntry, FileState  # noqa: E402
from pincite.values.library import Attachment, Item, Record  # noqa: E402
from stores import BELLS, KELP, embed_all, open_store, paragraphs, put  # noqa: E402

TIDES = "The moon pulls the water.\n\nTwice a day the harbour empties and fills."


def make(folder: Path) -> None:
    """An index with items, a note, an annotation, inline and packed texts, a failure and vectors."""
    store = open_store(folder)
    put(store, KELP)
    put(store, BELLS)
    row = put(store, Record(Item("tides", title="Tides"), attachments=(Attachment("tides-f", path="/gone/tides.txt"),
                                                                       Attachment("tides-g", path="/gone/lost.txt"))))  # fmt: skip
    pack = dataclasses.replace(plain_pack(TIDES), extractor="text", extractor_version=1, source_hash="5a" * 16)
    entry = FileEntry(
        "tides-f", row, "/gone/tides.txt", FileState.INDEXED, size=66, mtime_ns=1, hash="5a" * 16, extractor="text",
        extractor_version=1, cutter="structural/1/510/approximate", letters=54,
    )  # fmt: skip
    store.put_file(entry, pack, paragraphs(TIDES))
    store.note_file(
        FileEntry("tides-g", row, "/gone/lost.txt", FileState.FAILED, "missing", "there is no such file", 1)
    )
    store.set("identity", "folder:/gone")
    embed_all(store, "golden/32")
    store.close()


if __name__ == "__main__":
    from pincite_plugins.stores.sqlite.schema import VERSION

    target = HERE / f"index-{VERSION}"
    shutil.rmtree(target, ignore_errors=True)
    make(target)
