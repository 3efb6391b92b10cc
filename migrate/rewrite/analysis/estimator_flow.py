r"""Follows the Estimators of a file through names, attributes and functions.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile(
...     "from legacy import estimator as tf_estimator\n"
...     "def build(folder):\n"
...     "    return tf_estimator.Estimator(model_fn, folder)\n"
...     "def evaluate(job):\n"
...     "    return job.evaluate(input_fn)\n"
...     "classifier = build('model')\n"
...     "classifier.train(input_fn)\n"
...     "evaluate(classifier)\n"
... )
>>> (call,) = [match.call for match in file.names() if match.call]
>>> flow = Flow(file, call, lambda node: node is call)
>>> [file.segment(file.parent(node)) for node in flow.uses]
['job.evaluate', 'classifier.train']
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeGuard

from migrate.rewrite.analysis import (
    estimator_tests,
    input_functions,
    instances,
    successive_values,
)
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.source_file import SourceFile

# Functions that take an Estimator, and whose effect on it is known.
TRAIN_AND_EVALUATE = "tf.estimator.train_and_evaluate"
STOPS = tuple(
    f"{module}.stop_if_{condition}_hook"
    for module in ("tf.contrib.estimator", "tf.estimator.experimental")
    for condition in ("higher", "lower", "no_decrease", "no_increase")
)
ADDS_METRICS = ("tf.contrib.estimator.add_metrics", "tf.estimator.add_metrics")
_Function = ast.FunctionDef
# Decorators of methods whose calls are followed.
_KNOWN = (*instances.PROPERTIES, "classmethod", "staticmethod")


class _Place(NamedTuple):
    """A place that may hold an Estimator.

    Attributes:
      kind: "name", "attribute" or "result".
      owner: Scope of a name, first class of the family of an attribute, or function of a result.
      name: The name. For a result, the name of the function.
      assignment: Statement that assigns the Estimator, if the name holds several ones after each
        other.
    """

    kind: str
    owner: ast.AST | None
    name: str
    assignment: ast.Assign | None = None


class _FlowError(Exception):
    """Raised if an Estimator goes where it cannot be followed. The message says where."""


class Flow:
    """A group of Estimators that may reach the same variable, and all uses of them.

    For example, both calls in `job = Estimator(...) if wide else DNNClassifier(...)` are in one
    group.

    Attributes:
      constructions: Calls that make them.
      uses: Expressions that evaluate to one of them, where it is used.
      annotations: Type annotations of the places that hold them.
      exported_functions: Functions that return them to other files. A method is "Class.method".
      shown: Lines that print them, or their class.
      reason: Reason why they cannot all be followed, or "" if they can.
    """

    def __init__(
        self,
        file: SourceFile,
        call: ast.Call,
        is_construction: Callable[[ast.expr], bool],
        takes: Callable[[str], bool] = frozenset((TRAIN_AND_EVALUATE, *STOPS)).__contains__,
    ) -> None:
        """Follows an Estimator.

        Args:
          file: The file.
          call: Call that makes it.
          is_construction: Says whether an expression makes an Estimator.
          takes: Says whether a public name is a function that takes an Estimator, and whose
            effect on it is known.
        """
        self._file, self._is_construction, self._takes = file, is_construction, takes
        self.constructions: list[Any] = []  # Calls, and attributes of other files' objects.
        self.uses: list[ast.expr] = []
        self.annotations: list[ast.expr] = []
        self.exported_functions: set[str] = set()
        self.shown: list[int] = []
        self.reason = ""
        self._places: set[_Place] = set()
        self._visited: set[int] = set()
        try:
            self._source(call)
        except _FlowError as error:
            self.reason = str(error)
        self.constructions.sort(key=file.span)
        self.uses.sort(key=file.span)

    # Sources of an Estimator.

    def _source(self, node: ast.expr) -> None:
        """Adds the calls that may have made the Estimator in an expression."""
        if isinstance(node, ast.IfExp):
            self._source(node.body)
            self._source(node.orelse)
        elif isinstance(node, (ast.Call, ast.Attribute)) and self._is_construction(node):
            if node not in self.constructions:
                self.constructions.append(node)
                self._forward(node)
        elif isinstance(node, (ast.Name, ast.Attribute)):
            self._hold(self._place(node))
        elif isinstance(node, ast.Call) and (extended := extended_by(self._file, node)):
            self._source(extended)
        elif isinstance(node, ast.Call) and (function := self._function(node.func)):
            self._hold(self._result(function))
        else:
            name = self._file.name_of(node.func) if isinstance(node, ast.Call) else None
            source = f"the result of {name}" if name else "the value"
            raise _FlowError(f"{source} in line {node.lineno} may not be an Estimator")

    def _hold(self, place: _Place) -> None:
        """Adds a place, and follows the values stored in it and the expressions that read it."""
        if place in self._places:
            return
        self._places.add(place)
        if isinstance(place.owner, _Function) and place.kind == "result":
            self.annotations += [place.owner.returns] if place.owner.returns else []
        for value in self._stored_values(place):
            self._source(value)
        for node in self._loads(place):
            self._forward(node)

    # Destinations of an Estimator.

    def _forward(self, node: ast.expr) -> None:
        """Follows an expression that is an Estimator to the node that contains it."""
        if id(node) in self._visited:
            return
        self._visited.add(id(node))
        parent = self._file.parent(node)
        if isinstance(parent, ast.Attribute):
            self.uses.append(node)
        elif isinstance(parent, (ast.Assign, ast.AnnAssign)):
            targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
            if isinstance(parent, ast.AnnAssign):
                self.annotations.append(parent.annotation)
            if len(targets) != 1 or not isinstance(targets[0], (ast.Name, ast.Attribute)):
                raise _FlowError("it is assigned to something other than a name")
            self._hold(self._place(targets[0]))
        elif isinstance(parent, ast.Return):
            self._hold(self._result(self._file.function(parent)))
        elif isinstance(parent, ast.IfExp) and node is not parent.test:
            self._source(parent)
            self._forward(parent)
        elif loop := _loop_over(self._file, parent):
            self._hold(self._place(loop.target))
        elif estimator_tests.is_test(self._file, node):
            return  # A model is not None either, and is true.
        elif estimator_tests.is_shown(self._file, node):
            self.shown.append(node.lineno)
        elif isinstance(parent, (ast.Call, ast.keyword)):
            self._follow_argument(node, parent)
        elif not isinstance(parent, ast.Expr):
            raise _FlowError(self._passed_on(node))

    def _follow_argument(self, node: ast.expr, parent: ast.Call | ast.keyword) -> None:
        """Follows an Estimator that is an argument."""
        call = self._file.parent(parent) if isinstance(parent, ast.keyword) else parent
        if not isinstance(call, ast.Call):
            raise _FlowError(self._passed_on(node))
        if self._takes(self._file.name_of(call.func) or ""):
            self.uses.append(node)
            return
        if extended_by(self._file, call) is node:
            self.uses.append(node)
            self._forward(call)  # The result is an Estimator of the same group.
            return
        function, args = self._callee(call)
        if function is None:
            raise _FlowError(self._passed_on(node))
        names = [name for name, value in (args or {}).items() if value is node]
        if not names:
            raise _FlowError(self._passed_on(node))
        self._hold(_Place("name", function, names[0]))

    def _callee(self, call: ast.Call) -> tuple[_Function | None, dict[str, ast.expr] | None]:
        """Returns the called function of this file and its arguments, or those of a partial."""
        if _is_partial(call):
            function = self._function(call.args[0])
            call = ast.Call(call.args[0], call.args[1:], call.keywords)
        else:
            function = self._function(call.func)
        if function is None:
            return None, None
        names = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]
        return function, arguments.bind(call, names[self._count_bound(function, call.func) :])

    def _count_bound(self, function: _Function, node: ast.expr) -> int:
        """Returns the number of arguments that a method gets from the object in `job.method`."""
        if not isinstance(self._file.parent(function), ast.ClassDef) or _decorators(function) == [
            "staticmethod"
        ]:
            return 0
        value = node.value if isinstance(node, ast.Attribute) else None
        is_of_class = value is not None and instances.class_named(self._file, value) is not None
        return 0 if is_of_class and not function.decorator_list else 1

    def _passed_on(self, node: ast.expr) -> str:
        text = "it" if isinstance(node, ast.Call) else self._file.segment(node)
        return f"{text} is passed on in line {node.lineno}, where other code may use it"

    # Places that hold an Estimator.

    def _place(self, node: ast.expr) -> _Place:
        """Returns the place that an expression names."""
        if isinstance(node, ast.Name):
            assignment = successive_values.assignment(self._file, node)
            return _Place("name", bindings.scope(self._file, node), node.id, assignment)
        if isinstance(node, ast.Attribute):
            owner = instances.class_of(self._file, node.value)
            if owner is not None:
                methods = instances.methods(self._file, owner, node.attr)
                if any(map(_is_property, methods)):
                    return self._result(methods[0] if len(methods) == 1 else None)
                return _Place("attribute", owner, node.attr)
        raise _FlowError(f"it is stored in {self._file.segment(node)}, which may have other uses")

    def _result(self, function: ast.AST | None) -> _Place:
        if not isinstance(function, _Function) or not self._is_plain(function):
            raise _FlowError("it is returned by something other than a plain function")
        if any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in ast.walk(function)):
            raise _FlowError(f"it is returned by the generator {function.name}")
        returns = input_functions.returns(function)
        is_stored = all(isinstance(node.value, ast.Attribute) for node in returns)
        if _decorators(function) == ["property"] and not is_stored:
            # New code may read the property several times.
            raise _FlowError(f"the property {function.name} may return another one each time")
        return _Place("result", function, function.name)

    def _is_plain(self, function: _Function) -> bool:
        """Says whether a function has no decorator, or only one that says how it is called."""
        decorators = _decorators(function)
        is_method = isinstance(self._file.parent(function), ast.ClassDef)
        return not decorators or (is_method and len(decorators) == 1 and decorators[0] in _KNOWN)

    def _stored_values(self, place: _Place) -> Iterator[ast.expr]:
        """Yields all values that are stored in a place."""
        self._check_private(place)
        if place.kind == "result":
            yield from self._returned_values(place.owner)
        elif place.kind == "attribute":
            for node in self._attributes(place):
                if not isinstance(node.ctx, ast.Load):
                    yield from self._bound_to(node)
        else:
            for binder in self._binders(place):
                if isinstance(binder, ast.arg):
                    self.annotations += [binder.annotation] if binder.annotation else []
                    yield from self._arguments(place, binder)
                elif isinstance(binder, (ast.Global, ast.Nonlocal)):
                    continue
                elif isinstance(binder, ast.Name):
                    yield from self._values(binder)
                else:
                    line = getattr(binder, "lineno", 0)
                    raise _FlowError(f"{place.name} gets another value in line {line}")

    def _returned_values(self, function: ast.AST | None) -> Iterator[ast.expr]:
        for statement in input_functions.returns(function) if _is_function(function) else ():
            if statement.value is None:
                raise _FlowError(f"the function returns nothing in line {statement.lineno}")
            yield statement.value

    def _check_private(self, place: _Place) -> None:
        """Raises _FlowError for a place that other files may use as well."""
        file = self._file
        if not file.plan.is_shared or place.name.startswith("_"):
            return
        function = place.owner if isinstance(place.owner, _Function) else None
        if place.kind == "result" and function is not None:
            name = self._qualified_name(function)
            if name in file.plan.decisions.exported_estimators:
                self.exported_functions.add(name)
                return
        if place.kind == "attribute" and isinstance(place.owner, ast.ClassDef):
            names = {f"{of.name}.{place.name}" for of in instances.family(file, place.owner)}
            if exported := names & set(file.plan.decisions.exported_estimators):
                self.exported_functions |= exported
                return
        name = self._public_name(place)
        used = file.plan.used_elsewhere
        if used is None:
            if name and (place.kind != "name" or function is not None):
                raise _FlowError(f"another file may also use {place.name}")
        elif name and name in used:
            reason = file.plan.decisions.kept_estimators.get(name, "")
            raise _FlowError(
                f"another file may also use {place.name}{f': {reason}' if reason else ''}"
            )
        elif name and "*" in used:
            raise _FlowError(
                f"another file may also use {place.name}: it reads attributes whose names it "
                "computes"
            )

    def _public_name(self, place: _Place) -> str:
        """Returns the name by which other files can reach a place, or "" if they cannot."""
        if place.kind == "attribute":
            return place.name
        if not isinstance(place.owner, _Function):
            return place.name if place.owner is None else ""
        if self._file.function(place.owner) is not None:
            return ""
        is_argument = any(isinstance(node, ast.arg) for node in self._binders(place))
        return place.owner.name if place.kind == "result" or is_argument else ""

    def _qualified_name(self, function: _Function) -> str:
        """Returns the name of a function as in `Decisions.exported_estimators`."""
        owner = self._file.parent(function)
        if isinstance(owner, ast.ClassDef) and self._file.parent(owner) is self._file.tree:
            return f"{owner.name}.{function.name}"
        return function.name if owner is self._file.tree else ""

    def _binders(self, place: _Place) -> list[ast.AST]:
        if place.assignment is not None:
            return [*place.assignment.targets]
        nodes = bindings.binders(self._file, place.name)
        return [
            node for node in nodes if place.owner in bindings.owners(self._file, node, place.name)
        ]

    def _values(self, binder: ast.Name) -> Iterator[ast.expr]:
        """Yields the values that a name is bound to at one place."""
        loop = self._file.parent(binder)
        if isinstance(loop, ast.For) and loop.target is binder:
            if not isinstance(loop.iter, (ast.List, ast.Tuple)):
                raise _FlowError(f"{binder.id} gets another value in line {binder.lineno}")
            yield from loop.iter.elts
        else:
            yield from self._bound_to(binder)

    def _bound_to(self, target: ast.expr) -> Iterator[ast.expr]:
        """Yields the value that is assigned to a target, unless it is None."""
        statement = self._file.parent(target)
        if isinstance(statement, ast.AnnAssign) or (
            isinstance(statement, ast.Assign) and statement.targets == [target]
        ):
            is_none = isinstance(statement.value, ast.Constant) and statement.value.value is None
            if statement.value is not None and not is_none:
                yield statement.value
            return
        text = self._file.segment(target)
        raise _FlowError(f"{text} gets another value in line {target.lineno}")

    def _arguments(self, place: _Place, argument: ast.arg) -> Iterator[ast.expr]:
        """Yields the values that each call passes for an argument of a function."""
        function = place.owner
        if not isinstance(function, _Function) or not self._is_plain(function):
            raise _FlowError(f"the value of the argument {place.name} is unknown")
        if argument in (function.args.vararg, function.args.kwarg):
            raise _FlowError(f"{place.name} collects several arguments")
        for node in self._references(function):
            call = self._file.parent(node)
            args = self._callee(call)[1] if isinstance(call, ast.Call) else None
            is_none = bindings.is_none_by_default(self._file, argument)
            if args is not None and place.name not in args and is_none:
                continue
            if args is None or place.name not in args:
                raise _FlowError(f"the argument {place.name} in line {node.lineno} is unknown")
            yield args[place.name]

    def _loads(self, place: _Place) -> Sequence[ast.expr]:
        """Returns the expressions that read a place."""
        if place.kind == "result" and isinstance(place.owner, _Function):
            nodes = self._references(place.owner)
            return nodes if _is_property(place.owner) else [*map(self._call_of, nodes)]
        if place.kind == "attribute":
            return [node for node in self._attributes(place) if isinstance(node.ctx, ast.Load)]
        return [
            node
            for node in self._file.nodes
            if isinstance(node, ast.Name) and node.id == place.name
            if isinstance(node.ctx, ast.Load)
            if bindings.scope(self._file, node) is place.owner
            if successive_values.assignment(self._file, node) is place.assignment
        ]

    def _call_of(self, reference: ast.expr) -> ast.Call:
        call = self._file.parent(reference)
        if isinstance(call, ast.Call) and call.func is reference:
            return call
        raise _FlowError(self._passed_on(reference))

    def _attributes(self, place: _Place) -> list[ast.Attribute]:
        """Returns the attributes that a place stands for.

        Raises:
          _FlowError: An attribute has the same name, and its object is unknown.
        """
        file = self._file
        for value, name in file.computed(instances.mentions).by_name:
            is_computed = name == "*" and isinstance(file.parent(value), ast.Call)
            if name == place.name or (
                is_computed and instances.class_of(file, value) is place.owner
            ):
                raise _FlowError(
                    f"getattr or a similar function may use {place.name} in line {value.lineno}"
                )
        attributes: list[ast.Attribute] = []
        for node in file.nodes:
            if not isinstance(node, ast.Attribute) or node.attr != place.name:
                continue
            owner = instances.class_of(file, node.value)
            if owner is place.owner:
                attributes.append(node)
            elif owner is None and not instances.is_other_object(file, node):
                raise _FlowError(
                    f"{file.segment(node)} in line {node.lineno} may belong to another object"
                )
        return attributes

    def _function(self, node: ast.expr) -> _Function | None:
        """Returns the function or method of this file that an expression names."""
        if isinstance(node, ast.Name):
            # The methods of a class are not visible as names in functions.
            binders = [
                binder
                for binder in bindings.of_scope(self._file, node)
                if not isinstance(self._file.parent(binder), ast.ClassDef)
            ]
            binder = binders[0] if len(binders) == 1 else None
            if isinstance(binder, ast.ClassDef):
                return self._constructor(binder)
            return binder if isinstance(binder, _Function) else None
        if isinstance(node, ast.Attribute):
            owner = instances.class_of(self._file, node.value)
            methods = instances.methods(self._file, owner, node.attr) if owner is not None else []
            return methods[0] if len(methods) == 1 else None
        return None

    def _constructor(self, made: ast.ClassDef) -> _Function | None:
        """Returns the `__init__` of a class. None if a class is derived from it, or it from one."""
        owner, plan = instances.family_of(self._file, made), self._file.plan
        used = plan.used_elsewhere
        is_used = plan.is_shared and (used is None or made.name in used or "*" in used)
        if is_used or list(instances.family(self._file, owner)) != [made]:
            return None
        methods = instances.methods(self._file, owner, "__init__")
        return methods[0] if len(methods) == 1 else None

    def _references(self, function: _Function) -> list[ast.expr]:
        """Returns the references to a function. Each must be a call or a functools.partial."""
        of_class, scope = self._file.parent(function), self._file.function(function)
        values: list[ast.expr]
        if isinstance(of_class, ast.ClassDef) and function.name == "__init__":
            values = [
                node
                for node in self._file.nodes
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
                if instances.class_named(self._file, node) is of_class
            ]
        elif isinstance(of_class, ast.ClassDef):
            owner = instances.family_of(self._file, of_class)
            values = [*self._attributes(_Place("attribute", owner, function.name))]
        else:
            values = [
                node
                for node in self._file.nodes
                if isinstance(node, ast.Name) and node.id == function.name
                if isinstance(node.ctx, ast.Load) and bindings.scope(self._file, node) is scope
            ]
        if _is_property(function):
            return values
        for node in values:
            call = self._file.parent(node)
            is_called = isinstance(call, ast.Call) and (
                call.func is node or (_is_partial(call) and call.args[0] is node)
            )
            if not is_called:
                raise _FlowError(f"the function {function.name} is passed on in line {node.lineno}")
        return values


def extended_by(file: SourceFile, call: ast.Call) -> ast.expr | None:
    """Returns the Estimator to which a call of `add_metrics` adds metrics. None for other calls.

    Args:
      file: The file.
      call: The call.
    """
    if file.name_of(call.func) not in ADDS_METRICS:
        return None
    named = [keyword.value for keyword in call.keywords if keyword.arg == "estimator"]
    return next(iter([*call.args, *named]), None)


def _is_function(node: ast.AST | None) -> TypeGuard[_Function]:
    return isinstance(node, _Function)


def _decorators(function: _Function) -> list[str]:
    return [ast.unparse(decorator) for decorator in function.decorator_list]


def _is_property(function: _Function) -> bool:
    return any(text in instances.PROPERTIES for text in _decorators(function))


def _is_partial(call: ast.Call) -> bool:
    return ast.unparse(call.func) in ("functools.partial", "partial") and bool(call.args)


def _loop_over(file: SourceFile, node: ast.AST | None) -> ast.For | None:
    """Returns the loop over a literal list or tuple. None if the node is not one."""
    loop = file.parent(node) if isinstance(node, (ast.List, ast.Tuple)) else None
    return loop if isinstance(loop, ast.For) and loop.iter is node else None
