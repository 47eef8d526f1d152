"""A filter → the chunk rows that it admits."""

from __future__ import annotations

from typing import Any

import numpy as np

from pincite.values.search import Filter, RowSet
from pincite_plugins.stores.sqlite.part import Part, folded, packed


class FilterPart(Part):
    """Resolving filters, always before any ranker's cut."""

    def resolve(self, filter: Filter) -> RowSet | None:
        """The chunk rows that `filter` admits; None where it admits all."""
        if filter.empty:
            return None
        where: list[str] = []
        values: list[Any] = []

        def any_of(column: str, wanted: Any) -> None:
            wanted = sorted(wanted)
            where.append(f"{column} IN (SELECT value FROM json_each(?))")
            values.append(packed(wanted))

        if filter.items:
            any_of("i.id", filter.items)
        if filter.kinds:
            any_of("lower(i.kind)", (kind.lower() for kind in filter.kinds))
        if filter.groups:
            wanted = {folded(group) for group in filter.groups}
            there = [name for (name,) in self.db.execute("SELECT DISTINCT grp FROM item")]
            any_of("i.grp", (name for name in there if folded(name) in wanted))
        if filter.years is not None:
            low, high = filter.years
            where.append("i.year IS NOT NULL AND i.year BETWEEN ? AND ?")
            values += [-99999 if low is None else low, 99999 if high is None else high]
        for what, labels, holds in (
            ("tag", filter.tags, "l.value = w.value"),
            ("creator", filter.creators, "instr(l.value, w.value) > 0"),
            ("collection", filter.collections, "instr('/' || l.value || '/', '/' || trim(w.value, '/') || '/') > 0"),
        ):
            if labels:  # CROSS: tags are looked up by what is wanted, not gone through
                where.append(
                    f"i.row IN (SELECT l.item FROM json_each(?) w CROSS JOIN label l WHERE l.what = '{what}' AND {holds})"
                )
                values.append(packed(sorted(map(folded, labels))))
        if filter.languages:
            any_of("c.language", (language.lower() for language in filter.languages))
        sql = "SELECT c.row FROM chunk c JOIN item i ON i.row = c.item WHERE " + " AND ".join(where) + " ORDER BY c.row"
        return RowSet(np.fromiter((row for (row,) in self.db.execute(sql, values)), dtype=np.int64))
