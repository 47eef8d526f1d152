"""``pincite models``."""

from __future__ import annotations

import typer

app = typer.Typer(help="The embedding models: list, show, add, verify.", no_args_is_help=True, rich_markup_mode=None)
