"""Zotero's item types, creator types and annotation types in the words of CSL and of pincite.

Source: the mapping that Zotero exports CSL-JSON with, https://github.com/zotero/zotero-schema (schema.json, "csl").
"""

from __future__ import annotations

from pincite.values.library import AnnotationKind

CSL_TYPES = {
    "artwork": "graphic",
    "audioRecording": "song",
    "bill": "bill",
    "blogPost": "post-weblog",
    "book": "book",
    "bookSection": "chapter",
    "case": "legal_case",
    "computerProgram": "software",
    "conferencePaper": "paper-conference",
    "dataset": "dataset",
    "dictionaryEntry": "entry-dictionary",
    "document": "document",
    "email": "personal_communication",
    "encyclopediaArticle": "entry-encyclopedia",
    "film": "motion_picture",
    "forumPost": "post",
    "hearing": "hearing",
    "instantMessage": "personal_communication",
    "interview": "interview",
    "journalArticle": "article-journal",
    "letter": "personal_communication",
    "magazineArticle": "article-magazine",
    "manuscript": "manuscript",
    "map": "map",
    "newspaperArticle": "article-newspaper",
    "patent": "patent",
    "podcast": "song",
    "preprint": "article",
    "presentation": "speech",
    "radioBroadcast": "broadcast",
    "report": "report",
    "standard": "standard",
    "statute": "legislation",
    "thesis": "thesis",
    "tvBroadcast": "broadcast",
    "videoRecording": "motion_picture",
    "webpage": "webpage",
}

# Creator types that are not here are CSL's own name (editor, translator, director, recipient, …). A type's main
# creator is its author, as in Zotero's lists.
ROLES = {
    "artist": "author",
    "attorneyAgent": "contributor",
    "bookAuthor": "container-author",
    "cartographer": "author",
    "castMember": "performer",
    "commenter": "contributor",
    "cosponsor": "contributor",
    "counsel": "contributor",
    "creator": "author",
    "executiveProducer": "executive-producer",
    "interviewee": "author",
    "inventor": "author",
    "originalCreator": "original-author",
    "podcaster": "author",
    "presenter": "author",
    "programmer": "author",
    "reviewedAuthor": "reviewed-author",
    "scriptwriter": "script-writer",
    "seriesCreator": "series-creator",
    "seriesEditor": "collection-editor",
    "sponsor": "author",
    "wordsBy": "contributor",
}

ANNOTATIONS = {
    1: AnnotationKind.HIGHLIGHT,
    2: AnnotationKind.NOTE,
    3: AnnotationKind.IMAGE,
    4: AnnotationKind.INK,
    5: AnnotationKind.UNDERLINE,
    6: AnnotationKind.TEXT,
}
