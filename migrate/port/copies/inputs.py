"""Distinguishes folders of pretrained checkpoints, which are input, from the program's own output.

    mentions = inputs.of(program)
    mentions.is_input("/home/me/job/bert")  # True for --init_checkpoint=bert/bert_model.ckpt

Both have a `checkpoint` file. A folder is input if the command line or a string of the program
names one of its files or checkpoints, and nothing names the folder itself as an output, such as
--model_dir.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import os
import re
from collections.abc import Iterator, Sequence

from migrate import sources
from migrate.port.copies import paths
from migrate.port.copies.program import Program
from migrate.rewrite.engine import files

# Files that a training writes into its folder, and that nobody publishes.
_OF_TRAINING = re.compile(r"events\.out\.tfevents|graph\.pbtxt$|eval$")


@dataclasses.dataclass(frozen=True)
class Mention:
    """A string of the command line or of the program.

    Attributes:
      value: The string.
      name: Name of the option, argument or variable that gets it, or "".
      folder: Absolute folder that a relative path may start from, besides the working folder.
    """

    value: str
    name: str
    folder: str


class Mentions:
    """The strings of a program that may name paths.

    Args:
      mentions: The strings.
      root: Working folder of the program.
    """

    def __init__(self, mentions: Sequence[Mention], root: str) -> None:
        self._root = root
        self._names_by_path: dict[str, set[str]] = {}
        self._base_names: set[str] = set()
        for mention in mentions:
            if not mention.value or "\n" in mention.value or "\0" in mention.value:
                continue
            for start in (root, mention.folder):
                path = os.path.normpath(os.path.join(start, os.path.expanduser(mention.value)))
                self._names_by_path.setdefault(path, set()).add(mention.name)
            # For example, f"{folder}/vocab.txt" and folder + "/vocab.txt".
            self._base_names.add(os.path.basename(mention.value))

    def is_input(self, folder: str) -> bool:
        """Returns whether a folder with a checkpoint is input of the program.

        Args:
          folder: Absolute path of the folder.
        """
        names = self._names_by_path.get(folder, ())
        if any(map(paths.names_output, names)):
            return False
        if any(map(paths.names_input, names)):
            return True
        if names and self._is_of_training(folder):
            return False  # For example, `path = "run1"` and `Estimator(model_fn, path)`.
        is_joined = bool(names)  # For example, os.path.join("bert", "vocab.txt").
        return any(
            self._is_read(os.path.join(folder, entry)) or (is_joined and entry in self._base_names)
            for entry in _entries(folder)
        )

    def _is_read(self, path: str) -> bool:
        """Returns whether a string names a path, and not as that of an output."""
        names = self._names_by_path.get(path, ())
        return not all(map(paths.names_output, names))

    def _is_of_training(self, folder: str) -> bool:
        return any(_OF_TRAINING.match(name) for name in os.listdir(folder))


def _entries(folder: str) -> Iterator[str]:
    """Yields the names of the files in a folder, and of its checkpoints."""
    for name in os.listdir(folder):
        if name != "checkpoint":  # A program reads that of its own folder.
            yield name
            if name.endswith((".index", ".meta")):
                yield name.rpartition(".")[0]


@functools.cache
def of(program: Program) -> Mentions:
    """Returns the strings of a program's command line and Python files.

    Args:
      program: The program.
    """
    mentions = [
        Mention(value, name, program.root) for name, value in paths.options(program.command[1:])
    ]
    for source in sources.find([program.path]):
        try:
            tree = ast.parse(files.read(source.path).code)
        except (files.NotReadable, SyntaxError, ValueError, RecursionError):
            continue
        folder = os.path.dirname(os.path.abspath(source.path))
        mentions += [
            Mention(value, name, folder) for value, name in _strings(tree) if len(value) < 300
        ]
    return Mentions(mentions, program.root)


def _strings(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yields the strings of a file, each with the name of its argument or variable."""
    names: dict[ast.AST, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            _name_arguments(node, names)
        elif isinstance(node, ast.Assign):
            names[node.value] = _last_name(node.targets[0])
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            names[node.value] = _last_name(node.target)
        elif isinstance(node, ast.Dict):
            names.update(
                (value, str(key.value))
                for key, value in zip(node.keys, node.values, strict=True)
                if isinstance(key, ast.Constant)
            )
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            arguments = [*node.args.posonlyargs, *node.args.args]
            defaults = node.args.defaults
            pairs = zip(arguments[len(arguments) - len(defaults) :], defaults, strict=True)
            names.update((default, argument.arg) for argument, default in pairs)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value, names.get(node, "")


def _name_arguments(call: ast.Call, names: dict[ast.AST, str]) -> None:
    """Names the arguments of a call. Those of a flag's definition have the name of the flag."""
    function = _last_name(call.func)
    first = call.args[0] if call.args else None
    option = first.value if isinstance(first, ast.Constant) else None
    is_option = isinstance(option, str) and re.match("DEFINE_|add_argument|Option|option", function)
    if is_option:
        names.update((argument, str(option)) for argument in call.args[1:2])
    elif function.endswith("Estimator") or re.search("Classifier|Regressor", function):
        names.update((argument, "model_dir") for argument in call.args[1:2])
    for keyword in call.keywords:
        is_default = is_option and keyword.arg in ("default", "default_value")
        names[keyword.value] = str(option) if is_default else keyword.arg or ""


def _last_name(node: ast.AST) -> str:
    """Returns `c` for a.b.c and a["c"], or ""."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value)
    return node.id if isinstance(node, ast.Name) else ""
