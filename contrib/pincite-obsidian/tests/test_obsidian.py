import os
import sys

import pytest

from pincite.testing import SourceKit
from pincite_obsidian import markup
from pincite_obsidian.source import ObsidianVault

NOTE = """---
title: Kelp forests
aliases: [seaweed woods, Tangwald]
tags: [ocean, "#shore"]
authors:
  - Ada Okafor
date: 2018-05-04
---
See [[Glocken und Zeit|the bells]] and [[Plots/One#Density]]. #field/work `#not-a-tag`

The holdfast grips
the rock. ^hold-1

![[storm.pdf#page=2]] ![[gone.pdf]]

```
code ^no-anchor
[[no link]]
```
"""


class TestObsidian(SourceKit):
    name = "obsidian"

    def library(self, folder):
        vault = folder / "Vault"
        (vault / ".obsidian").mkdir(parents=True)
        (vault / ".obsidian" / "hidden.md").write_text("no note")
        (vault / "Plots").mkdir()
        (vault / "Kelp.md").write_text(NOTE, "utf-8")
        (vault / "Plots" / "One.md").write_text("# Density\n\nTwelve urchins.", "utf-8")
        (vault / "Glocken und Zeit.md").write_text("Die Glocke schlägt.", "utf-8")
        (vault / "files").mkdir()
        (vault / "files" / "storm.pdf").write_bytes(b"%PDF-1.7")
        return vault


@pytest.fixture
def records(tmp_path):
    return {one.item.id: one for one in ObsidianVault(TestObsidian().library(tmp_path)).records()}


def test_front_matter_tags_links_and_folder_make_the_item(records):
    item = records["Kelp"].item
    assert (item.title, item.alternative_titles, item.year) == ("Kelp forests", ("seaweed woods", "Tangwald"), 2018)
    assert [creator.family for creator in item.creators] == ["Ada Okafor"]
    assert item.tags == ("ocean", "shore", "field/work")
    assert item.identifiers == ("[[Glocken und Zeit]]", "[[Plots/One]]")
    assert item.link == "obsidian://open?vault=Vault&file=Kelp"
    assert records["Plots/One"].item.collections == ("Plots",)
    assert sorted(records) == ["Glocken und Zeit", "Kelp", "Plots/One"]


def test_a_block_anchor_is_an_annotation_that_opens_there(records):
    (mark,) = records["Kelp"].annotations
    assert (mark.id, mark.text) == ("Kelp#^hold-1", "The holdfast grips the rock.")
    assert mark.link == "obsidian://open?vault=Vault&file=Kelp%23%5Ehold-1"


def test_embedded_files_are_found_by_their_name_or_missing(records):
    own, storm, gone = records["Kelp"].attachments
    assert own.path.endswith("Kelp.md")
    assert storm.path.endswith("files/storm.pdf")
    assert gone.missing == "gone.pdf is not in the vault"


@pytest.mark.parametrize(
    ("body", "links", "tags"),
    [
        ("#one #2024-tides #1984 x#no #Küste/Nord/ # Heading", (), ("one", "2024-tides", "Küste/Nord")),
        ("%% [[secret]] #secret %% [[open]]", ("open",), ()),
        ("[[open]] %% [[secret]]\n#secret", ("open",), ()),
        ("<!-- #secret --> #open", (), ("open",)),
        ("````\n```\n[[code]] #code\n```\n[[code]]\n````\n[[open]]", ("open",), ()),
        ("- in a list\n  ```\n  [[code]]\n  ```\n[[open]]", ("open",), ()),
        ("~~~\n[[code]] ``` #code", (), ()),
        ("``a ` [[b]]`` `[[code]]` [[open]]", ("b", "open"), ()),
    ],
)
def test_code_and_comments_hold_no_links_and_tags(body, links, tags):
    shown = markup.seen(body)
    assert (markup.links(shown), markup.tags(shown), shown.count("\n")) == (links, tags, body.count("\n"))


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        ("# Tides\nThe holdfast *grips*\nthe [[rock|stone]]. ^a", [("a", "Tides The holdfast grips the stone.")]),
        (
            "- one\n- [x] two **limpets** ^a\n    1. three\n       whelks ^b",
            [("a", "two limpets"), ("b", "three whelks")],
        ),
        ("- one\n- two\n\n^a", [("a", "one two")]),
        ("> [!note] Call\n> urchins eat `kelp` ^a", [("a", "Call urchins eat kelp")]),
        ("| plot | n |\n|---|---|\n| A | 12 |\n^a", [("a", "plot n A 12")]),
        ("one ^a\ntwo ^b", [("a", "one"), ("b", "two")]),
        ("[^1]: a note about [tides](https://x.test). ^a", [("a", "a note about tides.")]),
        ("x^a\n\n`y ^b`\n", []),
        ("2 * 3 * 4 and kelp_forest_plot ^a", [("a", "2 * 3 * 4 and kelp_forest_plot")]),
    ],
)
def test_an_anchor_names_its_own_block_in_words(body, blocks):
    assert list(markup.anchored(body, markup.seen(body))) == blocks


@pytest.mark.parametrize(
    "body",
    [
        " ^a" * 50_000,
        "word " * 50_000 + "^a",
        " \n" * 50_000 + "x ^b",
        "a" + "`" * 50_000,
        "<!--%%" * 20_000,
        "![[" * 20_000,
    ],
)
def test_a_note_of_any_shape_is_gone_through_once(body):
    shown = markup.seen(body)
    list(markup.anchored(body, shown)), markup.embeds(shown), markup.tags(shown)
    assert len(shown) == len(body)


def test_documents_are_embedded_once_each_and_from_the_vault_alone(tmp_path):
    vault = TestObsidian().library(tmp_path)
    (tmp_path / "outside.pdf").write_bytes(b"%PDF-1.7")
    (vault / "Plots" / "storm two.pdf").write_bytes(b"%PDF-1.7")
    (vault / "Plots" / "Two.md").write_text(
        f"![](../files/storm.pdf) ![[storm.pdf]] ![x](storm%20two.pdf#page=3) ![y](<storm two.pdf>) ![[../outside.pdf]] "
        f"![z](https://x.test/kelp.pdf) ![[{tmp_path}/outside.pdf]] ![[One]]",
        "utf-8",
    )
    record = next(one for one in ObsidianVault(vault).records() if one.item.id == "Plots/Two")
    there = {one.path.rpartition("Vault/")[2]: one.link for one in record.attachments[1:] if one.path}
    assert list(there) == ["files/storm.pdf", "Plots/storm two.pdf"]
    assert all(link.startswith("file://") and link.endswith("#page={page}") for link in there.values())
    assert len([one for one in record.attachments if one.missing]) == 2


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a folder that may not be read")
def test_a_folder_that_cannot_be_read_is_told(tmp_path):
    vault = TestObsidian().library(tmp_path)
    (vault / "Plots").chmod(0)
    try:
        first = next(ObsidianVault(vault).records())
    finally:
        (vault / "Plots").chmod(0o700)
    assert (first.where, first.reason) == (str(vault / "Plots"), "cannot be read: Permission denied")


@pytest.mark.skipif(sys.platform != "linux", reason="names of files that are bytes")
def test_a_name_that_is_not_utf8_is_told(tmp_path):
    vault = TestObsidian().library(tmp_path)
    (vault / os.fsdecode(b"kelp\xff.md")).write_text("kelp")
    problem, *records = ObsidianVault(vault).records()
    assert "is not UTF-8; rename it" in problem.reason
    assert len(records) == 3
