"""What the head of a web page says of the work: Highwire (citation_*), Dublin Core, Open Graph and plain names."""

from __future__ import annotations

from pincite.markup.parse import Element, local_name
from pincite.metadata.dates import year_of
from pincite.metadata.identifiers import clean_doi
from pincite.metadata.languages import language_code

# Key → names of meta elements, the most trustworthy first. Google Scholar's inclusion guidelines give the citation_*
# ones.
_NAMES = {
    "title": "citation_title dc.title dcterms.title bepress_citation_title prism.title eprints.title og:title "
    "twitter:title",
    "author": "citation_author citation_authors bepress_citation_author dc.creator dcterms.creator "
    "eprints.creators_name author article:author parsely-author sailthru.author",
    "date": "citation_publication_date citation_date citation_online_date citation_year bepress_citation_date "
    "dcterms.issued dc.date.issued dc.date dcterms.date prism.publicationdate article:published_time "
    "datepublished date",
    "doi": "citation_doi bepress_citation_doi prism.doi dc.identifier.doi dc.identifier dcterms.identifier doi",
    "venue": "citation_journal_title citation_conference_title citation_inbook_title prism.publicationname "
    "dc.source dcterms.ispartof og:site_name",
    "publisher": "citation_publisher dc.publisher dcterms.publisher citation_dissertation_institution",
    "isbn": "citation_isbn",
    "language": "citation_language dc.language dcterms.language content-language og:locale",
    "keywords": "citation_keywords keywords dc.subject dcterms.subject article:tag",
    "abstract": "citation_abstract dc.description.abstract dcterms.abstract",
    "description": "description dc.description og:description",
    "url": "citation_public_url og:url",
}
_NAMING = ("name", "property", "itemprop", "http-equiv")
_XHTML = "{http://www.w3.org/1999/xhtml}"
_SEVERAL = frozenset(("author", "keywords"))
_LONGEST = 20_000


def head_metadata(root: Element) -> dict[str, str]:
    """Metadata of an HTML document, tidied. Several authors or keywords are apart by "; "."""
    said: dict[str, list[str]] = {}
    title = ""
    for element in root.iter("meta", "title", f"{_XHTML}meta", f"{_XHTML}title"):
        if local_name(element) == "title":
            parent = element.getparent()
            if not title and parent is not None and local_name(parent) in ("head", "html", "body"):
                title = " ".join(element.xpath("string()").split())
            continue
        name = next((value for key in _NAMING if (value := element.get(key))), "")
        value = " ".join((element.get("content") or "").split())[:_LONGEST]
        if value:
            said.setdefault(name.strip().lower().replace("dc:", "dc.").replace("dcterms:", "dcterms."), []).append(
                value
            )
    out: dict[str, str] = {}
    for key, names in _NAMES.items():
        for name in names.split():
            values = said.get(name)
            if values:
                out[key] = "; ".join(dict.fromkeys(values)) if key in _SEVERAL else values[0]
                break
    if title and "title" not in out:
        out["title"] = title
    language = root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
    if language and "language" not in out:
        out["language"] = language
    return tidied(out)


def tidied(found: dict[str, str]) -> dict[str, str]:
    """Metadata with `doi` a DOI and `language` an ISO 639-1 code, or left out; `year` taken from `date`; no empty
    value."""
    out = {key: " ".join(value.split()) for key, value in found.items() if value and value.strip()}
    if "doi" in out:
        out["doi"] = clean_doi(out["doi"])
    if "language" in out:
        out["language"] = language_code(out["language"])
    if "year" not in out and (year := year_of(out.get("date", ""))):
        out["year"] = str(year)
    if out.get("author", "").lower().startswith(("http://", "https://")):
        del out["author"]
    return {key: value for key, value in out.items() if value}
