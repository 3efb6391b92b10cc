"""Replaces partitioners of variables by those of ParameterServerStrategy."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import modern_names

# The new class, the old parameters in order, and their names in the new class.
_PARTITIONERS = {
    "tf.fixed_size_partitioner": (
        "FixedShardsPartitioner",
        ("num_shards", "axis"),
        {"num_shards": "num_shards"},
    ),
    "tf.min_max_variable_partitioner": (
        "MinSizePartitioner",
        ("max_partitions", "axis", "min_slice_size", "bytes_per_string_element"),
        {
            "max_partitions": "max_shards",
            "min_slice_size": "min_shard_bytes",
            "bytes_per_string_element": "bytes_per_string",
        },
    ),
    "tf.variable_axis_size_partitioner": (
        "MaxSizePartitioner",
        ("max_shard_bytes", "axis", "bytes_per_string_element", "max_shards"),
        {
            "max_shard_bytes": "max_shard_bytes",
            "bytes_per_string_element": "bytes_per_string",
            "max_shards": "max_shards",
        },
    ),
}
_DEFAULTS = {"tf.min_max_variable_partitioner": {"max_shards": "1"}}


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.matches(RULE):
        cls, parameters, new_names = _PARTITIONERS[match.name]
        call = match.call
        args = arguments.bind(call, parameters) if call is not None else None
        axis = args.get("axis") if args is not None else None
        is_first = axis is None or modern_names.is_constant(axis, 0)
        if call is None or args is None or not is_first:
            yield file.suggestion(match.node, f"tf.distribute's {cls} splits only along axis 0")
            continue
        tf2, imports = modern_names.tensorflow_2(file)
        parts = {new: file.segment(args[old]) for old, new in new_names.items() if old in args}
        for name, text in _DEFAULTS.get(match.name, {}).items():
            parts.setdefault(name, text)
        text = ", ".join(f"{name}={value}" for name, value in parts.items())
        yield file.replacement(
            call, f"{tf2}.distribute.experimental.partitioners.{cls}({text})", imports
        )


RULE = Rule(
    __name__,
    _find,
    message="Partitioners of tf.distribute replace those of tf, for ParameterServerStrategy.",
    source="https://www.tensorflow.org/api_docs/python/tf/distribute/experimental/partitioners",
    symbols=tuple(_PARTITIONERS),
    recipe="synchronous_parameter_servers",
)
