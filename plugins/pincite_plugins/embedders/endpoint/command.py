"""``pincite endpoint verify | facts``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli.options import ConfigOption, JsonOption, ModelOption, note, print_json, resolved
from pincite.errors import UnknownName
from pincite.spec import Context, Register, hookimpl

if TYPE_CHECKING:
    from pincite_plugins.embedders.endpoint.embedder import EndpointEmbedder

app = typer.Typer(
    help="Embedding servers: verify one, or print what it must match.", no_args_is_help=True, rich_markup_mode=None
)

SPECIAL = 4
"""Tokens that a server adds to a text of the whole window: special ones and the prefix."""

UrlOption = Annotated[
    list[str] | None,
    typer.Option("--url", metavar="URL", help="The server, in place of the configured ones.", show_default=False),
]
FormatOption = Annotated[
    str | None, typer.Option("--format", metavar="NAME", help="openai, tei, ollama or dashscope.", show_default=False)
]
ServerModelOption = Annotated[
    str | None,
    typer.Option("--server-model", metavar="NAME", help="What the server calls the model.", show_default=False),
]
PrefixOption = Annotated[
    str | None,
    typer.Option("--prefix", metavar="WHO", help="client or server: who adds the passage prefix.", show_default=False),
]


@app.command("verify")
def verify(
    url: UrlOption = None,
    format: FormatOption = None,
    server_model: ServerModelOption = None,
    prefix: PrefixOption = None,
    model: ModelOption = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Embed fixed texts on the server and here, and say whether they agree. The verdict is kept. Exit code 1 where one is not ok."""
    given = {"url": url, "format": format, "server_model": server_model, "prefix": prefix, "model": model}
    embedder = _embedder(config, given)
    try:
        found = [embedder.verify(server) for server in embedder.servers]
    finally:
        embedder.close()
    if as_json:
        print_json({"schema": 1, "endpoints": [one.public() for one in found]})
    else:
        for one in found:
            sys.stdout.write(
                f"{one.identity.url} ({one.identity.format}, {one.identity.model})\n  {one.verdict}: {one.seen}\n"
            )
            sys.stdout.write(f"  {one.remedy}\n" if one.remedy else "")
    if not all(one.ok for one in found):
        sys.exit(1)


@app.command("facts")
def facts(model: ModelOption = None, as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """Print what a server must match, and a llama.cpp command to copy."""
    embedder = _embedder(config, {"model": model})
    try:
        found = _facts(embedder)
    finally:
        embedder.close()
    if as_json:
        print_json({"schema": 1, **found})
        return
    for name, value in found.items():
        sys.stdout.write(f"{name:<15} {value}\n")


def _facts(embedder: EndpointEmbedder) -> dict[str, Any]:
    from pincite.endpoints.agreement import LOWEST, MEDIAN, RANKS
    from pincite.models.shelf import find_card

    settings, model = embedder.settings, embedder.facts
    try:
        pooling: str = find_card(settings.model, embedder.home).pooling
    except UnknownName:
        pooling = "mean"
    return {
        "model": model.name,
        "id": model.id,
        "width": model.width,
        "window": model.window,
        "pooling": pooling,
        "normalised": "either way",
        "passage_prefix": settings.passage_prefix,
        "prefix": settings.prefix,
        "agreement": f"ranks {RANKS} or more; centred cosines: median {MEDIAN}, each {LOWEST} or more",
        "llama_cpp": llama_cpp(embedder, pooling),
    }


def llama_cpp(embedder: EndpointEmbedder, pooling: str) -> str:
    """A command that serves the model with llama.cpp: four slots, each with room for a whole text in one batch."""
    model = embedder.facts
    room = 4 * -(-(model.window + SPECIAL) // 64) * 64
    return (
        f"llama-server --model {model.name}.gguf --embeddings --pooling {pooling} --parallel 4 --ctx-size {room}"
        f" --batch-size {room} --ubatch-size {room} --host 127.0.0.1 --port 8080"
    )


def _embedder(config: str | None, given: dict[str, Any]) -> EndpointEmbedder:
    """The configured endpoint embedder, or one of what the options say."""
    from pincite.plugin.making import context_without_library, make_with, plugins_of

    found = resolved(config)
    plugins = plugins_of(found)
    values = found.section("embedder", "endpoint")
    values |= {name: value for name, value in given.items() if value}
    made: EndpointEmbedder = make_with(
        plugins, "embedder", "endpoint", values, context_without_library(found, plugins, note)
    )
    return made


def make(settings: object, context: Context) -> typer.Typer:
    """The group of commands."""
    return app


@hookimpl
def register_commands(register: Register) -> None:
    """Gives `endpoint`."""
    register("endpoint", make, help="Embedding servers: verify one, or print what it must match.")
