r"""Moves the paths of a program's outputs into its copy. Input data stay in place.

>>> moved_words(["--model_dir=/tmp/census_model", "--device=/cpu:0"], "/work/job", "/work")
['--model_dir=outside/tmp/census_model', '--device=/cpu:0']

A path is input if it exists, unless it is a folder with a checkpoint or the folder of an option
such as --model_dir.
"""

from __future__ import annotations

import ast
import io
import os
import re
import tokenize
from collections.abc import Iterator, Sequence

OUTSIDE = "outside"  # Folder of a copy for files that a program wrote to absolute paths.
_OUTPUT = re.compile(
    r"(model|output|out|job|log|export|save|result|summar\w+)s?_?(dir|folder|path)"
)
# A folder with a checkpoint to start from, which the folder of a model may be too.
_PRETRAINED = re.compile(r"pre_?train|init|warm|restore|(^|_)load|teacher|source|bert|base_model")
_INPUT = re.compile(r"(^|_)(input|data|vocab|config)")
_ABSOLUTE = re.compile(r"/[\w.+-]+(/[\w.+-]+)+/?|/tmp/?")


def moved_words(words: Sequence[str], program: str, root: str) -> list[str]:
    """Returns a command line for a copy.

    Args:
      words: The command line, without "python".
      program: Absolute path of the program.
      root: Folder that is copied.
    """
    result, option = [], ""
    for word in words:
        name, equals, value = word.partition("=") if word.startswith("-") else (option, "", word)
        new_value = _moved_value(value, name, program, root) if value else value
        result.append(
            f"{name}={new_value}" if equals else new_value if not word.startswith("-") else word
        )
        option = word if word.startswith("-") and not equals else ""
    return result


def options(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yields the name of each option, or "", and its value.

    Args:
      words: The command line, without "python".
    """
    option = ""
    for word in words:
        name, equals, value = word.partition("=") if word.startswith("-") else (option, "", word)
        if equals or not word.startswith("-"):
            yield name.lstrip("-"), value
        option = word if word.startswith("-") and not equals else ""


def names_output(name: str) -> bool:
    """Returns whether an option or a variable names an output, such as --model_dir.

    Args:
      name: Name of the option or variable.
    """
    match = _OUTPUT.search(_plain(name))
    return match is not None and not (match[1] == "model" and names_pretrained(name))


def names_input(name: str) -> bool:
    """Returns whether an option or a variable names input, such as --data_dir.

    Args:
      name: Name of the option or variable.
    """
    return names_pretrained(name) or _INPUT.search(_plain(name)) is not None


def names_pretrained(name: str) -> bool:
    """Returns whether an option or a variable names a checkpoint to start from.

    Args:
      name: Name of the option or variable.
    """
    return _PRETRAINED.search(_plain(name)) is not None


def _plain(name: str) -> str:
    return name.lower().replace("-", "_")


def moved_texts(text: str, root: str) -> str:
    """Returns the text of a Python file with the paths in its strings for a copy.

    Args:
      text: Text of the file.
      root: Folder that is copied.
    """
    if "/" not in text:
        return text
    lines = text.splitlines(keepends=True)
    edits = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.STRING and token.start[0] == token.end[0]:
                new = _moved_literal(token.string, root)
                if new:
                    edits.append((token.start, token.end, new))
    except (tokenize.TokenError, IndentationError):
        return text
    for (line, start), (_, end), new in reversed(edits):
        old = lines[line - 1]
        lines[line - 1] = old[:start] + new + old[end:]
    return "".join(lines)


def _moved_literal(literal: str, root: str) -> str:
    """Returns the new text of a string literal, or "" if it needs no change."""
    try:
        value = ast.literal_eval(literal)
    except (ValueError, SyntaxError):  # An f-string.
        return ""
    if not isinstance(value, str):
        return ""
    if _leads_out(value):
        path = os.path.join(root, value)
        return repr(os.path.normpath(path)) if _is_input(path) else ""
    if not _ABSOLUTE.fullmatch(value) or not os.path.isdir("/" + value.split("/")[1]):
        return ""  # For example, a device, or the end of a path.
    return "" if _is_input(value) else repr(OUTSIDE + value)


def _moved_value(value: str, name: str, program: str, root: str) -> str:
    absolute = os.path.realpath(os.path.expanduser(value))
    if (absolute + os.sep).startswith(program + os.sep) and os.path.exists(absolute):
        return os.path.relpath(absolute, root)
    is_far = _leads_out(value) or value.startswith("~/")
    if not is_far and not _ABSOLUTE.fullmatch(value):
        is_far = os.path.realpath(os.getcwd()) != root and os.path.exists(value)
        return absolute if is_far and "/" in value else value
    is_output = names_output(name) and not os.path.isfile(absolute)
    is_pretrained = names_pretrained(name) and os.path.isdir(absolute)
    is_input = _is_input(absolute) or is_pretrained
    return absolute if is_input and not is_output else OUTSIDE + absolute


def _leads_out(path: str) -> bool:
    """Returns whether a relative path leaves its folder, such as "../data" or "job/../../data"."""
    return "/" in path and os.path.normpath(path).split("/")[0] == ".."


def _is_input(path: str) -> bool:
    if os.path.isdir(path):
        names = os.listdir(path)
        is_written = any(name == "checkpoint" or name.startswith("events.out") for name in names)
        return bool(names) and not is_written and os.path.normpath(path) != "/tmp"
    return os.path.exists(path) or os.path.exists(f"{path}.index")
