"""Writes the calls of an Estimator that an Experiment made.

    writer = Writer(file)
    writer.call(experiment, "train_and_evaluate", "estimator")

For example, `Experiment(job, train_fn, eval_fn, train_steps=9)` becomes
`train_and_evaluate(job, TrainSpec(train_fn, max_steps=9), EvalSpec(eval_fn, throttle_secs=5))`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from migrate.rewrite.analysis import estimator_uses
from migrate.rewrite.engine import arguments, bindings, texts
from migrate.rewrite.engine.rule import Edit, Import
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import modern_names

ESTIMATOR = Import("legacy.compat.v1.estimator", "tf_estimator", first=True)
_PARAMETERS = (
    *("estimator", "train_input_fn", "eval_input_fn", "eval_metrics", "train_steps", "eval_steps"),
    *("train_monitors", "eval_hooks", "local_eval_frequency", "eval_delay_secs"),
    *("continuous_eval_throttle_secs", "min_eval_frequency", "delay_workers_by_global_step"),
    *("export_strategies", "train_steps_per_iteration", "checkpoint_and_export"),
    *("saving_listeners", "check_interval_secs"),
)
_REQUIRED = ("estimator", "train_input_fn", "eval_input_fn")
# Methods of an Experiment, and the calls that replace them.
TRAINS_AND_EVALUATES = ("train_and_evaluate", "local_run")
METHODS = (*TRAINS_AND_EVALUATES, "train", "evaluate")
# A check for a new checkpoint takes no less time, by default.
_CHECK_SECS = "5"
_DEFAULT_EVAL_STEPS = "100"
_STRATEGY = (
    *("serving_input_fn", "default_output_alternative_key", "assets_extra", "as_text"),
    *("exports_to_keep", "strip_default_attrs"),
)
_RUN_CONFIG = (
    *("master", "num_cores", "log_device_placement", "gpu_memory_fraction", "tf_random_seed"),
    *("save_summary_steps", "save_checkpoints_secs", "save_checkpoints_steps"),
    *("keep_checkpoint_max", "keep_checkpoint_every_n_hours", "log_step_count_steps", "protocol"),
    *("evaluation_master", "model_dir", "session_config", "session_creation_timeout_secs"),
)
# tf.estimator's Estimators never read these settings.
_WITHOUT_EFFECT = ("num_cores", "log_device_placement", "gpu_memory_fraction")
_OF_CLUSTERS = ("master", "protocol", "evaluation_master", "session_creation_timeout_secs")
# Attributes that only a RunConfig of contrib.learn has.
_OF_CONTRIB = ("environment", "get_task_id", "tf_config", "uid")
_MODULE = "tf.contrib.learn."

CLUSTER = (
    "in a cluster of TF_CONFIG, an evaluator task evaluates and exports, as the master of an "
    "Experiment did: add that task"
)
_BETWEEN = (
    "an Experiment looked for a new checkpoint every min_eval_frequency steps, and now each new "
    "checkpoint is evaluated, with at least throttle_secs between two evaluations"
)
_ONLY_LAST = (
    "min_eval_frequency=0 evaluates only the last checkpoint, but the first one that is written "
    "during the training is evaluated too now"
)
_DELAY = "an Experiment waited for eval_delay_secs before the evaluation"
_SERVER = (
    "in a cluster of TF_CONFIG, train of an Experiment started the server of its task first, and "
    "let workers wait"
)
_KEPT = (
    "a FinalExporter keeps the exports of earlier runs, of which make_export_strategy kept "
    "exports_to_keep"
)


class Refused(Exception):
    """Raised if an Experiment cannot be rewritten. The message says why."""


class Writer:
    """Writes the calls that replace the Experiments of a file.

    Attributes:
      problems: Reasons so far why results may differ.
      edits: Edits of other expressions, such as exporters that are bound to a name.
    """

    def __init__(self, file: SourceFile) -> None:
        """Starts with no texts.

        Args:
          file: The file.
        """
        self._file = file
        self._module = file.module_name(ESTIMATOR)
        self._texts: dict[ast.expr, str] = {}
        self.problems: dict[str, None] = {}
        self._outside: dict[ast.expr, str] = {}
        # Arguments that are read from `**kwargs`: their texts, and what the caller passes.
        self._read: dict[ast.expr, str] = {}
        self._passed: dict[ast.expr, ast.expr] = {}
        self._add_configs()

    @property
    def edits(self) -> Iterator[Edit]:
        """The edits of expressions that no other text of this writer contains."""
        for node, text in self._outside.items():
            yield from self._file.replacement(node, text).edits

    def imports(self, edits: Iterable[Edit]) -> tuple[Import, ...]:
        """Returns the imports that edits need.

        Args:
          edits: Edits with texts of this writer.
        """
        return (ESTIMATOR,) if any(f"{self._module}." in edit.text for edit in edits) else ()

    def text(self, node: ast.expr) -> str:
        """Returns the text of an expression, in which RunConfigs and exporters are replaced."""
        if node in self._read:
            return self._read[node]
        file = self._file
        start, end = file.span(node)
        pieces, at = [], start
        for part in sorted(self._texts, key=file.span):
            part_start, part_end = file.span(part)
            if at <= part_start and part_end <= end:
                pieces += [file.text[at:part_start], self._texts[part]]
                at = part_end
                self._outside.pop(part, None)
        return "".join([*pieces, file.text[at:end]])

    def call(self, experiment: ast.Call, method: str, estimator: str) -> str:
        """Returns the call that does what a method of an Experiment did.

        Args:
          experiment: Call that makes the Experiment.
          method: Name of the method, one of `METHODS`.
          estimator: Text of the Estimator.

        Raises:
          Refused: No such call does the same.
        """
        args = self.arguments(experiment)
        if method == "train":
            self.problems[_SERVER] = None
            parts = [self.text(args["train_input_fn"]), *self._of_training(args)]
            return f"{estimator}.train({', '.join(parts)})"
        if method == "evaluate":
            self.problems[_DELAY] = None
            parts = [self.text(args["eval_input_fn"]), *self._of_evaluation(args)]
            parts += [] if "eval_steps" in args else [f"steps={_DEFAULT_EVAL_STEPS}"]
            return f'{estimator}.evaluate({", ".join(parts)}, name="one_pass")'
        if method not in TRAINS_AND_EVALUATES:
            raise Refused(f"no call of tf.estimator does the same as its method {method}")
        train = [self.text(args["train_input_fn"]), *self._of_training(args)]
        evaluate = [self.text(args["eval_input_fn"]), *self._of_spec(args)]
        specs = [f"TrainSpec({', '.join(train)})", f"EvalSpec({', '.join(evaluate)})"]
        parts = [estimator, *(f"{self._module}.{spec}" for spec in specs)]
        return f"{self._module}.train_and_evaluate({', '.join(parts)})"

    def arguments(self, experiment: ast.Call) -> dict[str, ast.expr]:
        """Returns the arguments of an Experiment, without those that are None.

        `eval_steps` may still be None, which is not its default.

        Args:
          experiment: Call that makes the Experiment.

        Raises:
          Refused: They are not known, or belong to an Estimator of contrib.learn.
        """
        bound_args = self._bound(experiment)
        args = estimator_uses.without_none(bound_args)
        args |= {key: bound_args[key] for key in ("eval_steps",) if key in bound_args}
        unknown = sorted(set(args) - set(_PARAMETERS))
        missing = [key for key in _REQUIRED if key not in args]
        if unknown or missing:
            raise Refused(f"its argument {(unknown or missing)[0]} is unknown or missing")
        if "eval_metrics" in args:
            raise Refused("it has eval_metrics, which only an Estimator of contrib.learn accepts")
        if self._file.program_uses(is_monitor):
            raise Refused("the program has monitors: turn them into hooks first")
        return args

    def _bound(self, experiment: ast.Call) -> dict[str, ast.expr]:
        """Returns the arguments of an Experiment, with those from `**kwargs` of its function."""
        hidden = [keyword.value for keyword in experiment.keywords if keyword.arg is None]
        visible = [keyword for keyword in experiment.keywords if keyword.arg is not None]
        args = arguments.bind(ast.Call(experiment.func, experiment.args, visible), _PARAMETERS)
        keys = self._keys(hidden[0]) if len(hidden) == 1 else {}
        if args is None or len(hidden) > 1 or keys is None:
            raise Refused("it is created with *args or **kwargs: write out its arguments first")
        for key, value in keys.items():
            # The function still takes the argument, and reads it from its `**kwargs`.
            node = ast.Subscript(hidden[0], ast.Constant(key), ast.Load())
            self._read[node] = f"{self._file.segment(hidden[0])}[{texts.quoted(key)}]"
            self._passed[node] = value
            args[key] = node
        return args

    def _keys(self, node: ast.expr) -> dict[str, ast.expr] | None:
        """Returns the arguments that all callers pass in `**kwargs`. None if they are unknown."""
        file = self._file
        binders = bindings.of_scope(file, node) if isinstance(node, ast.Name) else []
        function = file.function(binders[0]) if len(binders) == 1 else None
        if not isinstance(function, ast.FunctionDef) or function.args.kwarg is not binders[0]:
            return None
        if file.plan.is_shared and file.parent(function) is file.tree:
            return None  # Other files may call it.
        parameters = function.args
        names = {arg.arg for arg in (*parameters.args, *parameters.kwonlyargs)}
        keys: dict[str, ast.expr] | None = None
        for use in file.nodes:
            if not isinstance(use, ast.Name) or use.id != function.name:
                continue
            call = file.parent(use)
            if not isinstance(call, ast.Call) or call.func is not use:
                return None
            extra = {keyword.arg: keyword.value for keyword in call.keywords}
            extra = {key: value for key, value in extra.items() if key not in names}
            if None in extra or (keys is not None and set(keys) != set(extra)):
                return None
            keys = {key: value for key, value in extra.items() if key is not None}
        return keys

    def _of_training(self, args: dict[str, ast.expr]) -> Iterator[str]:
        names = {"max_steps": "train_steps", "hooks": "train_monitors"}
        names["saving_listeners"] = "saving_listeners"
        yield from self._options(args, names)

    def _of_evaluation(self, args: dict[str, ast.expr]) -> Iterator[str]:
        yield from self._options(args, {"steps": "eval_steps", "hooks": "eval_hooks"})

    def _of_spec(self, args: dict[str, ast.expr]) -> Iterator[str]:
        """Yields the arguments of the EvalSpec after the input function."""
        yield from self._of_evaluation(args)
        self.problems[CLUSTER] = None
        is_each = "checkpoint_and_export" in args
        if is_each and not modern_names.is_constant(args["checkpoint_and_export"], True, False):
            raise Refused("only the running program knows its checkpoint_and_export")
        is_each = is_each and modern_names.is_constant(args["checkpoint_and_export"], True)
        if "export_strategies" in args:
            kind = "LatestExporter" if is_each else "FinalExporter"
            yield f"exporters={self._exporters(args['export_strategies'], kind)}"
        yield from self._options(args, {"start_delay_secs": "eval_delay_secs"})
        frequency = args.get("min_eval_frequency")
        frequency = self._passed.get(frequency, frequency) if frequency is not None else None
        is_last = modern_names.is_constant(frequency, 0) and not is_each
        if is_last:
            self.problems[_ONLY_LAST] = None
            yield 'throttle_secs=float("inf")'
            return
        self.problems[_BETWEEN] = None
        secs = args.get("check_interval_secs")
        text = _CHECK_SECS if secs is None else self.text(secs)
        yield f"throttle_secs={0 if is_each else text}"

    def _options(self, args: dict[str, ast.expr], names: dict[str, str]) -> Iterator[str]:
        for new, old in names.items():
            if old in args:
                yield f"{new}={self.text(args[old])}"

    # Exports.

    def _exporters(self, node: ast.expr, kind: str) -> str:
        """Returns the text of the exporters that replace export strategies."""
        for part in self._strategies(self._passed.get(node, node)):
            is_inside = _contains(node, part)
            self.replace(part, self._exporter(part, kind), outside=not is_inside)
        return self.text(node)

    def _strategies(self, node: ast.expr) -> Iterator[ast.Call]:
        """Yields the calls that make export strategies, also those that are bound to a name."""
        if isinstance(node, (ast.List, ast.Tuple)):
            for element in node.elts:
                yield from self._strategies(element)
            return
        value: ast.expr | None = node
        if isinstance(node, ast.Name):
            value = bindings.assigned_value(self._file, node)
            uses = bindings.uses_of_value(self._file, value) if value is not None else None
            if value is None or uses is None or len(uses) != 1:
                raise Refused("its export_strategies are made elsewhere, or have other uses")
            if not isinstance(value, ast.Call):
                yield from self._strategies(value)
                return
        name = self._file.name_of(value.func) if isinstance(value, ast.Call) else None
        if not isinstance(value, ast.Call) or not makes_strategy(self._file, value):
            kind = (name or "").rpartition(".")[2] or "an unknown function"
            raise Refused(f"its export strategy is made by {kind}: write an exporter for it")
        yield value

    def _exporter(self, call: ast.Call, kind: str) -> str:
        bound_args = arguments.bind(call, _STRATEGY)
        if bound_args is None or set(bound_args) - set(_STRATEGY):
            raise Refused("its export strategy is made with *args or **kwargs")
        args = estimator_uses.without_none(bound_args)
        if "default_output_alternative_key" in args or "serving_input_fn" not in args:
            raise Refused(
                "its export strategy has a default_output_alternative_key or no serving_input_fn, "
                "which is for an Estimator of contrib.learn"
            )
        parts = ['"Servo"', self.text(args["serving_input_fn"])]
        keys = ["assets_extra", "as_text"]
        if kind == "LatestExporter":
            keys.append("exports_to_keep")
        elif "exports_to_keep" in args or "exports_to_keep" not in bound_args:
            self.problems[_KEPT] = None
        parts += [f"{key}={self.text(args[key])}" for key in keys if key in args]
        if kind == "LatestExporter" and "exports_to_keep" not in args:
            parts += ["exports_to_keep=None"] if "exports_to_keep" in bound_args else []
        return f"{self._module}.{kind}({', '.join(parts)})"

    def replace(self, node: ast.expr, text: str, *, outside: bool = True) -> None:
        """Replaces an expression in all texts that contain it.

        Args:
          node: The expression.
          text: The new text.
          outside: Whether `edits` must replace it if no text contains it.
        """
        self._texts[node] = text
        if outside:
            self._outside[node] = text

    # RunConfigs.

    def _add_configs(self) -> None:
        """Replaces the RunConfigs of contrib.learn by those of tf.estimator."""
        for match in self._file.names():
            if not is_config(match.name):
                continue
            if match.call is None:
                self.replace(match.node, f"{self._module}.RunConfig", outside=True)
            else:
                self.replace(match.call, self._config(match.call), outside=True)

    def _config(self, call: ast.Call) -> str:
        args = arguments.bind(call, _RUN_CONFIG)
        if args is None or set(args) - set(_RUN_CONFIG):
            raise Refused("its RunConfig is created with *args or **kwargs")
        of_cluster = [key for key in _OF_CLUSTERS if key in estimator_uses.without_none(args)]
        if of_cluster:
            raise Refused(f"its RunConfig sets {of_cluster[0]}, which TF_CONFIG sets today")
        for node in self._file.nodes:
            if isinstance(node, ast.Attribute) and node.attr in _OF_CONTRIB:
                raise Refused(
                    f"{node.attr} in line {node.lineno} may belong to its RunConfig, and a "
                    "RunConfig of tf.estimator has none"
                )
        parts = [
            f"{key}={self._file.segment(node)}"
            for key, node in args.items()
            if key not in (*_WITHOUT_EFFECT, *_OF_CLUSTERS)
        ]
        return f"{self._module}.RunConfig({', '.join(parts)})"


def is_config(name: str) -> bool:
    """Says whether a public name is the RunConfig of contrib.learn."""
    return name.startswith(_MODULE) and name.endswith(".RunConfig")


def is_monitor(name: str) -> bool:
    """Says whether a public name is a monitor of contrib.learn."""
    return name.startswith(f"{_MODULE}monitors.") or name.endswith("ValidationMonitor")


def makes_strategy(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an expression makes an export strategy by make_export_strategy."""
    name = (file.name_of(node.func) if isinstance(node, ast.Call) else None) or ""
    return name.startswith(_MODULE) and name.endswith(".make_export_strategy")


def _contains(outer: ast.AST, node: ast.AST) -> bool:
    return any(part is node for part in ast.walk(outer))
