r"""Reads YAML as Kubernetes does, with scalars of YAML 1.2 instead of PyYAML's dates and base 60.

>>> parse("at: 2020-01-01\nports: [22:22]\n---\nkind: List\nitems: [{a: 1}]")
[{'at': '2020-01-01', 'ports': ['22:22']}, {'a': 1}]
>>> print(text([{"kind": "Service", "name": "y"}]), end="")
kind: Service
name: 'y'
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Sequence
from typing import Any

import yaml

# PyYAML raises these for a value that its tag does not allow, such as `!!bool maybe`.
_WRONG_VALUE = (AttributeError, LookupError, OverflowError, TypeError, ValueError)


class ManifestError(ValueError):
    """Reports a file that is not YAML or not a manifest. The message names place and reason."""


class _Loader(yaml.SafeLoader):
    """Loader without dates, and with only decimal, octal and hexadecimal numbers."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """Refuses a scalar that its tag does not allow."""
        try:
            return super().construct_object(node, deep)
        except yaml.YAMLError:
            raise
        except _WRONG_VALUE as error:
            if not isinstance(node, yaml.ScalarNode):
                raise
            tag = node.tag.removeprefix("tag:yaml.org,2002:")
            raise yaml.constructor.ConstructorError(
                None, None, f"the value {node.value!r} is no {tag}", node.start_mark
            ) from error

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Reads each key as text, and refuses a repeated key.

        PyYAML would read `1:` as a number, and drop the first value of a repeated key.
        """
        named = [key for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        keys = [key.value for key in named]
        twice = next((key for key in keys if keys.count(key) > 1), None)
        if twice is not None:
            raise yaml.constructor.ConstructorError(
                None, None, f"the key {twice!r} stands twice", node.start_mark
            )
        for key in named:
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
    except yaml.YAMLError as error:
        raise ManifestError(f"is not YAML: {' '.join(str(error).split())}") from error
    except RecursionError as error:
        raise ManifestError("is nested too deeply") from error
    except _WRONG_VALUE as error:  # For example, a list as a key.
        raise ManifestError(f"is not YAML: {type(error).__name__}: {error}") from error
    found: list[Any] = []
    for document in documents:
        if _has_cycle(document, ()):
            raise ManifestError("has an alias within the value of its own anchor. Write it out")
        listed = isinstance(document, dict) and document.get("kind") == "List"
        found += _items(document) if listed else [document]
    return [document for document in found if document is not None]


def _has_cycle(value: Any, parents: tuple[Any, ...]) -> bool:
    """Returns whether an alias makes a value a part of itself."""
    if not isinstance(value, dict | list):
        return False
    if any(value is parent for parent in parents):
        return True
    items = value.values() if isinstance(value, dict) else value
    return any(_has_cycle(item, (*parents, value)) for item in items)


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
