r"""YAML as Kubernetes reads it: 1.2's scalars, where PyYAML has dates and numbers to the base 60.

>>> parse("at: 2020-01-01\nports: [22:22]\n---\nkind: List\nitems: [{a: 1}]")
[{'at': '2020-01-01', 'ports': ['22:22']}, {'a': 1}]
>>> print(text([{"kind": "Service", "name": "y"}]), end="")
kind: Service
name: 'y'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from modern.process import cli

try:
    import yaml
except ImportError as missing:
    raise cli.UsageError(
        "reading and writing manifests needs PyYAML, which is not installed: pip install "
        "'estimator-ladder[migrate]'"
    ) from missing


class ManifestError(ValueError):
    """A file is no YAML; the message says where."""


class _Loader(yaml.SafeLoader):
    """Without dates, and with decimal, octal and hexadecimal numbers only."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Refuses a key that stands twice, of which PyYAML would drop the first."""
        keys = [key.value for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        twice = next((key for key in keys if keys.count(key) > 1), None)
        if twice is not None:
            raise yaml.constructor.ConstructorError(
                None, None, f"the key {twice!r} stands twice", node.start_mark
            )
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


# Text is not folded.
_ONE_LINE = 1 << 20


class _Dumper(yaml.SafeDumper):
    """Writes the same object twice instead of an anchor, and long text in a block."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


# Strings that PyYAML leaves bare, and Kubernetes' reader takes for numbers or booleans.
_AMBIGUOUS = re.compile(r"[-+.]?[0-9][0-9a-fA-FoxX_.:+-]*$|[yYnN]$")


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = "'" if _AMBIGUOUS.match(value) else None
    style = "|" if "\n" in value.strip("\n") else style
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


def _list(dumper: yaml.SafeDumper, value: list[Any]) -> yaml.SequenceNode:
    """A list of scalars, such as a command, is written in one line."""
    flow = not any(isinstance(item, list | dict) or "\n" in str(item) for item in value)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=flow)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(list, _list)


def parse(text: str) -> list[Any]:
    """Reads all documents of a file; those of a List, as kubectl prints them, each as one.

    Args:
      text: YAML, or JSON.

    Returns:
      The documents, without empty ones.

    Raises:
      ManifestError: It is no YAML.
    """
    try:
        documents = list(yaml.load_all(text, _Loader))
    except yaml.YAMLError as error:
        raise ManifestError(" ".join(str(error).split())) from error
    except (TypeError, ValueError, RecursionError) as error:  # a list as a key, and such
        raise ManifestError(f"{type(error).__name__}: {error}") from error
    found = []
    for document in documents:
        listed = isinstance(document, dict) and document.get("kind") == "List"
        found += (document.get("items") or []) if listed else [document]
    return [document for document in found if document is not None]


def text(documents: Sequence[Any]) -> str:
    """Writes documents as YAML, keys in the order that they have."""
    return "---\n".join(
        yaml.dump(document, Dumper=_Dumper, sort_keys=False, width=_ONE_LINE, allow_unicode=True)
        for document in documents
    )
