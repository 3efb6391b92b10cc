r"""Follows the Experiments of a file to the calls that run them.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile(
...     "from legacy.contrib import learn\n"
...     "def experiment_fn(output_dir):\n"
...     "    return learn.Experiment(build(output_dir), train_fn, eval_fn)\n"
...     "learn.learn_runner.run(experiment_fn, 'model', schedule='train')\n"
... )
>>> flow = Flow(file)
>>> [run.lineno for run in flow.runs], flow.method
([4], 'train')
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from migrate.rewrite.analysis import estimator_uses, input_functions
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.source_file import SourceFile

DEFAULT_METHOD = "train_and_evaluate"
_RUN_PARAMETERS = ("experiment_fn", "output_dir", "schedule", "run_config", "hparams")
_MODULE = "tf.contrib.learn."


def is_experiment(name: str) -> bool:
    """Says whether a public name is the class Experiment."""
    return name.startswith(_MODULE) and name.endswith(".Experiment")


def is_runner(name: str) -> bool:
    """Says whether a public name is learn_runner.run."""
    return name.startswith(_MODULE) and name.endswith(".learn_runner.run")


def is_of_experiments(name: str) -> bool:
    """Says whether a public name is the class Experiment or learn_runner.run."""
    return is_experiment(name) or is_runner(name)


class _FlowError(Exception):
    """Raised if an Experiment goes where it cannot be followed. The message says where."""


class Flow:
    """All Experiments of a file, and the calls that run them.

    An expression has a depth: 0 is an Experiment, 1 is a function that returns one, and so on.

    Attributes:
      experiments: Calls that make an Experiment.
      runs: Calls of learn_runner.run.
      own_methods: Method calls on an Experiment in the function that makes it.
      other_methods: Method calls on the result of a function that returns an Experiment.
      annotations: Return types of functions, where they name the class Experiment.
      method: Method by which all others run, or "" if no call of this file runs one.
      exported_functions: Depth of each function that other files may use.
      reason: Reason why they cannot all be followed, or "" if they can.
    """

    def __init__(self, file: SourceFile) -> None:
        """Follows the Experiments.

        Args:
          file: The file.
        """
        self._file = file
        self.experiments: list[ast.Call] = []
        self.runs: list[ast.Call] = []
        self.own_methods: list[ast.Call] = []
        self.other_methods: list[ast.Call] = []
        self.annotations: list[ast.expr] = []
        self.exported_functions: dict[str, int] = {}
        self.method, self.reason = "", ""
        self._visited: set[ast.AST] = set()
        self._held: set[ast.FunctionDef] = set()
        try:
            self._follow_all()
            self.method = self._single_method()
        except _FlowError as error:
            self.reason = str(error)

    def is_local(self, call: ast.Call) -> bool:
        """Says whether an Experiment is used by method calls in the function that makes it.

        Args:
          call: Call that makes the Experiment.
        """
        uses = bindings.uses_of_value(self._file, call)
        return bool(uses) and all(
            isinstance(self._file.parent(use), ast.Attribute) for use in uses or ()
        )

    def _follow_all(self) -> None:
        file = self._file
        for match in file.names():
            if is_experiment(match.name):
                parent = file.parent(match.node)
                if isinstance(parent, ast.FunctionDef) and parent.returns is match.node:
                    self.annotations.append(match.node)
                    continue
                if match.call is None:
                    line = match.node.lineno
                    raise _FlowError(f"Experiment is named in line {line}, but not called")
                self.experiments.append(match.call)
                self._follow(match.call, 0)
        imported = file.plan.decisions.imported_experiments
        for node, name in file.imported_names.items():
            if name in imported and isinstance(node, ast.expr):
                self._follow(node, imported[name])
        for match in file.names():
            if is_runner(match.name) and match.call not in self.runs:
                line = match.node.lineno
                raise _FlowError(f"the Experiment that runs in line {line} is not known")
        for function in self._held:
            for statement in input_functions.returns(function):
                if statement.value not in self._visited:
                    line = statement.lineno
                    raise _FlowError(f"the value in line {line} may not be an Experiment")

    def _follow(self, node: ast.expr, depth: int) -> None:
        """Follows an expression of a depth to the node that contains it."""
        if node in self._visited:
            return
        self._visited.add(node)
        file, parent = self._file, self._file.parent(node)
        if isinstance(parent, ast.Return):
            self._hold(file.function(parent), depth + 1)
        elif isinstance(parent, ast.Lambda) and parent.body is node:
            self._follow(parent, depth + 1)
        elif isinstance(parent, ast.Assign):
            self._follow_name(node, depth)
        elif isinstance(parent, ast.Call) and parent.func is node and depth:
            self._follow(parent, depth - 1)
        elif isinstance(parent, (ast.Call, ast.keyword)):
            self._follow_argument(node, parent, depth)
        elif isinstance(parent, ast.Attribute) and not depth:
            self._follow_method(node, parent)
        else:
            raise _FlowError(self._passed_on(node))

    def _follow_name(self, node: ast.expr, depth: int) -> None:
        uses = bindings.uses_of_value(self._file, node)
        if uses is None:
            raise _FlowError(f"the value in line {node.lineno} has no name of its own")
        for use in uses:
            self._follow(use, depth)

    def _follow_argument(self, node: ast.expr, parent: ast.Call | ast.keyword, depth: int) -> None:
        call = self._file.parent(parent) if isinstance(parent, ast.keyword) else parent
        if not isinstance(call, ast.Call):
            raise _FlowError(self._passed_on(node))
        if is_runner(self._file.name_of(call.func) or "") and depth == 1:
            args = arguments.bind(call, _RUN_PARAMETERS)
            if args is None:
                line = call.lineno
                raise _FlowError(f"learn_runner.run in line {line} takes *args or **kwargs")
            if args.get("experiment_fn") is node:
                self.runs.append(call)
                return
        is_partial = ast.unparse(call.func) in ("functools.partial", "partial")
        if is_partial and call.args[:1] == [node] and depth:
            self._follow(call, depth)
            return
        raise _FlowError(self._passed_on(node))

    def _follow_method(self, node: ast.expr, attribute: ast.Attribute) -> None:
        call = self._file.parent(attribute)
        if not isinstance(call, ast.Call) or call.func is not attribute:
            text, line = self._file.segment(attribute), attribute.lineno
            raise _FlowError(f"{text} in line {line} is not a call that runs an Experiment")
        value = bindings.assigned_value(self._file, node) if isinstance(node, ast.Name) else node
        is_own = value in self.experiments
        (self.own_methods if is_own else self.other_methods).append(call)

    def _hold(self, function: ast.AST | None, depth: int) -> None:
        """Follows a function of a depth to all places that name it."""
        if not isinstance(function, ast.FunctionDef) or function.decorator_list:
            raise _FlowError("it is returned by something other than a plain function")
        if any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in ast.walk(function)):
            raise _FlowError(f"it is returned by the generator {function.name}")
        if function in self._held:
            return
        self._held.add(function)
        self._check_private(function, depth)
        for node in self._references(function):
            self._follow(node, depth)

    def _check_private(self, function: ast.FunctionDef, depth: int) -> None:
        """Raises _FlowError for a function that other files may use as well."""
        if not self._file.plan.is_shared or function.name.startswith("_"):
            return
        parent = self._file.parent(function)
        if parent is self._file.tree:
            self.exported_functions[function.name] = depth
        if parent is self._file.tree and function.name in self._exported:
            return
        if parent is self._file.tree or isinstance(parent, ast.ClassDef):
            raise _FlowError(f"another file may also use {function.name}")

    @property
    def _exported(self) -> Mapping[str, str]:
        return self._file.plan.decisions.exported_experiments

    def _references(self, function: ast.FunctionDef) -> Iterator[ast.expr]:
        is_method = isinstance(self._file.parent(function), ast.ClassDef)
        for node in self._file.nodes:
            if not isinstance(getattr(node, "ctx", None), ast.Load):
                continue
            if is_method and isinstance(node, ast.Attribute) and node.attr == function.name:
                yield node
            if is_method or not isinstance(node, ast.Name) or node.id != function.name:
                continue
            if bindings.of_scope(self._file, node) == [function]:
                yield node

    def _passed_on(self, node: ast.expr) -> str:
        text = "it" if isinstance(node, ast.Call) else self._file.segment(node)
        return f"{text} is passed on in line {node.lineno}, where other code may use it"

    def _single_method(self) -> str:
        """Returns the method by which all Experiments run that do not run where they are made."""
        methods = {self._exported[name] for name in self.exported_functions}
        for run in self.runs:
            schedule = run_arguments(run).get("schedule", ast.Constant(DEFAULT_METHOD))
            if isinstance(schedule, ast.Name):
                schedule = bindings.assigned_value(self._file, schedule) or schedule
            if not isinstance(schedule, ast.Constant):
                text = self._file.segment(schedule)
                raise _FlowError(f"only the running program knows its schedule, {text}")
            methods.add(str(schedule.value))
        methods |= {
            call.func.attr for call in self.other_methods if isinstance(call.func, ast.Attribute)
        }
        if len(methods) > 1:
            raise _FlowError(f"it runs by several methods: {', '.join(sorted(methods))}")
        return methods.pop() if methods else ""


def run_arguments(run: ast.Call) -> dict[str, ast.expr]:
    """Returns the arguments of a call of learn_runner.run, without those that are None."""
    return estimator_uses.without_none(arguments.bind(run, _RUN_PARAMETERS) or {})
