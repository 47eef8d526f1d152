"""Are sentences found that cross a column or page break? Over every two-column PDF of the folders given.

    python tests/benchmarks/quotes.py FOLDER [FOLDER …] [--show N]

The breaks are read from the pages without pincite: PyMuPDF's lines, of the size that most of the document is set in. The last line of
the left column and the first of the right, and the last of the right and the first of the next page, are taken for one sentence where
the first ends in no stop and the second goes on in lower case; a quotation is the last eight words of the one and the
first eight of the other. Each is looked for in the file's pack as `pincite locate` looks. Prints, for each file, how many were found as one
span, found with something between, and not found; last the share found as one span, in %.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from crossings import crossings
from pincite.errors import Unreadable
from pincite.locating.match import Quotation, places_in
from pincite.locating.texts import readings_of
from pincite_plugins.extractors.pdf import Settings
from pincite_plugins.extractors.pdf.extractor import PdfExtractor


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--show", type=int, default=10)
    options = parser.parse_args()
    total: Counter[str] = Counter()
    missed: list[str] = []
    for path in sorted(path for folder in options.folders for path in folder.rglob("*.pdf")):
        wanted = crossings(path)
        if not wanted:
            continue
        try:
            pack = PdfExtractor(Settings()).extract(path)
        except Unreadable:
            continue
        readings = readings_of(pack.text, pack)
        counts: Counter[str] = Counter()
        for one in wanted:
            places = places_in(readings, Quotation(one.quote))
            what = "missed" if not places else "whole" if any(len(spans) == 1 for spans in places) else "parted"
            counts[what] += 1
            if what != "whole":
                missed.append(f"{what}  {path.name} p. {one.page}: {one.quote}")
        total += counts
        print(f"{path.name}: {counts['whole']} as one span, {counts['parted']} parted, {counts['missed']} not found")
    for line in missed[: options.show]:
        print(line)
    print(f"{100 * total['whole'] / max(1, total.total()):.1f} % of {total.total()} as one span")
    return 0


if __name__ == "__main__":
    sys.exit(main())
