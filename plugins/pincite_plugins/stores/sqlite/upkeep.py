"""Looking after the stored files: damage found and made good, room given back (specs/03-store.md)."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw

from pincite import packs
from pincite.errors import Locked, PinciteError
from pincite.storage import checked
from pincite_plugins.stores.sqlite import schema
from pincite_plugins.stores.sqlite.opening import DATABASE, guard, set_aside
from pincite_plugins.stores.sqlite.part import Part
from pincite_plugins.stores.sqlite.vectors import is_sound

SUSPECTS = "suspects"
"""The file in which readers write what may be damaged, a line each: ``database …``, ``pack NAME``, ``row N``, ``vector …``."""

KEPT_CHANGES = 200_000
"""Changes that are kept even where every ranker has taken them in: about 8 MB."""

WAIT_AGAIN = "UPDATE file SET state = 'waiting', size = -1, mtime_ns = -1, cutter = '', attempts = 0, pack = '' WHERE "


class UpkeepPart(Part):
    """The caller holds the writer's lock."""

    _note: Callable[[str], None]

    # ------------------------------------------------------------------------------------------ damage

    def _suspect(self, what: str) -> None:
        with contextlib.suppress(OSError):  # a full or read-only disk: it will be noticed again
            if what in self._suspects():
                return
            with open(self.folder / SUSPECTS, "a", encoding="utf-8") as file:
                file.write(what + "\n")

    def _suspects(self) -> list[str]:
        try:
            return (self.folder / SUSPECTS).read_text("utf-8", "replace").splitlines()
        except OSError:
            return []

    def heal(self, deep: bool = False) -> list[str]:
        """Looks into what was noticed (`deep`: into everything) and makes it good; a line for the person each."""
        suspects = self._suspects()
        if not suspects and not deep:
            return []
        said: list[str] = []
        if deep or any(line.startswith("database") for line in suspects):
            said += self._heal_database()
        packs = {line[5:] for line in suspects if line.startswith("pack ")}
        said += self._heal_packs(self._named() if deep else packs)
        rows = [int(line[4:]) for line in suspects if line.startswith("row ") and line[4:].isdigit()]
        self._heal_rows(rows)
        if deep or any(line.startswith("vector") for line in suspects):
            said += self._heal_vectors()
        with contextlib.suppress(OSError):
            (self.folder / SUSPECTS).unlink()
        return said

    def _heal_database(self) -> list[str]:
        path = self.folder / DATABASE
        wrong = ""
        try:
            self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            pages = checked.damaged_pages(path)
            if pages:
                wrong = f"page {pages[0]}: checksum differs"
            else:
                found = self.db.execute("PRAGMA quick_check(1)").get
                wrong = "" if found == "ok" else str(found)
        except (apsw.CorruptError, apsw.NotADBError) as error:
            wrong = str(error)
        return [self._make_anew(wrong)] if wrong else []

    def _make_anew(self, wrong: str) -> str:
        """Sets the database aside and starts another, with every vector of the old one that is sound."""
        with contextlib.suppress(apsw.Error, AttributeError):  # it may never have been open
            self.db.close()
        aside = set_aside(self.folder)
        self._open_anew()  # type: ignore[attr-defined]
        with self.transaction():
            schema.start_ahead(self.db)
        kept = self._salvage(aside)
        vectors = f", {kept:,} vectors of it kept" if kept else ""
        return f"{self.folder / DATABASE}: damaged ({' '.join(wrong.split())}); set aside as {aside.name} and made anew{vectors}"

    def _salvage(self, aside: Path) -> int:
        """Copies the vectors that can still be read: each carries its own checksum, and they are costly to make."""
        kept = 0
        with contextlib.suppress(apsw.Error, OSError):
            old = apsw.Connection(str(aside), flags=apsw.SQLITE_OPEN_READONLY)
            for number, name, width in list(old.execute("SELECT id, name, width FROM model")):
                with self.transaction():
                    self.db.execute("INSERT INTO model (name, width) VALUES (?, ?)", (name, width))
                    own = self.db.last_insert_rowid()
                    for order in ("ASC", "DESC"):  # up to the damage from either side
                        with contextlib.suppress(apsw.Error):
                            for key, data in old.execute(
                                f"SELECT key, data FROM vector WHERE model = ? ORDER BY key {order}", (number,)
                            ):
                                if isinstance(data, bytes) and is_sound(data, width):
                                    self.db.execute("INSERT OR IGNORE INTO vector VALUES (?, ?, ?)", (own, key, data))
                                    kept += self.db.changes()
                            break  # all of it was read
            old.close()
        return kept

    def _heal_packs(self, names: set[str]) -> list[str]:
        said = []
        for name in sorted(names):
            path = self._pack_path(name)  # type: ignore[attr-defined]
            try:
                packs.read_pack(path)
            except (OSError, packs.PackError) as error:
                with contextlib.suppress(OSError):
                    path.unlink()
                with self.transaction():
                    self.db.execute(WAIT_AGAIN + "pack = ?", (name,))
                    touched = self.db.changes()
                if touched:
                    reason = str(error) if isinstance(error, packs.PackError) else f"{path}: {error.strerror}"
                    said.append(f"{reason}; its file is read again")
        return said

    def _heal_rows(self, rows: list[int]) -> None:
        """Chunks whose text does not read back: their file is read again, their item put again."""
        for row in rows:
            if row in self.texts([row]):  # type: ignore[attr-defined]
                continue
            for item, child in list(self.db.execute("SELECT item, child FROM chunk WHERE row = ?", (row,))):
                with self.transaction():
                    self.db.execute(WAIT_AGAIN + "child = ?", (child,))
                    self.db.execute("UPDATE item SET fingerprint = '' WHERE row = ?", (item,))
                    if self.db.execute("SELECT 1 FROM file WHERE child = ?", (child,)).get is None:
                        self._replace_chunks(item, child, ())  # type: ignore[attr-defined]
                        self.db.execute("UPDATE child SET json = '{}' WHERE row = ?", (child,))

    def _heal_vectors(self) -> list[str]:
        gone = 0
        widths = dict(self.db.execute("SELECT id, width FROM model"))
        wrong = [
            (model, key)
            for model, key, data in self.db.execute("SELECT model, key, data FROM vector")
            if not is_sound(data, widths.get(model, 0))
        ]
        with self.transaction():
            for model, key in wrong:
                self.db.execute("DELETE FROM vector WHERE model = ? AND key = ?", (model, key))
                gone += 1
        return [f"{self.folder}: {gone:,} damaged vectors, which are made again"] if gone else []

    # ------------------------------------------------------------------------------------------ room

    def sync(self) -> None:
        """Checkpoints, which brings every commit to the disk first."""
        self.db.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def tidy(self, applied: int) -> None:
        """Removes packs that nothing names, and changes up to `applied` where there are many."""
        named = self._named()
        for path in self._pack_files():
            if path.name not in named:
                with contextlib.suppress(OSError):
                    path.unlink()
        first = self.first_change()  # type: ignore[attr-defined]
        count = self.db.execute("SELECT count(*) FROM change").get
        if applied > first and count > KEPT_CHANGES:
            self.forget_changes(applied)  # type: ignore[attr-defined]

    def forget_changes(self, before: int) -> None:
        """Drops changes up to `before`, which every ranker in use has applied."""
        with self.transaction():
            self.db.execute("DELETE FROM change WHERE seq <= ?", (before,))
            self._set("first_change", str(before))  # type: ignore[attr-defined]

    def compact(self) -> tuple[int, int]:
        """VACUUM INTO a file beside, then an atomic swap; given up where the index is in use or was written meanwhile."""
        path = self.folder / DATABASE
        beside = self.folder / f"{DATABASE}.compact"
        with contextlib.suppress(OSError):
            beside.unlink()
        with self.transaction():
            self.db.execute(
                "DELETE FROM vector WHERE key NOT IN (SELECT embed_key FROM chunk WHERE embed_key IS NOT NULL)"
            )
            self.db.execute("DELETE FROM model WHERE id NOT IN (SELECT model FROM vector)")
            last = self.last_change()  # type: ignore[attr-defined]
            self.db.execute("DELETE FROM change")
            self._set("first_change", str(last))  # type: ignore[attr-defined]
        self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        before = path.stat().st_size
        try:
            mark = self.db.execute("PRAGMA data_version").get
            self.db.execute("VACUUM INTO ?", (str(beside),))
            with guard(self.folder) as free:
                if not free or self.db.execute("PRAGMA data_version").get != mark:
                    raise Locked(f"{self.folder}: the index was written meanwhile; compact it again later")
                self._swap(path, beside)
        except apsw.FullError:
            raise PinciteError(
                f"{self.folder}: no room to compact: it takes as much as the index itself for a moment; free some space"
            ) from None
        finally:
            with contextlib.suppress(OSError):
                beside.unlink()
        return before, path.stat().st_size

    def _swap(self, path: Path, beside: Path) -> None:
        """Leaving WAL needs the database for itself; from then until the new one is in place nobody can open it (`guard`)."""
        self.db.set_busy_timeout(2_000)
        try:
            if self.db.execute("PRAGMA journal_mode = DELETE").get != "delete":
                raise apsw.BusyError("in use")
        except (apsw.BusyError, apsw.LockedError):
            raise Locked(f"{self.folder}: the index is open in another program; close it, then compact again") from None
        finally:
            self.db.set_busy_timeout(10_000)
        with open(beside, "rb+") as file:
            os.fsync(file.fileno())
        self.db.close()
        try:
            os.replace(beside, path)
        finally:
            self._open_unguarded()  # type: ignore[attr-defined]

    def statistics(self) -> dict[str, Any]:
        """Languages and sizes of chunks, bytes and free bytes of the database."""
        size = self.db.execute("PRAGMA page_size").get
        return {
            "languages": dict(
                self.db.execute("SELECT language, count(*) FROM chunk GROUP BY language ORDER BY 2 DESC, 1")
            ),
            "sizes": dict(
                self.db.execute(
                    "SELECT tokens / 32 * 32, count(*) FROM chunk WHERE child IS NOT NULL GROUP BY 1 ORDER BY 1"
                )
            ),
            "bytes": size * self.db.execute("PRAGMA page_count").get,
            "free": size * self.db.execute("PRAGMA freelist_count").get,
        }

    def _named(self) -> set[str]:
        return {name for (name,) in self.db.execute("SELECT pack FROM file WHERE pack <> ''")}

    def _pack_files(self) -> Iterator[Path]:
        return self.packs.glob("*/*")
