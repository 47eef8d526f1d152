"""Registers a name that another plugin has too."""

from pincite.spec import hookimpl


@hookimpl
def register_fusers(register):
    register("rrf-twice", lambda settings, context: None)
