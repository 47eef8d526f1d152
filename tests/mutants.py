"""Makes mutants of the built-in plugins and runs the contract kits on them: how much do the kits catch?

    python tests/mutants.py [--each N] [--only fuser.rrf]

A mutant is one change of one node: a comparison turned, an arithmetic operator exchanged, a number moved by one, `and` and `or` exchanged, a condition
negated, `sorted` and `reversed` taken out, a returned value dropped. The same seed makes the same mutants. The working tree is not touched: a mutant
lives in a temporary copy of ``plugins/`` that stands before the installed one.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLUGINS = ROOT / "plugins" / "pincite_plugins"

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
    "picker.lexical": (
        ("pickers/lexical/picker.py", "pickers/lexical/lexical.py"),
        ("pickers/lexical/test_contract.py",),
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
    count = sum(1 for _ in ast.walk(ast.parse(source)))
    for number in range(count):
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
    """What the kit says of a mutant, in a few words, or "" where it passes."""
    with tempfile.TemporaryDirectory(prefix="pincite-mutant-") as folder:
        copy = Path(folder) / "pincite_plugins"
        shutil.copytree(PLUGINS, copy, ignore=shutil.ignore_patterns("__pycache__"))
        (copy / mutant.file).write_text(mutant.text, "utf-8")
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join((folder, str(ROOT / "tests"))),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        path, *more = tests
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "-p",
            "no:cacheprovider",
            "--tb=line",
            f"--basetemp={folder}/tmp",
            str(ROOT / "tests" / "plugins" / path),
            *more,
        ]
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


def main() -> int:
    """Prints each mutant and the share caught."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--each", type=int, default=4, help="mutants of each plugin")
    parser.add_argument("--only", default="", help="one plugin")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=120)
    given = parser.parse_args()
    total = killed = 0
    for plugin, (files, tests) in SUBJECTS.items():
        if given.only not in ("", plugin):
            continue
        every = [mutant for file in files if (PLUGINS / file).is_file() for mutant in mutants_of(plugin, file)]
        chosen = random.Random(given.seed).sample(every, min(given.each, len(every)))
        for mutant in sorted(chosen, key=lambda one: (one.file, one.line)):
            said = caught(mutant, tests, given.timeout)
            total, killed = total + 1, killed + bool(said)
            print(
                f"{'caught  ' if said else 'SURVIVED'} {plugin} {mutant.file}:{mutant.line}  {mutant.what[:150]}  {said}",
                flush=True,
            )
    print(f"{killed} of {total} mutants caught ({killed / max(1, total):.0%})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
