"""Reads one file: its uses of TensorFlow's names, its imports, and what its functions are.

    read = read_file(Source("job.py", "."), local_heads=frozenset(("utils",)))
    read.uses, read.imports, read.facts.has_main

A file that does not parse says so, and why, in `error`; of a notebook, the cells that do are read.
Nothing is imported or executed.
"""

from __future__ import annotations

import ast
import contextlib
import re
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from legacy.reading import source, used_names
from migrate.scan import notebooks, sources, symbols

# Arguments that say what a function of the program is for.
_GIVEN_AS = ("model_fn", "input_fn", "eval_input_fn", "train_input_fn", "serving_input_receiver_fn")
_DEEPEST = 12_000  # calls; two for each level of an expression
_TOO_DEEP = "it is nested too deeply to be parsed"


class Facts(NamedTuple):
    """What the plan asks of a file besides its names.

    Attributes:
      has_main: it is run: `if __name__ == "__main__"`, `app.run`, or calls of `run`, `train` and
        the like outside of functions, or a session there; a notebook always is.
      calls_own: it calls a function of its own outside of functions, as `main()` at its end.
      functions: by what they are given as ("model_fn", "input_fn" ...), names of functions.
      model_fns: functions with the signature of a model_fn: (features, labels, mode...).
      methods: names of methods that it calls, of those that train, evaluate and export.
      strategies: those of tf.distribute that it names; others are among its uses.
      reads_tf_config: whether TF_CONFIG is named in it.
    """

    has_main: bool = False
    calls_own: bool = False
    functions: dict[str, list[str]] = {}
    model_fns: list[str] = []
    methods: list[str] = []
    strategies: list[str] = []
    reads_tf_config: bool = False

    def joined(self, other: Facts) -> Facts:
        """Returns the facts of two programs in one file."""
        functions = dict(self.functions)
        for given_as, found in other.functions.items():
            functions[given_as] = functions.get(given_as, []) + found
        return Facts(
            self.has_main or other.has_main,
            self.calls_own or other.calls_own,
            functions,
            self.model_fns + other.model_fns,
            sorted({*self.methods, *other.methods}),
            sorted({*self.strategies, *other.strategies}),
            self.reads_tf_config or other.reads_tf_config,
        )


class FileRead(NamedTuple):
    """What was read of a file.

    Attributes:
      path: the file.
      lines: how many it has; of a notebook, those of its code.
      generated: a tool wrote it, and it was not read further.
      error: why it could not be read or parsed; None if it could.
      error_line: where, if that is known.
      uses: of names of the Estimator era, and ("@" in front) of the program's own modules.
      exported: its own names with what they stand for, as `legacy.reading.bindings` writes it.
      imports: what it imports, "." in front for each level of a relative import.
      places: for a notebook, the cell and the line in it of each line.
      facts: what the plan asks.
    """

    path: str
    lines: int = 0
    generated: bool = False
    error: str | None = None
    error_line: int | None = None
    uses: list[used_names.Use] = []
    exported: dict[str, str] = {}
    imports: list[str] = []
    places: list[tuple[int, int]] | None = None
    facts: Facts = Facts()


_METHODS = frozenset(
    (
        "train",
        "evaluate",
        "predict",
        "fit",
        "train_and_evaluate",
        "export_savedmodel",
        "export_saved_model",
        "minimize",
        "apply_gradients",
    )
)
_OF_A_SCRIPT = frozenset(("run", "train", "fit", "evaluate", "predict", "train_and_evaluate"))
_BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try)


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
    try:
        if of.is_notebook:
            return _read_notebook(of, notebooks.read(content.decode("utf-8-sig")), local_heads)
        text = source.decoded(content)
    except notebooks.NotANotebook as error:
        return FileRead(of.path, error=str(error))
    except (UnicodeDecodeError, SyntaxError) as error:
        return FileRead(of.path, error=f"is not Python source: {error}")
    return _read_program(of, text, local_heads)


def _read_program(of: sources.Source, text: str, local_heads: frozenset[str]) -> FileRead:
    lines = text.count("\n")
    try:
        tree = source.parsed(text, of.path)
        with _deeper():
            uses, exported = used_names.read(tree, of.path, is_local=local_heads.__contains__)
    except source.ProgramError as error:
        return FileRead(of.path, lines, error=error.reason, error_line=error.line)
    except (RecursionError, MemoryError):  # The second is how Python 3.10's parser says it.
        return FileRead(of.path, lines, error=_TOO_DEEP)
    nodes = list(_nodes(tree))
    kept = [use for use in uses if _may_be_of_the_era(use.name)]
    with_step = _calls_with_step(nodes)
    kept = [u for u in kept if not (u.name in _SUMMARIES and (u.line, u.column) in with_step)]
    return FileRead(
        path=of.path,
        lines=lines,
        uses=kept if text.isascii() else _in_characters(kept, text.split("\n")),
        exported=exported,
        imports=sorted(set(_imports(nodes))),
        facts=_facts(tree, nodes, text, of.is_notebook)._replace(strategies=_strategies(uses)),
    )


def _read_notebook(
    of: sources.Source, notebook: notebooks.Notebook, local_heads: frozenset[str]
) -> FileRead:
    """Reads a notebook's cells as one program, and each file that it writes as one of its own."""
    main = _read_program(of, notebook.text, local_heads)
    if main.error:
        # One cell that does not parse, or was never meant to, must not hide the others.
        error, place = main.error, notebook.place(main.error_line or 1)
        whole = notebooks.without(notebook, lambda text: _read_program(of, text, local_heads).error)
        main = _read_program(of, whole.text, local_heads)
        main = main._replace(error=main.error or f"cell {place[0]}: {error}", error_line=place[1])
    places = list(notebook.places)
    for written in notebook.files:
        read = _read_program(of, written.text, local_heads)
        start = len(places)
        main = main._replace(
            lines=main.lines + read.lines,
            uses=main.uses + [_shifted(use, start) for use in read.uses],
            imports=sorted({*main.imports, *read.imports}),
            facts=main.facts.joined(read.facts),
        )
        if read.error and not main.error:
            cell, line = written.place(read.error_line or 1)
            main = main._replace(error=f"cell {cell}: {read.error}", error_line=line)
        places += written.places
    return main._replace(places=places)


def _shifted(use: used_names.Use, lines: int) -> used_names.Use:
    return use._replace(line=use.line + lines, end_line=use.end_line + lines)


@contextlib.contextmanager
def _deeper() -> Iterator[None]:
    """Has room for expressions of a few thousand terms, as tables in programs have."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


# TensorFlow 2 has them under the same names, for other things: those are given a step.
_SUMMARIES = frozenset(f"tf.summary.{n}" for n in ("audio", "histogram", "image", "scalar", "text"))


def _calls_with_step(nodes: Sequence[ast.AST]) -> set[tuple[int, int]]:
    return {
        (node.func.lineno, node.func.col_offset)
        for node in nodes
        if isinstance(node, ast.Call) and any(keyword.arg == "step" for keyword in node.keywords)
    }


def _in_characters(uses: Sequence[used_names.Use], lines: Sequence[str]) -> list[used_names.Use]:
    """The uses with columns in characters; `ast` counts the bytes of UTF-8."""

    def column(line: int, count: int) -> int:
        return len(lines[line - 1].encode()[:count].decode(errors="replace"))

    return [
        use._replace(
            column=column(use.line, use.column), end_column=column(use.end_line, use.end_column)
        )
        for use in uses
    ]


def _may_be_of_the_era(name: str) -> bool:
    return name.startswith("@") or ".*." in name or symbols.is_of_the_era(name)


def _nodes(tree: ast.Module) -> Iterator[ast.AST]:
    """Yields the nodes that tell what a file imports and does, in less time than `ast.walk`."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if node.__class__ in _TELLING:
            yield node
        for field in node._fields:
            part = getattr(node, field, None)
            if part.__class__ is list:
                waiting += [one for one in part if one.__class__ not in _LEAVES]
            elif part.__class__ not in _LEAVES:
                waiting.append(part)


_TELLING = frozenset((ast.Import, ast.ImportFrom, ast.Call, ast.FunctionDef))
_LEAVES = frozenset((ast.Name, ast.Constant, ast.Load, ast.Store, ast.arg, ast.Pass))
_LEAVES |= frozenset((str, int, bool, float, complex, bytes, type(None), type(...)))


def _imports(nodes: Sequence[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = "." * node.level + (node.module or "")
            yield start
            joint = "" if start.endswith(".") else "."
            yield from (f"{start}{joint}{alias.name}" for alias in node.names)


# "@utils.tf.distribute.MirroredStrategy" too; tf.distribute.Strategy is none.
_STRATEGY = re.compile(r"\btf\.(?:compat\.v[12]\.)*distribute\.((?:experimental\.)?\w+Strategy)$")


def _strategies(uses: Sequence[used_names.Use]) -> list[str]:
    found = (_STRATEGY.search(use.name) for use in uses if use.name.endswith("Strategy"))
    return sorted({f"tf.distribute.{match[1]}" for match in found if match})


def _facts(tree: ast.Module, nodes: Sequence[ast.AST], text: str, is_notebook: bool) -> Facts:
    functions: dict[str, list[str]] = {}
    model_fns: list[str] = []
    methods: set[str] = set()
    has_main = is_notebook
    for node in nodes:
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                methods.update({node.func.attr} & _METHODS)
                owner = node.func.value
                app = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
                has_main |= node.func.attr == "run" and app == "app"
            for keyword in node.keywords:
                if keyword.arg in _GIVEN_AS:
                    functions.setdefault(keyword.arg, []).append(_called(keyword.value))
            for given_as, value in _given_first(node):
                functions.setdefault(given_as, []).append(_called(value))
        elif isinstance(node, ast.FunctionDef):
            named = (*node.args.args, *node.args.kwonlyargs)
            given = [arg.arg for arg in named if arg.arg != "self"]
            if given[:2] == ["features", "labels"] and "mode" in given:
                model_fns.append(node.name)
    has_main |= any(
        isinstance(node, ast.If) and "__name__" in ast.dump(node.test) for node in tree.body
    )
    own = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    outside = list(_outside(tree.body))
    return Facts(
        has_main=has_main or any(_trains(part) for part in outside),
        calls_own=any(
            isinstance(part, ast.Expr)
            and getattr(getattr(part.value, "func", None), "id", "") in own
            for part in outside
        ),
        functions=functions,
        model_fns=model_fns,
        methods=sorted(methods),
        reads_tf_config="TF_CONFIG" in text,
    )


def _given_first(call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """Yields what is handed over by its place, as in estimator.train(input_fn)."""
    called = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if called == "Experiment":
        yield from (("input_fn", value) for value in call.args[1:3])
    given_as = _FIRST.get(called)
    if not given_as or not call.args:
        return
    first = call.args[0]
    # Of other objects' methods, and of classes of the same name, what is given is no function.
    if isinstance(first, ast.Lambda) or _called(first).endswith("fn") or called.endswith("Spec"):
        yield given_as, first


_FIRST = dict.fromkeys(("TrainSpec", "EvalSpec", "train", "evaluate", "predict"), "input_fn")
_FIRST |= dict.fromkeys(("Estimator", "TPUEstimator"), "model_fn")


def _outside(body: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    """Yields the simple statements outside of functions and classes, and what blocks begin with."""
    for statement in body:
        if isinstance(statement, _BLOCKS):
            if isinstance(statement, ast.With):
                yield from statement.items
            elif isinstance(statement, ast.For):
                yield statement.iter
            yield from _outside([*statement.body, *getattr(statement, "orelse", [])])
        elif isinstance(statement, (ast.Expr, ast.Assign)):
            yield statement


def _trains(part: ast.AST) -> bool:
    """Whether a statement trains or runs something, or opens a session to do so."""
    for node in ast.walk(part):
        if isinstance(node, ast.Call):
            called = getattr(node.func, "attr", "")
            opens = isinstance(part, ast.withitem) and called.endswith("Session")
            if called in _OF_A_SCRIPT or opens:
                return True
    return False


def _called(value: ast.AST) -> str:
    """The name of the function that is handed over, as far as it has one."""
    if isinstance(value, ast.Lambda):
        value = value.body
    if isinstance(value, ast.Call):
        inner = [arg for arg in value.args if isinstance(arg, (ast.Name, ast.Attribute))]
        partial = getattr(value.func, "attr", getattr(value.func, "id", "")) == "partial"
        value = inner[0] if partial and inner else value.func
    return getattr(value, "attr", getattr(value, "id", "?"))
