"""Reads a file: its uses of TensorFlow's names, its imports, and the roles of its functions.

    read = read_file(Source("job.py", "."), local_heads=frozenset(("utils",)))
    read.uses, read.imports, read.facts.has_main

If a file does not parse, `error` has the reason. Of a notebook, the cells that parse are read.
Nothing is imported or executed.
"""

from __future__ import annotations

import ast
import contextlib
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from legacy.reading import api_choice, source, used_names
from migrate import notebooks, sources
from migrate.scan import symbols
from modern.process import foreign_files

# Arguments whose value is a function with a known role.
_FUNCTION_ARGUMENTS = (
    "model_fn",
    "input_fn",
    "eval_input_fn",
    "train_input_fn",
    "serving_input_receiver_fn",
)
_MAX_BYTES = 64 << 20  # Notebooks contain images, so they can be large.
_RECURSION_LIMIT = 12_000  # Calls, two for each level of an expression.
_TOO_DEEP = "it is nested too deeply to be parsed"


class Facts(NamedTuple):
    """The facts that the plan needs about a file, in addition to its names.

    Attributes:
      has_main: Whether it is run: by `if __name__ == "__main__"`, `app.run`, calls of `run`,
        `train` and the like outside of functions, or a session there. Always true for a notebook.
      calls_own: Whether it calls one of its own functions outside of functions, such as `main()` or
        `model = train_model()` at its end.
      calls_main: Whether it calls a `main` or `run` of another file, as in `trainer.main()`.
      functions: Names of functions, by the argument through which they are passed, such as
        "model_fn".
      model_fns: Functions with the signature of a model_fn: (features, labels, mode...).
      tensor_fns: Functions that take tensors from an iterator or a queue.
      methods: Names of the methods that it calls, if they train, evaluate or export.
      strategies: Strategies of tf.distribute that it names. Other strategies are among its uses.
      reads_tf_config: Whether it contains the word TF_CONFIG.
    """

    has_main: bool = False
    calls_own: bool = False
    calls_main: bool = False
    functions: dict[str, list[str]] = {}
    model_fns: list[str] = []
    tensor_fns: list[str] = []
    methods: list[str] = []
    strategies: list[str] = []
    reads_tf_config: bool = False

    def joined(self, other: Facts) -> Facts:
        """Returns the facts of two programs in one file."""
        functions = dict(self.functions)
        for argument, names in other.functions.items():
            functions[argument] = functions.get(argument, []) + names
        return Facts(
            self.has_main or other.has_main,
            self.calls_own or other.calls_own,
            self.calls_main or other.calls_main,
            functions,
            self.model_fns + other.model_fns,
            self.tensor_fns + other.tensor_fns,
            sorted({*self.methods, *other.methods}),
            sorted({*self.strategies, *other.strategies}),
            self.reads_tf_config or other.reads_tf_config,
        )


class FileRead(NamedTuple):
    """The result of reading a file.

    Attributes:
      path: The file.
      lines: Number of lines. For a notebook, those of its code.
      generated: Whether a tool wrote the file. Such a file is not read further.
      error: Reason why it could not be read or parsed. None if it could.
      error_line: Line of the error, if it is known.
      uses: Uses of names of the Estimator era, and ("@" in front) of the program's own modules.
      exported: Names that the file defines, with their values as in `legacy.reading.bindings`.
      imports: Imported modules, with "." in front for each level of a relative import.
      mentions: Lines and columns of uses that create and call nothing, such as annotations.
      places: For each line of a notebook's code, the cell and the line in the cell.
      facts: Facts for the plan.
    """

    path: str
    lines: int = 0
    generated: bool = False
    error: str | None = None
    error_line: int | None = None
    uses: list[used_names.Use] = []
    exported: dict[str, str] = {}
    imports: list[str] = []
    mentions: frozenset[tuple[int, int]] = frozenset()
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
_SCRIPT_METHODS = frozenset(("run", "train", "fit", "evaluate", "predict", "train_and_evaluate"))
_BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try)


def read_file(
    file: sources.Source, local_heads: frozenset[str], is_named: bool = False
) -> FileRead:
    """Reads a file.

    Args:
      file: Path and root of the file.
      local_heads: Top-level names of the program's own modules.
      is_named: Whether the user named the file itself. Then it is read even if a tool wrote it.
    """
    try:
        content = foreign_files.read_bytes(file.path, _MAX_BYTES)
    except OSError as error:
        return FileRead(file.path, error=f"cannot be read: {foreign_files.reason(error)}")
    if not is_named and not file.is_notebook and sources.is_generated(file.path, content):
        return FileRead(file.path, content.count(b"\n"), generated=True)
    try:
        if file.is_notebook:
            return _read_notebook(file, notebooks.read(content.decode("utf-8-sig")), local_heads)
        text = source.decoded(content)
    except notebooks.NotANotebook as error:
        return FileRead(file.path, error=str(error))
    except (UnicodeDecodeError, SyntaxError) as error:
        return FileRead(file.path, error=f"is not Python source: {error}")
    return _read_program(file, text, local_heads)


def _read_program(file: sources.Source, text: str, local_heads: frozenset[str]) -> FileRead:
    lines = text.count("\n")
    try:
        tree = source.parsed(text, file.path)
        with _raised_recursion_limit():
            uses, exported = used_names.read(tree, file.path, is_local=local_heads.__contains__)
    except source.ProgramError as error:
        return FileRead(file.path, lines, error=error.reason, error_line=error.line)
    except (RecursionError, MemoryError):  # Python 3.10's parser raises MemoryError.
        return FileRead(file.path, lines, error=_TOO_DEEP)
    nodes = list(_nodes(tree))
    era_uses = [use for use in uses if _may_be_of_the_era(use.name)]
    with_step = _calls_with_step(nodes)
    era_uses = [
        use
        for use in era_uses
        if not (use.name in _SUMMARIES and (use.line, use.column) in with_step)
    ]
    era_uses = _without_same_initializers(era_uses, uses, nodes)
    located_uses = era_uses if text.isascii() else _in_characters(era_uses, text.split("\n"))
    mentions = _mentions(nodes)
    return FileRead(
        path=file.path,
        lines=lines,
        uses=located_uses,
        mentions=frozenset(
            (use.line, use.column)
            for use, era_use in zip(located_uses, era_uses, strict=True)
            if era_use.form == "import" or (era_use.line, era_use.column) in mentions
        ),
        exported=exported,
        imports=sorted(set(_imports(nodes))),
        facts=_facts(tree, nodes, text, file.is_notebook)._replace(strategies=_strategies(uses)),
    )


def _read_notebook(
    file: sources.Source, notebook: notebooks.Notebook, local_heads: frozenset[str]
) -> FileRead:
    """Reads a notebook's cells as one program, and each file that it writes as another."""
    main = _read_program(file, notebook.text, local_heads)
    if main.error:
        # A cell that does not parse, or is not meant to, must not hide the others.
        error, place = main.error, notebook.place(main.error_line or 1)
        parsable = notebooks.without(
            notebook, lambda text: _read_program(file, text, local_heads).error
        )
        main = _read_program(file, parsable.text, local_heads)
        main = main._replace(error=main.error or f"cell {place[0]}: {error}", error_line=place[1])
    places = list(notebook.places)
    for cell_file in notebook.files:
        read = _read_program(file, cell_file.text, local_heads)
        start = len(places)
        main = main._replace(
            lines=main.lines + read.lines,
            uses=main.uses + [_shifted(use, start) for use in read.uses],
            mentions=main.mentions | {(line + start, column) for line, column in read.mentions},
            imports=sorted({*main.imports, *read.imports}),
            facts=main.facts.joined(read.facts),
        )
        if read.error and not main.error:
            cell, line = cell_file.place(read.error_line or 1)
            main = main._replace(error=f"cell {cell}: {read.error}", error_line=line)
        places += cell_file.places
    return main._replace(places=places)


def _shifted(use: used_names.Use, lines: int) -> used_names.Use:
    return use._replace(line=use.line + lines, end_line=use.end_line + lines)


@contextlib.contextmanager
def _raised_recursion_limit() -> Iterator[None]:
    """Raises the recursion limit for expressions of a few thousand terms, such as tables."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


# TensorFlow 2 has other functions of the same names. They take a step.
_SUMMARIES = frozenset(f"tf.summary.{n}" for n in ("audio", "histogram", "image", "scalar", "text"))


def _calls_with_step(nodes: Sequence[ast.AST]) -> set[tuple[int, int]]:
    return {
        (node.func.lineno, node.func.col_offset)
        for node in nodes
        if isinstance(node, ast.Call) and any(keyword.arg == "step" for keyword in node.keywords)
    }


def _mentions(nodes: Sequence[ast.AST]) -> set[tuple[int, int]]:
    """Returns the places of names in annotations and in the classes that `isinstance` takes."""
    parts: list[ast.AST | None] = []
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            arguments = node.args
            parameters = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
            parts += [
                arg.annotation for arg in (*parameters, arguments.vararg, arguments.kwarg) if arg
            ]
            parts.append(node.returns)
        elif isinstance(node, ast.AnnAssign):
            parts.append(node.annotation)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in _TYPE_CHECKS:
            parts += node.args[1:]
    inner = (child for part in parts if part is not None for child in ast.walk(part))
    return {
        (child.lineno, child.col_offset)
        for child in inner
        if isinstance(child, (ast.Attribute, ast.Constant, ast.Name))
    }


_TYPE_CHECKS = ("isinstance", "issubclass")


# Initializers with another default range in TensorFlow 2, and the arguments that set the range.
_INITIALIZERS = frozenset(
    (
        *("tf.initializers.random_normal", "tf.initializers.random_uniform"),
        *("tf.initializers.truncated_normal", "tf.random_normal_initializer"),
        "tf.random_uniform_initializer",
    )
)
_RANGES = frozenset(("maxval", "stddev"))


def _without_same_initializers(
    era_uses: Sequence[used_names.Use], uses: Sequence[used_names.Use], nodes: Sequence[ast.AST]
) -> list[used_names.Use]:
    """Leaves out the initializers that mean the same in both versions of TensorFlow.

    These are calls that set the range, and all initializers of a program of TensorFlow 2.
    """
    if not any(symbols.plain(use.name) in _INITIALIZERS for use in era_uses):
        return list(era_uses)
    if api_choice.choose(uses).api == "v2":
        era_uses = [use for use in era_uses if use.name not in _INITIALIZERS]
    with_range = {
        (node.func.lineno, node.func.col_offset)
        for node in nodes
        if isinstance(node, ast.Call)
        and (len(node.args) > 1 or _RANGES & {keyword.arg for keyword in node.keywords})
    }
    return [
        use
        for use in era_uses
        if symbols.plain(use.name) not in _INITIALIZERS or (use.line, use.column) not in with_range
    ]


def _in_characters(uses: Sequence[used_names.Use], lines: Sequence[str]) -> list[used_names.Use]:
    """Returns the uses with columns in characters. `ast` counts the bytes of UTF-8."""

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
    """Yields the nodes that show a file's imports and actions. Faster than `ast.walk`."""
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        if node.__class__ in _RELEVANT_NODES:
            yield node
        for field in node._fields:
            part: Any = getattr(node, field, None)
            if part.__class__ is list:
                stack += [child for child in part if child.__class__ not in _LEAVES]
            elif part.__class__ not in _LEAVES:
                stack.append(part)


_RELEVANT_NODES = frozenset(
    (
        *(ast.Import, ast.ImportFrom, ast.Call),
        *(ast.FunctionDef, ast.AsyncFunctionDef, ast.AnnAssign),
    )
)
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


# Also matches "@utils.tf.distribute.MirroredStrategy", but not tf.distribute.Strategy.
_STRATEGY = re.compile(r"\btf\.(?:compat\.v[12]\.)*distribute\.((?:experimental\.)?\w+Strategy)$")


def _strategies(uses: Sequence[used_names.Use]) -> list[str]:
    matches = (_STRATEGY.search(use.name) for use in uses if use.name.endswith("Strategy"))
    return sorted({f"tf.distribute.{match[1]}" for match in matches if match})


def _facts(tree: ast.Module, nodes: Sequence[ast.AST], text: str, is_notebook: bool) -> Facts:
    functions: dict[str, list[str]] = {}
    model_fns: list[str] = []
    methods: set[str] = set()
    has_main, calls_main = is_notebook, False
    for node in nodes:
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                methods.update({node.func.attr} & _METHODS)
                calls_main |= node.func.attr in ("main", "run")
                owner = node.func.value
                app = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
                has_main |= node.func.attr == "run" and app == "app"
            for keyword in node.keywords:
                if keyword.arg in _FUNCTION_ARGUMENTS:
                    functions.setdefault(keyword.arg, []).append(_function_name(keyword.value))
            for argument, value in _positional_functions(node):
                functions.setdefault(argument, []).append(_function_name(value))
        elif isinstance(node, ast.FunctionDef):
            parameters = (*node.args.args, *node.args.kwonlyargs)
            names = [arg.arg for arg in parameters if arg.arg != "self"]
            if names[:2] == ["features", "labels"] and "mode" in names:
                model_fns.append(node.name)
    has_main |= any(
        isinstance(node, ast.If) and "__name__" in ast.dump(node.test) for node in tree.body
    )
    own = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    top_level = list(_top_level_parts(tree.body))
    return Facts(
        has_main=has_main or any(_trains(part) for part in top_level),
        calls_own=any(
            isinstance(part, (ast.Expr, ast.Assign))
            and getattr(getattr(part.value, "func", None), "id", "") in own
            for part in top_level
        ),
        calls_main=calls_main,
        functions=functions,
        model_fns=model_fns,
        tensor_fns=_tensor_fns(nodes),
        methods=sorted(methods),
        reads_tf_config="TF_CONFIG" in text,
    )


def _tensor_fns(nodes: Sequence[ast.AST]) -> list[str]:
    """Returns the functions around calls such as `iterator.get_next()` and `tf.train.batch()`."""
    lines = [node.lineno for node in nodes if isinstance(node, ast.Call) and _makes_tensors(node)]
    if not lines:
        return []
    functions = (node for node in nodes if isinstance(node, ast.FunctionDef))
    return sorted(
        {
            function.name
            for function in functions
            if any(function.lineno <= line <= (function.end_lineno or 0) for line in lines)
        }
    )


def _makes_tensors(call: ast.Call) -> bool:
    if not isinstance(call.func, ast.Attribute):
        return False
    name, owner = call.func.attr, call.func.value
    return name in _ITERATOR_CALLS or (
        name in _QUEUE_CALLS and getattr(owner, "attr", "") == "train"
    )


_ITERATOR_CALLS = ("get_next", "make_one_shot_iterator")
_QUEUE_CALLS = ("batch", "batch_join", "shuffle_batch", "shuffle_batch_join")


def _positional_functions(call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """Yields functions that are passed by position, as in estimator.train(input_fn)."""
    function_name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if function_name == "Experiment":
        yield from (("input_fn", value) for value in call.args[1:3])
    argument = _FIRST_ARGUMENTS.get(function_name)
    if not argument or not call.args:
        return
    first = call.args[0]
    # Methods of other objects, and other classes of the same name, take other first arguments.
    if (
        isinstance(first, ast.Lambda)
        or _function_name(first).endswith("fn")
        or function_name.endswith("Spec")
    ):
        yield argument, first


_FIRST_ARGUMENTS = dict.fromkeys(
    ("TrainSpec", "EvalSpec", "train", "evaluate", "predict"), "input_fn"
)
_FIRST_ARGUMENTS |= dict.fromkeys(("Estimator", "TPUEstimator"), "model_fn")


def _top_level_parts(body: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    """Yields the simple statements outside of functions and classes, and the heads of blocks."""
    for statement in body:
        if isinstance(statement, _BLOCKS):
            if isinstance(statement, ast.With):
                yield from statement.items
            elif isinstance(statement, ast.For):
                yield statement.iter
            yield from _top_level_parts([*statement.body, *getattr(statement, "orelse", [])])
        elif isinstance(statement, (ast.Expr, ast.Assign)):
            yield statement


def _trains(part: ast.AST) -> bool:
    """Returns whether a statement trains or runs something, or opens a session to do so."""
    for node in ast.walk(part):
        if isinstance(node, ast.Call):
            function_name = getattr(node.func, "attr", "")
            opens = isinstance(part, ast.withitem) and function_name.endswith("Session")
            if function_name in _SCRIPT_METHODS or opens:
                return True
    return False


def _function_name(value: ast.AST) -> str:
    """Returns the name of the function that is passed, or "?" if it has none."""
    if isinstance(value, ast.Lambda):
        value = value.body
    if isinstance(value, ast.Call):
        inner = [arg for arg in value.args if isinstance(arg, (ast.Name, ast.Attribute))]
        partial = getattr(value.func, "attr", getattr(value.func, "id", "")) == "partial"
        value = inner[0] if partial and inner else value.func
    return getattr(value, "attr", getattr(value, "id", "?"))
