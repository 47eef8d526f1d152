"""What a heading says."""

from __future__ import annotations

import pytest

from pincite.markup.headings import heading_role, lead_role, numbering


@pytest.mark.parametrize(
    ("title", "role"),
    [
        ("References", "references"),
        ("REFERENCES AND NOTES", "references"),
        ("7. Works Cited", "references"),
        ("Literaturverzeichnis", "references"),
        ("Références bibliographiques", "references"),
        ("Bibliografía", "references"),
        ("参考文献", "references"),
        ("參考文獻", "references"),
        ("引用文献", "references"),
        ("参考文献：", "references"),
        ("Abstract", "abstract"),
        ("A B S T R A C T", "abstract"),
        ("Zusammenfassung", "abstract"),
        ("Résumé", "abstract"),
        ("摘　要", "abstract"),
        ("要旨", "abstract"),
        ("Schlüsselwörter", "keywords"),
        ("Mots-clés", "keywords"),
        ("关键词", "keywords"),
        ("1 Introduction", "introduction"),
        ("Einführung", "introduction"),
        ("はじめに", "introduction"),
        ("Reference frames", ""),
        ("A reference to the literature of the sea", ""),
        ("Results", ""),
    ],
)
def test_parts_of_a_work_are_known_by_name(title, role):
    assert heading_role(title) == role


@pytest.mark.parametrize(
    ("title", "level"),
    [
        ("1 Ebb", 1),
        ("2.1 Flow", 2),
        ("2.1.3. Neap tides", 3),
        ("IV. The shore", 1),
        ("A.1 Tables", 2),
        ("Chapter 12: The cove", 1),
        ("Kapitel 3 Die Bucht", 1),
        ("第三章 海岸", 1),
        ("第2節 蟹", 2),
        ("一、引言", 1),
        ("（二）方法", 2),
        ("§ 4 Law of the shore", 1),
        ("Ebb and flow", None),
        ("2011 was a dry year", None),
        ("Mixed tides", None),
    ],
)
def test_the_number_gives_the_level(title, level):
    found = numbering(title)
    assert (found[0] if found else None) == level


@pytest.mark.parametrize(
    ("paragraph", "role", "rest"),
    [
        ("Abstract. We watched crabs.", "abstract", "We watched crabs."),
        ("Keywords: tide, crab", "keywords", "tide, crab"),
        ("摘要：我们观察了螃蟹。", "abstract", "我们观察了螃蟹。"),
        ("【关键词】潮汐", "keywords", "潮汐"),
        ("Abstract art was on show.", "", "Abstract art was on show."),
        ("We watched crabs.", "", "We watched crabs."),
    ],
)
def test_a_paragraph_may_begin_with_the_name_of_its_part(paragraph, role, rest):
    found, at = lead_role(paragraph)
    assert found == role
    assert paragraph[at:] == rest
