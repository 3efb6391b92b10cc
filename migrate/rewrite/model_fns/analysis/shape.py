"""Splits a model_fn into its forward pass, and the parts that each mode adds.

    shape = read(file, function)
    shape.forward, shape.outputs

The forward pass consists of the statements that all modes share and that need no labels. Keras
calls it. All other parts see only its results, the names in `outputs`, such as logits.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import (
    checks,
    dictionaries,
    heads,
    keras_objects,
    log_calls,
    lookup_tables,
    modes,
    resolving,
    sharing,
    slices,
    specifications,
)
from migrate.rewrite.model_fns.analysis.heads import Head
from migrate.rewrite.model_fns.analysis.lookup_tables import Tables
from migrate.rewrite.model_fns.analysis.metrics import functions, of_evaluation
from migrate.rewrite.model_fns.analysis.metrics.of_evaluation import Metrics
from migrate.rewrite.model_fns.analysis.metrics.streamed import Streamed
from migrate.rewrite.model_fns.analysis.modes import Modes, Path
from migrate.rewrite.model_fns.analysis.sharing import Common

_PARAMETERS = ("features", "labels", "mode", "params")
# Names that no forward pass uses, because they need the loss, the labels or the step.
LATE = (
    "tf.GraphKeys",
    "tf.add_to_collection",
    "tf.get_collection",
    "tf.global_variables",
    "tf.gradients",
    "tf.losses.",
    "tf.metrics.",
    "tf.train.",
    "tf.trainable_variables",
)
# Functions that only print, log or write summaries.
SILENT = (
    "tf.Print",
    "tf.contrib.layers.summarize_",
    "tf.contrib.summary.",
    "tf.identity",
    "tf.logging.",
    "tf.print",
    "tf.summary.",
)
# Functions that set the seed of a graph. Keras draws other numbers in any case.
_SEEDS = ("tf.random.set_random_seed", "tf.random.set_seed", "tf.set_random_seed")


class Part(NamedTuple):
    """A computation on the results of the forward pass.

    Attributes:
      statements: Statements in order.
      expressions: Results, computed after the statements.
      parameter_values: Arguments of the function that returns the metrics, by parameter.
    """

    statements: list[ast.stmt]
    expressions: list[ast.expr]
    parameter_values: Mapping[str, ast.expr] = types.MappingProxyType({})

    @property
    def names(self) -> set[str]:
        """The names that the part reads from earlier computations."""
        read = slices.open_names(self.statements, self.expressions)
        return functions.names_outside(read, self.parameter_values)


class Shape(NamedTuple):
    """The parts of a model_fn.

    Attributes:
      function: The model_fn.
      modes: The model_fn, followed through each mode.
      train: Path through training.
      infer: Path through prediction, or None if there is none.
      train_op: Expression of the train_op.
      forward: Statements of the forward pass.
      literals: Texts for constants that differ between training and the other modes.
      outputs: Names whose values other parts need, in the order of their binding.
      loss: The loss, computed from labels and the results of the forward pass.
      metrics: Calls of tf.metrics in `eval_metric_ops`, by name.
      tests: Conditions on settings under which metrics exist, by name.
      evaluation: Computation of the arguments of metrics, or None without metrics.
      predictions: Computation of the predictions, or None without predictions.
      exports: Values of `export_outputs` by name. Empty without exports.
      exported: Computation of the arguments of exports, or None without exports.
      head: Head that computes the loss and the metrics from logits, or None. `loss` then holds the
        logits. The head also computes the predictions if `predictions` is None.
      labels: Computation of the labels for the head, or None for unchanged labels.
      evaluation_loss: The loss of an evaluation, or None if it is that of training.
      streamed: Metrics without a counterpart in Keras, or None.
    """

    function: ast.FunctionDef
    modes: Modes
    train: Path
    infer: Path | None
    train_op: ast.expr
    forward: list[ast.stmt]
    literals: dict[ast.Constant, str]
    outputs: list[str]
    loss: Part
    metrics: Mapping[str, ast.Call]
    tests: Mapping[str, ast.expr]
    evaluation: Part | None
    predictions: Part | None
    exports: dict[str, ast.expr]
    exported: Part | None
    head: Head | None = None
    labels: Part | None = None
    evaluation_loss: Part | None = None
    streamed: Streamed | None = None

    @property
    def parts(self) -> list[Part]:
        """All computations on the results of the forward pass."""
        parts = (
            *(self.loss, self.evaluation_loss, self.labels, self.evaluation, self.predictions),
            self.exported,
        )
        return [part for part in parts if part is not None]


def read(
    file: SourceFile,
    function: ast.FunctionDef,
    static: Collection[str] = (),
    streams: bool = False,
    tables: Tables = lookup_tables.NONE,
) -> Shape:
    """Splits a model_fn into parts.

    Args:
      file: The file.
      function: The model_fn.
      static: Parameters that are known when the model is made, such as the object of a method.
      streams: Whether functions may make metrics that Keras does not have.
      tables: Lookup tables, which are attributes of the model.

    Raises:
      NotUnderstood: The model_fn does not have a supported form.
    """
    _check_parameters(function, static)
    model_modes = Modes(file, function)
    paths = {mode: model_modes.path(mode) for mode in modes.MODES}
    train, head = paths["train"], None
    if train is not None:
        head = heads.read(file, function, train)
    for mode, path in paths.items():
        if path is not None:
            statements = [
                statement
                for statement in path.statements
                if statement not in tables.statements
                and (head is None or not head.makes(file, statement))
            ]
            paths[mode] = path._replace(statements=statements)
    shape = _shape(file, function, model_modes, paths, head, streams)
    differing_nodes: list[ast.AST] = []
    if head is None and paths["eval"] is not None:
        spec = specifications.read(file, model_modes, "eval", paths["eval"])
        evaluation_loss = _loss_of(paths["eval"], spec)
        differing = _differing_nodes(evaluation_loss, shape.loss)
        if differing is None:
            shape = shape._replace(evaluation_loss=evaluation_loss)
        differing_nodes = differing or []
    shape = _split(
        *(file, shape, [path for path in paths.values() if path is not None], tables.values),
        {"params", *static},
    )
    if any(
        node in shape.loss.statements or node in shape.loss.expressions for node in differing_nodes
    ):
        raise NotUnderstood("its loss depends on whether it trains")
    return shape


def _shape(
    file: SourceFile,
    function: ast.FunctionDef,
    model_modes: Modes,
    paths: Mapping[str, Path | None],
    head: Head | None,
    streams: bool,
) -> Shape:
    """Returns the parts of a model_fn, each with all the statements that it depends on."""
    train, infer, eval_path = paths["train"], paths["infer"], paths["eval"]
    for mode, path in paths.items():
        check_effects(file, _without_phase(file, model_modes, mode, path))
    metrics: Metrics | None = None
    evaluation = labels = None
    if head is not None and train is not None:
        if eval_path is None or not heads.is_same(eval_path, head, train):
            raise NotUnderstood("its head does not compute the loss of evaluation")
        loss = _part(train, [head.spec["logits"]])
        train_op = head.spec["logits"]  # `optimizers` reads the head instead.
        if "labels" in head.spec:
            label_part = _part(train, [head.spec["labels"]])
            if label_part.statements or ast.unparse(head.spec["labels"]) != "labels":
                labels = label_part
    else:
        train_spec = (
            specifications.read(file, model_modes, "train", train) if train is not None else {}
        )
        if train is None or not {"loss", "train_op"} <= set(train_spec):
            raise NotUnderstood("it returns no loss and train_op for training")
        loss = _part(train, [resolving.source(train, train_spec["loss"])])
        train_op = train_spec["train_op"]
        if eval_path is not None:
            spec = specifications.read(file, model_modes, "eval", eval_path)
            metrics = of_evaluation.read(file, function, eval_path, spec, streams=streams)
            evaluation = _evaluation(eval_path, metrics)
    predictions = exported = None
    exports: dict[str, ast.expr] = {}
    is_of_head = infer is not None and head is not None and heads.is_same(infer, head, train)
    spec = {}
    if infer is not None and not is_of_head:
        spec = specifications.read(file, model_modes, "infer", infer)
    if infer is not None and "predictions" in spec:
        predictions = _part(infer, [spec["predictions"]])
        exports = dictionaries.values(infer, spec.get("export_outputs"), "export_outputs")
        exported = _part(infer, _arguments_of(exports.values())) if exports else None
    return Shape(
        function,
        model_modes,
        train,
        infer,
        train_op,
        [],
        {},
        [],
        loss,
        metrics.calls if metrics is not None else {},
        metrics.tests if metrics is not None else {},
        evaluation,
        predictions,
        exports,
        exported,
        head,
        labels,
        streamed=metrics.streamed if metrics is not None else None,
    )


def _check_parameters(function: ast.FunctionDef, static: Collection[str]) -> None:
    arguments = function.args
    names = [
        argument.arg
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    ]
    names_read = set().union(*map(slices.read, function.body))
    unread = {"config"} - names_read  # An unused RunConfig from the Estimator does no harm.
    others = [name for name in names if name not in {*_PARAMETERS, *unread, *static}]
    if others or arguments.vararg or arguments.kwarg:
        raise NotUnderstood(f"it takes {others[0] if others else '*args or **kwargs'}")
    decorators = [ast.unparse(decorator) for decorator in function.decorator_list]
    if decorators not in ([], ["staticmethod"]) or "features" not in names:
        raise NotUnderstood("it has a decorator, or no parameter `features`")
    statements = (
        part
        for part in function.body
        if not isinstance(part, ast.Delete) or not slices.deletes_names(part)
    )
    rebound_names = {"params", *static} & set(names) & set().union(*map(slices.bound, statements))
    if rebound_names:
        raise NotUnderstood(f"it changes its {sorted(rebound_names)[0]}")


def _without_phase(
    file: SourceFile, model_modes: Modes, mode: str, path: Path | None
) -> Path | None:
    """Returns a path without statements that tell Keras whether it trains, as it knows anyway."""
    if path is None:
        return None
    statements = [
        statement
        for statement in path.statements
        if not _sets_phase(file, model_modes, mode, statement)
    ]
    return path._replace(statements=statements)


def _sets_phase(file: SourceFile, model_modes: Modes, mode: str, statement: ast.stmt) -> bool:
    """Says whether a statement such as `set_learning_phase(1)` gives Keras the phase of a mode."""
    if isinstance(statement, ast.If):
        body = statement.body if model_modes.truth(statement.test, mode) else statement.orelse
        return all(_sets_phase(file, model_modes, mode, inner) for inner in body)
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or len(call.args) != 1:
        return False
    if file.name_of(call.func) not in keras_objects.SET_PHASE:
        return False
    phase = call.args[0]
    value = bool(phase.value) if isinstance(phase, ast.Constant) else model_modes.truth(phase, mode)
    return value == (mode == "train")


def check_effects(file: SourceFile, path: Path | None) -> None:
    """Refuses side effects of a path, which the Keras model would not have.

    Args:
      file: The file.
      path: The path, or None for a path that raises.

    Raises:
      NotUnderstood: The path may do more than print, log or write summaries.
    """
    statements = path.statements if path else []
    if path is not None:
        _check_aliases(path)
    parts = [part for root in statements for part in ast.walk(root)]
    inner = [part for part in parts if isinstance(part, ast.Assign)]  # Also those of loops.
    local_names = {"features", "labels"}.union(*map(slices.replaces, [*statements, *inner]))
    collects = {
        id(call)
        for statement in statements
        for call in slices.changing_calls(statement)
        if slices.base(call.func) in local_names
    }
    for statement in parts:
        if isinstance(statement, ast.Delete):
            _check_deletion(statement, local_names)
        if not isinstance(statement, ast.Expr) or isinstance(statement.value, ast.Constant):
            continue
        value = statement.value
        if id(value) in collects:
            continue  # Parts that read the list also contain this statement.
        name = file.name_of(value.func) if isinstance(value, ast.Call) else None
        function_text = ast.unparse(value.func) if isinstance(value, ast.Call) else ""
        is_silent = isinstance(value, ast.Call) and log_calls.is_log(file, value.func)
        is_silent = is_silent or function_text.startswith("logging.")
        is_silent = is_silent or (name or "").startswith((*SILENT, *_SEEDS))
        called_name = file.imported_name_of(value.func) if isinstance(value, ast.Call) else ""
        is_silent = is_silent or called_name in file.plan.decisions.silent_functions
        if not is_silent and not checks.only_shows(file, function_text, SILENT):
            text = ast.unparse(value)[:40]
            raise NotUnderstood(f"{text!r} in line {statement.lineno} may have side effects")


def _check_deletion(statement: ast.Delete, local_names: Collection[str]) -> None:
    """Refuses a `del` of anything but entries of the model_fn's own dictionaries and lists."""
    if slices.deletes_names(statement):
        return
    for target in statement.targets:
        if not isinstance(target, ast.Subscript) or slices.base(target) not in local_names:
            raise NotUnderstood(f"it deletes {ast.unparse(target)} in line {statement.lineno}")


def _check_aliases(path: Path) -> None:
    """Refuses an object with two names that changes, because parts follow only one name."""
    for i, statement in enumerate(path.statements):
        value = statement.value if isinstance(statement, ast.Assign) else None
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not isinstance(value, ast.Name) or not isinstance(target, ast.Name):
            continue
        for name, other_name in ((target.id, value.id), (value.id, target.id)):
            later = path.statements[i + 1 :]
            for j, other in enumerate(later):
                if name in slices.replaces(other):
                    break
                if name not in slices.changed(other):
                    continue
                if other_name in slices.open_names(later[j + 1 :], [path.result]):
                    raise NotUnderstood(
                        f"{target.id} and {value.id} are one object, which line {other.lineno} "
                        "changes"
                    )


def _loss_of(path: Path, spec: dict[str, ast.expr]) -> Part:
    """Returns the loss of an evaluation."""
    if "loss" not in spec:
        raise NotUnderstood("it returns no loss for evaluation")
    return _part(path, [resolving.source(path, spec["loss"])])


def _differing_nodes(part: Part, loss: Part) -> list[ast.AST] | None:
    """Returns the nodes of the loss that differ in training, such as `training=True`.

    Returns None if the loss of an evaluation is another computation.
    """
    pairs = [
        *zip(part.statements, loss.statements, strict=False),
        (part.expressions[0], loss.expressions[0]),
    ]
    is_same = all(sharing.is_same(first, second) for first, second in pairs)
    if not is_same or len(part.statements) != len(loss.statements):
        return None
    return [train_node for node, train_node in pairs if ast.dump(node) != ast.dump(train_node)]


def _part(path: Path, expressions: Sequence[ast.expr]) -> Part:
    names = set().union(*map(slices.read, expressions)) if expressions else set()
    return Part(slices.needed(path.statements, names), [*expressions])


def _evaluation(path: Path, metrics: Metrics) -> Part | None:
    """Returns the computation of the arguments of metrics, also in the function that makes them."""
    streamed, source = metrics.streamed, metrics.source
    if not metrics.calls and streamed is None:
        return None
    expressions = _arguments_of(metrics.calls.values())
    expressions += streamed.names if streamed is not None else []
    names_read = set().union(*map(slices.read, expressions)) if expressions else set()
    inner_statements = slices.needed(source.statements, names_read)
    names_read = slices.open_names(inner_statements, expressions)
    outer_statements = slices.needed(
        path.statements, functions.names_outside(names_read, source.parameter_values)
    )
    return Part([*outer_statements, *inner_statements], expressions, source.parameter_values)


def _arguments_of(calls: Iterable[ast.expr]) -> list[ast.expr]:
    arguments: list[ast.expr] = []
    for call in calls:
        if isinstance(call, ast.Call):
            arguments += [*call.args, *(keyword.value for keyword in call.keywords)]
    return arguments


def _split(
    file: SourceFile,
    shape: Shape,
    paths: Sequence[Path],
    tables: Collection[str],
    static: Collection[str],
) -> Shape:
    """Finds the forward pass, and removes it from the parts."""
    part_ids = {id(statement) for part in shape.parts for statement in part.statements}
    local = slices.bound_inside(shape.function)
    late_ids = {id(statement) for statement in slices.dependent(shape.train.statements, {"labels"})}
    parameters = {argument.arg for argument in shape.function.args.args}
    known_names = (parameters | {"params", *shape.modes.aliases}) - {"labels", "mode"}
    known_names |= {shape.head.local, *tables} if shape.head else {*tables}
    forward: list[Common] = []
    common_statements = sharing.common([path.statements for path in paths])
    common_ids = {
        id(statement)
        for common in common_statements
        for statement in (common.statement, *common.others)
    }
    other_statements = (
        statement
        for part in shape.parts
        for statement in part.statements
        if id(statement) not in common_ids
    )
    changed_names = set().union(*map(slices.changed, other_statements))
    for common in common_statements:
        statement = common.statement
        reads = slices.read(statement) & (local | {"labels"})
        if id(statement) in late_ids or reads - known_names or _is_late(file, statement):
            continue
        if _is_open_dictionary(statement, changed_names):
            continue
        if _is_alias(shape, statement):
            continue
        known_names |= slices.bound(statement)
        if part_ids & {id(statement), *map(id, common.others)}:
            forward.append(common)
    forward_ids = {
        id(statement) for common in forward for statement in (common.statement, *common.others)
    }
    forward_ids |= {
        id(statement)
        for path in paths
        for statement in path.statements
        if _is_alias(shape, statement)
    }
    for path in paths:
        _check_order(shape, path, forward_ids)
    loss = _without(shape.loss, forward_ids)
    evaluation, predictions, exported, labels, evaluation_loss = (
        None if part is None else _without(part, forward_ids)
        for part in (
            *(shape.evaluation, shape.predictions, shape.exported, shape.labels),
            shape.evaluation_loss,
        )
    )
    settings = _settings([common.statement for common in forward], static)
    loss = _with_settings(loss, settings)
    evaluation, predictions, exported, labels, evaluation_loss = (
        None if part is None else _with_settings(part, settings)
        for part in (evaluation, predictions, exported, labels, evaluation_loss)
    )
    parts = (loss, evaluation, predictions, exported, labels, evaluation_loss)
    names = set().union(*(part.names for part in parts if part is not None))
    order: dict[str, int] = {}
    for i, common in enumerate(forward):
        order.update(dict.fromkeys(slices.bound(common.statement), i))
    literals = {key: text for common in forward for key, text in common.literals.items()}
    return shape._replace(
        forward=[common.statement for common in forward],
        literals=literals,
        outputs=sorted(names & set(order), key=lambda name: (order[name], name)),
        loss=loss,
        evaluation=evaluation,
        predictions=predictions,
        exported=exported,
        labels=labels,
        evaluation_loss=evaluation_loss,
    )


def _settings(forward: Sequence[ast.stmt], static: Collection[str]) -> list[ast.Assign]:
    """Returns the statements of the forward pass that only give names to settings.

    For example, `hp = params` and `size = hp["size"]`. Each part repeats those that it needs,
    because settings are no outputs of a model.
    """
    bound_names = [name for statement in forward for name in slices.bound(statement)]
    known_names, settings = {*static}, []
    for statement in forward:
        value = statement.value if isinstance(statement, ast.Assign) else None
        while isinstance(value, (ast.Attribute, ast.Subscript)):
            is_constant = isinstance(getattr(value, "slice", None), (ast.Constant, type(None)))
            value = value.value if is_constant else None
        names = slices.replaces(statement)
        is_known = isinstance(value, ast.Name) and value.id in known_names
        is_once = len(names) == 1 and all(bound_names.count(name) == 1 for name in names)
        if isinstance(statement, ast.Assign) and is_known and is_once:
            settings.append(statement)
            known_names |= names
    return settings


def _with_settings(part: Part, settings: Sequence[ast.Assign]) -> Part:
    """Returns a part that begins with the settings that it reads."""
    return part._replace(statements=[*slices.needed(settings, part.names), *part.statements])


def _is_open_dictionary(statement: ast.stmt, changed_names: Collection[str]) -> bool:
    """Says whether a statement begins a dictionary that a mode completes, such as predictions."""
    is_dictionary = isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Dict)
    return is_dictionary and bool(slices.replaces(statement) & {*changed_names})


def _without(part: Part, statement_ids: Collection[int]) -> Part:
    """Returns a part without the statements that have some ids."""
    return part._replace(
        statements=[
            statement for statement in part.statements if id(statement) not in statement_ids
        ]
    )


def _is_alias(shape: Shape, statement: ast.stmt) -> bool:
    """Says whether a statement only assigns a test of the mode to a name."""
    return bool(slices.replaces(statement) & set(shape.modes.aliases))


def _is_late(file: SourceFile, statement: ast.stmt) -> bool:
    node_ids = {id(node) for node in ast.walk(statement)}
    return any(id(match.node) in node_ids and match.name.startswith(LATE) for match in file.names())


def _check_order(shape: Shape, path: Path, forward_ids: Collection[int]) -> None:
    """Refuses a part that reads a name before the forward pass binds it a second time."""
    part_ids = {id(statement) for part in shape.parts for statement in part.statements}
    for i, statement in enumerate(path.statements):
        if id(statement) in forward_ids or id(statement) not in part_ids:
            continue
        later = [other for other in path.statements[i:] if id(other) in forward_ids]
        later_names = set().union(*map(slices.bound, later)) if later else set()
        if slices.read(statement) & later_names:
            name = sorted(slices.read(statement) & later_names)[0]
            raise NotUnderstood(
                f"{name} is assigned again after its use in line {statement.lineno}"
            )
        conflicts = slices.bound(statement) & slices.open_names(later)
        if conflicts:
            raise NotUnderstood(
                f"not all modes assign {sorted(conflicts)[0]} as in line {statement.lineno}"
            )
