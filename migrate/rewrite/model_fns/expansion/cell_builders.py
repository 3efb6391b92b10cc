"""Writes the RNN cells of a model_fn as expressions, which `__init__` can evaluate.

draft = without_builders(draft)

For example, `[make_cell(size) for size in sizes]` becomes `[tf.nn.rnn_cell.GRUCell(size) for size
in sizes]`. A loop that appends cells to a list becomes a list comprehension. A wrapper under a
condition becomes a wrapper with a conditional probability.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import checks, slices
from migrate.rewrite.model_fns.expansion.draft import Draft, Line, expansion
from migrate.rewrite.model_fns.expansion.functions import helpers
from migrate.rewrite.model_fns.expansion.functions.helpers import Helper
from migrate.rewrite.model_fns.layers.calls import recurrent
from migrate.rewrite.model_fns.rendering import Rendered

_MAX_CALLS = 30  # Ends the expansion of recursive helpers.
_DROPOUT = "tf.nn.rnn_cell.DropoutWrapper"
_SIMPLE = (ast.Attribute, ast.Constant, ast.Name, ast.Subscript)
_FUNCTIONS = (ast.AsyncFunctionDef, ast.FunctionDef, ast.Lambda)


def without_builders(draft: Draft) -> Draft:
    """Returns a copy of a file in which no function, loop or branch of a model_fn makes cells.

    Those that have no such expression stay.

    Args:
      draft: The copy of the file.
    """
    if not makes_cells(draft.file, draft.file.tree):
        return draft
    for _ in range(_MAX_CALLS):
        shorter = _without_call(draft)
        if shorter is None:
            break
        draft = shorter
    return _without_names(_without_branches(_without_loops(draft)))


def makes_cells(file: SourceFile, node: ast.AST) -> bool:
    """Says whether a node contains a call that makes an RNN cell, or wraps one."""
    return any(recurrent.makes_cell(match.name) for match in checks.names_in(file, node))


# Functions that return cells.


@expansion
def _without_call(draft: Draft) -> Draft | None:
    """Returns a copy in which an expression replaces a call of a helper, or None."""
    for statement in draft.function.body:
        for call in ast.walk(statement):
            helper = helpers.of_call(draft, call) if isinstance(call, ast.Call) else None
            if not isinstance(call, ast.Call) or helper is None or helper.owner:
                continue
            if isinstance(statement, ast.FunctionDef) and not makes_cells(draft.file, statement):
                continue
            value = _result(draft, call, helper)
            if value is None:
                continue
            rendered = Rendered(draft.file)
            rendered.replace(call, ast.unparse(value))
            text = rendered.statement(statement, draft.file.indent(statement.lineno))
            origin = draft.origin(helper.function.lineno)
            return draft.with_lines(
                {statement: draft.lines_of(statement, text)}, frozenset((origin,))
            )
    return None


def _result(draft: Draft, call: ast.Call, helper: Helper) -> ast.expr | None:
    """Returns the cell that a helper makes, as an expression. None for other helpers."""
    function = helper.function
    if not makes_cells(draft.file, function) or _runs_cells(draft.file, function):
        return None
    try:
        values = helpers.helper_arguments(helper, call)
        if not all(isinstance(value, _SIMPLE) or _is_plain(value) for value in values.values()):
            return None
        *body, last = _without_docstring(function.body)
        cells = CellValues(values)
        if isinstance(last, ast.Return) and last.value is not None:
            cells.follow(body)
            value = cells.value(last.value)
        else:
            value = cells.returned([*body, last])
    except NotUnderstood:
        return None
    local = slices.bound_inside(function) | {*values}
    free = set().union(*map(slices.read, function.body)) - local
    shadowed = free & (
        slices.bound_inside(draft.function)
        | {argument.arg for argument in draft.function.args.args}
    )
    is_clear = helper.is_inner or not shadowed
    unbound = slices.read(value) & (local - {*values}) - slices.of_comprehensions(value)
    return value if is_clear and not unbound else None


def _is_plain(node: ast.expr) -> bool:
    """Says whether an argument may be evaluated several times."""
    return not any(isinstance(part, (ast.Call, *_FUNCTIONS)) for part in ast.walk(node))


def _runs_cells(file: SourceFile, node: ast.AST) -> bool:
    return any(match.name in recurrent.RUNS for match in checks.names_in(file, node))


def _without_docstring(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    return [
        statement
        for i, statement in enumerate(body)
        if i or len(body) == 1 or not isinstance(statement, ast.Expr)
    ]


class CellValues:
    """The values of the names of a body that makes cells, as expressions."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values = dict(values)

    def follow(self, body: Sequence[ast.stmt]) -> None:
        """Evaluates statements.

        Raises:
          NotUnderstood: A statement does more than assign names.
        """
        for statement in body:
            if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                (target,) = statement.targets
                if isinstance(target, ast.Name):
                    self.values[target.id] = self.value(statement.value)
                    continue
            elif isinstance(statement, ast.If):
                self._branch(statement)
                continue
            elif isinstance(statement, ast.Pass):
                continue
            raise NotUnderstood(f"the statement in line {statement.lineno} makes no cell")

    def _branch(self, statement: ast.If) -> None:
        kinds = _kinds(statement)
        has_default = bool(slices.bound(statement) & {*self.values})
        if kinds is not None and (not has_default or _raises(statement)):
            self._choose(statement, *kinds)
            return
        test = self.value(statement.test)
        branches = [CellValues(self.values) for _ in range(2)]
        for branch, body in zip(branches, (statement.body, statement.orelse), strict=True):
            branch.follow(body)
        first, second = (branch.values for branch in branches)
        for name in {*first, *second}:
            if first.get(name) is second.get(name):
                continue
            if name not in first or name not in second:
                raise NotUnderstood(f"{name} is not assigned in all branches")
            self.values[name] = conditional(test, first[name], second[name])

    def _choose(
        self, statement: ast.If, key: ast.expr, bodies: Mapping[str, Sequence[ast.stmt]]
    ) -> None:
        """Evaluates branches for several kinds of cells, of which any other kind is an error."""
        branches = {kind: CellValues(self.values) for kind in bodies}
        for kind, branch in branches.items():
            branch.follow(bodies[kind])
        for name in slices.bound(statement):
            values = [branch.values.get(name) for branch in branches.values()]
            items = [value for value in values if value is not None]
            if len(items) < len(values):
                raise NotUnderstood(f"{name} is not assigned in all branches")
            kinds: list[ast.expr | None] = [ast.Constant(kind) for kind in branches]
            self.values[name] = _entry(kinds, items, self.value(key))

    def returned(self, body: Sequence[ast.stmt]) -> ast.expr:
        """Returns the value of a body whose branches all end in a `return`.

        Raises:
          NotUnderstood: The body has another form.
        """
        *before, last = body
        self.follow(before)
        if isinstance(last, ast.Return) and last.value is not None:
            return self.value(last.value)
        kinds = _kinds(last) if isinstance(last, ast.If) else None
        if kinds is not None:
            items = [CellValues(self.values).returned(branch) for branch in kinds[1].values()]
            return _entry([ast.Constant(kind) for kind in kinds[1]], items, self.value(kinds[0]))
        if not isinstance(last, ast.If) or not last.orelse:
            raise NotUnderstood(f"a helper may return nothing in line {last.lineno}")
        values = [CellValues(self.values).returned(branch) for branch in (last.body, last.orelse)]
        return conditional(self.value(last.test), *values)

    def value(self, node: ast.expr) -> ast.expr:
        """Returns an expression in which the values replace the names.

        Raises:
          NotUnderstood: A name has another meaning in a part of the expression.
        """
        inner = slices.of_comprehensions(node)
        if inner & {*self.values} or any(isinstance(part, _FUNCTIONS) for part in ast.walk(node)):
            raise NotUnderstood(f"a name in line {node.lineno} has two meanings")
        result: ast.expr = _Replacer(self.values).visit(copy.deepcopy(node))
        return result


def _kinds(statement: ast.If) -> tuple[ast.expr, dict[str, Sequence[ast.stmt]]] | None:
    """Returns the branches for the kinds in `if kind == "lstm"`, `elif kind == "gru"`, by kind.

    Returns None if there is an `else` without an error, or another test.
    """
    bodies: dict[str, Sequence[ast.stmt]] = {}
    keys: list[ast.expr] = []
    rest: Sequence[ast.stmt] = [statement]
    while len(rest) == 1 and isinstance(rest[0], ast.If):
        branch = rest[0]
        test = branch.test if isinstance(branch.test, ast.Compare) else None
        if test is None or len(test.ops) != 1 or not isinstance(test.ops[0], ast.Eq):
            return None
        (kind,) = test.comparators
        if not isinstance(kind, ast.Constant) or not isinstance(kind.value, str):
            return None
        keys.append(test.left)
        bodies.setdefault(kind.value, branch.body)
        rest = branch.orelse
    is_error = not rest or len(rest) == 1 and isinstance(rest[0], ast.Raise)
    is_same = len({ast.dump(key) for key in keys}) == 1
    is_read = isinstance(keys[0], (ast.Attribute, ast.Name, ast.Subscript)) if keys else False
    return (keys[0], bodies) if is_error and is_same and is_read else None


def _raises(statement: ast.If) -> bool:
    """Says whether the last `else` raises an error."""
    rest = statement.orelse
    while len(rest) == 1 and isinstance(rest[0], ast.If):
        rest = rest[0].orelse
    return bool(rest) and isinstance(rest[-1], ast.Raise)


def _entry(kinds: list[ast.expr | None], items: list[ast.expr], key: ast.expr) -> ast.expr:
    """Returns `{"lstm": LSTMCell(3), "gru": GRUCell(3)}[kind]`, which fails for other kinds."""
    if isinstance(key, ast.Constant):
        values = [item for kind, item in zip(kinds, items, strict=True) if _is(kind, key)]
        if values:
            return values[0]
    return ast.Subscript(ast.Dict(kinds, items), key, ast.Load())


def _is(kind: ast.expr | None, key: ast.Constant) -> bool:
    return isinstance(kind, ast.Constant) and kind.value == key.value


class _Replacer(ast.NodeTransformer):
    """Replaces names by expressions."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        is_read = isinstance(node.ctx, ast.Load) and node.id in self._values
        return copy.deepcopy(self._values[node.id]) if is_read else node


def conditional(test: ast.expr, first: ast.expr, second: ast.expr) -> ast.expr:
    """Returns `first if test else second`, or a wrapper with conditional probabilities.

    Args:
      test: The test.
      first: Value if the test is true.
      second: Value if it is false.
    """
    truth = _constant_truth(test)
    if truth is not None:
        return first if truth else second
    is_negated = _wraps(first, second) is None and _wraps(second, first) is not None
    wrapper, inner = (second, first) if is_negated else (first, second)
    options = _wraps(wrapper, inner)
    if options is None or not isinstance(wrapper, ast.Call):
        return ast.IfExp(test, first, second)
    one = ast.Constant(1.0)
    keywords = [
        ast.keyword(
            key,
            ast.IfExp(test, one, value) if is_negated else ast.IfExp(test, value, one),
        )
        for key, value in options.items()
    ]
    return ast.Call(wrapper.func, [inner], keywords)


def _constant_truth(test: ast.expr) -> bool | None:
    """Returns the value of a comparison of constants, such as `"lstm" == "gru"`, or None."""
    if not isinstance(test, ast.Compare) or not isinstance(test.left, ast.Constant):
        return None
    (operation, *others), right = test.ops, test.comparators[0]
    if others or not isinstance(right, ast.Constant):
        return None
    if not isinstance(operation, (ast.Eq, ast.NotEq)):
        return None
    return (test.left.value == right.value) == isinstance(operation, ast.Eq)


def _wraps(wrapper: ast.expr, inner: ast.expr) -> dict[str, ast.expr] | None:
    """Returns the probabilities of a DropoutWrapper around a cell. None for other expressions."""
    name = ast.unparse(wrapper.func) if isinstance(wrapper, ast.Call) else ""
    if not isinstance(wrapper, ast.Call) or name.rpartition(".")[2] != "DropoutWrapper":
        return None
    try:
        call = recurrent.wrapper(ast.fix_missing_locations(wrapper), _DROPOUT)
    except NotUnderstood:
        return None
    is_same = call is not None and ast.dump(call.cell) == ast.dump(inner)
    return call.keep_probs if call is not None and is_same else None


# Loops that append cells to a list.


@expansion
def _without_loops(draft: Draft) -> Draft:
    """Returns a copy in which list comprehensions replace loops that append cells."""
    new_lines: dict[ast.stmt, Sequence[Line]] = {}
    body = draft.function.body
    for i, statement in enumerate(body):
        if not isinstance(statement, ast.For) or not makes_cells(draft.file, statement):
            continue
        place = _cell_list(draft.file, statement, body[:i], body[i + 1 :])
        if place is None:
            continue
        start, value = place
        indent = draft.file.indent(statement.lineno)
        new_lines[start] = []
        text = f"{indent}{ast.unparse(start.targets[0])} = {value}"
        new_lines[statement] = draft.lines_of(statement, text)
    return draft.with_lines(new_lines) if new_lines else draft


def _cell_list(
    file: SourceFile, loop: ast.For, before: Sequence[ast.stmt], after: Sequence[ast.stmt]
) -> tuple[ast.Assign, str] | None:
    """Returns the statement that makes an empty list, and the comprehension that fills it."""
    *body, last = loop.body
    call = last.value if isinstance(last, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or loop.orelse:
        return None
    name = slices.base(call.func.value)
    if call.func.attr != "append" or len(call.args) != 1 or name != ast.unparse(call.func.value):
        return None
    binders = [statement for statement in before if name in slices.bound(statement)]
    start = binders[0] if len(binders) == 1 else None
    is_empty = isinstance(start, ast.Assign) and isinstance(start.value, ast.List)
    if not isinstance(start, ast.Assign) or not is_empty or ast.unparse(start.value) != "[]":
        return None
    between = before[before.index(start) + 1 :]
    if any(name in slices.read(statement) for statement in between):
        return None
    local = set().union(*map(slices.bound, loop.body)) - {name} if body else set()
    local |= slices.bound(loop.target)
    inner = set().union(*map(slices.of_comprehensions, after)) if after else set()
    if local & ((slices.open_names(after) - inner) | slices.read(loop.iter)):
        return None
    cells = CellValues({})
    try:
        cells.follow(body)
        value = cells.value(call.args[0])
    except NotUnderstood:
        return None
    if slices.read(value) & (local - slices.bound(loop.target)):
        return None  # A name keeps its value from one round to the next.
    target, source = ast.unparse(loop.target), ast.unparse(loop.iter)
    return start, f"[{ast.unparse(value)} for {target} in {source}]"


# Loops that make a cell in each round, and run it.


@expansion
def _without_names(draft: Draft) -> Draft:
    """Returns a copy in which loops run cells without a name.

    For example, `cell = GRUCell(3)` and `dynamic_rnn(cell, x)` become `dynamic_rnn(GRUCell(3), x)`.
    """
    new_lines: dict[ast.stmt, Sequence[Line]] = {}
    for loop in draft.function.body:
        if isinstance(loop, ast.For) and makes_cells(draft.file, loop):
            new_lines.update(_lines_without_names(draft, loop))
    return draft.with_lines(new_lines) if new_lines else draft


def _lines_without_names(draft: Draft, loop: ast.For) -> dict[ast.stmt, Sequence[Line]]:
    """Returns the lines of a loop that run cells. Empty if a cell has other uses."""
    file, cells, rendered = draft.file, CellValues({}), Rendered(draft.file)
    lines: dict[ast.stmt, Sequence[Line]] = {}
    replaced_ids: set[int] = set()
    for statement in _in_order(loop.body):
        if isinstance(statement, ast.Assign) and _makes_only_cells(file, statement):
            try:
                cells.follow([statement])
            except NotUnderstood:
                return {}
            lines[statement] = []
            replaced_ids.update(id(node) for node in ast.walk(statement))
            continue
        for node in _cells_of_runs(file, statement):
            if isinstance(node, ast.Name) and node.id in cells.values:
                rendered.replace(node, ast.unparse(cells.values[node.id]))
                replaced_ids.add(id(node))
                indent = file.indent(statement.lineno)
                text = rendered.statement(statement, indent)
                lines[statement] = draft.lines_of(statement, text)
    others = (node for node in ast.walk(draft.function) if id(node) not in replaced_ids)
    is_used = any(isinstance(node, ast.Name) and node.id in cells.values for node in others)
    return {} if is_used else lines


def _in_order(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yields the statements of a body, and of each `with` in it."""
    for statement in body:
        if isinstance(statement, ast.With):
            yield from _in_order(statement.body)
        else:
            yield statement


def _makes_only_cells(file: SourceFile, statement: ast.Assign) -> bool:
    """Says whether the value of an assignment is a cell, or wraps one."""
    value = statement.value
    name = file.name_of(value.func) if isinstance(value, ast.Call) else None
    return name is not None and recurrent.makes_cell(name)


def _cells_of_runs(file: SourceFile, statement: ast.stmt) -> Iterator[ast.expr]:
    """Yields the cells that a statement runs."""
    for node in ast.walk(statement):
        name = file.name_of(node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and name in recurrent.RUNS:
            rnn = recurrent.run(file, node, name)
            yield from rnn.cells if rnn is not None else ()


# Branches that choose or wrap a cell.


@expansion
def _without_branches(draft: Draft) -> Draft:
    """Returns a copy in which conditional expressions replace branches that only make cells."""
    new_lines: dict[ast.stmt, Sequence[Line]] = {}
    before: set[str] = set()
    for statement in draft.function.body:
        names = slices.bound(statement)
        if (
            isinstance(statement, ast.If)
            and len(names) == 1
            and names <= before | (slices.replaces(statement))
        ):
            (name,) = names
            value = _value_after(draft.file, statement, name)
            if value is not None:
                text = f"{draft.file.indent(statement.lineno)}{name} = {ast.unparse(value)}"
                new_lines[statement] = draft.lines_of(statement, text)
        before |= slices.replaces(statement)
    return draft.with_lines(new_lines) if new_lines else draft


def _value_after(file: SourceFile, statement: ast.If, name: str) -> ast.expr | None:
    """Returns the value of a name after a branch that only makes cells. None for other branches."""
    if not makes_cells(file, statement):
        return None
    cells = CellValues({name: ast.Name(name, ast.Load())})
    try:
        cells.follow([statement])
    except NotUnderstood:
        return None
    return cells.values[name]
