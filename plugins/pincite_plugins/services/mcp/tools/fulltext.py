"""fulltext_database: the texts of the library's documents, listed, looked through word for word, and read."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from pincite.errors import UsageError
from pincite.indexing.plain import pack_of
from pincite.library import Library
from pincite.search.found import item_row
from pincite.spec import Cancel, Store
from pincite.values.ledger import FileEntry, FileState
from pincite.values.library import Record
from pincite_plugins.services.mcp import budget, words
from pincite_plugins.services.mcp.desk import Desk
from pincite_plugins.services.mcp.shapes import Document, FullText, Matched, Text
from pincite_plugins.services.mcp.tool import LONGEST, Asks, Call, Tool
from pincite_plugins.services.mcp.tools.literal import matched, pattern_of

AT_ONCE = 8
"""Documents that are looked through before others may ask, and the client is told how far it is."""

MOST = 200
"""Works or documents that one call may name or show."""


class FulltextDatabase(Asks):
    """Arguments of fulltext_database."""

    action: Literal["list", "search", "get", "stats"] = Field(
        description="list documents; search for exact words; get text; stats."
    )
    query: str | None = Field(None, min_length=1, max_length=LONGEST, description="search: the exact words.")
    items: list[str] | None = Field(None, max_length=MOST, description="Ids or citation keys; get needs them.")
    limit: int = Field(20, ge=1, le=MOST, description="Documents.")
    case_sensitive: bool = Field(False, description="search: whether A and a differ.")
    start: int = Field(0, ge=0, description="get: the character to begin with.")


async def fulltext_database(call: Call, asks: FulltextDatabase) -> FullText:
    """By the action."""
    if asks.action == "search" and not (asks.query or "").strip():
        raise UsageError("search needs `query`: the words to look for")
    if asks.action == "get" and not asks.items:
        raise UsageError("get needs `items`: ids or citation keys of works")
    desk = (await call.place()).desk if not asks.items else await call.desk_of_item(asks.items[0])
    files = await desk.ask(lambda library, _: _files(library.store, asks.items))
    answer = FullText(action=asks.action, degraded=call.said, total=len(files))
    if asks.action == "stats":
        answer.stats = await desk.ask(lambda library, _: _stats(library, files))
    elif asks.action == "list":
        shown = await desk.ask(lambda library, _: [_document(library.store, one) for one in files[: asks.limit]])
        room = _room(answer, asks)
        kept = budget.first(shown, room)
        answer.documents = shown[:kept]
        answer.left_out = _left(len(files) - kept, "documents")
    elif asks.action == "search":
        await _search(call, desk, files, asks, answer)
    else:
        answer.texts = await desk.ask(lambda library, _: _texts(library.store, files, asks, _room(answer, asks)))
        answer.left_out = _left(len(files) - len(answer.texts), "documents")
    return answer


def _files(store: Store, items: list[str] | None) -> list[FileEntry]:
    """Documents whose text is there, those of a work together; of these works alone, in their order, where some are named."""
    entries = [one for one in store.files() if one.state is FileState.INDEXED]
    if items is None:
        return sorted(entries, key=lambda one: (one.item, one.attachment))
    order = {item_row(store, name): at for at, name in reversed(list(enumerate(items)))}
    return sorted((one for one in entries if one.item in order), key=lambda one: (order[one.item], one.attachment))


def _facts(store: Store, entry: FileEntry) -> tuple[Record, dict[str, Any]]:
    record = store.records([entry.item])[entry.item]
    work = words.work(record.item)
    facts = {
        "attachment": entry.attachment,
        **{name: work[name] for name in ("item", "key", "title")},
        "format": entry.extractor or None,
        "pages": sum(entry.pages.values()) or None,
        "letters": entry.letters,
    }
    return record, facts


def _document(store: Store, entry: FileEntry) -> Document:
    return Document(**_facts(store, entry)[1])


def _room(answer: FullText, asks: FulltextDatabase) -> int:
    return asks.budget - len(budget.written(answer.plain())) - budget.SAYING


def _left(count: int, what: str) -> list[str] | None:
    return [f"{count} {what}, to fit the budget or the limit"] if count > 0 else None


def _stats(library: Library, files: list[FileEntry]) -> dict[str, Any]:
    status = library.status()
    formats: dict[str, int] = {}
    for one in files:
        formats[one.extractor] = formats.get(one.extractor, 0) + 1
    totals = {name: status["totals"][name] for name in ("items", "files", "indexed", "skipped", "failed", "waiting")}
    letters = sum(one.letters for one in files)
    return {**totals, "letters": letters, "formats": formats, "pages": status["pages"], "verdicts": status["verdicts"]}


async def _search(call: Call, desk: Desk, files: list[FileEntry], asks: FulltextDatabase, answer: FullText) -> None:
    """Document by document, until the limit is reached; others have their turn between."""
    pattern = pattern_of(asks.query or "", asks.case_sensitive)
    found: list[Matched] = []
    searched = 0

    def look(library: Library, cancelled: Cancel) -> None:
        nonlocal searched
        for entry in files[searched : searched + AT_ONCE]:
            if len(found) == asks.limit or cancelled():
                return
            record, facts = _facts(library.store, entry)
            one = matched(library.store, pattern, entry, record, facts)
            found.extend([one] if one else [])
            searched += 1

    while searched < len(files) and len(found) < asks.limit:
        await call.tell(float(searched), float(len(files)), f"looked through {searched:,} of {len(files):,} documents")
        await desk.ask(look)
    answer.searched = searched
    room = _room(answer, asks)
    kept = budget.first(found, room)
    if kept == 0 and found:
        found[0].passages = found[0].passages[:1]
        kept = 1
    answer.found = found[:kept]
    said = [f"{len(found) - kept} documents, to fit the budget"] if kept < len(found) else []
    if searched < len(files):
        said.append(f"{len(files) - searched} documents were not looked through: the limit was reached")
    answer.left_out = said or None


def _texts(store: Store, files: list[FileEntry], asks: FulltextDatabase, room: int) -> list[Text]:
    """As much of each as fits, shared evenly."""
    shown = files[: asks.limit]
    made: list[Text] = []
    for number, entry in enumerate(shown):
        pack = pack_of(store, store.attachment(entry.attachment))
        if pack is None:
            continue
        facts = _facts(store, entry)[1]
        start = min(asks.start, len(pack.text))
        one = Text(**facts, start=start, end=start, characters=len(pack.text), quoted_text="")
        share = room // (len(shown) - number) - budget.size(one)
        if share < 40 and made:
            break
        rest = pack.text[start : start + max(40, share)]
        text = budget.clipped(rest, max(40, share))
        whole = text == rest
        one.end = start + (len(text) if whole else len(text.removesuffix("…")))
        one.quoted_text = text if whole else text.removesuffix("…")
        room -= budget.size(one)
        made.append(one)
    return made


FULLTEXT_DATABASE = Tool(
    "fulltext_database",
    "Texts of documents",
    "The text of every indexed document: list them, search them for exact words (best_match ranks better), get their text, or count them.",
    FulltextDatabase,
    FullText,
    fulltext_database,
)
