"""Reads one file: its uses of TensorFlow's names, its imports, and what its functions are.

    read = read_file(Source("job.py", "."), local_heads=frozenset(("utils",)))
    read.uses, read.imports, read.facts.has_main

A file that does not parse says so, and why, in `error`; nothing is imported or executed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from legacy.facade import names, source
from migrate.scan import notebooks, sources, symbols

# Arguments that say what a function of the program is for.
_GIVEN_AS = ("model_fn", "input_fn", "eval_input_fn", "train_input_fn", "serving_input_receiver_fn")
_TOO_DEEP = "it is nested too deeply to be parsed"


class Facts(NamedTuple):
    """What the plan asks of a file besides its names.

    Attributes:
      has_main: it is run: `if __name__ == "__main__"` or `app.run`; a notebook always is.
      functions: by what they are given as ("model_fn", "input_fn" ...), names of functions.
      model_fns: functions with the signature of a model_fn: (features, labels, mode...).
      methods: names of methods that it calls, of those that an Estimator has.
      reads_tf_config: whether TF_CONFIG is named in it.
    """

    has_main: bool
    functions: dict[str, list[str]]
    model_fns: list[str]
    methods: list[str]
    reads_tf_config: bool


class FileRead(NamedTuple):
    """What was read of a file.

    Attributes:
      path: the file.
      lines: how many it has; of a notebook, those of its code.
      generated: a tool wrote it, and it was not read further.
      error: why it could not be read or parsed; None if it could.
      error_line: where, if that is known.
      uses: of names of the Estimator era, and ("@" in front) of the program's own modules.
      exported: its own names with what they stand for, as `legacy.facade.bindings` writes it.
      imports: what it imports, "." in front for each level of a relative import.
      places: for a notebook, the cell and the line in it of each line.
      facts: what the plan asks.
    """

    path: str
    lines: int = 0
    generated: bool = False
    error: str | None = None
    error_line: int | None = None
    uses: list[names.Use] = []
    exported: dict[str, str] = {}
    imports: list[str] = []
    places: list[tuple[int, int]] | None = None
    facts: Facts = Facts(False, {}, [], [], False)


_METHODS = frozenset(("train", "evaluate", "predict", "export_savedmodel", "export_saved_model"))


def read_file(of: sources.Source, local_heads: frozenset[str], is_named: bool = False) -> FileRead:
    """Reads a file.

    Args:
      of: the file.
      local_heads: the top-level names of the modules of the program's own.
      is_named: it was asked for by its name, so it is read even if a tool wrote it.
    """
    try:
        with open(of.path, "rb") as file:
            content = file.read()
    except OSError as error:
        return FileRead(of.path, error=f"cannot be read: {error.strerror}")
    if not is_named and not of.is_notebook and sources.is_generated(of.path, content):
        return FileRead(of.path, content.count(b"\n"), generated=True)
    places = None
    try:
        if of.is_notebook:
            text, places = notebooks.read(content.decode("utf-8"))
        else:
            text = source.decoded(content)
        tree = source.parsed(text, of.path)
    except notebooks.NotANotebook as error:
        return FileRead(of.path, error=str(error))
    except source.ProgramError as error:
        lines = content.count(b"\n")
        place = error.line if places is None or not error.line else places[error.line - 1][1]
        return FileRead(of.path, lines, error=error.reason, error_line=place)
    except (UnicodeDecodeError, SyntaxError) as error:
        return FileRead(of.path, error=f"is not Python source: {error}")
    except RecursionError:
        return FileRead(of.path, content.count(b"\n"), error=_TOO_DEEP)
    try:
        uses, exported = names.read(tree, of.path, is_local=local_heads.__contains__)
    except RecursionError:
        return FileRead(of.path, content.count(b"\n"), error=_TOO_DEEP)
    return FileRead(
        path=of.path,
        lines=text.count("\n"),
        uses=[use for use in uses if _may_be_of_the_era(use.name)],
        exported=exported,
        imports=sorted(set(_imports(tree))),
        places=places,
        facts=_facts(tree, text, of.is_notebook),
    )


def _may_be_of_the_era(name: str) -> bool:
    return name.startswith("@") or ".*." in name or symbols.is_of_the_era(name)


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = "." * node.level + (node.module or "")
            yield start
            joint = "" if start.endswith(".") else "."
            yield from (f"{start}{joint}{alias.name}" for alias in node.names)


def _facts(tree: ast.Module, text: str, is_notebook: bool) -> Facts:
    functions: dict[str, list[str]] = {}
    model_fns: list[str] = []
    methods: set[str] = set()
    has_main = is_notebook
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                methods.update({node.func.attr} & _METHODS)
                owner = node.func.value
                app = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
                has_main |= node.func.attr == "run" and app == "app"
            for keyword in node.keywords:
                if keyword.arg in _GIVEN_AS:
                    functions.setdefault(keyword.arg, []).append(_called(keyword.value))
        elif isinstance(node, ast.FunctionDef):
            named = (*node.args.args, *node.args.kwonlyargs)
            given = [arg.arg for arg in named if arg.arg != "self"]
            if given[:2] == ["features", "labels"] and "mode" in given:
                model_fns.append(node.name)
    has_main |= any(
        isinstance(node, ast.If) and "__name__" in ast.dump(node.test) for node in tree.body
    )
    return Facts(has_main, functions, model_fns, sorted(methods), "TF_CONFIG" in text)


def _called(value: ast.AST) -> str:
    """The name of the function that is handed over, as far as it has one."""
    if isinstance(value, ast.Lambda):
        value = value.body
    if isinstance(value, ast.Call):
        inner = [arg for arg in value.args if isinstance(arg, (ast.Name, ast.Attribute))]
        partial = getattr(value.func, "attr", getattr(value.func, "id", "")) == "partial"
        value = inner[0] if partial and inner else value.func
    return getattr(value, "attr", getattr(value, "id", "?"))
