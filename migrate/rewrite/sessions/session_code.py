"""Finds the code around each session, and gives it a graph of its own.

    for code in session_code.read(file):
        code.reason or code.statements

Without `disable_v2_behavior`, a session finds no operation of the code before it, because
TensorFlow executes each operation at once. In `with tf.Graph().as_default():` it works as before.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from migrate.rewrite.analysis import bridged_configs, estimator_uses, v2_switches
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.rule import Edit, Import
from migrate.rewrite.engine.source_file import Match, SourceFile
from migrate.rewrite.sessions import inspected_inputs, unused_placeholders
from migrate.rewrite.sessions.estimator_use import EstimatorCode
from migrate.rewrite.sessions.graph_flow import GraphFlow
from migrate.rewrite.sessions.tensor_values import TensorValues, executed, is_plain_call

_V1 = Import("tensorflow.compat.v1", "tf")
# Sessions, and the places of the graph among their positional arguments.
_SESSIONS = {
    "tf.InteractiveSession": 1,
    "tf.Session": 1,
    "tf.train.MonitoredSession": None,
    "tf.train.MonitoredTrainingSession": None,
    "tf.train.SingularMonitoredSession": None,
    "tf.train.Supervisor": 0,
}
_ESTIMATORS = ("tf.contrib.", "tf.estimator.")
_ESTIMATOR_CLASSES = ("Classifier", "Estimator", "Regressor")
_UNUSED = "placeholders that nothing reads are removed"
_RESETS = ("tf.keras.backend.clear_session", "tf.reset_default_graph")
_SEEDS = ("tf.random.set_random_seed", "tf.set_random_seed")
# Functions that look up operations, rather than make them.
_LOOKUPS = frozenset(
    f"tf.{name}"
    for name in (
        *("get_collection", "get_collection_ref", "get_default_graph", "get_default_session"),
        *("global_variables", "global_variables_initializer", "initialize_all_variables"),
        *("initializers.global_variables", "initializers.local_variables"),
        *("local_variables_initializer", "tables_initializer", "train.Saver"),
        *("train.start_queue_runners", "trainable_variables"),
    )
)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_BLOCKS = ("body", "orelse", "finalbody")


class SessionCode(NamedTuple):
    """The code around a session.

    Attributes:
      match: Name of the session's class, of a placeholder, or of an input function.
      statements: Statements that get a graph of their own. Empty if they need none.
      resets: Statements among them that reset the default graph, and are removed.
      reason: Reason why they cannot get one, or "" if they can.
    """

    match: Match
    statements: tuple[ast.stmt, ...] = ()
    resets: tuple[ast.stmt, ...] = ()
    reason: str = ""

    @property
    def problem(self) -> str:
        """Reason why the program needs graphs in any case, or "" if it does not."""
        if not self.reason:
            return ""
        return (
            f"{self.match.name} in line {self.match.node.lineno} needs a graph: remove it first "
            f"({self.reason})"
        )


def problem(file: SourceFile) -> str:
    """Returns the reason why a file needs graphs in any case, or "".

    Args:
      file: The file.
    """
    return next((code.problem for code in read(file) if code.problem), "")


def read(file: SourceFile) -> list[SessionCode]:
    """Returns the code around each session that has no graph of its own yet.

    Args:
      file: The file.
    """
    return file.computed(_read)


def edits(file: SourceFile) -> tuple[list[Edit], tuple[Import, ...], str]:
    """Returns the edits that give all session code graphs, their imports, and their effects.

    Other edits remove placeholders that nothing reads.

    Args:
      file: A file without a `problem`.
    """
    removals = [] if _is_eager(file) else unused_placeholders.removals(file)
    regions: dict[ast.stmt, SessionCode] = {}
    for code in read(file):
        if code.statements:
            regions.setdefault(code.statements[0], code)
    if not regions:
        return removals, (), _UNUSED if removals else ""
    tf = bridged_configs.tensorflow(file)
    imports = () if tf else (_V1,)
    tf = tf or file.module_name(_V1)
    result = [edit for code in regions.values() for edit in _edits_of(file, code, tf)]
    effects = [*_effects(file, [*regions.values()]), *([_UNUSED] if removals else [])]
    return result + removals, imports, "; ".join(effects)


def estimator_functions(file: SourceFile) -> frozenset[str]:
    """Returns the names of the functions and classes of a file that make or use Estimators.

    Args:
      file: The file.
    """
    code = EstimatorCode(file, TensorValues(file))
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return frozenset(
        node.name for node in file.tree.body if isinstance(node, definitions) and code.defines(node)
    )


def _read(file: SourceFile) -> list[SessionCode]:
    if _is_eager(file):
        return []
    reader = _Reader(file)
    codes = []
    placeholders = []
    for match in file.names():
        code = reader.of_session(match) if match.name in _SESSIONS else None
        if code is not None:
            codes.append(code)
        is_placeholder = match.name == "tf.placeholder" and match.call is not None
        if is_placeholder and reader.is_eager(file.function(match.node)):
            placeholders.append(match)
    covered = {part for code in codes for node in code.statements for part in ast.walk(node)}
    for match, statement, reason in inspected_inputs.read(file):
        if match.node not in covered and not reader.has_graph(match):
            codes.append(SessionCode(match, () if reason else (statement,), reason=reason))
    unused = unused_placeholders.statements(file)
    covered |= {part for node in unused for part in ast.walk(node)}
    for match in placeholders:
        if match.node not in covered and not reader.has_graph(match):
            codes.append(SessionCode(match, reason="no session code contains it"))
    return codes


def _is_eager(file: SourceFile) -> bool:
    """Says whether a program runs with the behavior of TensorFlow 2 today."""
    is_v2 = file.plan.program.api == "v2"
    return is_v2 and not file.program_uses(v2_switches.is_one)


class _Reader:
    """Reads the session code of a file."""

    def __init__(self, file: SourceFile) -> None:
        self._file = file
        self._values = TensorValues(file)
        self._estimators = EstimatorCode(file, self._values)
        self._flow = GraphFlow(file, self._values)
        self._building: dict[ast.AST, bool] = {}

    def of_session(self, match: Match) -> SessionCode | None:
        """Returns the code around a session. None if it needs no new graph."""
        if match.call is None:
            if self._is_type(match.node):
                return None
            return SessionCode(match, reason="it is not called here")
        if self._has_explicit_graph(match.name, match.call):
            if match.name == "tf.InteractiveSession":
                reason = "it makes its graph the default one until it is closed"
                return SessionCode(match, reason=reason)
            return None
        if self.has_graph(match) or self._is_setting(match.call):
            return None
        statement = self._file.statement(match.node)
        function = self._function(match.node)
        if function is not None and self._runs_in_graph(function, ()):
            return None
        first_reason = ""
        if function is not None:
            body = _body(function)
            if match.name == "tf.Session" and self._is_alone(statement, match.call, body):
                return None
            if not self._estimators.line(body):
                code = self._code(match, body)
                if not code.reason or self._flow.entering_problem(body):
                    return code
                first_reason = code.reason
        while True:
            code = self._code(match, self._slice(statement))
            if not code.reason:
                is_whole = code.statements == (statement,) and isinstance(statement, ast.With)
                is_whole = is_whole and match.name == "tf.Session"
                return None if is_whole and not code.resets else code
            first_reason = first_reason or code.reason
            parent = self._file.parent(statement)
            while parent is not None and not isinstance(parent, ast.stmt):
                parent = self._file.parent(parent)
            if parent is None or isinstance(parent, (*_FUNCTIONS, ast.ClassDef)):
                return SessionCode(match, reason=first_reason)
            statement = parent

    # The graph of a session.

    def _has_explicit_graph(self, name: str, call: ast.Call) -> bool:
        """Says whether a session gets a graph that is not the default one."""
        place = _SESSIONS[name]
        graph = call.args[place] if place is not None and len(call.args) > place else None
        for keyword in call.keywords:
            if keyword.arg == "graph":
                graph = keyword.value
        if graph is None or isinstance(graph, ast.Constant):
            return False
        return not self._is_default_graph(graph)

    def _is_default_graph(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name):
            values = (
                bindings.value_of(self._file, binder)
                for binder in bindings.of_scope(self._file, node)
            )
            return any(value is not None and self._is_default_graph(value) for value in values)
        if not isinstance(node, ast.Call):
            return False
        return self._file.name_of(node.func) == "tf.get_default_graph"

    def is_eager(self, function: ast.AST | None) -> bool:
        """Says whether code surely runs outside of an Estimator's graph: it makes an Estimator.

        Args:
          function: The function that the code is in. None for the module.
        """
        return function is None or any(
            match.call is not None
            and match.name.startswith(_ESTIMATORS)
            and match.name.endswith(_ESTIMATOR_CLASSES)
            and self._file.function(match.node) is function
            for match in self._file.names()
        )

    def _runs_in_graph(self, function: ast.AST | None, stack: tuple[ast.AST, ...]) -> bool:
        """Says whether all calls of a function are in `with` statements of graphs.

        Args:
          function: The function.
          stack: Functions that it calls.
        """
        if not isinstance(function, _FUNCTIONS[:2]) or function in stack:
            return False
        calls = [*self._flow.calls_of(function)]
        return bool(calls) and all(
            self._is_in_graph(call)
            or self._runs_in_graph(self._file.function(call), (*stack, function))
            for call in calls
        )

    def has_graph(self, match: Match) -> bool:
        """Says whether a name is in a `with` statement of a graph.

        Args:
          match: The name.
        """
        return self._is_in_graph(match.node)

    def _is_in_graph(self, node: ast.AST) -> bool:
        while True:
            parent = self._file.parent(node)
            if parent is None or isinstance(parent, _FUNCTIONS):
                return False
            if isinstance(parent, ast.With):
                items = parent.items
                if node in items:  # In `with graph.as_default(), tf.Session():`.
                    items = items[: items.index(node)]
                if any(self._enters_graph(item.context_expr) for item in items):
                    return True
            node = parent

    def _enters_graph(self, node: ast.expr) -> bool:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return False
        owner = node.func.value
        if node.func.attr != "as_default" or self._is_default_graph(owner):
            return False
        if isinstance(owner, ast.Call):
            return self._file.name_of(owner.func) == "tf.Graph"
        last = ast.unparse(owner).rpartition(".")[2].lower()
        return "graph" in last or last == "g"

    def _is_setting(self, call: ast.Call) -> bool:
        """Says whether a session only sets up devices, or is passed to Keras for that."""
        parent = self._file.parent(call)
        if _sets_session(parent):
            return True
        if self._file.name_of(call.func) != "tf.Session":
            return False  # Code may use an InteractiveSession without its name.
        if isinstance(parent, ast.Expr):
            return True
        if not isinstance(parent, ast.Assign) or len(parent.targets) != 1:
            return False
        (target,) = parent.targets
        if not isinstance(target, ast.Name) or len(bindings.of_scope(self._file, target)) != 1:
            return False
        return all(
            _sets_session(self._file.parent(use)) for use in bindings.uses(self._file, target)
        )

    def _is_type(self, node: ast.expr) -> bool:
        """Says whether a class is named only as a type."""
        child: ast.AST = node
        parent = self._file.parent(child)
        while isinstance(parent, (ast.Tuple, ast.Subscript, ast.BinOp)):
            child, parent = parent, self._file.parent(parent)
        if isinstance(parent, ast.Call):
            return ast.unparse(parent.func) in ("isinstance", "issubclass")
        if isinstance(parent, (ast.arg, ast.AnnAssign)):
            return parent.annotation is child
        return isinstance(parent, _FUNCTIONS[:2]) and parent.returns is child

    # The statements that need the same graph.

    def _function(self, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        function = self._file.function(node)
        while isinstance(function, ast.Lambda):
            function = self._file.function(function)
        return function

    def _is_alone(self, statement: ast.stmt, call: ast.Call, body: Sequence[ast.stmt]) -> bool:
        """Says whether a function makes all operations in the `with` statement of a session.

        Such a statement makes the graph of its session the default one.
        """
        if not isinstance(statement, ast.With):
            return False
        if not any(item.context_expr is call for item in statement.items):
            return False
        if self._estimators.line([statement]) or self._flow.problem([statement]):
            return False
        return not any(map(self._builds, self._around(body, statement)))

    def _around(self, statements: Sequence[ast.stmt], inner: ast.stmt) -> Iterator[ast.AST]:
        """Yields the nodes of some statements that are outside of an inner statement."""
        for statement in statements:
            if statement is inner:
                continue
            if any(part is inner for part in ast.walk(statement)):
                for child in ast.iter_child_nodes(statement):
                    if isinstance(child, ast.stmt):
                        yield from self._around([child], inner)
                    else:
                        yield child
            else:
                yield statement

    def _builds(self, node: ast.AST) -> bool:
        """Says whether code makes operations. Functions that it calls count too."""
        if node in self._building:
            return self._building[node]
        self._building[node] = False  # Of a function that calls itself.
        self._building[node] = any(map(self._is_building, executed(node)))
        return self._building[node]

    def _is_building(self, node: ast.AST) -> bool:
        if not isinstance(node, ast.Call):
            return False
        name = self._file.name_of(node.func)
        if name is not None:
            return not is_plain_call(name) and name not in _SESSIONS and name not in _LOOKUPS
        if self._file.imported_name_of(node.func):
            return True
        return any(map(self._builds_in, self._called(node.func)))

    def _builds_in(self, function: ast.AST) -> bool:
        if isinstance(function, ast.Lambda):
            return self._builds(function.body)
        return any(map(self._builds, getattr(function, "body", ())))

    def _called(self, node: ast.expr) -> Iterator[ast.AST]:
        if isinstance(node, ast.Name):
            yield from self._values.functions(node)
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self":
            yield from self._values.methods(node.attr)

    def _slice(self, statement: ast.stmt) -> tuple[ast.stmt, ...]:
        """Returns the statements of a block that need the graph of one of them."""
        block = _block(self._file, statement)
        start = end = block.index(statement)
        while True:
            inside = {part for node in block[start : end + 1] for part in ast.walk(node)}
            places = [start, end]
            for _, binder in self._flow.entering_names(inside):
                places += _places(block, binder)
            for _, use in self._flow.leaving_names(inside):
                places += _places(block, use)
            places += self._preparing(block, min(places), max(places))
            if (min(places), max(places)) == (start, end):
                return tuple(block[start : end + 1])
            start, end = min(places), max(places)

    def _preparing(self, block: Sequence[ast.stmt], start: int, end: int) -> Iterator[int]:
        """Yields the places before some statements that make operations only for them.

        For example, `build()` may make operations that the session finds by their names.
        """
        for place in reversed(range(start)):
            statement = block[place]
            if self._estimators.line([statement]):
                return
            if self._builds(statement):
                inside = {part for node in block[place : end + 1] for part in ast.walk(node)}
                if not any(
                    use not in inside
                    for node in ast.walk(statement)
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
                    for use in bindings.uses(self._file, node)
                ):
                    yield place

    def _code(self, match: Match, statements: Sequence[ast.stmt]) -> SessionCode:
        resets = self._first_resets(statements)
        kept = [node for node in statements if node not in resets]
        reason = self._reason(kept)
        return SessionCode(match, () if reason else tuple(kept), tuple(resets), reason)

    def _first_resets(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Returns the statements that reset the default graph before any operation is made."""
        resets: list[ast.stmt] = []
        for statement in statements:
            call = statement.value if isinstance(statement, ast.Expr) else None
            if isinstance(call, ast.Call) and self._file.name_of(call.func) in _RESETS:
                resets.append(statement)
            elif self._builds(statement):
                break
        return resets

    def _reason(self, statements: Sequence[ast.stmt]) -> str:
        if not statements:
            return "nothing else is in its block"
        if line := self._estimators.line(statements):
            return f"line {line} uses an Estimator among the code of its graph"
        if not all(estimator_uses.is_alone(self._file, node) for node in statements):
            return "it shares a line with another statement"
        for statement in statements:
            if line := self._reset_line(statement, ()):
                return f"line {line} resets the default graph"
        if problem := self._flow.problem(statements):
            return problem
        if not any(map(self._builds, statements)):
            return "other code makes the operations that it runs"
        return ""

    def _reset_line(self, node: ast.AST, stack: tuple[ast.AST, ...]) -> int:
        """Returns the line in some code that resets the default graph, or 0."""
        for part in ast.walk(node):
            if not isinstance(part, ast.Call):
                continue
            if self._file.name_of(part.func) in _RESETS:
                return part.lineno
            for function in self._called(part.func):
                inner = (*stack, function)
                if function not in stack and (line := self._reset_line(function, inner)):
                    return line
        return 0


def _sets_session(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith("set_session")


def _body(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
    """Returns the statements of a function after its docstring and declarations."""
    body = function.body
    while len(body) > 1 and (_is_text(body[0]) or isinstance(body[0], (ast.Global, ast.Nonlocal))):
        body = body[1:]
    return body


def _is_text(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Constant):
        return False
    return isinstance(statement.value.value, str)


def _block(file: SourceFile, statement: ast.stmt) -> list[ast.stmt]:
    """Returns the block that a statement is in."""
    parent = file.parent(statement)
    for name in _BLOCKS:
        block = getattr(parent, name, None)
        if isinstance(block, list) and statement in block:
            return block
    return [statement]


def _places(block: Sequence[ast.stmt], node: ast.AST) -> list[int]:
    """Returns the place of the statement in a block that contains a node, if any does."""
    return [
        place
        for place, statement in enumerate(block)
        if any(part is node for part in ast.walk(statement))
    ]


def _effects(file: SourceFile, codes: Sequence[SessionCode]) -> Iterator[str]:
    """Yields the effects that new graphs may have."""
    lines = ", ".join(str(code.match.node.lineno) for code in codes)
    yield (
        f"the code around {codes[0].match.name} in line {lines} gets a graph of its own, and must "
        "not share tensors with other code"
    )
    inside = {part for code in codes for node in code.statements for part in ast.walk(node)}
    names = {match.name: match for match in file.names() if match.node in inside}
    if meta := names.get("tf.train.import_meta_graph"):
        yield f"line {meta.node.lineno} reads the .meta file of a checkpoint, and Keras writes none"
    if file.program_uses(_SEEDS.__contains__) and names.keys().isdisjoint(_SEEDS):
        yield "the seed of tf.set_random_seed is not that of the new graph"


def _edits_of(file: SourceFile, code: SessionCode, tf: str) -> Iterator[Edit]:
    """Yields the edits that put statements into a `with` statement."""
    first, last = code.statements[0], code.statements[-1]
    decorators = getattr(first, "decorator_list", ())
    start = min(node.lineno for node in (first, *decorators))
    end = last.end_lineno or last.lineno
    removed: set[int] = set()
    for statement in code.resets:
        yield bridged_configs.removal(file, statement)
        removed.update(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
    indent = file.indent(start)
    unit = "\t" if "\t" in indent else "    "
    at = file.line_start(start)
    text = f"{indent}with {tf}.Graph().as_default():{file.newline}{unit}"
    yield Edit(at, at, text)
    in_strings = _lines_in_strings(code.statements)
    for line in range(start + 1, end + 1):
        at = file.line_start(line)
        if at < file.line_end(line) and line not in in_strings and line not in removed:
            yield Edit(at, at, unit)


def _lines_in_strings(statements: Sequence[ast.stmt]) -> set[int]:
    """Returns the lines that begin in a string."""
    lines: set[int] = set()
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, (ast.Constant, ast.JoinedStr)):
                lines.update(range(node.lineno + 1, (node.end_lineno or node.lineno) + 1))
    return lines
