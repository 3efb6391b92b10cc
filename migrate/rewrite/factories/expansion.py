"""Writes the text that replaces the call of a function by what the function does.

    expansion = Expansion(file, call, factory)
    expansion.edits, expansion.imports

A function with statements before its result needs a call in a statement of its own. Variables of
the function get names that are free there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from migrate.rewrite.analysis import estimator_uses
from migrate.rewrite.analysis.other_functions import Definition
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.rule import Edit, Import
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.factories import selection
from migrate.rewrite.factories.selection import Selection
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.expansion.functions.other_names import Names
from migrate.rewrite.model_fns.layers import parts
from migrate.rewrite.model_fns.rendering import Rendered

_ATOMS = (ast.Attribute, ast.Call, ast.Constant, ast.Dict, ast.List, ast.Name, ast.Subscript)
_LATE = (ast.FunctionDef, ast.GeneratorExp, ast.Lambda)
# Nodes that evaluate a part as it is, without operators around it.
_AROUND = (ast.Assign, ast.Call, ast.Return, ast.keyword)
# Nodes that may evaluate their parts several times, later, or not at all.
_OPEN = (
    *(ast.BoolOp, ast.Compare, ast.DictComp, ast.GeneratorExp, ast.IfExp, ast.Lambda),
    *(ast.ListComp, ast.SetComp),
)
_STATEMENTS = (ast.AnnAssign, ast.Assign, ast.Expr, ast.Return)


class Written(NamedTuple):
    """The text that replaces a call.

    Attributes:
      edits: Edits of the call and its statement.
      imports: Modules that the text needs.
      imported: Names that the file must import from the file of the function, with its own names.
      has_statements: Whether statements precede the one of the call.
    """

    edits: tuple[Edit, ...]
    imports: tuple[Import, ...]
    imported: dict[str, str]
    has_statements: bool


def written(
    file: SourceFile, call: ast.Call, factory: Definition, taken_names: set[str]
) -> Written:
    """Returns the text that replaces a call.

    Args:
      file: The file of the call.
      call: The call.
      factory: The function that it runs.
      taken_names: Names of variables that other new statements of the same function bind. Gets
        those of this call.

    Raises:
      NotUnderstood: The call cannot be written out.
    """
    expansion = _Expansion(file, call, factory, taken_names)
    text = expansion.written()
    taken_names |= expansion.variables
    return text


class _Expansion:
    """The text of one call.

    Attributes:
      variables: Names of the variables that its statements bind.
    """

    def __init__(
        self, file: SourceFile, call: ast.Call, factory: Definition, taken_names: set[str]
    ) -> None:
        self.variables: set[str] = set()
        self._taken_names = taken_names
        self._file, self._call, self._factory = file, call, factory
        self._function, self._other = factory.function, factory.file
        self._statement = file.statement(call)
        self._names = Names(file, call, factory)
        self._rendered = Rendered(factory.file)
        self._arguments = parts.bound_arguments(factory.function, call)
        self._selection = self._selected()
        self._before: list[str] = []
        self._edits: list[Edit] = []
        self._texts: dict[str, str] = {}  # The text of each name that changes.
        self._wrapped: set[str] = set()  # Parameters whose text has operators.

    def written(self) -> Written:
        targets = self._targets()
        self._name_variables(targets)
        self._replace_arguments()
        self._replace_reads()
        indent = self._file.indent(self._statement.lineno)
        lines = [f"{indent}{line}" for line in self._before]
        for statement in self._selection.statements:
            lines.append(self._rendered.statement(statement, indent))
        if lines:
            self._check_statement()
        newline = self._file.newline
        start = self._file.line_start(self._statement.lineno)
        text = "".join(f"{line}{newline}" for line in "\n".join(lines).split("\n") if lines)
        if text:
            self._edits.append(Edit(start, start, text))
        self._edits += self._result_edits(targets, indent)
        imports = tuple(sorted(self._names.imports))
        return Written(tuple(self._edits), imports, self._names.imported, bool(lines))

    # Reading.

    def _selected(self) -> Selection:
        """Returns the part of the function that the call runs."""
        rebound = slices.bound_inside(self._function)
        values = {}
        for name, node in self._arguments.items():
            if name not in rebound:
                try:
                    values[name] = selection.constant(self._source(node), node)
                except ValueError:
                    continue
        return _joined(selection.read(self._factory, values), self._function)

    def _source(self, node: ast.expr) -> SourceFile:
        """Returns the file of an argument. Defaults are in the file of the function."""
        return self._other if self._is_default(node) else self._file

    def _is_default(self, node: ast.expr) -> bool:
        options = self._function.args
        defaults = (*options.defaults, *options.kw_defaults)
        return any(node is default for default in defaults)

    @property
    def _nodes(self) -> Iterator[ast.AST]:
        """The nodes that the text contains, in order."""
        for root in (*self._selection.statements, self._selection.result):
            yield from ast.walk(root)

    def _reads(self, name: str) -> list[ast.Name]:
        return [node for node in self._nodes if isinstance(node, ast.Name) and node.id == name]

    def _is_late(self, node: ast.AST) -> bool:
        """Says whether a nested function or a lambda evaluates a node, perhaps later."""
        while node is not self._function:
            if isinstance(node, _LATE):
                return True
            parent = self._other.parent(node)
            assert parent is not None
            node = parent
        return False

    # Variables of the function.

    def _targets(self) -> list[ast.Name] | None:
        """Returns the variables that get the results. None if they are used in another way."""
        statement = self._statement
        if not isinstance(statement, ast.Assign) or statement.value is not self._call:
            return None
        if len(statement.targets) > 1:
            return None
        target = statement.targets[0]
        elements = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
        names = [element for element in elements if isinstance(element, ast.Name)]
        if len(names) < len(elements):
            return None
        if elements == [target]:
            return names
        result = self._selection.result
        is_same = isinstance(result, ast.Tuple) and len(result.elts) == len(elements)
        return names if is_same else None

    def _results(self, targets: Sequence[ast.Name] | None) -> list[ast.expr]:
        """Returns the expressions that the targets get."""
        result = self._selection.result
        is_several = targets is not None and isinstance(result, ast.Tuple) and len(targets) > 1
        return [*result.elts] if is_several and isinstance(result, ast.Tuple) else [result]

    def _name_variables(self, targets: Sequence[ast.Name] | None) -> None:
        """Gives each variable of the function a name that is free at the call."""
        global_names = {
            name
            for node in ast.walk(self._function)
            if isinstance(node, ast.Global)
            for name in node.names
        }
        local = {
            node.id
            for node in self._nodes
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        self._declare(local & global_names)
        functions = [node for node in self._nodes if isinstance(node, ast.FunctionDef)]
        local |= {function.name for function in functions}
        self._check_nested(local | set(self._arguments))
        reused = self._reused(targets)
        for name in sorted(local - global_names):
            self._texts[name] = reused.get(name) or self._free_name(name)
        for function in functions:
            if self._texts[function.name] != function.name:
                raise NotUnderstood(f"{function.name} in {self._function.name}() is used elsewhere")

    def _reused(self, targets: Sequence[ast.Name] | None) -> dict[str, str]:
        """Returns the variables of the function that may have the names of the targets."""
        if targets is None:
            return {}
        read_names = {
            node.id
            for argument in self._arguments.values()
            for node in ast.walk(argument)
            if isinstance(node, ast.Name)
        }
        pairs = zip(self._results(targets), targets, strict=True)
        names = {
            result.id: target.id
            for result, target in pairs
            if isinstance(result, ast.Name) and result.id not in self._arguments
        }
        target_names = {target.id for target in targets}
        is_free = len(target_names) == len(targets) and not read_names & target_names
        return names if is_free else {}

    def _check_nested(self, names: set[str]) -> None:
        """Refuses nested functions and lambdas that give a name another meaning."""
        for node in self._nodes:
            if isinstance(node, (ast.FunctionDef, ast.Lambda)):
                own_names = {arg.arg for arg in ast.walk(node.args) if isinstance(arg, ast.arg)}
                if isinstance(node, ast.FunctionDef):
                    own_names |= slices.bound_inside(node)
                if own_names & names:
                    raise NotUnderstood(
                        f"a function in {self._function.name}() also binds "
                        f"{sorted(own_names & names)[0]}"
                    )

    def _free_name(self, name: str) -> str:
        """Returns a name for a variable that nothing uses in the function of the call."""
        scope = self._file.function(self._call)
        nodes = ast.walk(scope) if scope is not None else self._file.nodes
        used_names: set[str] = set()
        for node in nodes:
            if isinstance(node, ast.Name):
                used_names.add(node.id)
            elif isinstance(node, ast.arg):
                used_names.add(node.arg)
            elif isinstance(node, (ast.FunctionDef, ast.alias)):
                used_names.add(node.name)
        used_names |= self._taken_names | self.variables
        while name in used_names or (scope is None and name in self._file.identifiers):
            name += "_"
        self.variables.add(name)
        return name

    def _declare(self, names: Iterable[str]) -> None:
        """Declares the global variables that the statements bind, in the function of the call."""
        scope = self._file.function(self._call)
        for name in sorted(names):
            if self._factory.name:
                raise NotUnderstood(f"{self._function.name}() sets {name} of its own file")
            if scope is None:
                continue
            binders = [
                node
                for node in bindings.binders(self._file, name)
                if self._file.function(node) is scope
            ]
            if any(isinstance(node, ast.Global) for node in binders):
                continue
            if binders or not isinstance(scope, ast.FunctionDef):
                raise NotUnderstood(f"{name} is another variable at the call")
            first = scope.body[1 if ast.get_docstring(scope) and len(scope.body) > 1 else 0]
            if first is self._statement:
                self._before.append(f"global {name}")
                continue
            at = self._file.line_start(first.lineno)
            indent = self._file.indent(first.lineno)
            self._edits.append(Edit(at, at, f"{indent}global {name}{self._file.newline}"))

    # Arguments.

    def _replace_arguments(self) -> None:
        """Replaces parameters by arguments, or by variables that have their values."""
        rebound = {
            node.id
            for node in self._nodes
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        with_calls = [
            name
            for name, node in self._arguments.items()
            if any(isinstance(part, (ast.Call, ast.Await)) for part in ast.walk(node))
        ]
        for name, node in self._arguments.items():
            reads = self._reads(name)
            is_constant = isinstance(node, ast.Constant)
            is_name = isinstance(node, ast.Name) and self._is_fixed(node)
            is_read_now = not any(map(self._is_late, reads))
            is_plain = (
                name not in with_calls
                and is_read_now
                and isinstance(node, _ATOMS)
                # A statement of the function may change what the argument reads.
                and not self._selection.statements
                and (len(reads) == 1 or not isinstance(node, (ast.Dict, ast.List)))
            )
            is_only = (
                with_calls == [name]
                and len(reads) == 1
                and is_read_now
                and not self._selection.statements
                and self._is_first(reads[0])
            )
            is_lambda = isinstance(node, ast.Lambda) and len(reads) == 1 and is_read_now
            if name in rebound:
                self._before.append(f"{self._texts[name]} = {self._argument(node)}")
            elif is_constant or is_name or is_plain or is_only or is_lambda:
                self._texts[name] = self._argument(node)
                if not isinstance(node, _ATOMS):
                    self._wrapped.add(name)
            elif reads or name in with_calls:
                self._texts[name] = self._free_name(name)
                self._before.append(f"{self._texts[name]} = {self._argument(node)}")

    def _is_fixed(self, node: ast.Name) -> bool:
        """Says whether a name has one value wherever the text may read it."""
        file = self._source(node)
        if file is self._other and file is not self._file:
            return True  # `_names` checks it.
        return len(bindings.of_scope(file, node)) <= 1

    def _is_first(self, node: ast.Name) -> bool:
        """Says whether the result evaluates no other call before a name."""
        place = self._other.span(node)[0]
        calls = [part for part in ast.walk(self._selection.result) if isinstance(part, ast.Call)]
        return all(self._other.span(call)[1] > place for call in calls)

    def _argument(self, node: ast.expr) -> str:
        """Returns the text of an argument in the file of the call."""
        if not self._is_default(node):
            return _flat(self._file.segment(node))
        if not self._is_lasting(node):
            raise NotUnderstood(
                f"the default {ast.unparse(node)} of {self._function.name}() is computed"
            )
        rendered = Rendered(self._other)
        for part in ast.walk(node):
            if isinstance(part, ast.Name):
                rendered.replace(part, self._names.text(part.id))
        return _flat(rendered.text(node))

    def _is_lasting(self, node: ast.expr) -> bool:
        """Says whether a default has the value that it had when the function was defined."""
        if isinstance(node, ast.UnaryOp):
            return self._is_lasting(node.operand)
        if isinstance(node, ast.Name):
            is_changed = bindings.is_rebound_indirectly(self._other, node)
            return len(bindings.of_scope(self._other, node)) <= 1 and not is_changed
        return isinstance(node, ast.Constant) or self._other.name_of(node) is not None

    # Text.

    def _replace_reads(self) -> None:
        """Replaces all names whose text differs at the call."""
        inner = {
            arg.arg
            for node in self._nodes
            if isinstance(node, (ast.FunctionDef, ast.Lambda))
            for arg in ast.walk(node.args)
            if isinstance(arg, ast.arg)
        }
        for node in self._nodes:
            if isinstance(node, ast.FunctionDef):
                inner |= slices.bound_inside(node)
            elif isinstance(node, ast.comprehension):
                names = (part for part in ast.walk(node.target) if isinstance(part, ast.Name))
                inner |= {name.id for name in names}
        for node in [*self._nodes]:
            if not isinstance(node, ast.Name):
                continue
            if node.id in inner and node.id not in self._texts:
                continue
            text = self._texts.get(node.id) or self._names.text(node.id)
            if node.id in self._wrapped and not isinstance(self._other.parent(node), _AROUND):
                text = f"({text})"
            if text != node.id:
                self._rendered.replace(node, text)

    def _check_statement(self) -> None:
        """Refuses a place at which statements cannot stand before the call."""
        file, statement = self._file, self._statement
        name = self._function.name
        if not isinstance(statement, _STATEMENTS) or not estimator_uses.is_alone(file, statement):
            raise NotUnderstood(f"{name}() has statements, and its call is not a statement")
        node: ast.AST = self._call
        while node is not statement:
            parent = file.parent(node)
            assert parent is not None
            if isinstance(parent, _OPEN):
                raise NotUnderstood(f"{name}() has statements, and may be called later")
            node = parent

    def _result_edits(self, targets: Sequence[ast.Name] | None, indent: str) -> Iterable[Edit]:
        """Returns the edits that put the result in the place of the call."""
        results = self._results(targets)
        if targets is None or (len(targets) == 1 and not self._is_target(results[0], targets[0])):
            text = _flat(self._rendered.text(self._selection.result))
            return self._file.replacement(self._call, text).edits
        values = {
            target.id: _flat(self._rendered.text(result))
            for result, target in zip(results, targets, strict=True)
        }
        assigned: set[str] = set()
        for name, text in values.items():
            if assigned & slices.read(ast.parse(f"({text})", mode="eval")) - {name}:
                raise NotUnderstood(f"the results of {self._function.name}() read each other")
            assigned.add(name)
        lines = [f"{name} = {text}" for name, text in values.items() if name != text]
        if lines:
            text = f"{self._file.newline}{indent}".join(lines)
            return self._file.replacement(self._statement, text).edits
        self._check_statement()
        start, end = self._file.span(self._statement)
        last = self._statement.end_lineno or self._statement.lineno
        rest = self._file.text[end : self._file.line_end(last)].strip()
        if rest:  # A comment stays.
            return [Edit(start, self._file.line_end(last), rest)]
        return [
            Edit(self._file.line_start(self._statement.lineno), self._file.line_start(last + 1), "")
        ]

    def _is_target(self, result: ast.expr, target: ast.Name) -> bool:
        """Says whether a variable of the function already has the name of a target."""
        return isinstance(result, ast.Name) and self._texts.get(result.id) == target.id


def _flat(text: str) -> str:
    """Returns the text of an expression on one line."""
    lines = [line.strip() for line in text.splitlines()]
    flat = lines[0]
    for line in lines[1:]:
        is_tight = flat[-1:] in "([{" or line[:1] in ")]}"
        flat = flat.removesuffix(",") if line[:1] == ")" else flat
        flat += line if is_tight else f" {line}"
    tree = ast.parse(f"({text})", mode="eval")
    try:
        is_same = ast.dump(ast.parse(f"({flat})", mode="eval")) == ast.dump(tree)
    except SyntaxError:
        is_same = False
    return flat if is_same else ast.unparse(tree)


def _joined(part: Selection, function: ast.FunctionDef) -> Selection:
    """Returns a selection whose result is not a variable that the last statement assigns."""
    if not part.statements or not isinstance(part.result, ast.Name):
        return part
    last = part.statements[-1]
    is_plain = isinstance(last, ast.Assign) and len(last.targets) == 1
    if not isinstance(last, ast.Assign) or not is_plain:
        return part
    target = last.targets[0]
    if not isinstance(target, ast.Name) or target.id != part.result.id:
        return part
    others = (node for statement in part.statements[:-1] for node in ast.walk(statement))
    is_used = any(isinstance(node, ast.Name) and node.id == target.id for node in others)
    is_read = target.id in slices.read(last.value)
    is_parameter = target.id in {
        arg.arg for arg in ast.walk(function.args) if isinstance(arg, ast.arg)
    }
    if is_used or is_read or is_parameter:
        return part
    return Selection(part.statements[:-1], last.value)
