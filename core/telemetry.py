"""Libraries that would tell their makers how they are used, told not to.

ONNX Runtime sends events to its maker and keeps an id of the machine in the user's
cache (since 1.29 on Linux as well); ChromaDB, the Hugging Face libraries and
OpenTelemetry each have a switch of their own. All read it when they are first used, so
`switch_off` is called before any of them is imported: by the command line for all that
it starts, and once more where each is imported, for who uses the Python API.
"""

from __future__ import annotations

import os

SWITCHES = {
    "ORT_DISABLE_TELEMETRY": "1",
    "ANONYMIZED_TELEMETRY": "False",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "OTEL_SDK_DISABLED": "true",
    "DO_NOT_TRACK": "1",
}
"""Set whatever the user's environment says: that nothing is sent is a promise."""
OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE")
"""Set unless the user's program has decided: all models are loaded from folders."""


def switch_off() -> None:
    """Sets the switches of this process and of those it starts."""
    os.environ.update(SWITCHES)
    for name in OFFLINE:
        os.environ.setdefault(name, "1")
