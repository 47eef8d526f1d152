"""The guides in docs/ do what they say: their code blocks are installed, configured, checked by their kits and used."""

import json
import re
from pathlib import Path

import pytest

from distributions import install, pincite, run
from pincite.template.new import write_plugin

DOCS = Path(__file__).parents[3] / "docs"
BLOCK = re.compile(r"```\w+\n# (?P<name>[\w/.-]+)\n(?P<code>.*?)```", re.S)


@pytest.fixture(
    scope="module",
    params=[("source", "shoebox"), ("embedder", "hashes"), ("ranker", "brevity")],
    ids=lambda pair: pair[0],
)
def guide(request, tmp_path_factory):
    """A guide followed to its end: (kind, name, its code blocks, how to run a command)."""
    kind, name = request.param
    folder = tmp_path_factory.mktemp(name)
    article = "an" if kind[0] in "aeiou" else "a"
    text = (DOCS / f"write-{article}-{kind}.md").read_text("utf-8")
    assert f"pincite plugins new {name} --kind {kind}" in text
    write_plugin(name, kind, folder)
    blocks = {found["name"]: found["code"] for found in BLOCK.finditer(text)}
    for place, code in blocks.items():
        inside = folder / f"pincite-{name}" if place.startswith(("pincite_", "tests/")) else folder
        (inside / place).write_text(code, "utf-8")
    install(folder / f"pincite-{name}", folder / "site")
    return kind, name, blocks, {"site": folder / "site", "cwd": folder, "home": folder / "home"}


def test_its_module_is_under_40_lines(guide):
    _, name, blocks, _ = guide
    lines = [line for line in blocks[f"pincite_{name}.py"].splitlines() if line.strip()]
    assert len(lines) < 40


def test_its_tests_pass(guide):
    _, name, _, given = guide
    done = run(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib", f"pincite-{name}/tests", **given
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "skipped" not in done.stdout


def test_it_is_listed(guide):
    kind, name, _, given = guide
    done = pincite("plugins", **given)
    assert done.returncode == 0, done.stdout
    assert re.search(rf"^{kind} +{name} +pincite-{name} 0.1.0: pincite_{name}$", done.stdout, re.M)


def test_it_is_used_as_the_guide_says(guide):
    kind, _, blocks, given = guide
    library = given["cwd"] / "papers"
    library.mkdir(exist_ok=True)
    (library / "kelp.md").write_text("# Kelp\n\nThe holdfast of kelp grips the rock while urchins graze.")
    (library / "bells.md").write_text("# Bells and the measure of time\n\nThe bell hangs from an iron beam.")
    if kind == "source":
        library = given["cwd"] / "cards.shoebox"
    configuration = given["cwd"] / "used.toml"
    configuration.write_text(
        blocks.get("pincite.toml", "") + ('\n[embedder]\nuse = "trigrams"\n' if kind != "embedder" else "")
    )
    (given["cwd"] / "pincite_local.py").write_text(
        "from pincite.spec import hookimpl\nfrom pincite.testing.samples import TrigramEmbedder\n\n\n"
        "@hookimpl\ndef register_embedders(register):\n    register('trigrams', lambda settings, context: TrigramEmbedder())\n"
    )
    done = pincite(
        "search",
        "--config",
        str(configuration),
        "--library",
        str(library),
        "--json",
        "the holdfast of kelp grips the rock",
        **given,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert not found["degraded"], found["degraded"]
    assert "elp" in found["hits"][0]["item"]["title"]
    if kind == "ranker":
        assert "brevity" in found["hits"][0]["evidence"]
    if kind == "embedder":
        assert "vector" in found["hits"][0]["evidence"]
    if kind == "source":
        assert "holdfast" in found["hits"][0]["passages"][0]["text"]
