"""Finds the checkpoints of Keras models, which are in a folder below that of an Estimator."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.analysis import bridged_configs
from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import cluster_configs, warm_starts

# Functions of a folder, and their parameters.
_FUNCTIONS = {
    "tf.train.get_checkpoint_state": ("checkpoint_state", ("checkpoint_dir",)),
    "tf.train.latest_checkpoint": ("latest_checkpoint", ("checkpoint_dir",)),
    "tf.train.list_variables": ("list_variables", ("ckpt_dir_or_file",)),
    "tf.train.load_variable": ("load_variable", ("ckpt_dir_or_file", "name")),
}
_ITERATORS = ("tf.contrib.training.checkpoints_iterator", "tf.train.checkpoints_iterator")
_SLOTS = "the variables of a Keras model lack the slots of its optimizer"
_SHARED = "an Estimator of another file takes only the WarmStartSettings of tf.estimator"


def _find(file: SourceFile) -> Iterator[Change]:
    if not bridged_configs.imports(file, ("porting",)):
        return  # No rule has replaced an Estimator of the file by a Keras model.
    porting, imports = bridged_configs.module(file, "porting")
    for match in file.names():  # Both APIs of TensorFlow have these functions.
        if match.name == warm_starts.SETTINGS and not cluster_configs.has_estimators(file):
            unsafe = _SHARED if file.plan.is_shared else ""
            yield file.replacement(match.node, f"{porting}.WarmStartSettings", imports, unsafe)
        if match.name in _ITERATORS:
            yield file.replacement(match.node, f"{porting}.checkpoints_iterator", imports)
        if match.name not in _FUNCTIONS:
            continue
        if match.call is None:
            yield file.suggestion(match.node, f"{match.name} is named, but not called")
            continue
        function, parameters = _FUNCTIONS[match.name]
        args = arguments.bind(match.call, parameters)
        if args is None or set(args) != {*parameters}:
            yield file.suggestion(match.call, "its arguments are unknown, or name a file of paths")
            continue
        texts = ", ".join(file.segment(args[name]) for name in parameters)
        unsafe = _SLOTS if function.endswith(("variable", "variables")) else ""
        yield file.replacement(match.call, f"{porting}.{function}({texts})", imports, unsafe)


RULE = Rule(
    __name__,
    _find,
    message="The checkpoints of a Keras model are found in MODEL_DIR/checkpoints.",
    source="https://www.tensorflow.org/guide/migrate/migrating_checkpoints",
    symbols=(*_FUNCTIONS, *_ITERATORS, warm_starts.SETTINGS),
    recipe="checkpoints",
    safe=False,
)
