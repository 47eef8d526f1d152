"""Results for other programs: JSON lines, CSV, Markdown (specs/10-search-json.md)."""

from __future__ import annotations

import csv
import io
import json
import re

from pincite.cli.oneline import byline, heading, one_line, place
from pincite.cli.search import Format
from pincite.search.as_json import hit_json
from pincite.text.readable import visible
from pincite.values.results import Passage, Results

COLUMNS = (
    "rank", "relevance", "low_confidence", "id", "key", "title", "creators", "year", "doi", "passage", "page", "page_label", "section",
    "sentence", "link", "kind",
)  # fmt: skip


def written(results: Results, form: Format) -> str:
    """The results in a format other than text and plain JSON, which needs nothing of this."""
    if form is Format.JSONL:
        return "".join(json.dumps(hit_json(hit), ensure_ascii=False) + "\n" for hit in results.hits)
    return as_csv(results) if form is Format.CSV else as_markdown(results)


def as_csv(results: Results) -> str:
    """A line for each passage, and one for a work without any (RFC 4180). A cell that a spreadsheet would take for a formula begins with
    an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for hit in results.hits:
        item = hit.item
        work = [
            hit.rank,
            f"{hit.relevance:.4f}",
            "yes" if hit.low_confidence else "no",
            item.id,
            item.key,
            one_line(item.title),
            one_line("; ".join(creator.name for creator in item.creators)),
            item.year or "",
            item.doi,
        ]
        passages: tuple[Passage | None, ...] = hit.passages or (None,)
        for one in passages:
            said = [""] * 7
            if one is not None:
                section = " > ".join(one.section)
                said = [
                    one.id,
                    str(one.page or ""),
                    one.page_label or "",
                    section,
                    one_line(one.sentence),
                    one.link,
                    one.kind,
                ]
            writer.writerow([_cell(part) for part in (*work, *said)])
    return out.getvalue()


def as_markdown(results: Results) -> str:
    """A list: each work with its passages as quotes."""
    lines = [f"# {_escaped(results.query)}", ""]
    for hit in results.hits:
        about = byline(hit.item)
        lines.append(f"{hit.rank}. **{_escaped(heading(hit.item))}**" + (f" ({_escaped(about)})" if about else ""))
        for one in hit.passages:
            where = _escaped(place(one.page_label, one.page, one.section, one.kind)) or "open"
            shown = f"[{where}](<{one.link.replace('>', '%3E').replace('<', '%3C')}>)" if one.link else where
            lines += ["", f"   > {_escaped(one_line(one.sentence))}", "   >", f"   > {shown}"]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _cell(value: object) -> object:
    if not isinstance(value, str):
        return value
    return visible(f"'{value}" if value[:1] in ("=", "+", "-", "@", "\t", "\r") else value)


def _escaped(text: str) -> str:
    """Text in which Markdown finds nothing to do (CommonMark: any ASCII punctuation may be escaped)."""
    return re.sub(r"([\\`*_\[\]<>#|~$])", r"\\\1", " ".join(text.split()))
