"""Rewrites the calls on an Estimator as calls on the Keras model that replaces it.

    calls = Calls(file, facts, "porting")
    calls.of(used.calls[0]).edits

For example, `job.evaluate(input_fn, steps=5)` becomes `job.evaluate(input_fn().take(5))` with
options. `estimator_jobs` rewrites the statement that makes the model.
"""

from __future__ import annotations

import ast
import re
import types
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from migrate.rewrite.analysis import (
    bridged_configs,
    estimator_uses,
    input_functions,
    successive_values,
    train_specs,
)
from migrate.rewrite.analysis.estimator_uses import (
    ADDS_METRICS,
    STOPS_EARLY,
    TRAIN_AND_EVALUATE,
    MethodCall,
)
from migrate.rewrite.engine import bindings, wrapping
from migrate.rewrite.engine.rule import Edit, Import
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import (
    added_metrics,
    checkpoint_files,
    hook_callbacks,
    iterator_hooks,
    tpu_params,
    variable_names,
)
from migrate.rewrite.estimators.hook_callbacks import Callbacks
from migrate.rewrite.names import modern_names

_OPTIONS = ("predict_keys", "yield_single_examples", "checkpoint_path")
_EXPORT = ("export_dir_base", "serving_input_receiver_fn")
_MODES = {"train": "train", "evaluate": "eval", "predict": "infer"}
_NO_DIR = "the program reads its folder or checkpoint, but it has no model_dir here"
_MATH = Import("math", "math")
_DEFAULT_STEPS = "100"  # The default of EvalSpec.


class Facts(NamedTuple):
    """The facts about Estimators that may reach the same variable.

    Attributes:
      has_model_dir: Whether each has a folder.
      model_dir: Folder of the only one, as text in its function.
      has_params: Whether each has params.
      params: Params of the only one, as a name in its function, or "" if they have none.
      saves: The Estimator's own saving, as arguments of `SaveCheckpoints`.
      distributes: Whether a strategy may train them.
      is_of_tpu: Whether they were TPUEstimators, whose input_fn gets the params of its mode.
      arguments: Arguments of the only TPUEstimator, or empty for several.
      unknown_predictions: Reason why the predictions of their evaluations are unknown, or "" if
        they are known.
    """

    has_model_dir: bool = True
    model_dir: str = ""
    has_params: bool = False
    params: str = ""
    saves: tuple[str, ...] = ()
    distributes: bool = False
    is_of_tpu: bool = False
    arguments: Mapping[str, ast.expr] = types.MappingProxyType({})
    unknown_predictions: str = ""


class CallEdits(NamedTuple):
    """A rewritten call.

    Attributes:
      edits: Edits that rewrite it.
      problem: Reason why it may not do the same, or "" if it does.
    """

    edits: tuple[Edit, ...] = ()
    problem: str = ""


class _Refused(Exception):
    """Raised if a call cannot be rewritten. The message says why."""


class Calls:
    """The calls on Estimators that may reach the same variable."""

    def __init__(self, file: SourceFile, facts: Facts, helpers: str) -> None:
        """Prepares to rewrite calls.

        Args:
          file: The file.
          facts: Facts about the Estimators.
          helpers: Module that replaces their methods, by its name in `bridged_configs.module`.
        """
        self._file, self._facts = file, facts
        self._is_keras = helpers == "porting"
        self._helpers, _ = bridged_configs.module(file, helpers)
        self._hooks: set[ast.expr] = set()
        self.imports: set[Import] = set()  # Imports that the new text needs so far.
        self.reads_graphs = False  # Whether an input_fn so far may return tensors.

    def _step(self, model: str) -> str:
        """Returns the expression for the number of steps that a model was trained."""
        variable = "optimizer.iterations" if self._is_keras else "global_step"
        # int() refuses the variables of a MirroredStrategy, but takes their values.
        return f"int({model}.{variable}.numpy())"

    def all(self, calls: Sequence[MethodCall]) -> tuple[list[Edit], list[Import], list[str]] | str:
        """Rewrites calls.

        Args:
          calls: All calls on the Estimators.

        Returns:
          The edits, the imports that they need, and the reasons why results may differ. If a call
          cannot be rewritten, the reason for that.
        """
        edits: list[Edit] = []
        problems = []
        for method_call in calls:
            call_edits = self.of(method_call)
            if isinstance(call_edits, str):
                return call_edits
            edits += call_edits.edits
            problems += call_edits.problem.split("; ") if call_edits.problem else []
        for method_call in calls:
            if method_call.method == STOPS_EARLY and method_call.call not in self._hooks:
                return (
                    f"the training that takes the hook in line {method_call.call.lineno} is unknown"
                )
        return edits, sorted(self.imports), problems

    def of(self, method_call: MethodCall) -> CallEdits | str:
        """Returns a rewritten call, or the reason why it cannot be rewritten."""
        try:
            return self._of(method_call)
        except _Refused as error:
            return str(error)

    def _of(self, method_call: MethodCall) -> CallEdits:
        if method_call.method == TRAIN_AND_EVALUATE:
            return self._train_and_evaluate_edits(method_call)
        if method_call.method.startswith("export"):
            return self._text(method_call, self._export_text(method_call))
        if method_call.method == ADDS_METRICS:
            return self._add_metrics_edits(method_call)
        if "checkpoint_path" in method_call.arguments:
            line, reason = method_call.call.lineno, checkpoint_files.problem(self._file)
            if reason or not self._is_keras:
                raise _Refused(
                    f"the argument checkpoint_path of {method_call.method} in line {line} is not "
                    f"supported{f': {reason}' if reason else ''}"
                )
        if method_call.method == STOPS_EARLY:
            return CallEdits()  # The training that takes the hook rewrites it.
        if method_call.method.startswith("get_variable"):
            reason = variable_names.refusal(method_call) if self._is_keras else ""
            if reason:
                raise _Refused(reason)
            problem = variable_names.problem(method_call) if self._is_keras else ""
            return self._text(method_call, self._variables(method_call), problem)
        if method_call.method not in _MODES:
            return (
                self._text(method_call, self._folder(method_call))
                if not method_call.is_inner
                else CallEdits()
            )
        if "input_fn" not in method_call.arguments:
            raise _Refused(
                f"{method_call.method} in line {method_call.call.lineno} has no input_fn"
            )
        of_input, hooks = self._hooks_of(method_call, method_call.arguments.get("hooks"))
        data, problem = self._data(
            method_call,
            method_call.arguments["input_fn"],
            _MODES[method_call.method],
            of_input,
        )
        max_steps = method_call.arguments.get("max_steps")
        is_open = max_steps is not None and bindings.may_be_none(self._file, max_steps)
        if method_call.method == "train" and (self._facts.distributes or is_open):
            return self._cluster_train_edits(method_call, data, problem, hooks)
        if "steps" in method_call.arguments:
            data += f".take({self._batches(method_call.arguments['steps'])})"
        if method_call.method == "predict":
            return self._text(method_call, self._predict_text(method_call, data), problem)
        if method_call.method == "evaluate":
            return self._text(method_call, self._evaluate_text(method_call, data), problem)
        return self._train_edits(method_call, data, problem, hooks)

    def _hooks_of(
        self, method_call: MethodCall, node: ast.expr | None
    ) -> tuple[Sequence[ast.expr], ast.expr | None]:
        """Returns the hooks that initialize the input of a call, and its other hooks."""
        of_input, others = iterator_hooks.split(self._file, node)
        if others is None or (node is not None and not of_input):
            others_node = node
        else:
            others_node = ast.List([*others], ast.Load()) if others else None
        if others_node is not None and method_call.method in ("evaluate", "predict"):
            line = method_call.call.lineno
            raise _Refused(f"the hooks of {method_call.method} in line {line} are not supported")
        return of_input, others_node

    def _add_metrics_edits(self, method_call: MethodCall) -> CallEdits:
        """Returns the call of add_metrics of the helpers.

        Its function makes a graph, also for a Keras model.
        """
        call = method_call.call
        if not isinstance(call, ast.Call):
            raise _Refused(f"add_metrics in line {call.lineno} is not called")
        edits = self._file.replacement(call.func, f"{self._helpers}.add_metrics").edits
        edits += added_metrics.renamed_argument(self._file, call)
        if not self._is_keras:
            return CallEdits(edits)
        reason = self._facts.unknown_predictions
        if reason:
            raise _Refused(f"add_metrics in line {call.lineno} needs its predictions, but {reason}")
        reason = added_metrics.problem(self._file, method_call.arguments["metric_fn"])
        if reason:
            raise _Refused(f"add_metrics in line {call.lineno}: {reason}")
        problem = added_metrics.problem_of_names(self._file, call, method_call.receiver)
        return CallEdits(edits, problem)

    def _text(self, method_call: MethodCall, text: str, problem: str = "") -> CallEdits:
        return CallEdits(self._file.replacement(method_call.call, text).edits, problem)

    # Results of a model.

    def _model_dir(self, method_call: MethodCall) -> str:
        """Returns the folder of the model, as an expression at the place of a call."""
        if not self._facts.has_model_dir:
            raise _Refused(_NO_DIR)
        return self._facts.model_dir if method_call.is_near else f"{method_call.receiver}.model_dir"

    def _folder(self, method_call: MethodCall) -> str:
        """Returns the expression of a folder, or of the latest checkpoint in it."""
        folder, tf = self._model_dir(method_call), bridged_configs.tensorflow(self._file)
        if method_call.method == "model_dir":
            return folder
        # The checkpoints of a Keras model are in a subfolder.
        if method_call.method == "latest_checkpoint" and self._is_keras:
            return f"{self._helpers}.latest_checkpoint({folder})"
        if not tf:
            raise _Refused(
                f"{method_call.method} in line {method_call.call.lineno}: "
                f"{bridged_configs.NAMELESS}"
            )
        if method_call.method == "eval_dir":
            name = (
                self._file.segment(method_call.arguments["name"])
                if "name" in method_call.arguments
                else ""
            )
            subfolder = f'"eval_" + {name}' if name else '"eval"'
            return f"{tf}.io.gfile.join({folder}, {subfolder})"
        return f"{tf}.train.latest_checkpoint({folder})"

    def _variables(self, method_call: MethodCall) -> str:
        """Returns the expression of variable names, or of one value."""
        name = (
            self._file.segment(method_call.arguments["name"])
            if "name" in method_call.arguments
            else ""
        )
        if self._is_keras:
            function = "variable_value" if name else "variable_names"
            options = ", ".join(filter(None, [method_call.receiver, name]))
            return f"{self._helpers}.{function}({options})"
        if name and not self._facts.has_model_dir:
            return f"{method_call.receiver}.variables_by_name[{name}].numpy()"
        folder, tf = self._model_dir(method_call), bridged_configs.tensorflow(self._file)
        if not tf:
            raise _Refused(
                f"{method_call.method} in line {method_call.call.lineno}: "
                f"{bridged_configs.NAMELESS}"
            )
        if name:
            return f"{tf}.train.load_variable({folder}, {name})"
        return f"[name for name, _ in {tf}.train.list_variables({folder})]"

    def _export_text(self, method_call: MethodCall) -> str:
        options = [
            self._file.segment(method_call.arguments[key])
            for key in _EXPORT
            if key in method_call.arguments
        ]
        pattern = rf"(?<![\w.]){re.escape(method_call.receiver)}\.model_dir\b"
        if any(re.search(pattern, text) for text in options):
            folder = self._model_dir(method_call)
            options = [re.sub(pattern, lambda _: folder, text) for text in options]
        return f"{self._helpers}.export({', '.join([method_call.receiver, *options])})"

    def _predict_text(self, method_call: MethodCall, data: str) -> str:
        options = [
            f"{key}={self._file.segment(method_call.arguments[key])}"
            for key in _OPTIONS
            if key in method_call.arguments
        ]
        return f"{self._helpers}.predict({', '.join([method_call.receiver, data, *options])})"

    def _evaluate_text(self, method_call: MethodCall, data: str) -> str:
        """Returns the call for metrics, with the global step if the program may read it.

        An evaluation with a name writes its results to a folder.
        """
        parent, name = self._file.parent(method_call.call), method_call.receiver
        options = {
            key: self._file.segment(method_call.arguments[key])
            for key in ("checkpoint_path", "name")
            if not modern_names.is_constant(method_call.arguments.get(key), None)
            and key in method_call.arguments
        }
        if self._facts.distributes or options:
            parts = [name, data, *(f"{key}={text}" for key, text in options.items())]
            return f"{self._helpers}.evaluate({', '.join(parts)})"
        if isinstance(parent, ast.Expr):
            return f"{name}.evaluate({data}, verbose=2)"
        text = f"{name}.evaluate({data}, verbose=0, return_dict=True)"
        key = parent.slice if isinstance(parent, ast.Subscript) else None
        is_other = modern_names.is_constant(key) and not modern_names.is_constant(
            key, "global_step"
        )
        return text if is_other else f"dict({text}, global_step={self._step(name)})"

    # Data and training.

    def _batches(self, steps: ast.expr) -> str:
        """Returns the number of batches to take: -1, for all, if the steps are None at run time."""
        text = self._whole(steps)
        is_open = bindings.may_be_none(self._file, steps)
        return f"-1 if {text} is None else {text}" if is_open else text

    def _whole(self, steps: ast.expr) -> str:
        """Returns a number of steps, rounded up like an Estimator's if it may be a fraction."""
        text, values = self._file.segment(steps), [steps]
        if isinstance(steps, ast.Name):
            binders = bindings.of_scope(self._file, steps)
            values = [bindings.value_of(self._file, binder) or steps for binder in binders]
        elif not isinstance(steps, ast.Constant):
            values += _values_of_steps(self._file)  # The steps may come from any of them.
        nodes = [node for value in values if not _is_whole(value) for node in ast.walk(value)]
        if any(isinstance(node, ast.Div) for node in nodes):
            self.imports.add(_MATH)
            return f"{self._file.module_name(_MATH)}.ceil({text})"
        return text

    def _data(
        self,
        method_call: MethodCall,
        node: ast.expr,
        mode: str,
        hooks: Sequence[ast.expr] = (),
    ) -> tuple[str, str]:
        """Returns the dataset of an input_fn, and the reason why the data may differ."""
        params = ""
        if self._facts.has_params:
            params = f"{method_call.receiver}.params"
            params = self._facts.params or params if method_call.is_near else params
        if self._facts.is_of_tpu:
            params = f"{method_call.receiver}.params.{mode}"
        if self._facts.is_of_tpu and self._is_keras:
            params = self._tpu_params(method_call, node, mode)
        data = input_functions.dataset_of(self._file, node, mode, params, self._facts.is_of_tpu)
        if data.by_hand:
            raise _Refused(data.by_hand)
        if data.tensors or hooks:
            self.reads_graphs = True
            expression = ast.parse(f"({data.text})", mode="eval").body
            is_plain = (
                isinstance(expression, ast.Call) and not expression.args and not expression.keywords
            )
            function = data.text[:-2] if is_plain else f"lambda: {data.text}"
            names = ", ".join(self._file.segment(hook) for hook in hooks)
            options = f", hooks=[{names}]" if hooks else ""
            return f"{self._helpers}.graph_dataset({function}{options})", data.problem
        return data.text, data.problem

    def _tpu_params(self, method_call: MethodCall, node: ast.expr, mode: str) -> str:
        """Returns the params that a TPUEstimator passed to an input_fn."""
        function = input_functions.function_of(self._file, node)
        params = ""
        if method_call.is_near and self._facts.arguments:
            params = tpu_params.of_input_fn(self._file, self._facts.arguments, function, mode)
        if not params:
            line = method_call.call.lineno
            raise _Refused(f"the params of the input_fn in line {line} are unknown there")
        return params

    def _callbacks(self, method_call: MethodCall, hooks: ast.expr | None) -> tuple[str, Callbacks]:
        """Returns the callbacks of a training as an expression, and those for its hooks."""
        runs = not self._is_keras
        from_hooks = hook_callbacks.read(self._file, hooks, self._helpers, self._facts.saves, runs)
        if isinstance(from_hooks, str):
            raise _Refused(from_hooks)
        if from_hooks.saves and not method_call.is_near:
            line = method_call.call.lineno
            raise _Refused(
                f"a hook in line {line} saves checkpoints, and the number to keep is unknown there"
            )
        self._hooks.update(from_hooks.hooks)
        always = f"{self._helpers}.callbacks({'' if from_hooks.saves else method_call.receiver})"
        text = f"[*{always}, {', '.join(from_hooks.texts)}]" if from_hooks.texts else always
        return text, from_hooks

    def _cluster_train_edits(
        self, method_call: MethodCall, data: str, problem: str, hooks: ast.expr | None
    ) -> CallEdits:
        """Returns a training under a strategy. Each replica takes a whole batch of the data."""
        statement_edits = self._as_statement(method_call)
        parts = [method_call.receiver, _function(data)]
        parts += [
            f"{key}={self._file.segment(method_call.arguments[key])}"
            for key in ("steps", "max_steps")
            if key in method_call.arguments
        ]
        callbacks, from_hooks = self._callbacks(method_call, hooks)
        parts += [f"callbacks={callbacks}"] if from_hooks.texts else []
        text = f"{self._helpers}.train({', '.join(parts)})"
        return CallEdits(
            (*statement_edits, *self._wrapped_edits(method_call.call, text), *from_hooks.edits),
            _join_problems(problem, from_hooks.problem),
        )

    def _as_statement(self, method_call: MethodCall) -> tuple[Edit, ...]:
        """Returns the edits that turn a training into its own statement.

        For example, `trained = job.train(...)` becomes `job.fit(...)` and `trained = job`.

        Raises:
          _Refused: It is part of another expression, or its result is used.
        """
        statement, call = self._file.parent(method_call.call), method_call.call
        if isinstance(statement, ast.stmt) and estimator_uses.is_alone(self._file, statement):
            if isinstance(statement, ast.Expr):
                return ()
            target = statement.targets[0] if isinstance(statement, ast.Assign) else None
            if isinstance(target, ast.Name) and self._is_only_printed(target):
                start, end = self._file.span(call)
                indent = self._file.newline + self._file.indent(statement.lineno)
                return (
                    Edit(self._file.span(statement)[0], start, ""),
                    Edit(end, end, f"{indent}{target.id} = {method_call.receiver}"),
                )
        line = call.lineno
        raise _Refused(f"the call of train in line {line} is not a statement of its own")

    def _is_only_printed(self, target: ast.Name) -> bool:
        statement = self._file.parent(target)
        places = [
            self._file.parent(use)
            for use in bindings.uses(self._file, target)
            if successive_values.assignment(self._file, use) in (None, statement)
        ]
        return all(
            isinstance(place, ast.Call) and ast.unparse(place.func) == "print" for place in places
        )

    def _train_edits(
        self, method_call: MethodCall, data: str, problem: str, hooks: ast.expr | None
    ) -> CallEdits:
        statement_edits = self._as_statement(method_call)
        callbacks, from_hooks = self._callbacks(method_call, hooks)
        text = self._fit(method_call, data, f"callbacks={callbacks}, verbose=2")
        edits = self._file.replacement(method_call.call, text).edits
        return CallEdits(
            (*statement_edits, *edits, *from_hooks.edits),
            _join_problems(problem, from_hooks.problem),
        )

    def _fit(self, method_call: MethodCall, data: str, options: str) -> str:
        name = method_call.receiver
        if "max_steps" not in method_call.arguments:
            return f"{name}.fit({data}, {options})"
        indent = self._file.newline + self._file.indent(method_call.call.lineno)
        last_step, assignment = self._whole(method_call.arguments["max_steps"]), ""
        if not bridged_configs.is_simple(self._file, method_call.arguments["max_steps"]):
            last_step, value = self._file.new_name("last_step", "the last step"), last_step
            assignment = f"{last_step} = {value}{indent}"
        step = self._step(name)
        if self._is_keras:
            fit = f"{name}.fit({data}.take({last_step} - {step}), {options})"
            return f"{assignment}if {step} < {last_step}:{indent}    {fit}"
        # A bridged model knows its step only after build_on. Without labels, which a TPUEstimator's
        # features may contain, the mode would be "infer".
        variable = self._file.new_name("train_data", "the data to train with")
        return (
            f"{assignment}{variable} = {data}"
            f'{indent}{name}.build_on({variable}, mode="train")'
            f"{indent}if {step} < {last_step}:"
            f"{indent}    {name}.fit({variable}.take({last_step} - {step}), {options})"
        )

    def _train_and_evaluate_edits(self, method_call: MethodCall) -> CallEdits:
        """Returns train_and_evaluate of the model, with the arguments of its specs."""
        file = self._file
        specs = train_specs.read(file, method_call.arguments, self._helpers)
        if isinstance(specs, str):
            raise _Refused(specs)
        of_train, hooks = self._hooks_of(method_call, specs.train.get("hooks"))
        of_evaluate, eval_hooks = self._hooks_of(method_call, specs.evaluate.get("hooks"))
        if eval_hooks is not None:
            raise _Refused("its EvalSpec has hooks: rewrite them as callbacks")
        train, problem = self._data(method_call, specs.train["input_fn"], "train", of_train)
        evaluate, eval_problem = self._data(
            method_call, specs.evaluate["input_fn"], "eval", of_evaluate
        )
        steps = specs.evaluate.get("steps")
        if not modern_names.is_constant(steps, None):
            evaluate += f".take({self._batches(steps) if steps else _DEFAULT_STEPS})"
        parts = [method_call.receiver, _function(train), _function(evaluate)]
        if "max_steps" in specs.train:
            parts.append(f"max_steps={self._file.segment(specs.train['max_steps'])}")
        callbacks, from_hooks = self._callbacks(method_call, hooks)
        parts += [f"callbacks={callbacks}"] if from_hooks.texts else []
        for key, name in (("name", "eval_name"), ("exporters", "exporters")):
            if key in specs.evaluate:
                parts.append(f"{name}={specs.text(file, key)}")
        for key in ("start_delay_secs", "throttle_secs"):
            if key in specs.evaluate:
                parts.append(f"{key}={file.segment(specs.evaluate[key])}")
        text = f"{self._helpers}.{TRAIN_AND_EVALUATE}({', '.join(parts)})"
        edits = (*self._wrapped_edits(method_call.call, text), *specs.edits, *from_hooks.edits)
        problems = (problem, eval_problem, from_hooks.problem, specs.problem)
        return CallEdits(edits, _join_problems(*problems))

    def _wrapped_edits(self, call: ast.expr, text: str) -> Sequence[Edit]:
        """Returns the edits of a rewritten call, broken into short lines."""
        statement = self._file.statement(call)
        indent = self._file.indent(statement.lineno)
        head = self._file.text[self._file.span(statement)[0] : self._file.span(call)[0]]
        if "\n" in head:
            return self._file.replacement(call, text).edits
        # In print(f(x)) a bracket around the call closes after it, so the call is broken alone.
        prefix = (
            f"{indent}{head}"
            if self._file.span(call)[1] == self._file.span(statement)[1]
            else indent
        )
        lines = wrapping.wrapped(f"{prefix}{text}")
        return self._file.replacement(
            call, self._file.newline.join(lines).removeprefix(prefix)
        ).edits


def _join_problems(*problems: str) -> str:
    return "; ".join(dict.fromkeys(problem for problem in problems if problem))


def _values_of_steps(file: SourceFile) -> Iterator[ast.expr]:
    """Yields the values that a file assigns to names of steps, such as `TRAIN_STEPS`."""
    for node in file.nodes:
        if isinstance(node, ast.Assign):
            names = " ".join(ast.unparse(target) for target in node.targets)
        elif isinstance(node, ast.keyword):
            names = node.arg or ""
        else:
            continue
        if "steps" in names.lower():
            yield node.value


def _is_whole(node: ast.expr) -> bool:
    """Says whether an expression is already rounded."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("int", "ceil", "round"))


def _function(data: str) -> str:
    """Returns a function that makes a dataset, for the expression of the dataset."""
    return data[:-2] if re.fullmatch(r"[\w.]+\(\)", data) else f"lambda: {data}"
