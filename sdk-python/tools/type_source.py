"""Writes TypedDicts for the schemas of an OpenAPI document."""

from __future__ import annotations

import keyword
import re
import textwrap
from typing import Any

Schema = dict[str, Any]

WIDTH = 120
HEAD = '''"""The shapes of the API. Generated from the service's OpenAPI document by tools/generate.py."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

'''
# A field with one of these names would hide the type from the annotations that follow it.
USED_NAMES = {"str", "int", "float", "bool", "list", "dict", "object", "Any", "Literal"}


def snake(name: str) -> str:
    """Returns a camelCase or kebab-case name in snake_case, with an underscore appended to Python's own words."""
    text = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).replace("-", "_").lower()
    return text + "_" if keyword.iskeyword(text) else text


def pascal(name: str) -> str:
    """Returns a camelCase or kebab-case name in PascalCase."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[-_]", name))


def doc(text: str, indent: str) -> list[str]:
    """Returns a docstring's lines; none for an empty text."""
    clean = text.replace("\\", "\\\\").replace('"""', "'''").strip()
    if not clean:
        return []
    if clean.endswith('"'):
        clean += " "
    if len(clean) + len(indent) + 6 <= WIDTH and "\n" not in clean:
        return [f'{indent}"""{clean}"""']
    lines = [line for part in clean.split("\n") for line in textwrap.wrap(part, WIDTH - len(indent) - 3) or [""]]
    return [f'{indent}"""{lines[0]}', *[f"{indent}{line}".rstrip() for line in lines[1:]], f'{indent}"""']


class Types:
    """Collects the TypedDicts that a document needs. `name_of` returns the annotation of a schema."""

    def __init__(self, document: Schema) -> None:
        self._schemas: dict[str, Schema] = document["components"]["schemas"]
        self._taken = set(self._schemas)
        self._blocks: list[str] = []
        self._joined: dict[str, str] = {}
        for name, schema in self._schemas.items():
            self._define(name, schema)

    def name_of(self, schema: Schema, hint: str) -> str:
        """Returns the annotation of a schema; a nested object becomes a TypedDict named by `hint`."""
        if "$ref" in schema:
            return str(schema["$ref"].rsplit("/", 1)[-1])
        if "allOf" in schema:
            return self._join([self.name_of(part, hint) for part in schema["allOf"]])
        if "anyOf" in schema:
            return _union([self.name_of(part, hint) for part in schema["anyOf"]])
        kinds = schema.get("type", [])
        kinds = kinds if isinstance(kinds, list) else [kinds]
        if "enum" in schema or "const" in schema:
            values = schema.get("enum", [schema.get("const")])
            literals = ", ".join(repr(value).replace("'", '"') for value in values if value is not None)
            return _union([f"Literal[{literals}]", *(["None"] if None in values or "null" in kinds else [])])
        return _union([self._of_kind(kind, schema, hint) for kind in kinds]) if kinds else "Any"

    def without(self, name: str, base: str, field: str) -> None:
        """Adds a type with the fields of the schema `base` but one."""
        schema = self._schemas[base]
        fields = {key: value for key, value in schema["properties"].items() if key != field}
        self._define(name, {**schema, "properties": fields})

    def source(self) -> str:
        """Returns the module."""
        joined = [f"class {name}({bases}):\n    pass" for name, bases in self._joined.items()]
        return HEAD + "\n" + "\n\n\n".join([*self._blocks, *joined]) + "\n"

    def _of_kind(self, kind: str, schema: Schema, hint: str) -> str:
        plain = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
        if kind in plain:
            return plain[kind]
        if kind == "array":
            return f"list[{self.name_of(schema.get('items', {}), hint + 'Item')}]"
        if "properties" in schema:
            name = hint
            while name in self._taken:
                name += "Fields"
            self._taken.add(name)
            self._define(name, schema)
            return name
        values = schema.get("additionalProperties", True)
        return f"dict[str, {self.name_of(values, hint + 'Value') if isinstance(values, dict) else 'Any'}]"

    def _join(self, names: list[str]) -> str:
        joined = "And".join(names)
        self._joined[joined] = ", ".join(names)
        return joined

    def _define(self, name: str, schema: Schema) -> None:
        fields: dict[str, tuple[str, Schema]] = {
            key: (self.name_of(value, name + pascal(key)), value) for key, value in schema.get("properties", {}).items()
        }
        required = set(schema.get("required", []))
        if any(not key.isidentifier() or keyword.iskeyword(key) or key in USED_NAMES for key in fields):
            self._blocks.append(_functional(name, fields, required))
            return
        needed = {key: field for key, field in fields.items() if key in required}
        others = {key: field for key, field in fields.items() if key not in required}
        described = schema.get("description", "")
        if needed and others:
            self._blocks.append(_class(f"_{name}(TypedDict)", "", needed))
            self._blocks.append(_class(f"{name}(_{name}, total=False)", described, others))
        else:
            total = "" if needed else ", total=False"
            self._blocks.append(_class(f"{name}(TypedDict{total})", described, fields))


def _union(names: list[str]) -> str:
    unique = list(dict.fromkeys(names))
    if "Any" in unique:
        return "Any"
    return " | ".join([*[name for name in unique if name != "None"], *(["None"] if "None" in unique else [])])


def _class(head: str, described: str, fields: dict[str, tuple[str, Schema]]) -> str:
    lines = [f"class {head}:", *doc(described, "    ")]
    for key, (annotation, schema) in fields.items():
        lines.append(f"    {key}: {annotation}")
        lines += doc(schema.get("description", ""), "    ")
    return "\n".join(lines if fields else [*lines, "    pass"])


def _functional(name: str, fields: dict[str, tuple[str, Schema]], required: set[str]) -> str:
    def table(keys: list[str]) -> str:
        return "{" + ", ".join(f'"{key}": "{_quoted(fields[key][0])}"' for key in keys) + "}"

    needed = [key for key in fields if key in required]
    others = [key for key in fields if key not in required]
    if not others:
        return f'{name} = TypedDict("{name}", {table(needed)})'
    base = f'_{name} = TypedDict("_{name}", {table(needed)})\n\n\n' if needed else ""
    # The words of Python among the names need the functional form, which knows no inheritance: a class joins the two.
    extra = f'_{name}Optional = TypedDict("_{name}Optional", {table(others)}, total=False)\n\n\n'
    bases = f"_{name}, _{name}Optional" if needed else f"_{name}Optional"
    return f"{base}{extra}class {name}({bases}):\n    pass"


def _quoted(annotation: str) -> str:
    return annotation.replace('"', "'")
