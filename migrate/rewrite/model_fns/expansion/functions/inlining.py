"""Replaces calls of helpers in a model_fn by the statements of the helpers.

draft = inlined(draft, Depth.LATE)

For example, `loss = compute_loss(labels, logits)` becomes the statements of `compute_loss`.
Variables of a helper are renamed if the model_fn has variables with their names.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.expansion.draft import Draft, Line, expansion
from migrate.rewrite.model_fns.expansion.functions import helpers, instances, returns
from migrate.rewrite.model_fns.expansion.functions.helpers import Depth, Helper
from migrate.rewrite.model_fns.expansion.functions.returns import Block, Branches, Part, Result
from migrate.rewrite.model_fns.rendering import Rendered

_SIMPLE = (ast.AnnAssign, ast.Assign, ast.AugAssign, ast.Expr, ast.Return)
# Nodes that may evaluate their parts several times, or not at all.
_INNER = (
    *(ast.BoolOp, ast.DictComp, ast.GeneratorExp, ast.IfExp, ast.Lambda, ast.ListComp),
    ast.SetComp,
)
_PLAIN = (ast.Attribute, ast.Constant, ast.Name, ast.Subscript)
_VERBS = re.compile(r"^_*(?:get|build|create|make|compute|calc|calculate|add)_|_(?:fn|func)$")
_MAX_CALLS = 60  # Ends the expansion of recursive helpers.


def inlined(draft: Draft, depth: Depth) -> Draft:
    """Returns a copy of a file in which a model_fn contains the statements of its helpers.

    Args:
      draft: The copy of the file.
      depth: The helpers to inline.

    Raises:
      NotUnderstood: A helper cannot be inlined, or too many calls would have to be.
    """
    for _ in range(_MAX_CALLS):
        simple = {*statements_of(draft.function.body)}
        for statement, call, name in instances.unnamed(draft):
            if statement in simple:
                draft = with_own_statement(draft, statement, call, name)
                break
        shorter = _without_first_call(draft, depth)
        if shorter is None:
            return draft
        draft = shorter
    raise NotUnderstood("its helpers call each other too often")


@expansion
def _without_first_call(draft: Draft, depth: Depth) -> Draft | None:
    """Returns a copy in which one call is replaced. None if there is no call to replace."""
    site = next(_calls(draft, depth), None)
    return _without_call(draft, *site) if site is not None else None


def _calls(draft: Draft, depth: Depth) -> Iterator[tuple[ast.stmt, ast.Call, Helper]]:
    """Yields the calls to replace, with their statements."""
    once = {*statements_of(draft.function.body)}
    for statement in statements_of(draft.function.body, in_loops=True):
        calls = [node for node in _evaluated_nodes(statement) if isinstance(node, ast.Call)]
        # Inner calls end first.
        for call in sorted(calls, key=lambda node: draft.file.span(node)[1]):
            helper = helpers.of_call(draft, call)
            if helper is None or not helpers.is_needed(draft, helper, call, depth):
                continue
            if statement in once or _is_repeatable(draft, helper):
                yield statement, call, helper


def _is_repeatable(draft: Draft, helper: Helper) -> bool:
    """Says whether the statements of a helper may be in a loop.

    A function of the module becomes a class instead, whose layers each round makes, unless all
    rounds share its variables. An inner function or a lambda of the helper would see the variables
    of a later round.
    """
    function = helper.function
    has_closure = any(
        isinstance(node, (ast.FunctionDef, ast.GeneratorExp, ast.Lambda)) and node is not function
        for node in ast.walk(function)
    )
    is_class = not helper.owner and not helper.is_inner and function.name not in draft.helpers
    shares = helper.of_class is None and helpers.makes_variables(draft, helper)
    return not has_closure and (not is_class or shares)


def statements_of(body: Sequence[ast.stmt], *, in_loops: bool = False) -> Iterator[ast.stmt]:
    """Yields the simple statements of a body that run at most once.

    Args:
      body: The statements.
      in_loops: Whether to yield those of loops too, which run several times.
    """
    for statement in body:
        if isinstance(statement, _SIMPLE):
            yield statement
        elif isinstance(statement, ast.If):
            yield from statements_of([*statement.body, *statement.orelse], in_loops=in_loops)
        elif isinstance(statement, ast.With):
            yield from statements_of(statement.body, in_loops=in_loops)
        elif isinstance(statement, ast.For) and in_loops:
            yield from statements_of(statement.body, in_loops=True)


def _evaluated_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yields the nodes of a statement that are evaluated exactly once."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _INNER):
            yield from _evaluated_nodes(child)


def _without_call(draft: Draft, statement: ast.stmt, call: ast.Call, helper: Helper) -> Draft:
    """Returns a copy in which a call is replaced, or becomes a separate statement first."""
    is_whole = getattr(statement, "value", None) is call
    if not is_whole or not isinstance(statement, (ast.Assign, ast.Expr, ast.Return)):
        return _with_own_statement(draft, statement, call, helper)
    lines = _Inlining(draft, statement, call, helper).lines()
    definition = helper.of_class or helper.function
    origin = draft.origin(definition.lineno)
    return draft.with_lines({statement: lines}, frozenset((origin,)))


def _with_own_statement(draft: Draft, statement: ast.stmt, call: ast.Call, helper: Helper) -> Draft:
    """Returns a copy in which the call of a helper is the value of a statement."""
    parent = draft.file.parent(call)
    keyword_name = parent.arg if isinstance(parent, ast.keyword) else None
    preferred_name = keyword_name or _VERBS.sub("", helper.function.name).strip("_")
    return with_own_statement(draft, statement, call, preferred_name)


def with_own_statement(draft: Draft, statement: ast.stmt, call: ast.Call, name: str) -> Draft:
    """Returns a copy that assigns the result of a call to a variable in its own statement.

    Args:
      draft: The copy of the file.
      statement: Statement that contains the call.
      call: The call.
      name: Preferred name of the variable.
    """
    file = draft.file
    name = free_name(name, names_of(draft))
    rendered = Rendered(file)
    indent = file.indent(statement.lineno)
    first = draft.lines_of(statement, f"{indent}{name} = {file.segment(call)}")
    rendered.replace(call, name)
    rest = draft.lines_of(statement, rendered.statement(statement, indent))
    return draft.with_lines({statement: [*first, *rest]})


def names_of(draft: Draft) -> set[str]:
    """Returns the names that are not free for new variables of a model_fn."""
    names = {draft.function.name}
    for node in ast.walk(draft.function):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
    for statement in draft.file.tree.body:
        names |= slices.bound(statement)
    return names


def free_name(name: str, used_names: Iterable[str]) -> str:
    """Returns an unused name.

    Args:
      name: Preferred name. Underscores are appended until it is unused.
      used_names: Names that are in use.
    """
    used_names = set(used_names)
    while name in used_names or not name.isidentifier():
        name += "_"
    return name


class _Inlining:
    """The statements that replace one call of a helper."""

    def __init__(self, draft: Draft, statement: ast.stmt, call: ast.Call, helper: Helper) -> None:
        self._draft, self._file, self._statement = draft, draft.file, statement
        self._function = helper.function
        _check(self._function)
        self._arguments = helpers.helper_arguments(helper, call)
        self._rendered = Rendered(self._file)
        self._before: list[str] = []
        self._makes = ""
        if helper.of_class is not None and isinstance(helper.object, ast.Name):
            self._makes = instances.made(helper.function, helper.object, helper.of_class)
        self._before += [self._makes] if self._makes else []
        self._rename(helper)

    def _rename(self, helper: Helper) -> None:
        """Replaces parameters by arguments, and gives other variables unused names."""
        local = slices.bound_inside(self._function)
        used_names = names_of(self._draft)
        free = _read_outside(self._function, local | set(self._arguments))
        if not helper.is_inner:
            shadowed = free & (
                slices.bound_inside(self._draft.function)
                | {
                    argument.arg
                    for argument in ast.walk(self._draft.function)
                    if isinstance(argument, ast.arg)
                }
            )
            if shadowed:
                raise NotUnderstood(
                    f"{sorted(shadowed)[0]} has another meaning in {self._function.name}()"
                )
        reads = (
            set().union(*map(slices.read, self._arguments.values())) if self._arguments else set()
        )
        reusable_names = self._overwritten() - reads
        # A parameter that only changes in place stays the object of the caller, such as a
        # dictionary that gets metrics.
        rebound_names = _rebound_names(self._function)
        texts: dict[str, str] = {}
        tests: set[str] = set()
        for name, value in self._arguments.items():
            if name not in local and self._is_test_in_loop(value):
                tests.add(name)
                texts[name] = self._file.segment(value)
                continue
            is_object = helper.of_class is not None and name == helper.owner
            if is_object or (name not in rebound_names and isinstance(value, _PLAIN)):
                texts[name] = self._file.segment(value)
                continue
            if self._is_own(name, value):
                texts[name] = name
                continue
            texts[name] = name if name in reusable_names else free_name(name, used_names | free)
            used_names.add(texts[name])
            self._before.append(f"{texts[name]} = {self._file.segment(value)}")
        for name in sorted(local - set(self._arguments)):
            texts[name] = name if name in reusable_names else free_name(name, used_names | free)
            used_names.add(texts[name])
        inner_names = _names_of_inner_functions(self._function)
        for node in ast.walk(self._function):
            if isinstance(node, ast.Name) and texts.get(node.id, node.id) != node.id:
                if node.id in inner_names:
                    raise NotUnderstood(
                        f"{node.id} has another meaning in a function of {self._function.name}()"
                    )
                is_part = not isinstance(self._file.parent(node), (ast.Call, ast.keyword))
                is_open = is_part and node.id in tests
                self._rendered.replace(node, f"({texts[node.id]})" if is_open else texts[node.id])

    def _is_test_in_loop(self, value: ast.expr) -> bool:
        """Says whether an argument tests the mode in a loop, which needs no variable for it."""
        is_test = isinstance(value, ast.Compare) and "mode" in slices.read(value)
        parent = self._file.parent(self._statement)
        while parent is not None and parent is not self._draft.function:
            if isinstance(parent, ast.For):
                return is_test
            parent = self._file.parent(parent)
        return False

    def _overwritten(self) -> set[str]:
        """Returns the names whose values are not needed after the call."""
        if isinstance(self._statement, ast.Return):
            return names_of(self._draft) - {
                argument.arg for argument in self._draft.function.args.args
            }
        return set(slices.replaces(self._statement))

    def _is_own(self, name: str, value: ast.expr) -> bool:
        """Says whether a parameter may share a variable that the model_fn no longer needs."""
        is_same = isinstance(value, ast.Name) and value.id == name
        others = [argument for key, argument in self._arguments.items() if key != name]
        is_read = any(name in slices.read(other) for other in others)
        return is_same and not is_read and isinstance(self._statement, ast.Return)

    def lines(self) -> list[Line]:
        indent = self._file.indent(self._statement.lineno)
        lines = [
            line
            for text in self._before
            for line in self._draft.lines_of(self._statement, indent + text)
        ]
        body = _without_docstring(self._function.body)
        if isinstance(self._statement, ast.Return):
            parts: Sequence[Part] = [*body]
            if not returns.always_ends(body):
                parts = [*parts, Result(None)]
        else:
            parts = returns.without_returns(body)
        # The statement may share its lines with others, which `statement` refuses.
        self._rendered.statement(self._statement, indent)
        return [*lines, *self._parts(parts, indent)]

    def _parts(self, parts: Sequence[Part], indent: str) -> list[Line]:
        lines: list[Line] = []
        for part in parts:
            lines += self._part(part, indent)
        return lines

    def _part(self, part: Part, indent: str) -> list[Line]:
        deeper = f"{indent}    "
        if isinstance(part, Result):
            return self._draft.lines_of(self._statement, self._result(part, indent))
        truth = self._truth(part)
        if truth is not None and isinstance(part, (ast.If, Branches)):
            return self._parts(part.body if truth else part.orelse, indent)
        if isinstance(part, Branches):
            head = f"{indent}if {self._rendered.one_line(part.statement.test)}:"
            lines = self._draft.lines_of(part.statement, head)
            lines += self._body(part.statement, part.body, deeper)
            lines += self._draft.lines_of(part.statement, f"{indent}else:")
            return [*lines, *self._body(part.statement, part.orelse, deeper)]
        if isinstance(part, Block):
            items = []
            for item in part.statement.items:
                name = self._rendered.text(item.optional_vars) if item.optional_vars else ""
                text = self._rendered.one_line(item.context_expr)
                items.append(f"{text} as {name}" if name else text)
            lines = self._draft.lines_of(part.statement, f"{indent}with {', '.join(items)}:")
            return [*lines, *self._body(part.statement, part.body, deeper)]
        text = self._rendered.statement(part, indent)
        text = re.sub(r"^(\s*)elif\b", r"\1if", text)
        return self._draft.lines_of(part, text)

    def _truth(self, part: Part) -> bool | None:
        """Returns the value of a test of a constant argument. None for other parts.

        For example, `family is not None` if the call does not pass the `family`.
        """
        statement = part.statement if isinstance(part, Branches) else part
        test = statement.test if isinstance(statement, ast.If) else None
        operands = [test.left, *test.comparators] if isinstance(test, ast.Compare) else [test]
        values = [self._arguments.get(x.id, x) if isinstance(x, ast.Name) else x for x in operands]
        names = {x.id for x in operands if isinstance(x, ast.Name)}
        if not names or names & slices.bound_inside(self._function):
            return None
        first, *others = [x.value if isinstance(x, ast.Constant) else ... for x in values]
        if ... in (first, *others) or len(others) > 1:
            return None
        operation = test.ops[0] if isinstance(test, ast.Compare) else None
        if isinstance(operation, (ast.Eq, ast.Is)):
            return bool(first == others[0])
        if isinstance(operation, (ast.NotEq, ast.IsNot)):
            return bool(first != others[0])
        return bool(first) if operation is None else None

    def _body(self, statement: ast.stmt, parts: Sequence[Part], indent: str) -> list[Line]:
        lines = self._parts(parts, indent)
        return lines or self._draft.lines_of(statement, f"{indent}pass")

    def _result(self, result: Result, indent: str) -> str:
        """Returns the statements that replace a `return` of the helper."""
        if self._makes:
            return ""
        value = result.value
        text = "None" if value is None else self._rendered.text(value)
        if isinstance(self._statement, ast.Return):
            return f"{indent}return {text}"
        if isinstance(self._statement, ast.Expr):
            return f"{indent}{text}" if isinstance(value, ast.Call) else ""
        assert isinstance(self._statement, ast.Assign)
        target = self._statement.targets[0]
        if len(self._statement.targets) > 1:
            raise NotUnderstood(f"the assignment in line {self._statement.lineno} has two targets")
        if not isinstance(target, (ast.Tuple, ast.List)):
            return self._assignments({self._file.segment(target): text}, indent)
        if not isinstance(value, ast.Tuple) or len(value.elts) != len(target.elts):
            return f"{indent}{self._file.segment(target)} = {text}"
        names = [self._file.segment(element) for element in target.elts]
        texts = [self._rendered.text(element) for element in value.elts]
        for i, name in enumerate(names):
            later = set().union(*(_names_in(other) for other in texts[i + 1 :]))
            if slices.base(ast.parse(name, mode="eval").body) in later and texts[i] != name:
                return f"{indent}{', '.join(names)} = {', '.join(texts)}"
        return self._assignments(dict(zip(names, texts, strict=True)), indent)

    def _assignments(self, values: Mapping[str, str], indent: str) -> str:
        pairs = [(name, text) for name, text in values.items() if name != text]
        return "\n".join(f"{indent}{name} = {text}" for name, text in pairs)


def _check(function: ast.FunctionDef) -> None:
    """Refuses functions with state, nested functions, or lambdas that shadow variables."""
    for node in ast.walk(function):
        if isinstance(node, (ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await)):
            raise NotUnderstood(f"{function.name}() has state or yields")
        if isinstance(node, (ast.AsyncFunctionDef, ast.ClassDef)):
            raise NotUnderstood(f"{function.name}() contains a class")
        if isinstance(node, ast.Lambda) and node.args.args:
            names = {argument.arg for argument in node.args.args}
            if names & (
                slices.bound_inside(function) | {argument.arg for argument in function.args.args}
            ):
                raise NotUnderstood(f"a lambda in {function.name}() has a name of its variables")


def _rebound_names(function: ast.FunctionDef) -> set[str]:
    """Returns the names to which statements of a function assign another value."""
    nodes = [node for statement in function.body for node in ast.walk(statement)]
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and _is_stored(node)}
    definitions = (ast.FunctionDef, ast.alias)
    others = {
        name for node in nodes if isinstance(node, definitions) for name in slices.bound(node)
    }
    return stored | others


def _is_stored(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _names_of_inner_functions(function: ast.FunctionDef) -> set[str]:
    """Returns the names of the functions inside a function, and of their own variables."""
    names: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.FunctionDef) and node is not function:
            names |= {node.name} | slices.bound_inside(node)
            names |= {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)}
    return names


def _read_outside(function: ast.FunctionDef, local: set[str]) -> set[str]:
    """Returns the names that a function reads from outside."""
    reads = set().union(*map(slices.read, function.body))
    inner = set().union(*(slices.of_comprehensions(statement) for statement in function.body))
    lambdas = {argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)}
    return reads - local - inner - lambdas


def _names_in(text: str) -> set[str]:
    return slices.read(ast.parse(f"({text})", mode="eval"))


def _without_docstring(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    first = body[0]
    has_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return [*body[1:]] if has_docstring and len(body) > 1 else [*body]
