"""onnxruntime, loaded so that it tells its makers nothing."""

from __future__ import annotations

import os
from typing import Any


def onnxruntime() -> Any:
    """The module `onnxruntime`. Its own builds since 1.29 name the machine, give it a number that lasts and send what is loaded and run
    to their makers, from the import on; pincite goes without a network. The variable forbids all of it where it is set before that, and
    is looked at once a process (https://github.com/microsoft/onnxruntime/blob/main/docs/Privacy.md, "Disabling Telemetry"); where another
    part of the program loaded it earlier, and on Windows, the call forbids most.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime as module

    module.disable_telemetry_events()
    return module
