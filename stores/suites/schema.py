"""The JSON Schema of suite files, for editors and for programs that write suites.

Made of the models themselves; `suite.schema.json` beside this file is what it gives,
and a test holds the two equal.
"""

from __future__ import annotations

import json
from typing import Any

from claimscope.core.models import Suite


def suite_schema() -> dict[str, Any]:
    """JSON Schema, draft 2020-12, of the JSON and YAML formats of a suite."""
    schema = Suite.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "Claimscope suite, version 1",
    }


def schema_text() -> str:
    """The schema as the committed file has it."""
    return json.dumps(suite_schema(), indent=2, ensure_ascii=False) + "\n"
