"""Makes mutants of the built-in plugins and runs the contract kits on them: how much do the kits catch?

    python tests/mutants.py [--each N] [--only fuser.rrf]

A mutant that its kit lets pass is a hole in the kit, or it changes what the contract leaves to the plugin (how a paragraph is told), which the
plugin's own tests hold. What these let pass too changes nothing that can be seen: `tests/mutants.toml` says why of each. The exit code is 1 where one
survives that is not explained there, and where an explanation is of a mutant that is caught.

A mutant is one change of one node: a comparison turned, an arithmetic operator exchanged, a number moved by one, `and` and `or` exchanged, a condition
negated, `sorted` and `reversed` taken out, a returned value dropped. The same seed chooses the same mutants, by a hash of each one's words, so that a
change to one line of a file leaves the choice among the others as it is. The working tree is not touched: a mutant
lives in a temporary copy of ``plugins/`` that stands before the installed one.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLUGINS = ROOT / "plugins" / "pincite_plugins"
EXPLAINED = Path(__file__).with_suffix(".toml")

SUBJECTS = {
    "fuser.rrf": (("fusers/rrf/rrf.py",), ("fusers/rrf/test_contract.py",)),
    "chunker.structural": (
        ("chunkers/structural/chunker.py", "chunkers/structural/groups.py"),
        ("chunkers/structural/test_contract.py",),
    ),
    "extractor.text": (
        ("extractors/text/extractor.py", "extractors/text/paragraphs.py"),
        ("extractors/text/test_contract.py",),
    ),
    "extractor.markdown": (
        ("extractors/markdown/blocks.py", "extractors/markdown/inline.py"),
        ("extractors/markdown/test_contract.py",),
    ),
    "source.jsonl": (("sources/jsonl/source.py",), ("sources/test_contract.py", "-k", "Jsonl")),
    "source.folder": (
        ("sources/folder/walk.py", "sources/folder/items.py"),
        ("sources/test_contract.py", "-k", "Folder"),
    ),
    "store.sqlite": (
        ("stores/sqlite/vectors.py", "stores/sqlite/filters.py", "stores/sqlite/ledger.py"),
        ("stores/sqlite/test_contract.py",),
    ),
    "ranker.vector": (("rankers/vector/ranker.py", "rankers/vector/codes.py"), ("rankers/vector/test_contract.py",)),
    "ranker.fts5": (
        (
            "rankers/fts5/ranker.py",
            "rankers/fts5/updating.py",
            "rankers/fts5/scoring.py",
            "rankers/fts5/postings.py",
            "rankers/fts5/writer.py",
        ),
        ("rankers/fts5/test_contract.py",),
    ),
    "picker.lexical": (("pickers/lexical/picker.py",), ("pickers/lexical/test_contract.py",)),
    "reranker.mmr": (("rerankers/mmr/mmr.py",), ("rerankers/mmr/test_contract.py",)),
    "embedder.static": (
        ("embedders/static/embedder.py", "embedders/static/table.py"),
        ("embedders/static/test_contract.py",),
    ),
}

TURNED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
CHANGED = (ast.Compare, ast.BinOp, ast.BoolOp, ast.If, ast.Call, ast.Return)
EXCHANGED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult}


@dataclass(frozen=True)
class Mutant:
    """A changed file: which, where, what was done, and its text."""

    plugin: str
    file: str
    line: int
    what: str
    text: str


def mutants_of(plugin: str, file: str) -> Iterator[Mutant]:
    """Every mutant of a file."""
    source = (PLUGINS / file).read_text("utf-8")
    for number in [at for at, one in enumerate(ast.walk(ast.parse(source))) if isinstance(one, CHANGED)]:
        tree = ast.parse(source)
        node = next(one for at, one in enumerate(ast.walk(tree)) if at == number)
        what = _changed(node)
        if what:
            yield Mutant(plugin, file, getattr(node, "lineno", 0), what, ast.unparse(ast.fix_missing_locations(tree)))


def _changed(node: ast.AST) -> str:
    """Changes a node in place, and says how; "" where there is nothing to change."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in TURNED:
        before = ast.unparse(node)
        node.ops[0] = TURNED[type(node.ops[0])]()
        return f"{before}  →  {ast.unparse(node)}"
    if (
        isinstance(node, ast.BinOp)
        and type(node.op) in EXCHANGED
        and not isinstance(node.left, ast.Constant | ast.JoinedStr)
    ):
        before = ast.unparse(node)
        node.op = EXCHANGED[type(node.op)]()
        return f"{before}  →  {ast.unparse(node)}"
    if isinstance(node, ast.BoolOp):
        before = ast.unparse(node)
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return f"{before}  →  {ast.unparse(node)}"
    if isinstance(node, ast.If):
        before = ast.unparse(node.test)
        node.test = ast.UnaryOp(ast.Not(), node.test)
        return f"if {before}  →  if {ast.unparse(node.test)}"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("sorted", "reversed"):
        before = ast.unparse(node)
        node.func.id, node.keywords = "list", []
        return f"{before}  →  {ast.unparse(node)}"
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Call | ast.BinOp | ast.ListComp):
        before = ast.unparse(node)
        node.value = ast.Constant(None)
        return f"{before}  →  return None"
    return ""


def caught(mutant: Mutant, tests: tuple[str, ...], timeout: float) -> str:
    """What tests say of a mutant, in a few words, or "" where they pass. `tests`: a path below ``tests/plugins``, and options."""
    with tempfile.TemporaryDirectory(prefix="pincite-mutant-") as folder:
        copy = Path(folder) / "pincite_plugins"
        shutil.copytree(PLUGINS, copy, ignore=shutil.ignore_patterns("__pycache__"))
        (copy / mutant.file).write_text(mutant.text, "utf-8")
        environment = {
            **{name: value for name, value in os.environ.items() if name != "PINCITE_CORPORA"},
            "PYTHONPATH": os.pathsep.join((folder, str(ROOT / "core"), str(ROOT / "tests"))),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        path, *more = tests
        options = ["-x", "-q", "-n0", "-p", "no:cacheprovider", "--tb=line", f"--basetemp={folder}/tmp"]
        command = [sys.executable, "-m", "pytest", *options, str(ROOT / "tests" / "plugins" / path), *more]
        try:
            done = subprocess.run(
                command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=timeout, check=False
            )
        except subprocess.TimeoutExpired:
            return "hangs"
    if done.returncode == 0:
        return ""
    said = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return (said[0].partition("::")[2] if said else f"exit code {done.returncode}")[:110]


def chosen(plugin: str, files: tuple[str, ...], count: int, seed: int) -> list[Mutant]:
    """The mutants of a plugin that are tried, in the order of the files and lines."""
    every = [mutant for file in files for mutant in mutants_of(plugin, file)]

    def lot(mutant: Mutant) -> str:
        return hashlib.blake2b(f"{seed} {mutant.file} {mutant.what}".encode()).hexdigest()

    return sorted(sorted(every, key=lot)[:count], key=lambda one: (files.index(one.file), one.line))


def explained() -> dict[tuple[str, str], str]:
    """(file, what was done) → why no kit can see it."""
    return {(one["file"], one["what"]): one["why"] for one in tomllib.loads(EXPLAINED.read_text("utf-8"))["mutant"]}


def judged(
    mutant: Mutant, kit: tuple[str, ...], reasons: dict[tuple[str, str], str], timeout: float
) -> tuple[str, str]:
    """(how it ended, a line about it): by its kit, else by the plugin's own tests, else as explained."""
    why = reasons.get((mutant.file, mutant.what), "")
    said = caught(mutant, kit, timeout)
    if said:
        return ("STALE" if why else "kit"), said
    said = caught(
        mutant, (mutant.file.rpartition("/")[0], "--ignore-glob=*test_contract.py", "-m", "not model"), timeout
    )
    if said:
        return ("STALE" if why else "own tests"), said
    return ("explained", why) if why else ("SURVIVED", "no test sees it, and tests/mutants.toml does not say why")


def main() -> int:
    """Prints each mutant and the share caught."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--each", type=int, default=4, help="mutants of each plugin")
    parser.add_argument("--only", default="", help="one plugin")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=300)
    given = parser.parse_args()
    reasons, ends = explained(), dict.fromkeys(("kit", "own tests", "explained", "SURVIVED", "STALE"), 0)
    for plugin, (files, tests) in SUBJECTS.items():
        if given.only not in ("", plugin):
            continue
        for mutant in chosen(plugin, files, given.each, given.seed):
            end, line = judged(mutant, tests, reasons, given.timeout)
            ends[end] += 1
            print(f"{end:9} {mutant.file}:{mutant.line}  {mutant.what}\n          {line}", flush=True)
    total = max(1, sum(ends.values()))
    print(
        f"{total} mutants: {ends['kit']} caught by their kit ({ends['kit'] / total:.0%}), {ends['own tests']} more by the plugin's own"
        f" tests, {ends['explained']} explained, {ends['SURVIVED']} not"
    )
    return 1 if ends["SURVIVED"] or ends["STALE"] else 0


if __name__ == "__main__":
    sys.exit(main())
