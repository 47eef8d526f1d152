import pytest

from pincite.testing import SourceKit
from pincite_obsidian import ObsidianVault

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
