"""What keeps the quick commands quick."""

import importlib

import pytest

from pincite.cli.main import COMMANDS, QUICK, app


@pytest.mark.parametrize("name", sorted(QUICK))
def test_annotations_are_none_that_typer_would_have_to_compile(name):
    module, attribute, _ = COMMANDS[name]
    command = getattr(importlib.import_module(f"pincite.cli.{module}"), attribute)
    assert not [one for one in command.__annotations__.values() if isinstance(one, str)]
    assert app.registered_callback
    assert not [one for one in app.registered_callback.callback.__annotations__.values() if isinstance(one, str)]
