r"""Reads YAML as Kubernetes does, with scalars of YAML 1.2 instead of PyYAML's dates and base 60.

>>> parse("at: 2020-01-01\nports: [22:22]\n---\nkind: List\nitems: [{a: 1}]")
[{'at': '2020-01-01', 'ports': ['22:22']}, {'a': 1}]
>>> print(text([{"kind": "Service", "name": "y"}]), end="")
kind: Service
name: 'y'
"""

from __future__ import annotations

import collections
import re
import reprlib
from collections.abc import Sequence
from typing import Any

import yaml

from modern.process import foreign_files

# Aliases can expand a short text to billions of values.
_MOST_VALUES = 200_000
_BITS = 64
# PyYAML raises these for a value that its tag does not allow, such as `!!bool maybe`.
_WRONG_VALUE = (AttributeError, LookupError, OverflowError, TypeError, ValueError)


class ManifestError(ValueError):
    """Reports a file that is not YAML or not a manifest. The message names place and reason."""


def _check_size(root: yaml.Node) -> None:
    """Refuses aliases within their own values, and more values than any manifest has.

    Each alias counts as often as it is used, because the value is written as often later.
    """
    sizes: dict[int, int | None] = {}  # None while the parts of a node are counted.
    stack = [root]
    while stack:
        node = stack[-1]
        parts = _parts(node)
        if sizes.setdefault(id(node), None) is not None:
            stack.pop()
            continue
        unsized = [part for part in parts if sizes.get(id(part), 0) in (0, None)]
        if not unsized:
            sizes[id(node)] = 1 + sum(sizes[id(part)] or 0 for part in parts)
            stack.pop()
        elif any(id(part) in sizes for part in unsized):
            raise ManifestError("has an alias within the value of its own anchor. Write it out")
        else:
            stack += unsized
    if (sizes[id(root)] or 0) > _MOST_VALUES:
        raise ManifestError(
            f"has aliases that expand to {sizes[id(root)]:,} values, more than {_MOST_VALUES:,}"
        )


def _parts(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return node.value if isinstance(node, yaml.SequenceNode) else []


def _check_value(value: Any) -> None:
    """Refuses half of a character, and a number that no field of a manifest can have."""
    if isinstance(value, str):
        value.encode()  # A UnicodeEncodeError is a ValueError.
    elif isinstance(value, int) and value.bit_length() > _BITS:
        raise ValueError("it has too many digits")


class _Loader(yaml.SafeLoader):
    """Loader without dates, and with only decimal, octal and hexadecimal numbers."""

    def construct_document(self, node: yaml.Node) -> Any:
        """Refuses a document whose aliases expand to far more than its text."""
        _check_size(node)
        return super().construct_document(node)

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """Refuses a scalar that its tag does not allow, or that cannot be printed."""
        try:
            value = super().construct_object(node, deep)
            _check_value(value)
            return value
        except yaml.YAMLError:
            raise
        except _WRONG_VALUE as error:
            if not isinstance(node, yaml.ScalarNode):
                raise
            tag = node.tag.removeprefix("tag:yaml.org,2002:")
            raise yaml.constructor.ConstructorError(
                None, None, f"the value {reprlib.repr(node.value)} is no {tag}", node.start_mark
            ) from error

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Reads each key as text, and refuses a repeated key.

        PyYAML would read `1:` as a number, and drop the first value of a repeated key.
        """
        key_nodes = [key for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        keys = [key.value for key in key_nodes if isinstance(key, yaml.ScalarNode)]
        duplicate = next(
            (key for key, count in collections.Counter(keys).items() if count > 1), None
        )
        if duplicate is not None:
            raise yaml.constructor.ConstructorError(
                None, None, f"the key {reprlib.repr(duplicate)} stands twice", node.start_mark
            )
        for key in key_nodes:
            if isinstance(key, yaml.ScalarNode):
                key.tag = "tag:yaml.org,2002:str"
        return super().construct_mapping(node, deep)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in resolvers if not tag.endswith((":timestamp", ":int"))]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:int",
    re.compile(r"[-+]?(0|[1-9][0-9_]*|0[0-7_]+|0x[0-9a-fA-F_]+)$"),
    list("-+0123456789"),
)


# A width at which PyYAML never folds text.
_ONE_LINE = 1 << 20


class _Dumper(yaml.SafeDumper):
    """Dumper that writes repeated objects in full instead of anchors, and long text in a block."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


# PyYAML does not quote these strings, but Kubernetes' parser reads them as numbers or booleans.
_AMBIGUOUS = re.compile(r"[-+.]?[0-9][0-9a-fA-FoxX_.:+-]*$|[yYnN]$")


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = "'" if _AMBIGUOUS.match(value) else None
    style = "|" if "\n" in value.strip("\n") else style
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


def _list(dumper: yaml.SafeDumper, value: list[Any]) -> yaml.SequenceNode:
    """Represents a list of scalars, such as a command, in one line."""
    flow = not any(isinstance(item, list | dict) or "\n" in str(item) for item in value)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=flow)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(list, _list)


def parse(text: str) -> list[Any]:
    """Reads all documents of a file. Each item of a List, as kubectl prints it, is a document.

    Args:
      text: YAML, or JSON.

    Returns:
      The documents, without empty ones.

    Raises:
      ManifestError: The text is not YAML, an alias is part of its own value, or the items of a
        List are not a list.
    """
    try:
        documents = list(yaml.load_all(text, _Loader))
    except ManifestError:
        raise
    except yaml.YAMLError as error:
        raise ManifestError(f"is not YAML: {foreign_files.one_line(error, 400)}") from error
    except RecursionError as error:
        raise ManifestError("is nested too deeply") from error
    except _WRONG_VALUE as error:  # For example, a list as a key.
        raise ManifestError(f"is not YAML: {type(error).__name__}: {error}") from error
    values: list[Any] = []
    for document in documents:
        is_list = isinstance(document, dict) and document.get("kind") == "List"
        values += _items(document) if is_list else [document]
    return [document for document in values if document is not None]


def _items(document: dict[str, Any]) -> list[Any]:
    items = document.get("items")
    if items is not None and not isinstance(items, list):
        raise ManifestError(
            f"has a List whose items are {reprlib.repr(items)}. Write a list of manifests"
        )
    return items or []


def text(documents: Sequence[Any]) -> str:
    """Writes documents as YAML, with the keys in their order."""
    return "---\n".join(
        yaml.dump(document, Dumper=_Dumper, sort_keys=False, width=_ONE_LINE, allow_unicode=True)
        for document in documents
    )
