"""The protocol's server: its handlers are the tools and the resources."""

from __future__ import annotations

import difflib
import json
from typing import Any

import mcp.types as types
from mcp import MCPError
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from pydantic import ValidationError

from pincite import __version__
from pincite.errors import PinciteError, in_one_line
from pincite.text.well_formed import well_formed
from pincite_plugins.services.mcp import resources
from pincite_plugins.services.mcp.budget import check, written
from pincite_plugins.services.mcp.shapes import NOTICE
from pincite_plugins.services.mcp.shelf import Shelf
from pincite_plugins.services.mcp.tool import Asks, Call, Tool
from pincite_plugins.services.mcp.tools import TOOLS

INSTRUCTIONS = (
    "The user's own library of papers, books and notes. best_match finds works and passages for a question; get_passage reads one whole;"
    " cite gives its citation with the page. Cite what you quote. " + NOTICE
)

_BY_NAME = {tool.name: tool for tool in TOOLS}

Context = ServerRequestContext[Any, Any]


def make_server(shelf: Shelf) -> Server[Any]:
    """A server over opened libraries; it may serve any number of clients."""

    def call_of(context: Context) -> Call:
        return Call(shelf, context.session.report_progress)

    async def list_tools(context: Context, params: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[described(tool) for tool in TOOLS])

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = _BY_NAME.get(params.name)
        if tool is None:
            there = ", ".join(_BY_NAME)
            raise MCPError(
                code=types.INVALID_PARAMS, message=f"no tool is called '{params.name[:80]}'; there is: {there}"
            )
        return await answered(call_of(context), tool, params.arguments or {})

    async def list_resources(
        context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        try:
            return await resources.listed(call_of(context), params.cursor if params else None)
        except PinciteError as error:
            raise MCPError(code=types.INTERNAL_ERROR, message=str(error)) from None

    async def list_templates(context: Context, params: object) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=resources.TEMPLATES)

    async def read_resource(context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        try:
            return await resources.read(call_of(context), params.uri)
        except PinciteError as error:
            raise MCPError(code=types.INVALID_PARAMS, message=str(error)) from None

    return Server(
        "pincite",
        version=__version__,
        title="pincite",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
    )


def described(tool: Tool) -> types.Tool:
    """A tool as clients see it. All of them only read."""
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.asks.model_json_schema(),
        output_schema=tool.answers.model_json_schema(),
        annotations=types.ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False),
    )


async def answered(call: Call, tool: Tool, arguments: dict[str, Any]) -> types.CallToolResult:
    """One call: its answer as text and as data, or the error in one line."""
    try:
        asks = tool.asks.model_validate(arguments)
    except ValidationError as error:
        return failed(f"{tool.name}: {in_words(error, tool.asks)}")
    try:
        answer = (await tool.run(call, asks)).plain()
        text = written(answer)
        check(text, asks.budget)
    except PinciteError as error:
        return failed(str(error))
    except Exception as error:
        return failed(f"unexpected error: {in_one_line(error)[:500]}; this is a fault of pincite: report it")
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=json.loads(text))


def failed(line: str) -> types.CallToolResult:
    """An error that the assistant reads."""
    return types.CallToolResult(content=[types.TextContent(text=well_formed(line))], is_error=True)


def in_words(error: ValidationError, asks: type[Asks]) -> str:
    """The first wrong argument in one line."""
    first = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        near = difflib.get_close_matches(name, asks.model_fields, 1)
        hint = f"did you mean '{near[0]}'?" if near else f"there is: {', '.join(asks.model_fields)}"
        return f"unknown argument '{name[:80]}'; {hint}"
    message = first["msg"].removeprefix("Value error, ")
    return f"'{name}': {message[:1].lower()}{message[1:]}"
