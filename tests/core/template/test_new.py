"""`pincite plugins new` (specs/01-contract.md, "A plugin of your own")."""

import tomllib

import pytest

from distributions import install, pincite, run
from pincite.errors import UsageError
from pincite.spec import KINDS
from pincite.template.new import KINDS as TEMPLATES
from pincite.template.new import write_plugin


def test_every_kind_but_the_store_has_a_template():
    assert sorted(TEMPLATES) == sorted(set(KINDS) - {"store"})


def test_every_template_passes_its_kit_as_generated(tmp_path):
    site = tmp_path / "site"
    for kind in TEMPLATES:
        write_plugin(f"my-{kind}", kind, tmp_path)
        install(tmp_path / f"pincite-my-{kind}", site)
    tests = [str(tmp_path / f"pincite-my-{kind}" / "tests") for kind in TEMPLATES]
    done = run(
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--import-mode=importlib",
        *tests,
        site=site,
        cwd=tmp_path,
        home=tmp_path / "home",
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "skipped" not in done.stdout


def test_what_is_written_can_be_built_and_names_its_entry_point(tmp_path):
    files = write_plugin("shoebox", "source", tmp_path)
    home = tmp_path / "pincite-shoebox"
    assert sorted(str(file.relative_to(home)) for file in files) == [
        "README.md",
        "pincite_shoebox.py",
        "pyproject.toml",
        "tests/test_shoebox.py",
        "tox.ini",
    ]
    data = tomllib.loads((home / "pyproject.toml").read_text())
    assert data["project"]["entry-points"]["pincite"] == {"source.shoebox": "pincite_shoebox"}
    compile((home / "pincite_shoebox.py").read_text(), "pincite_shoebox.py", "exec")


@pytest.mark.parametrize("name", ["Shoebox", "my_notes", "", "-x", "x-", "a--b", "class", "../x", "9x"])
def test_a_name_that_is_none_is_refused(tmp_path, name):
    with pytest.raises(UsageError, match="cannot be the name of a plugin"):
        write_plugin(name, "source", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_kind_without_a_template_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no template for the kind 'store'.*begins best as a copy"):
        write_plugin("shoebox", "store", tmp_path)
    with pytest.raises(UsageError, match="no template for the kind 'sauce'; there is: source, extractor"):
        write_plugin("shoebox", "sauce", tmp_path)


def test_nothing_is_written_over(tmp_path):
    write_plugin("shoebox", "source", tmp_path)
    with pytest.raises(UsageError, match="is there already"):
        write_plugin("shoebox", "picker", tmp_path)


def test_from_new_to_check_on_the_command_line(tmp_path):
    given = {"site": tmp_path / "site", "cwd": tmp_path, "home": tmp_path / "home"}
    made = pincite("plugins", "new", "short", "--kind", "fuser", **given)
    assert made.returncode == 0, made.stderr
    install(tmp_path / "pincite-short", tmp_path / "site")
    listed = pincite("plugins", **given)
    assert "fuser      short          pincite-short 0.1.0: pincite_short" in listed.stdout
    checked = pincite("plugins", "check", "short", **given)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert checked.stdout == "fuser.short: 10 tests passed, 0 failed\n"
