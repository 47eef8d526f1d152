"""Trees from markup, hostile markup included."""

from __future__ import annotations

from pincite.markup.parse import declared_encoding, parse_html, parse_xhtml, parse_xml

LAUGHS = """<?xml version="1.0"?><!DOCTYPE html [
<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
<!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;"><!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;">]>
<html xmlns="http://www.w3.org/1999/xhtml"><body><p>The crab &e; waits&nbsp;here.</p></body></html>"""


def text_of(root):
    return " ".join(root.xpath("string()").replace("\xa0", " ").split())


def test_entities_of_a_document_are_not_expanded():
    root = parse_xml(LAUGHS)
    assert root is not None
    assert text_of(root) == "The crab &e; waits here."


def test_a_file_named_by_an_entity_is_not_read(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the warden's key")
    source = f'<!DOCTYPE html [<!ENTITY x SYSTEM "{secret.as_uri()}">]><html><body><p>Tide &x;.</p></body></html>'
    assert "key" not in text_of(parse_xml(source))
    assert "key" not in text_of(parse_html(source))


def test_xhtml_that_is_broken_is_read_as_html():
    root = parse_xhtml("<html><body><p>Ebb<p>and <b>flow</body>")
    assert text_of(root) == "Ebband flow"
    assert [child.tag for child in root] == ["head", "body"]


def test_elements_closed_in_themselves_are_closed_in_broken_xhtml_too():
    root = parse_xhtml('<html><head><title/><script src="x"/></head><body><p>Ebb<br/> & flow<a id="n"/>.</body></html>')
    assert root.xpath("string(//body)") == "Ebb & flow."


def test_rows_of_a_table_stand_in_a_body_as_in_a_browser():
    root = parse_html("<table><tr><td>a</td></tr><tr><td>b</td></tr></table>")
    assert [row.getparent().tag for row in root.iter("tr")] == ["tbody", "tbody"]


def test_pictures_inside_attributes_are_left_out_and_text_is_not():
    picture = "data:image/png;base64," + "A" * 3_000_000
    root = parse_html(f'<p><img src="{picture}" alt="A pool">data:text is text</p>')
    assert root.xpath("//img/@src") == ["data:,"]
    assert text_of(root) == "data:text is text"


def test_deep_nesting_and_control_characters_do_no_harm():
    assert parse_html("<div>" * 20_000 + "tide") is not None
    assert text_of(parse_html("<p>ti\x00de \x07ebb</p>")) == "ti\ufffdde \ufffdebb"
    assert parse_html("") is None


def test_the_label_that_a_file_gives_its_encoding():
    assert declared_encoding(b'<?xml version="1.0" encoding="Shift_JIS"?><html/>') == "Shift_JIS"
    assert declared_encoding(b"<html><head><meta charset=koi8-r>") == "koi8-r"
    assert declared_encoding(b'<meta http-equiv="Content-Type" content="text/html; charset=big5">') == "big5"
    assert declared_encoding(b"<p>charset") == ""
