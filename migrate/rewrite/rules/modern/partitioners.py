"""Replaces partitioners of variables by those of ParameterServerStrategy."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.analysis import modern_names
from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Change, Example, Rule
from migrate.rewrite.engine.source_file import SourceFile

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
        cls, parameters, renamed = _PARTITIONERS[match.name]
        call = match.call
        args = arguments.bind(call, parameters) if call is not None else None
        axis = args.get("axis") if args is not None else None
        is_first = axis is None or modern_names.is_constant(axis, 0)
        if call is None or args is None or not is_first:
            yield file.suggestion(match.node, f"tf.distribute's {cls} divides along axis 0 alone")
            continue
        tf2, imports = modern_names.tensorflow_2(file)
        parts = {new: file.segment(args[old]) for old, new in renamed.items() if old in args}
        for name, text in _DEFAULTS.get(match.name, {}).items():
            parts.setdefault(name, text)
        text = ", ".join(f"{name}={value}" for name, value in parts.items())
        yield file.replacement(
            call, f"{tf2}.distribute.experimental.partitioners.{cls}({text})", imports
        )


RULE = Rule(
    __name__,
    _find,
    message="Partitioners are those of tf.distribute, which ParameterServerStrategy takes.",
    source="https://www.tensorflow.org/api_docs/python/tf/distribute/experimental/partitioners",
    symbols=tuple(_PARTITIONERS),
    recipe="synchronous_parameter_servers",
    examples=(
        Example(
            "import tensorflow as tf\n"
            "shape = tf.TensorShape([4096, 64])\n"
            "x = list(tf.fixed_size_partitioner(3)(shape=shape, dtype=tf.float32))\n"
            "y = list(tf.min_max_variable_partitioner(max_partitions=4, axis=0)("
            "shape=shape, dtype=tf.float32))\n"
            "z = list(tf.variable_axis_size_partitioner(2 ** 18, max_shards=3)("
            "shape=shape, dtype=tf.float32))\n",
            "import tensorflow as tf\n"
            "shape = tf.TensorShape([4096, 64])\n"
            "x = list(tf.distribute.experimental.partitioners.FixedShardsPartitioner(num_shards=3)("
            "shape=shape, dtype=tf.float32))\n"
            "y = list(tf.distribute.experimental.partitioners.MinSizePartitioner(max_shards=4)("
            "shape=shape, dtype=tf.float32))\n"
            "z = list(tf.distribute.experimental.partitioners.MaxSizePartitioner("
            "max_shard_bytes=2 ** 18, max_shards=3)("
            "shape=shape, dtype=tf.float32))\n",
        ),
        Example(
            "import tensorflow.compat.v1 as tf\n"
            "cut = tf.fixed_size_partitioner(2)\n"
            "x = list(cut(shape=tf.TensorShape([5]), dtype=tf.float32))\n",
            "import tensorflow.compat.v1 as tf\n"
            "import tensorflow.compat.v2 as tf2\n"
            "cut = tf2.distribute.experimental.partitioners.FixedShardsPartitioner(num_shards=2)\n"
            "x = list(cut(shape=tf.TensorShape([5]), dtype=tf.float32))\n",
        ),
    ),
    unchanged=(
        "import tensorflow.compat.v1 as tf\n"
        "cut = tf.fixed_size_partitioner(2, axis=1)\nx = callable(cut)\n",
        "import tensorflow.compat.v1 as tf\nx = callable(tf.fixed_size_partitioner)\n",
    ),
)
