"""Finds the checkpoints of Keras models, which are in a folder below that of an Estimator."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.analysis import bridged_configs
from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile

_FUNCTIONS = {
    "tf.train.get_checkpoint_state": "checkpoint_state",
    "tf.train.latest_checkpoint": "latest_checkpoint",
}


def _find(file: SourceFile) -> Iterator[Change]:
    if not bridged_configs.imports(file, ("porting",)):
        return  # No rule has replaced an Estimator of the file by a Keras model.
    porting, imports = bridged_configs.module(file, "porting")
    for match in file.names():  # Both APIs of TensorFlow have these functions.
        if match.name not in _FUNCTIONS:
            continue
        if match.call is None:
            yield file.suggestion(match.node, f"{match.name} is named, but not called")
            continue
        args = arguments.bind(match.call, ("checkpoint_dir",))
        if args is None or set(args) != {"checkpoint_dir"}:
            yield file.suggestion(match.call, "it takes the name of the file that lists paths")
            continue
        text = f"{porting}.{_FUNCTIONS[match.name]}({file.segment(args['checkpoint_dir'])})"
        yield file.replacement(match.call, text, imports)


RULE = Rule(
    __name__,
    _find,
    message="The checkpoints of a Keras model are found in MODEL_DIR/checkpoints.",
    source="https://www.tensorflow.org/guide/migrate/migrating_checkpoints",
    symbols=tuple(_FUNCTIONS),
    recipe="checkpoints",
)
