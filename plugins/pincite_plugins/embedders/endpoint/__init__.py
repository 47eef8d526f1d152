"""The embedder `endpoint`: passages are embedded by a server that gives the local model's vectors (specs/22-endpoints.md)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from pincite.spec import Context, Register, hookimpl


class EndpointSettings(BaseModel):
    """Which server, which model it must match, and how it may be used. No key is ever a setting: see `key_env` and `keyring`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: tuple[str, ...] = Field((), description="The server's address; several of the same model share the work.")
    format: Literal["auto", "openai", "tei", "ollama", "dashscope"] = Field(
        "auto", description="What the server speaks; auto: as its address says."
    )
    model: str = Field("multilingual-e5-small", description="The model that the vectors must be of.")
    local: dict[str, Any] = Field(
        default_factory=lambda: {"use": "onnx"},
        description="The embedder on this machine: `use`, and its own keys; it is given `model` too.",
    )
    trust: Literal["same", "self-consistent"] = Field(
        "same", description="same: vectors agree with the local model's; self-consistent: there is no local model."
    )
    otherwise: Literal["local", "stop"] = Field(
        "local", description="What a run does when the endpoint fails: go on locally, or stop to be taken up later."
    )
    server_model: str = Field("", description="What the server calls the model of passages; empty: as `model`.")
    server_query_model: str = Field(
        "", description="The same of queries (self-consistent only); empty: as `server_model`."
    )
    prefix: Literal["client", "server"] = Field("client", description="Who puts the model's prefix before a text.")
    passage_prefix: str = Field("", description="The prefix of a passage, where no local model knows it.")
    query_prefix: str = Field("", description="The prefix of a query, where no local model knows it.")
    encoding: Literal["float", "base64"] = Field(
        "float", description="What an OpenAI-format server is asked for; both are read."
    )
    dimensions: int = Field(
        0, ge=0, le=65536, description="Width to ask for, where the server can cut its vectors; 0: not said."
    )
    window: int = Field(
        512, ge=16, description="Tokens of one text (self-consistent only; a local model knows its own)."
    )
    key_env: str = Field("", description="The environment variable that holds the key.")
    keyring: str = Field("", description="The service under which the system's keyring holds the key, by host name.")
    allow_plain_http: bool = Field(False, description="Whether a key may go over http:// to another machine.")
    timeout: float = Field(30.0, gt=0, le=3600, description="Seconds for one request, all of it.")
    retries: int = Field(3, ge=0, le=10, description="How often a request is sent again.")
    batch: int = Field(0, ge=0, le=2048, description="Texts in one request; 0: as the format allows, at most 32.")
    batch_tokens: int = Field(16384, ge=64, description="Tokens in one request.")
    batch_bytes: int = Field(1_000_000, ge=4096, description="Bytes of text in one request.")
    requests_per_minute: int | None = Field(
        None, ge=0, description="0: no limit; unset: 60 for another machine's, none for this one's."
    )
    tokens_per_minute: int | None = Field(None, ge=0, description="0: no limit; unset: 150,000 for another machine's.")
    price: float = Field(0.0, ge=0, description="Cost of a million tokens, in your currency, for `pincite status`.")

    @field_validator("url", mode="before")
    @classmethod
    def _one_or_several(cls, value: Any) -> Any:
        return (value,) if isinstance(value, str) else value


def make(settings: EndpointSettings, context: Context) -> object:
    """The embedder. Light: nothing is connected before the first passage."""
    from pincite_plugins.embedders.endpoint.embedder import EndpointEmbedder

    return EndpointEmbedder(settings, context)


@hookimpl
def register_embedders(register: Register) -> None:
    """Gives `endpoint`."""
    register("endpoint", make, settings=EndpointSettings)
