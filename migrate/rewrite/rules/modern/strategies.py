"""Replaces the strategies of tf.contrib.distribute by those of tf.distribute."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import modern_names

_PARAMETERS = {
    "MirroredStrategy": (
        "devices",
        "num_gpus",
        "num_gpus_per_worker",
        "cross_device_ops",
        "auto_shard_dataset",
    ),
    "OneDeviceStrategy": ("device", "num_gpus"),
}
# The parameters that the new classes still accept.
_NEW_PARAMETERS = {
    "MirroredStrategy": ("devices", "cross_device_ops"),
    "OneDeviceStrategy": ("device",),
}
_NEW = {
    "MirroredStrategy": "distribute.MirroredStrategy",
    "OneDeviceStrategy": "distribute.OneDeviceStrategy",
}


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.matches(RULE):
        name = match.name.rpartition(".")[2]
        if match.call is None:
            continue
        args = arguments.bind(match.call, _PARAMETERS[name])
        if args is None or not set(args) <= set(_NEW_PARAMETERS[name]):
            reason = f"tf.distribute's {name} takes devices instead of a number of GPUs"
            yield file.suggestion(match.call, reason)
            continue
        tf, imports = modern_names.tensorflow(file, match)
        yield file.replacement(match.node, f"{tf}.{_NEW[name]}", imports)


RULE = Rule(
    __name__,
    _find,
    message="Strategies for one machine come from tf.distribute.",
    source="https://www.tensorflow.org/guide/migrate/mirrored_strategy",
    symbols=tuple(f"tf.contrib.distribute.{name}" for name in _PARAMETERS),
    recipe="mirrored_strategy",
)
