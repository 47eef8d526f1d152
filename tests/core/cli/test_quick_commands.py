"""What keeps the quick commands quick."""

import gc
import importlib
import subprocess
import sys

import pytest
import typer

from pincite.cli.main import COMMANDS, QUICK, app


@pytest.mark.parametrize("name", sorted(QUICK))
def test_annotations_are_none_that_typer_would_have_to_compile(name):
    module, attribute, _ = COMMANDS[name]
    command = getattr(importlib.import_module(f"pincite.cli.{module}"), attribute)
    assert not [one for one in command.__annotations__.values() if isinstance(one, str)]
    assert app.registered_callback
    assert not [one for one in app.registered_callback.callback.__annotations__.values() if isinstance(one, str)]


def test_garbage_is_looked_for_by_all_others(monkeypatch):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    commands = typer.main.get_command(app)
    try:
        for name in ("search", "index", "status", "eval"):
            assert commands.get_command(None, name)
            assert gc.isenabled() == (name not in QUICK)
    finally:
        gc.enable()


def test_the_process_begins_without_it():
    program = "import gc; from pincite.cli.start import main\ntry: main()\nfinally: print(gc.isenabled())"
    done = subprocess.run([sys.executable, "-c", program, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == "pincite"
    assert done.stdout.split()[-1] == "False"
