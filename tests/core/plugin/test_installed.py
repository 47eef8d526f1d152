"""What is installed is found as the standard library finds it (specs/01-contract.md)."""

import subprocess
import sys
import zipfile
from importlib.machinery import PathFinder
from importlib.metadata import DistributionFinder, EntryPoint, entry_points

import pytest

from pincite.plugin.installed import Installed, installed

BELLS = """
[console_scripts]
ring = bells:ring

# what the tower brings
[pincite.others]
no = no

[pincite]
source.bells = bells
command.ring=bells:Tower.ring [loud]
 # ranker.bells = bells
"""


def distribution(site, name, points, version="1.0", kind="dist-info"):
    folder = site / f"{name}-{version}.{kind}"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    if points is not None:
        (folder / "entry_points.txt").write_text(points)


def both(group="pincite"):
    """What we find and what the standard library does, of distributions of this test."""
    return tuple(
        [
            (one.name, one.value, one.dist.name, one.dist.version)
            for one in found
            if one.dist.name.startswith(("bells", "carillon"))
        ]
        for found in (installed(group), entry_points(group=group))
    )


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "meta_path", [*(one for one in sys.meta_path if not foreign(one))])
    monkeypatch.syspath_prepend(tmp_path / "site")
    return tmp_path / "site"


def foreign(finder):
    return finder is not PathFinder and hasattr(finder, "find_distributions")


def test_the_groups_of_this_environment_are_those_of_the_standard_library():
    for group in ("pincite", "console_scripts", "pytest11", "no such group"):
        ours, theirs = installed(group), entry_points(group=group)
        assert [(one.name, one.value) for one in ours] == [(one.name, one.value) for one in theirs]


def test_only_the_lines_of_the_section_count(site):
    distribution(site, "bells", BELLS)
    ours, theirs = both()
    assert ours == theirs
    assert [one[:2] for one in ours] == [("source.bells", "bells"), ("command.ring", "bells:Tower.ring [loud]")]
    assert all(isinstance(one, Installed) for one in installed("pincite"))


def test_of_two_distributions_of_one_name_the_first_on_the_path_counts(site, tmp_path, monkeypatch):
    distribution(site, "bells_tower", BELLS)
    distribution(site, "carillon", None)
    monkeypatch.syspath_prepend(tmp_path / "before")
    distribution(tmp_path / "before", "bells.tower", "[pincite]\nsource.new = new\n", "2.0", "egg-info")
    distribution(tmp_path / "before", "bells_spire", None)
    ours, theirs = both()
    assert ours == theirs == [("source.new", "new", "bells.tower", "2.0")]


def test_a_point_loads_the_module_or_what_it_names_of_it(site):
    site.mkdir()
    (site / "bells.py").write_text("class Tower:\n    ring = staticmethod(lambda: 'ding')\n")
    for value in ("bells:Tower.ring [loud]", "bells : Tower.ring", "bells:Tower.ring"):
        assert Installed("x", value, "").load()() == EntryPoint("x", value, "pincite").load()() == "ding"
    assert Installed("x", "bells", "").load() is sys.modules["bells"]
    with pytest.raises(ModuleNotFoundError):
        Installed("x", "no_bells", "").load()


def test_zip_files_and_other_finders_are_left_to_the_standard_library(site, tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "bells.zip", "w") as file:
        file.writestr("bells-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: bells\nVersion: 1.0\n")
        file.writestr("bells-1.0.dist-info/entry_points.txt", BELLS)
    with monkeypatch.context() as zipped:
        zipped.syspath_prepend(tmp_path / "bells.zip")
        assert ("source.bells", "bells") in [(one.name, one.value) for one in installed("pincite")]

    class Elsewhere(DistributionFinder):
        def find_distributions(self, context=None):
            return iter(())

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Elsewhere()])
    assert all(isinstance(one, EntryPoint) for one in installed("pincite"))


def test_finding_plugins_loads_no_mail_and_no_zip_package():
    script = (
        "import sys; from pincite.plugin.manager import Plugins; Plugins().names('source');"
        "print(*sorted({'email', 'zipfile', 'importlib.metadata'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_path_that_is_no_text_is_looked_through_too(site, monkeypatch):
    distribution(site, "bells", BELLS)
    monkeypatch.setattr(sys, "path", [site if one == str(site) else one for one in sys.path])
    assert site in sys.path
    assert {one.name for one in installed("pincite")} >= {"source.bells", "command.ring"}
