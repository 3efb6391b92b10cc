"""tf.contrib.tfprof.model_analyzer: prints the numbers of parameters and operations in a graph.

model_analyzer.print_model_analysis(
    tf.get_default_graph(), tfprof_options=model_analyzer.TRAINABLE_VARS_PARAMS_STAT_OPTIONS
)
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from legacy.contrib import _missing

tf1 = tf.compat.v1

_ALL = {
    "max_depth": 10000,
    "min_bytes": 0,
    "min_micros": 0,
    "min_params": 0,
    "min_float_ops": 0,
    "order_by": "name",
    "account_type_regexes": [".*"],
    "start_name_regexes": [".*"],
    "trim_name_regexes": [],
    "show_name_regexes": [".*"],
    "hide_name_regexes": [],
    "account_displayed_op_only": True,
    "output": "stdout",
    "dump_to_file": "",
}
FLOAT_OPS_OPTIONS = {
    **_ALL,
    "min_float_ops": 1,
    "order_by": "float_ops",
    "select": ["float_ops"],
}
PRINT_ALL_TIMING_MEMORY = {**_ALL, "min_bytes": 1, "min_micros": 1, "select": ["micros", "bytes"]}
TRAINABLE_VARS_PARAMS_STAT_OPTIONS = {
    **_ALL,
    "account_type_regexes": ["_trainable_variables"],
    "select": ["params"],
}


def print_model_analysis(
    graph: tf.Graph,
    run_meta: Any = None,
    op_log: Any = None,
    tfprof_cmd: str = "scope",
    tfprof_options: Any = None,
) -> Any:
    """Prints statistics of a graph, and the cost of a run.

    Args:
      graph: The graph.
      run_meta: `RunMetadata` of a run.
      op_log: An `OpLogProto` with information that the profiler cannot see.
      tfprof_cmd: Unit by which the numbers are grouped: "scope", "op", "graph" or "code".
      tfprof_options: Profiler options. None prints the parameters of trainable variables.

    Returns:
      A protocol buffer with the printed numbers.
    """
    options = tfprof_options or TRAINABLE_VARS_PARAMS_STAT_OPTIONS
    return tf1.profiler.profile(graph, run_meta, op_log, tfprof_cmd, options)


advise = tf1.profiler.advise

__getattr__ = _missing.attribute_of("tfprof.model_analyzer")

__all__ = [
    "FLOAT_OPS_OPTIONS",
    "PRINT_ALL_TIMING_MEMORY",
    "TRAINABLE_VARS_PARAMS_STAT_OPTIONS",
    "advise",
    "print_model_analysis",
]
