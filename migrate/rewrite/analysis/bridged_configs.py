"""Helpers of the rules that put a bridged model in the place of an Estimator.

They read its RunConfig, and find the names of helper modules.

    model, imports = module(file, "bridge")
    text = f"{model}.KerasModelFn({model_fn})"
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

from migrate.rewrite.analysis import estimator_uses, run_config_classes
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.rule import Edit, Import
from migrate.rewrite.engine.source_file import Match, SourceFile

_MODULES = {
    "bridge": Import("migrate.bridge", "bridge"),
    "as_estimator": Import("migrate.bridge.as_estimator", "as_estimator"),
    "classic": Import("modern.optimizers.classic", "classic"),
    "column_layers": Import("modern.porting.column_layers", "column_layers"),
    "column_models": Import("modern.porting.column_models", "column_models"),
    "heads": Import("modern.porting.heads", "heads"),
    "optimizers": Import("modern.optimizers.combined", "optimizers"),
    "porting": Import("modern.porting", "porting"),
    "recurrent_layers": Import("modern.porting.recurrent_layers", "recurrent_layers"),
}
_RUN_CONFIG_PARAMETERS = (
    "model_dir",
    "tf_random_seed",
    "save_summary_steps",
    "save_checkpoints_steps",
    "save_checkpoints_secs",
    "session_config",
    "keep_checkpoint_max",
    "keep_checkpoint_every_n_hours",
    "log_step_count_steps",
    "train_distribute",
    "eval_distribute",
)
# Leading parameters of tpu.RunConfig, in this order. Only a TPU uses them.
_TPU_PARAMETERS = ("tpu_config", "evaluation_master", "master", "cluster")
_TPU_RUN_CONFIGS = ("tf.contrib.tpu.RunConfig", "tf.estimator.tpu.RunConfig")
_RUN_CONFIGS = ("tf.estimator.RunConfig", *_TPU_RUN_CONFIGS)
# eval_distribute is not positional here: other parameters precede it.
_POSITIONAL_COUNT = len(_RUN_CONFIG_PARAMETERS) - 1
_INTERVALS = {"save_checkpoints_steps": "save_steps", "save_checkpoints_secs": "save_secs"}
_SAVES = {**_INTERVALS, "keep_checkpoint_max": "keep"}
_DEFAULT_SAVES = "save_secs=600"  # The default of RunConfig.
# The reason why results may differ if nothing is known about a RunConfig.
UNSEEN = "its RunConfig is not created here, and may set a strategy or a seed"
_SEED = (
    "with tf_random_seed, an Estimator has other initial weights, dropout masks and shuffle orders "
    "than Keras, even for a shuffle with its own seed"
)
_STRATEGY = "train_distribute"
# Builtin functions whose result depends only on their arguments.
_PURE = ("float", "int", "max", "min", "round")
# Methods that change a dictionary or a list.
_CHANGES = ("append", "clear", "extend", "insert", "pop", "popitem", "setdefault", "sort", "update")
_KERAS = ("tf.keras.", "tf.compat.v1.keras.", "tf_keras.")


class Config(NamedTuple):
    """The settings of a RunConfig for a model that Keras trains.

    Attributes:
      model_dir: Text of its folder, or "" if it has none.
      model_dir_node: Expression of the folder.
      saves: Arguments of `as_estimator.SaveCheckpoints`, without the folder.
      problem: Reason why results may differ, or "" if they cannot.
      strategy: Text of the strategy that it trains under, or "" if it has none.
      statement: Statement that makes the RunConfig. None if the new code still needs it.
      open_name: Name of the RunConfig if it may be None, or "" if it cannot be.
      definition: Class of the RunConfig, if the new code does not need it. None for other classes.
    """

    model_dir: str = ""
    model_dir_node: ast.expr | None = None
    saves: tuple[str, ...] = (_DEFAULT_SAVES,)
    problem: str = ""
    strategy: str = ""
    statement: ast.stmt | None = None
    open_name: str = ""
    definition: ast.ClassDef | None = None


def config(file: SourceFile, node: ast.expr | None, inline: bool = False) -> Config | str:
    """Returns the settings of a RunConfig, or the reason why they cannot be kept.

    Args:
      file: The file.
      node: Config of the Estimator, or None if it has none.
      inline: Whether to remove a RunConfig whose name has no other use, and to write out its
        settings.
    """
    if node is None:
        return Config()
    expression = bindings.assigned_value(file, node) if isinstance(node, ast.Name) else node
    if expression is None or not _is_run_config(file, expression):
        if not isinstance(node, (ast.Name, ast.Attribute)):
            return "its config is neither a RunConfig call nor a name: assign it to a name first"
        return _of_name(file, node, UNSEEN)
    definition = run_config_classes.class_of(file, expression, _RUN_CONFIGS)
    settings_of_class = run_config_classes.overrides(file, definition) if definition else {}
    if isinstance(settings_of_class, str):
        return settings_of_class
    args = _of_run_config(file, expression)
    if args is None:
        return "its RunConfig is created with *args or **kwargs"
    args = {**args, **settings_of_class}
    if len(set(_INTERVALS) & set(estimator_uses.without_none(args))) == 1:
        args = {
            key: value
            for key, value in args.items()
            if key not in _INTERVALS or not _is_none(value)
        }
    unsupported = sorted(set(args).difference(_RUN_CONFIG_PARAMETERS, _TPU_PARAMETERS))
    if unsupported:
        return (
            f"its RunConfig sets {unsupported[0]}: create the model in the scope of a "
            "tf.distribute strategy instead"
        )
    problem = _SEED if "tf_random_seed" in estimator_uses.without_none(args) else ""
    statement = _statement(file, node, args) if inline else None
    if isinstance(node, ast.Name) and statement is None:
        settings = _of_name(file, node, problem)
        folder = settings.model_dir if "model_dir" in args else ""
        saves = _saves({key: f"{node.id}.{key}" for key in args})
        strategy = f"{node.id}.{_STRATEGY}" if _has_strategy(args) else ""
        return settings._replace(model_dir=folder, saves=saves, strategy=strategy)
    if not all(is_pure(file, value) for key, value in args.items() if key in _SAVES):
        return (
            "the save settings of its RunConfig are computed: assign the RunConfig to a name first"
        )
    texts = {key: file.segment(value) for key, value in args.items()}
    folder = texts.get("model_dir", "")
    strategy = texts[_STRATEGY] if _has_strategy(args) else ""
    is_needed = not inline or definition is None or _is_used_again(file, definition)
    return Config(
        folder,
        args.get("model_dir"),
        _saves(texts),
        problem,
        strategy,
        statement,
        definition=None if is_needed else definition,
    )


def _is_run_config(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an expression makes a RunConfig, perhaps with `replace`."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute) and node.func.attr == "replace":
        return _is_run_config(file, node.func.value)
    is_subclass = run_config_classes.class_of(file, node, _RUN_CONFIGS) is not None
    return is_subclass or file.name_of(node.func) in _RUN_CONFIGS


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_used_again(file: SourceFile, definition: ast.ClassDef) -> bool:
    """Says whether other code than one call may use a class."""
    return file.plan.is_shared or bindings.count_reads(file, definition.name) > 1


def _of_run_config(file: SourceFile, node: ast.expr) -> dict[str, ast.expr] | None:
    """Returns the arguments of a RunConfig. None if they cannot be determined."""
    if not isinstance(node, ast.Call):
        return None
    name = file.name_of(node.func)
    is_replaced = name is None and isinstance(node.func, ast.Attribute)
    positional = (
        _TPU_PARAMETERS if name in _TPU_RUN_CONFIGS else _RUN_CONFIG_PARAMETERS[:_POSITIONAL_COUNT]
    )
    args = arguments.bind(node, () if is_replaced else positional)
    if args is None or not is_replaced or not isinstance(node.func, ast.Attribute):
        return args
    base = _of_run_config(file, node.func.value)
    return None if base is None else {**base, **args}


def _has_strategy(args: dict[str, ast.expr]) -> bool:
    return _STRATEGY in estimator_uses.without_none(args)


def factory(text: str) -> str:
    """Returns the text of a function that makes a strategy. Texts other than calls are unchanged.

    A process cannot join synchronous workers after it has made a strategy.
    """
    node = ast.parse(f"({text})", mode="eval").body
    if not isinstance(node, ast.Call):
        return text
    is_plain = not node.args and not node.keywords
    return ast.unparse(node.func) if is_plain else f"lambda: {text}"


def _statement(file: SourceFile, node: ast.expr, args: dict[str, ast.expr]) -> ast.stmt | None:
    """Returns the statement that makes a RunConfig, if it may be removed."""
    if not isinstance(node, ast.Name):
        return None
    expression = bindings.assigned_value(file, node)
    if expression is None or file.function(expression) is not file.function(node):
        return None
    statement = file.statement(expression)
    uses = [part for part in file.nodes if isinstance(part, ast.Name) and part.id == node.id]
    is_alone = estimator_uses.is_alone(file, statement) and "#" not in file.segment(statement)
    is_plain = all(
        is_simple(file, value) for key, value in args.items() if key not in _TPU_PARAMETERS
    )
    # Of two uses, one binds the name, and the other one passes the config.
    return statement if is_alone and is_plain and len(uses) == 2 else None


def _saves(texts: dict[str, str]) -> tuple[str, ...]:
    """Returns the arguments of SaveCheckpoints for those of a RunConfig."""
    options = [f"{parameter}={texts[key]}" for key, parameter in _SAVES.items() if key in texts]
    return tuple(options if set(_INTERVALS) & set(texts) else [_DEFAULT_SAVES, *options])


def _of_name(file: SourceFile, node: ast.expr, problem: str) -> Config:
    """Returns settings that are read from the RunConfig at run time."""
    text = file.segment(node)
    saves = tuple(f"{parameter}={text}.{key}" for key, parameter in _SAVES.items())
    open_name = text if bindings.may_be_none(file, node) else ""
    return Config(f"{text}.model_dir", node, saves, problem, open_name=open_name)


def is_simple(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an expression has the same value anywhere in its function."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name)
    if isinstance(node, ast.Subscript):  # For example, `args["output_dir"]`.
        is_plain = isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Constant)
        return is_plain and is_simple(file, node.value) and not _is_stored(file, node)
    return isinstance(node, ast.Name) and len(bindings.of_scope(file, node)) <= 1


def is_pure(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an expression is simple, or computed from simple ones without side effects.

    For example, `min(interval, 300)`.

    Args:
      file: The file.
      node: The expression.
    """
    if isinstance(node, ast.BinOp):
        return is_pure(file, node.left) and is_pure(file, node.right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        is_builtin = node.func.id in _PURE and not [*bindings.binders(file, node.func.id)]
        return is_builtin and all(is_pure(file, argument) for argument in node.args)
    return is_simple(file, node)


def _is_stored(file: SourceFile, node: ast.Subscript) -> bool:
    """Says whether the file may change an element, or get it from a dictionary that it changes."""
    return any(
        isinstance(part, ast.Name)
        and part.id == getattr(node.value, "id", "")
        and _is_changed(file, part)
        for part in file.nodes
    )


def _is_changed(file: SourceFile, name: ast.Name) -> bool:
    """Says whether a statement changes a part of a dictionary or a list."""
    parent = file.parent(name)
    if isinstance(parent, ast.Subscript):
        return parent.value is name and not isinstance(parent.ctx, ast.Load)
    return isinstance(parent, ast.Attribute) and parent.attr in _CHANGES


def module(file: SourceFile, name: str) -> tuple[str, tuple[Import, ...]]:
    """Returns the name of a helper module in a file, and the import that it needs.

    Args:
      file: The file.
      name: Last part of the module's name.
    """
    helper = _MODULES[name]
    package = helper.module.rpartition(".")[0]
    for statement in file.tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == package:
            for alias in statement.names:
                if alias.name == name:
                    return alias.asname or alias.name, ()
    return file.module_name(helper), (helper,)


def imports(file: SourceFile, names: Iterable[str]) -> bool:
    """Says whether a file imports any of these modules, by the last parts of their names."""
    modules = [_MODULES[name].module.rpartition(".") for name in names]
    imported = {
        (statement.module, alias.name)
        for statement in file.tree.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }
    return any((package, name) in imported for package, _, name in modules)


def is_of_model(file: SourceFile, match: Match) -> bool:
    """Says whether an Estimator is made only to bridge its model_fn.

    Args:
      file: The file.
      match: Name that makes it.
    """
    node = file.parent(match.call) if match.call is not None else None
    return isinstance(node, ast.Attribute) and node.attr == "model_fn"


NAMELESS = "this file needs a module-level import of TensorFlow"


def tensorflow(file: SourceFile) -> str:
    """Returns the name of TensorFlow in a file, or "" if it has none."""
    for name, value in file.exported.items():
        if value in ("tensorflow", "tensorflow.compat.v1") and name not in file.rebound:
            return name
    return ""


def removal(file: SourceFile, statement: ast.stmt) -> Edit:
    """Returns the edit that removes a statement which stands alone on its lines.

    Args:
      file: The file.
      statement: The statement. A trailing comment is removed too.
    """
    siblings = getattr(file.parent(statement), "body", ())
    if len(siblings) == 1:
        return Edit(*file.span(statement), "pass")  # A block cannot be empty.
    last = statement.end_lineno or statement.lineno
    return Edit(file.line_start(statement.lineno), file.line_start(last + 1), "")
