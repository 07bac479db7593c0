"""Writes the generated modules of the SDK: `python3 tools/generate.py FOLDER NAMES < openapi.json`.

NAMES is a JSON file with the name of each operation, the same for every SDK. FOLDER receives types.py, _async/resources.py, and _sync/ made from _async/ by leaving out what waits.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from operation_source import read_pages, write_resources
from type_source import Types

SOURCE = Path(__file__).parent.parent / "src" / "parley_sdk"
# Modules of _async/ that _sync/ has the counterpart of; io.py is written twice, since it differs.
TRANSLATED = ("client.py", "pages.py", "transport.py", "waits.py")
MADE = "# Made from _async/{} by tools/generate.py.\n"
WORDS = (
    (r"\basync (def|for|with) ", r"\1 "),
    (r"\bawait ", ""),
    (r"\bAwaitable\[(\w+)\]", r"\1"),
    (r", Awaitable, ", ", "),
    (r"(?<!types\.)\bAsync([A-Z]\w+)", r"\1"),
    (r"__aiter__", "__iter__"),
    (r"__aenter__", "__enter__"),
    (r"__aexit__", "__exit__"),
    (r"\basynchronous ", "synchronous "),
)


def to_sync(source: str, name: str) -> str:
    """Returns the synchronous twin of an asynchronous module."""
    for pattern, replacement in WORDS:
        source = re.sub(pattern, replacement, source)
    return MADE.format(name) + source


def main() -> None:
    """Reads the document and writes the modules."""
    document = json.load(sys.stdin)
    target = Path(sys.argv[1])
    names: dict[str, str] = json.loads(Path(sys.argv[2]).read_text(encoding="utf8"))
    read_pages(document)
    types = Types(document)
    # Options of a job whose rows are in a CSV.
    types.without("CallJobOptions", "CreateCallJob", "rows")
    resources = write_resources(document, names, types)
    for folder in ("_async", "_sync"):
        (target / folder).mkdir(parents=True, exist_ok=True)
    (target / "types.py").write_text(types.source(), encoding="utf8")
    (target / "_async" / "resources.py").write_text(resources, encoding="utf8")
    (target / "_sync" / "resources.py").write_text(to_sync(resources, "resources.py"), encoding="utf8")
    for name in TRANSLATED:
        source = (SOURCE / "_async" / name).read_text(encoding="utf8")
        (target / "_sync" / name).write_text(to_sync(source, name), encoding="utf8")


if __name__ == "__main__":
    main()
