"""HTML → pack."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.errors import Unreadable
from pincite.markup.parse import local_name, parse_html
from pincite.values.pack import BlockKind, Flow
from pincite_plugins.extractors.html.extractor import HtmlExtractor

WHITE = str.maketrans("\n\r\t\f", "    ")
PROSE = "The crab waits under the stone until the water is back, and nobody has seen it leave before that. "


def resolve(root, selector):
    """The element of a selector, by the few forms that are written."""
    first, *steps = selector.split(">")
    if found := re.fullmatch(r'#([\w-]+)|\[id="(.*)"\]', first):
        (element,) = root.xpath("//*[@id=$id]", id=(found[1] or found[2]).replace('\\"', '"').replace("\\\\", "\\"))
    else:
        element = root if first == "html" else next(child for child in root if local_name(child) == first)
    for step in steps:
        name, number = re.fullmatch(r"(.+):nth-of-type\((\d+)\)", step).groups()
        name = re.sub(r"\\(.)", r"\1", name)
        element = [child for child in element if local_name(child) == name][int(number) - 1]
    return element


def pack_of(source, **options):
    pack = HtmlExtractor(**options).pack_of(source, "a.html")
    root = parse_html(source)
    for run in pack.runs:
        element = resolve(root, run.target)
        held = element.get("alt").strip() if local_name(element) == "img" else element.xpath("string()")
        length = run.end - run.start
        assert pack.text[run.start : run.end].translate(WHITE) == held[run.offset : run.offset + length].translate(
            WHITE
        )
    return pack


def shown(source, **options):
    pack = pack_of(source, **options)
    return [(b.kind.value, pack.text[b.start : b.end]) for b in pack.blocks if b.flow is not Flow.EXCLUDED]


@pytest.mark.parametrize(
    ("source", "blocks"),
    [
        ("<p>The <b>shore</b>\n  crab</p><p>waits</p>", [("paragraph", "The shore crab"), ("paragraph", "waits")]),
        (
            "<h1>Tides <a href='#x'>¶</a></h1>Text<p>more",
            [("heading", "Tides"), ("paragraph", "Text"), ("paragraph", "more")],
        ),
        ("<ul><li>a net<li>a lamp<ul><li>oil</ul></ul>", [("list", "a net"), ("list", "a lamp"), ("list", "oil")]),
        ("<blockquote><p>they wait</blockquote>", [("blockquote", "they wait")]),
        ("<pre>a\n  b<br>c</pre>", [("preformatted", "a\n  b\nc")]),
        ("<p>one<br>two<br><br>three", [("paragraph", "one\ntwo"), ("paragraph", "three")]),
        ("<p>H<sub>2</sub>O in 10<sup>3</sup> pools</p>", [("paragraph", "H2O in 103 pools")]),
        ("<p>seen<sup><a href='#n1'>[12]</a></sup> before</p>", [("paragraph", "seen before")]),
        ("<p><ruby>潮<rp>(</rp><rt>しお</rt><rp>)</rp></ruby>が満ちる</p>", [("paragraph", "潮が満ちる")]),
        ("<p>a<script>x()</script>b<style>p{}</style></p>", [("paragraph", "ab")]),
        ("<p>seen <span style='display: none'>secret</span>here</p>", [("paragraph", "seen here")]),
        ("<p>seen <template>secret</template><!-- note -->here</p>", [("paragraph", "seen here")]),
        ("<dl><dt>Ebb<dd>the water goes</dl>", [("list", "Ebb"), ("list", "the water goes")]),
        ("<p>a&nbsp;b &mdash; c&#x41;</p>", [("paragraph", "a\xa0b — cA")]),
        (
            "<table><caption>Counts</caption><tr><th>Site<th>Days<tr><td>Cove<td>11</table>",
            [("caption", "Counts"), ("table", "Site\tDays\nCove\t11")],
        ),
        (
            "<table><tr><td>" + PROSE * 8 + "<td>" + PROSE * 8 + "<tr><td>a<td>b</table>",
            [
                ("paragraph", (PROSE * 8).strip()),
                ("paragraph", (PROSE * 8).strip()),
                ("paragraph", "a"),
                ("paragraph", "b"),
            ],
        ),
        (
            "<figure><img alt='A crab under a stone' src=x><figcaption>The crab</figcaption></figure>",
            [("image", "A crab under a stone"), ("caption", "The crab")],
        ),
        ("<p>x <img alt='IMG_0001.jpg'> <img alt='logo'> y</p>", [("paragraph", "x y")]),
        ("<div role=heading aria-level=2>Ebb</div>", [("heading", "Ebb")]),
    ],
)
def test_blocks(source, blocks):
    assert shown(source) == blocks


def test_sections_follow_headings():
    pack = pack_of("<h1>A</h1><h2>B</h2><p>b<h3>C</h3><p>c<h2>D</h2><p>d")
    paths = [pack.section_path(b.section) for b in pack.blocks if b.kind is BlockKind.PARAGRAPH]
    assert paths == [("A", "B"), ("A", "B", "C"), ("A", "D")]


@pytest.mark.parametrize(
    "formula",
    [
        '<math><semantics><mrow><mi>u</mi></mrow><annotation encoding="application/x-tex">u^2</annotation></semantics></math>',
        '<math alttext="u^2"><mi>u</mi></math>',
        '<script type="math/tex">u^2</script>',
        '<span class="MathJax_Preview">u²</span><span class="MathJax">u2</span><script type="math/tex">u^2</script>',
        '<span style="display: none"><math><annotation encoding="application/x-tex">u^2</annotation></math></span>'
        '<img aria-hidden="true" alt="u^2" src="u.svg">',
        '<span class="katex"><span class="katex-mathml"><math><annotation encoding="application/x-tex">u^2</annotation></math>'
        '</span><span class="katex-html" aria-hidden="true">u2</span></span>',
        '<img class="tex" alt="u^2" src="u.png">',
    ],
)
def test_a_formula_is_its_source_once(formula):
    assert shown(f"<p>Where {formula} holds.</p>") == [("paragraph", "Where u^2 holds.")]


def test_notes_stand_apart_and_lead_nowhere_back():
    source = (
        "<p>Text<a class='footnote-ref' href='#fn1'>1</a>.</p>"
        "<section class='footnotes'><ol><li id=fn1><p>A note. <a class='footnote-back' href='#r'>↩</a></p></li></ol></section>"
    )
    pack = pack_of(source)
    assert [(b.kind.value, b.flow.value, pack.text[b.start : b.end]) for b in pack.blocks] == [
        ("paragraph", "body", "Text."),
        ("note", "auxiliary", "A note."),
    ]


def test_bibliographies_are_marked_by_class_or_by_heading():
    by_class = pack_of(
        "<p>Text</p><div class='csl-bib-body'><div class='csl-entry'>Noor, Shore.</div></div><p>After</p>"
    )
    assert [b.reference for b in by_class.blocks] == [False, True, False]
    entry = "<li>Noor, A. (2011). Shore rhythms. Journal of Tides 4(2), 11-19.</li>"
    by_heading = pack_of(f"<h2>Text</h2><p>x</p><h2>References</h2><ol>{entry}{entry}</ol><h2>Appendix</h2><p>y</p>")
    assert [b.reference for b in by_heading.blocks] == [False, False, False, True, True, False, False]


def test_menus_and_banners_are_excluded_and_the_work_is_not():
    links = "".join(f"<li><a href=/{n}>Harbour news {n}</a></li>" for n in range(8))
    source = (
        f"<body><header>The Harbour Post</header><nav><ul>{links}</ul></nav><div class='cookie-banner'>We use cookies.</div>"
        f"<main><h1>Tides</h1><p>{PROSE * 5}</p><div class='related-posts'><ul>{links}</ul></div></main>"
        f"<aside><ul>{links}</ul></aside><footer>All rights reserved</footer></body>"
    )
    assert [text[:5] for _, text in shown(source)] == ["Tides", "The c"]
    assert len(shown(source, keep_everything=True)) > 10


def test_a_long_text_is_never_a_menu_whatever_its_name():
    source = f"<body><p>{PROSE}</p><div id='sharing-a-pool'><h2>Sharing a pool</h2><p>{PROSE * 6}</p></div></body>"
    assert len(shown(source)) == 3


def test_selectors_begin_at_the_nearest_id_that_is_unique():
    pack = pack_of("<div id=m><p>a<p>b</div><div><p id=x>c<p id=x>d<p id='2 x'>e</div>")
    assert [run.target for run in pack.runs] == [
        "#m>p:nth-of-type(1)",
        "#m>p:nth-of-type(2)",
        "body>div:nth-of-type(2)>p:nth-of-type(1)",
        "body>div:nth-of-type(2)>p:nth-of-type(2)",
        '[id="2 x"]',
    ]


def test_a_table_is_one_place():
    pack = pack_of("<table id=t><tr><th>Site<th>Days<tr><td>Cove<td>11</table>")
    assert {run.target for run in pack.runs} == {"#t"}


def test_metadata_of_the_head():
    source = (
        "<html lang=de><head><title>x</title><meta name=citation_title content='The Tidal Clock'>"
        "<meta name=citation_author content='Noor, Amina'><meta name=citation_author content='Ito, Kenji'>"
        "<meta name=citation_publication_date content='2011/04/02'><meta name=citation_doi content='doi:10.1234/ABC.5'>"
        "<meta property='og:title' content='other'></head><body><p>Text</p>"
    )
    metadata = pack_of(source).metadata
    assert metadata["title"] == "The Tidal Clock"
    assert metadata["author"] == "Noor, Amina; Ito, Kenji"
    assert (metadata["year"], metadata["doi"], metadata["language"]) == ("2011", "10.1234/abc.5", "de")


def test_printed_pages_are_told_where_they_are_marked():
    pack = pack_of("<p>front</p><span role=doc-pagebreak aria-label='xii'></span><p>on it</p>")
    assert [page.label for page in pack.pages] == ["xii"]
    assert [block.page for block in pack.blocks] == [None, 1]


def test_xhtml_closes_what_it_closes(tmp_path):
    path = tmp_path / "a.xhtml"
    path.write_text(
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title><script src="x"/></head>'
        "<body><p>Crabs wait&nbsp;here.</p></body></html>"
    )
    assert HtmlExtractor().extract(path).text == "Crabs wait\xa0here."


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("<meta charset=koi8-r><p>Крабы ждут".encode("koi8-r"), "Крабы ждут"),
        ("<meta charset=shift_jis><p>潮が満ちる".encode("cp932"), "潮が満ちる"),
        ("\ufeff<p>Größe".encode("utf-16-le"), "Größe"),
        ("<p>Größe der Krabben für süße Gäste".encode("cp1252"), "Größe der Krabben für süße Gäste"),
        ("<meta charset=iso-8859-1><p>„Größe“".encode(), "„Größe“"),
    ],
)
def test_encodings(tmp_path, data, text):
    path = tmp_path / "a.html"
    path.write_bytes(data)
    assert HtmlExtractor().extract(path).text == text


@pytest.mark.parametrize(
    ("data", "verdict"),
    [
        (b"", "empty"),
        (b"<html><body><img src=x></body></html>", "no-text"),
        (b"<body><nav>Menu only</nav></body>", "no-text"),
        (b"just words", "not-a-document"),
        (b"%PDF-1.4 <html>", "not-a-document"),
        (bytes(range(256)) * 40, "not-a-document"),
    ],
)
def test_what_holds_no_text_is_said_so(tmp_path, data, verdict):
    path = tmp_path / "a.html"
    path.write_bytes(data)
    with pytest.raises(Unreadable) as caught:
        HtmlExtractor().extract(path)
    assert caught.value.verdict == verdict


def test_a_snapshot_with_its_pictures_inside():
    picture = "data:image/png;base64," + "A" * 5_000_000
    source = f"<style>p{{background:url({picture})}}</style><p><img src='{picture}' alt='A pool at low tide'>Text</p>"
    assert shown(source) == [("paragraph", "Text"), ("image", "A pool at low tide")]


TAGS = st.sampled_from(
    ["p", "div", "b", "li", "table", "tr", "td", "h2", "pre", "br", "sup", "math", "aside", "x-y", "span"]
)
PARTS = st.one_of(
    st.text(alphabet="ab 1\n潮&<é\xa0", max_size=8),
    TAGS.map(lambda name: f"<{name}>"),
    TAGS.map(lambda name: f"</{name}>"),
    st.sampled_from(["<p id=a>", "<p id='b c'>", "<!-- x -->", "<img alt='one two three'>", "<td hidden>", "<nav>"]),
)


@settings(max_examples=300)
@given(st.lists(PARTS, max_size=30).map("".join))
def test_any_markup_is_taken_and_runs_are_exact(source):
    try:
        pack = pack_of(source, keep_everything=True)
    except Unreadable:
        return
    end = 0
    for block in pack.blocks:
        assert end <= block.start < block.end
        end = block.end


@pytest.mark.corpora
def test_pages_of_the_corpora_have_their_text(corpora):
    wanted = {
        "lemonde-1.html": "adopté à une large majorité",
        "hukumusume.html": "肉をくわえたイヌが、橋を渡っていました",
        "qq.html": "谷歌(微博) 在2014年收购的人工智能公司",
        "wikipedia-3.html": "a complex square matrix that is equal to its own conjugate transpose",
        "v8-blog.html": "with optional JS in a single command",
        "google-sre-book-1.html": "There’s no uniformly shared vocabulary",
        "mercurial.html": "The key to shared mutable history is to keep your changesets in draft phase",
        "zotsite-snapshot-i514.html": "To-do lists are a popular medium",
    }
    for name, part in wanted.items():
        pack = HtmlExtractor().extract(corpora / "docs" / "html" / name)
        kept = [pack.text[b.start : b.end] for b in pack.blocks if b.flow is not Flow.EXCLUDED]
        assert any(part in text for text in kept), name
