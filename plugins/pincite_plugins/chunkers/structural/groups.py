"""Which sections make a group: a group closes on reaching the minimum, and a small one left over joins its nearest
kin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pincite_plugins.chunkers.structural.layout import Paragraph, Paths, Unit


@dataclass(slots=True)
class Group:
    """Sections that are cut together."""

    units: list[Unit] = field(default_factory=list)

    @property
    def tokens(self) -> int:
        """Tokens of the text, headings aside."""
        return sum(unit.tokens for unit in self.units)

    @property
    def role(self) -> str:
        """The role of its text: "abstract" or ""."""
        return self.units[0].role

    @property
    def paragraphs(self) -> list[Paragraph]:
        """Everything in it, in order, headings too."""
        return [paragraph for unit in self.units for paragraph in unit.paragraphs]


def grouped(units: Sequence[Unit], paths: Paths, minimum: int) -> list[Group]:
    """The groups in reading order.

    A section (or run of small ones) that reaches `minimum` is a group; so two substantial sections never mix. A
    small one goes forward, front matter too; but where it is nearer kin to the group before it than to the section
    after (the last part of a chapter), or the last of all, it goes back. An abstract is always a group of its own,
    and neither gives nor takes.
    """
    groups: list[Group] = []
    back: Group | None = None  # the last group that may take a small one in
    current = Group()
    for at, unit in enumerate(units):
        if unit.role:
            groups.append(Group([unit]))
            continue
        if not current.units:
            groups.append(current)
        current.units.append(unit)
        if current.tokens >= minimum:
            back, current = current, Group()
            continue
        following = next((other for other in units[at + 1 :] if not other.role), None)
        if back is not None and (following is None or _nearer(paths, current, back, following)):
            back.units.extend(current.units)
            groups.remove(current)
            current = Group()
    return groups


def _nearer(paths: Paths, small: Group, before: Group, after: Unit) -> bool:
    """Whether a small group shares more of its path with the group before than with the section after."""
    first, last = small.units[0].section, small.units[-1].section
    behind = paths.depth(paths.common(before.units[-1].section, first))
    ahead = paths.depth(paths.common(last, after.section))
    return behind > ahead


def naming(paragraphs: Sequence[Paragraph], paths: Paths) -> int:
    """The innermost section that holds at least half of a text, by tokens; -1 where its sections have so much not in
    common."""
    sizes: dict[int, int] = {}
    for paragraph in paragraphs:
        for above in paths.chain(paragraph.section):
            sizes[above] = sizes.get(above, 0) + (0 if paragraph.heading else paragraph.tokens)
    half = sum(paragraph.tokens for paragraph in paragraphs if not paragraph.heading) / 2
    fitting = [section for section, size in sizes.items() if size >= half]
    return max(fitting, key=lambda section: (paths.depth(section), -section), default=-1)


def without_said(
    paragraphs: Sequence[Paragraph], section: int, paths: Paths, text_of: Callable[[Paragraph], str]
) -> list[Paragraph]:
    """Paragraphs without the headings that the path of `section` says; any other heading stays in the text."""
    return [
        paragraph for paragraph in paragraphs if not (paragraph.heading and paths.says(section, text_of(paragraph)))
    ]


def paragraph_groups(paragraphs: Sequence[Paragraph], minimum: int) -> list[list[Paragraph]]:
    """Runs of paragraphs that close on reaching `minimum`; a small last one joins the one before. None ends in a
    heading that has text after it."""
    runs: list[list[Paragraph]] = []
    current: list[Paragraph] = []
    size = 0
    for paragraph in paragraphs:
        current.append(paragraph)
        size += paragraph.tokens
        if size >= minimum and not paragraph.heading:
            runs.append(current)
            current, size = [], 0
    if current:
        if runs:
            runs[-1].extend(current)
        else:
            runs.append(current)
    return runs
