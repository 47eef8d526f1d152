"""The metadata of a Zotero item as a value."""

from __future__ import annotations

import re

from pincite.metadata.dates import from_parts, year_of
from pincite.metadata.zotero import zotero_creator, zotero_item
from pincite.values.library import Creator, Item
from pincite_plugins.sources.zotero.tables import CreatorRow, ItemRow, Tables

# "YYYY-MM-DD what was typed", 00 for an unknown part
_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?: (.*))?$", re.DOTALL)


def make_item(row: ItemRow, tables: Tables, id: str, group: str, link: str) -> Item:
    """The item of a row."""
    fields = tables.fields.get(row.id, {})
    return zotero_item(
        id,
        row.kind,
        fields,
        map(_creator, tables.creators.get(row.id, ())),
        _date(fields.get("date", "")),
        tags=tables.tags.get(row.id, ()),
        collections=tables.collections.get(row.id, ()),
        group=group,
        link=link,
        modified=row.modified,
    )


def _creator(row: CreatorRow) -> Creator:
    if row.single:
        return zotero_creator(row.family or row.given, "", row.role)
    return zotero_creator(row.family, row.given, row.role)


def _date(value: str) -> tuple[int | None, str]:
    found = _DATE.match(value)
    if not found:
        return year_of(value), value
    year, month, day, typed = found.groups()
    if int(year):
        return from_parts(year, month, day)
    typed = typed or ""
    return year_of(typed), typed
