"""semantic_status: what is indexed."""

from __future__ import annotations

from typing import Any

from pincite.library import Library
from pincite.spec import Cancel
from pincite_plugins.services.mcp.shapes import Status
from pincite_plugins.services.mcp.tool import Asks, Call, Tool


async def semantic_status(call: Call, asks: Asks) -> Status:
    """Totals and coverage. Says so where there is no index, and makes none."""
    place = call.shelf.place()

    def work(library: Library, cancelled: Cancel) -> dict[str, Any]:
        return {**library.status(), "indexed": library.indexed}

    found = await place.desk.ask(work)
    totals, model = found["totals"], found["model"]
    reasons = [state["degraded"] for state in found["rankers"].values() if state["degraded"]]
    reasons += [f"{found['paused']}"] if found["paused"] else []
    vector = found["rankers"].get("vector", {"rows": 0, "expected": 0})
    return Status(
        degraded="; ".join(dict.fromkeys(reasons)) or place.indexing.error or None,
        library=place.name,
        libraries=call.shelf.names or None,
        indexed=found["indexed"],
        indexing=place.indexing.step.text if place.indexing.running else found["running"],
        items=totals["items"],
        files={name: totals[name] for name in ("indexed", "skipped", "failed", "waiting")},
        passages=totals["passages"],
        vectors={"ready": vector["rows"], "wanted": vector["expected"]},
        model=model["name"],
        languages=dict(sorted(found["languages"].items(), key=lambda pair: -pair[1])[:12]) or None,
        engines=sorted(place.desk.library.config.settings.engines),
    )


SEMANTIC_STATUS = Tool(
    "semantic_status",
    "What is indexed",
    "What of the library is indexed: works, files, passages, vectors, languages; and how far a run is that is under way.",
    Asks,
    Status,
    semantic_status,
)
