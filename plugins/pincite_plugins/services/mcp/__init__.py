"""The service `mcp`: a library for assistants, by the Model Context Protocol (specs/29-mcp.md)."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from pincite.spec import Context, Register, hookimpl


class McpSettings(BaseModel):
    """How it is served. Without `http`, to the one client that started the process, over standard input and output."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    http: bool = Field(False, description="Serve over HTTP, on this machine alone.")
    port: int = Field(8765, ge=0, le=65535, description="The port of 127.0.0.1; 0: any that is free.")
    index: bool = Field(True, description="Whether a library that was never indexed is indexed at the first question.")


def make(settings: McpSettings, context: Context) -> object:
    """The service. Light: the protocol is imported when it serves."""
    from pincite_plugins.services.mcp.service import McpService

    return McpService(settings)


@hookimpl
def register_services(register: Register) -> None:
    """Gives `mcp`."""
    register("mcp", make, settings=McpSettings)
