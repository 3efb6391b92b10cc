"""Tables that map old TensorFlow modules to the places that provide their names today.

>>> places_of("tensorflow_estimator.python.estimator.mode_keys")[-1]
'legacy.estimator.mode_keys'
>>> is_module("tensorflow.contrib.training.python.training.hparam")
True

A place is the name of a module, or "tf." and the path of a public TensorFlow name. `modules.txt`
lists the modules of TensorFlow 1.15 and of the last tensorflow-estimator that today's TensorFlow
lacks. `names_v1.txt` and `names_v2.txt` list the public names that only one of TensorFlow 1.15 and
2.15 had, without names below another name of the list.
"""

from __future__ import annotations

import functools
import os
from typing import Any

from legacy.names import constants, contrib_aliases

SERVED_BELOW_TENSORFLOW = frozenset(("contrib", "estimator", "examples"))

_ESTIMATOR = "tensorflow_estimator.python.estimator"

# Modules that had other names before tensorflow-estimator was a package.
MOVED = {
    f"tensorflow.{package}.{name}": f"{_ESTIMATOR}.tpu.{name}"
    for package in ("python.tpu", "contrib.tpu.python.tpu")
    for name in ("error_handling", "tpu_config", "tpu_context", "tpu_estimator", "util")
} | {
    "tensorflow.python.estimator": _ESTIMATOR,
    "tensorflow.contrib.estimator.python.estimator": (
        "tensorflow_estimator.contrib.estimator.python.estimator"
    ),
}

_HEADS = tuple(
    f"legacy.estimator.heads.{name}"
    for name in (
        "v2.base_head",
        "arguments",
        "checks",
        "classes",
        "weights",
        "v2.metrics",
    )
)
_V1_HEAD = "legacy.estimator.heads.v1"
_V1_HEADS = tuple(_V1_HEAD + name for name in ("", ".base_head", ".metrics"))

_SMALL = "legacy.private_api.argument_checks"
_CANNED = "legacy.private_api.canned_functions"

_EXPORT_OUTPUTS = ("legacy.estimator.export.outputs", "legacy.estimator.export.supervised_outputs")
_EXPORT = (
    "legacy.compat.v1.estimator.export",
    "legacy.estimator.export.receivers",
    "legacy.estimator.export.supervised_receivers",
    "legacy.estimator.export.saved_model",
    "legacy.estimator.export.signatures",
)
_KERAS = (
    "legacy.private_api.keras_lib",
    "legacy.estimator.keras.keras_model",
    "legacy.estimator.keras.model_fn",
)

# Places to search before the public API, v1 first. Keys are below
# tensorflow_estimator.python.estimator.
ESTIMATOR_PLACES: dict[str, tuple[str, ...]] = {
    "canned.kmeans": ("legacy.estimator.experimental",),
    "canned.linear": (
        _CANNED,
        "legacy.estimator.canned.logit_fns",
        "legacy.estimator.canned.v2.linear_model",
        "legacy.estimator.experimental",
    ),
    "canned.dnn_linear_combined": (_CANNED,),
    "canned.dnn": (_CANNED, "legacy.estimator.canned.logit_fns", "legacy.estimator.experimental"),
    "canned.dnn_testing_utils": ("legacy.private_api.head_checks",),
    "canned.v1.dnn_testing_utils_v1": ("legacy.private_api.head_checks",),
    "canned.rnn": ("legacy.estimator.experimental",),
    "canned.saved_model_estimator": ("legacy.contrib.estimator",),
    "canned.head": ("legacy.estimator.heads.v1.canned_head", _CANNED, *_V1_HEADS, *_HEADS),
    "canned.metric_keys": ("legacy.estimator.heads.metric_keys",),
    "canned.parsing_utils": (
        "legacy.estimator.canned.v1.parse_example_spec",
        "legacy.estimator.canned.v2.parse_example_spec",
    ),
    "canned.prediction_keys": ("legacy.estimator.heads.prediction_keys",),
    "early_stopping": (
        "legacy.estimator.experimental",
        "legacy.estimator.hooks.early_stopping",
        "legacy.estimator.hooks.stop_variable",
    ),
    "export": ("legacy.estimator.export", "legacy.compat.v1.estimator.export"),
    "export.export": _EXPORT,
    "export.export_lib": (*_EXPORT, "legacy.estimator.export.modes", *_EXPORT_OUTPUTS),
    "export.export_output": _EXPORT_OUTPUTS,
    "estimator": ("legacy.private_api.estimator_functions",),
    "estimator_lib": (
        "legacy.compat.v1.estimator",
        "legacy.compat.v1.estimator.experimental",
        "legacy.estimator.experimental",
        "legacy.estimator.keras.keras_model",
        "legacy.compat.v1.estimator.tpu",
    ),
    "estimator_export": ("legacy.private_api.copied_code",),
    "export.function": ("legacy.private_api.wrapped_graph",),
    "exporter": ("legacy.estimator.export.exporters",),
    "extenders": ("legacy.estimator.extenders", _CANNED),
    "head.base_head": (*_HEADS, _CANNED),
    "gc": ("legacy.private_api.gc",),
    "head.multi_head": (_CANNED,),
    "head.head_utils": ("legacy.private_api.head_checks", "legacy.estimator.heads", *_HEADS),
    "head.sequential_head": ("legacy.estimator.heads.v2.sequential",),
    "hooks.basic_session_run_hooks": ("tf.compat.v1.train",),
    "hooks.fake_summary_writer": ("legacy.private_api.fake_summary_writer",),
    "hooks.hooks": (
        "legacy.estimator.experimental",
        "legacy.estimator.hooks.stop_at_checkpoint",
    ),
    "hooks.session_run_hook": ("tf.compat.v1.train",),
    "inputs": ("legacy.compat.v1.estimator.inputs",),
    "inputs.inputs": ("legacy.compat.v1.estimator.inputs",),
    "keras": _KERAS,
    "keras_lib": _KERAS,
    "model_fn": (_SMALL, "legacy.estimator.spec", "legacy.estimator.experimental"),
    "tools.checkpoint_converter": ("legacy.private_api.checkpoint_converter",),
    "tpu": ("legacy.compat.v1.estimator.tpu",),
    "tpu.tpu_config": ("legacy.compat.v1.estimator.tpu", "legacy.estimator.tpu"),
    "tpu.tpu_context": ("legacy.estimator.tpu", "legacy.compat.v1.estimator.tpu"),
    "tpu.tpu_estimator": (
        "legacy.compat.v1.estimator.tpu",
        "legacy.estimator.tpu",
        "legacy.estimator.tpu.estimator",
        "legacy.estimator.tpu.hooks",
    ),
    "tpu.util": ("legacy.estimator.tpu.config",),
    "tpu._tpu_estimator_embedding": ("legacy.estimator.tpu.embedding",),
    "util": ("legacy.estimator.loops.input_pipeline", "legacy.estimator.export.saved_model"),
    "run_config": (_SMALL,),
    "inputs.numpy_io": (_SMALL,),
    "inputs.pandas_io": (_SMALL,),
    "training": (_SMALL, "legacy.estimator.training", "legacy.estimator.training_specs"),
}

# Removed modules of TensorFlow, with the public modules that have their names.
PUBLIC_PLACES: dict[str, tuple[str, ...]] = {
    "tensorflow.python.training.distribution_strategy_context": ("tf.compat.v1.distribute",),
    "tensorflow.python.distribute.distribution_strategy_context": ("tf.compat.v1.distribute",),
    **{
        f"tensorflow.python.data.experimental.ops.{name}_options": (
            "tensorflow.python.data.ops.options",
        )
        for name in ("distribute", "optimization", "threading")
    },
    "tensorflow.python.ops.losses.loss_reduction": ("tf.compat.v1.losses",),
    "tensorflow.python.training.gen_training_ops": ("tensorflow.python.ops.gen_training_ops",),
    "tensorflow.python.training.training_ops": ("tensorflow.python.ops.gen_training_ops",),
    "tensorflow.python.training.tracking": ("tensorflow.python.trackable",),
    **{
        f"tensorflow.python.training.tracking.{old}": (f"tensorflow.python.{new}",)
        for old, new in (
            ("base", "trackable.base"),
            ("data_structures", "trackable.data_structures"),
            ("graph_view", "checkpoint.graph_view"),
            ("layer_utils", "trackable.layer_utils"),
            ("object_identity", "util.object_identity"),
            ("python_state", "trackable.python_state"),
            ("tracking", "trackable.autotrackable"),
            ("util", "checkpoint.checkpoint"),
        )
    },
    "tensorflow.python.util.compat_internal": ("tensorflow.python.util.compat",),
    "tensorflow.examples": (),
    "tensorflow.examples.tutorials": (),
    "tensorflow.examples.tutorials.mnist": (),
    "tensorflow.examples.tutorials.mnist.input_data": ("legacy.contrib.learn.datasets.mnist",),
    "tensorflow.examples.tutorials.mnist.mnist": ("legacy.private_api.mnist_tutorial",),
    f"{_ESTIMATOR}.api": (),
    f"{_ESTIMATOR}.api._v1": (),
    f"{_ESTIMATOR}.api._v1.estimator": ("legacy.compat.v1.estimator",),
    **{
        f"{_ESTIMATOR}.api._v1.estimator.{name}": (f"legacy.compat.v1.estimator.{name}",)
        for name in ("experimental", "export", "inputs", "tpu")
    },
    f"{_ESTIMATOR}.api._v2": (),
    f"{_ESTIMATOR}.api._v2.estimator": ("legacy.estimator",),
}
# Module of `from tensorflow_estimator import estimator`. It stands for the public API of the
# installed TensorFlow, not for the module of the class that has the same name.
_PUBLIC_API = "tensorflow_estimator.estimator"

# Keras layers of feature columns, which moved to Keras.
_FEATURE_LAYERS = (
    "tf.compat.v1.keras.layers",
    "tf.compat.v1.keras.experimental",
    "legacy.estimator.canned.v2.linear_model",
    "tf.compat.v1.feature_column",
)

# Modules that TensorFlow still has, with the places of names that were removed from them.
COMPLETED: dict[str, tuple[str, ...]] = {
    "tensorflow.python.data.ops.dataset_ops": ("tf.compat.v1.data",),
    "tensorflow.python.distribute.distribute_lib": ("tf.compat.v1.distribute",),
    "tensorflow.python.eager.function": ("legacy.contrib.eager",),
    "tensorflow.python.feature_column.feature_column": ("tf.compat.v1.feature_column",),
    "tensorflow.python.feature_column.feature_column_lib": _FEATURE_LAYERS,
    "tensorflow.python.feature_column.feature_column_v2": _FEATURE_LAYERS,
    "tensorflow.python.feature_column.sequence_feature_column": _FEATURE_LAYERS,
    "tensorflow.python.framework.config": ("tf.compat.v1.config.experimental",),
    "tensorflow.python.framework.graph_util_impl": ("tf.compat.v1.graph_util",),
    "tensorflow.python.framework.op_def_registry": ("legacy.private_api.op_definitions",),
    "tensorflow.python.framework.ops": ("tf.compat.v1",),
    "tensorflow.python.ops.array_ops": ("tf.compat.v1",),
    "tensorflow.python.ops.control_flow_ops": ("tf.compat.v1", "tf.compat.v1.debugging"),
    "tensorflow.python.ops.math_ops": ("tf.compat.v1", "tf.compat.v1.math"),
    "tensorflow.python.ops.gen_math_ops": ("tf.compat.v1.math", "tf.raw_ops"),
    "tensorflow.python.ops.nn_impl": ("tf.compat.v1.nn",),
    "tensorflow.python.ops.nn_ops": ("tf.compat.v1.nn",),
    "tensorflow.python.ops.random_ops": ("tf.compat.v1",),
    "tensorflow.python.ops.variable_scope": ("tf.compat.v1",),
    "tensorflow.python.ops.variables": ("tf.compat.v1",),
    "tensorflow.python.pywrap_tensorflow": ("tf.compat.v1.train",),
    "tensorflow.python.saved_model.utils_impl": ("legacy.private_api.saved_model_paths",),
    "tensorflow.python.tpu.tpu": ("tf.compat.v1.tpu",),
    "tensorflow.python.tpu.tpu_strategy_util": ("tf.compat.v1.tpu.experimental",),
    "tensorflow.python.training.training": ("tf.compat.v1.train",),
    "tensorflow.python.util.nest": ("tf.nest",),
    "tensorflow.python.util.tf_export": ("legacy.private_api.copied_code",),
}

# Modules that TensorFlow still has, but with TensorFlow 2's form of some names. A program of
# TensorFlow 1 gets its own form from the place listed here.
V1_FORMS: dict[str, tuple[str, frozenset[str]]] = {
    "tensorflow.python.data": (
        "tf.compat.v1.data",
        frozenset(("Dataset", "FixedLengthRecordDataset", "TFRecordDataset", "TextLineDataset")),
    ),
    "tensorflow.python.data.experimental": (
        "tf.compat.v1.data.experimental",
        frozenset(
            [
                "Counter",
                "CsvDataset",
                "RandomDataset",
                "SqlDataset",
                "choose_from_datasets",
                "make_batched_features_dataset",
                "make_csv_dataset",
                "sample_from_datasets",
            ]
        ),
    ),
    # In 1.15, these were the functions of contrib.summary.
    "tensorflow.python.ops.summary_ops_v2": (
        "legacy.contrib.summary",
        frozenset(
            [
                "always_record_summaries",
                "audio",
                "create_file_writer",
                "create_summary_file_writer",
                "eval_dir",
                "flush",
                "generic",
                "histogram",
                "image",
                "initialize",
                "never_record_summaries",
                "record_summaries_every_n_global_steps",
                "scalar",
                "should_record_summaries",
                "summary_writer_initializer_op",
            ]
        ),
    ),
    "tensorflow.python.distribute.cluster_resolver": (
        "legacy.contrib.cluster_resolver",
        frozenset(("TPUClusterResolver",)),
    ),
    "tensorflow.python.distribute.cluster_resolver.tpu_cluster_resolver": (
        "legacy.contrib.cluster_resolver",
        frozenset(("TPUClusterResolver",)),
    ),
    "tensorflow.python.framework.device": ("tf.compat.v1", frozenset(("DeviceSpec",))),
}

_READER = "NewCheckpointReader"

# Single names: the old full name, and the place of the object today.
RENAMED: dict[str, str] = {
    f"{_ESTIMATOR}.early_stopping._get_or_create_stop_var": (
        "legacy.estimator.hooks.stop_variable.get_or_create_stop_variable"
    ),
    f"{_ESTIMATOR}.canned.dnn._DNNModel": "legacy.private_api.dnn_model.DNNModelV1",
    f"{_ESTIMATOR}.canned.dnn._DNNModelV2": "legacy.estimator.canned.v2.dnn_model.DNNModel",
    f"{_ESTIMATOR}.canned.dnn._add_hidden_layer_summary": (
        "legacy.estimator.canned.layer_summaries.add"
    ),
    f"{_ESTIMATOR}.canned.dnn._validate_features": (
        "legacy.estimator.canned.feature_columns.check_features"
    ),
    f"{_ESTIMATOR}.canned.dnn_linear_combined._add_layer_summary": (
        "legacy.estimator.canned.layer_summaries.add"
    ),
    f"{_ESTIMATOR}.canned.linear._SDCAUpdateWeightsHook": (
        "legacy.estimator.canned.linear_sdca.UpdateWeightsHook"
    ),
    f"{_ESTIMATOR}.canned.linear._compute_fraction_of_zero": (
        "legacy.estimator.canned.layer_summaries.fraction_of_zeros"
    ),
    f"{_ESTIMATOR}.canned.linear._linear_model_fn_builder_v2": (
        "legacy.estimator.canned.v2.linear.linear_logits_v2"
    ),
    f"{_ESTIMATOR}.canned.linear._sdca_model_fn": (
        "legacy.estimator.canned.linear_sdca.linear_sdca_model_fn"
    ),
    f"{_ESTIMATOR}.canned.linear._validate_linear_sdca_optimizer_for_linear_classifier": (
        "legacy.estimator.canned.linear_sdca.check_classifier"
    ),
    f"{_ESTIMATOR}.canned.linear._validate_linear_sdca_optimizer_for_linear_regressor": (
        "legacy.estimator.canned.linear_sdca.check_regressor"
    ),
    f"{_ESTIMATOR}.canned.optimizers._OPTIMIZER_CLS_NAMES": (
        "legacy.estimator.canned.optimizers._V1"
    ),
    f"{_ESTIMATOR}.canned.optimizers._OPTIMIZER_CLS_NAMES_V2": (
        "legacy.estimator.canned.optimizers._V2"
    ),
    f"{_ESTIMATOR}.canned.rnn._single_rnn_cell": "legacy.estimator.canned.rnn._make_cell",
    f"{_ESTIMATOR}.canned.rnn._verify_rnn_cell_input": (
        "legacy.estimator.canned.rnn._check_cell_arguments"
    ),
    f"{_ESTIMATOR}.inputs.numpy_io._validate_and_convert_features": (
        "legacy.estimator.inputs.numpy_io._features"
    ),
    f"{_ESTIMATOR}.model_fn._validate_estimator_spec_loss": "legacy.estimator.spec._check_loss",
    f"{_ESTIMATOR}.model_fn._validate_estimator_spec_predictions": (
        "legacy.estimator.spec._check_predictions"
    ),
    f"{_ESTIMATOR}.model_fn._validate_estimator_spec_train_op": (
        "legacy.estimator.spec._check_train_op"
    ),
    f"{_ESTIMATOR}.model_fn._validate_eval_metric_ops": "legacy.estimator.spec._check_metrics",
    f"{_ESTIMATOR}.training._assert_eval_spec": "legacy.estimator.training._check_eval_spec",
    f"{_ESTIMATOR}.training._validate_exporters": (
        "legacy.estimator.training_specs._check_exporters"
    ),
    f"{_ESTIMATOR}.training._validate_input_fn": (
        "legacy.estimator.training_specs._check_input_fn"
    ),
    f"{_ESTIMATOR}.estimator._assert_members_are_not_overridden": (
        "legacy.estimator.construction.check_not_overridden"
    ),
    f"{_ESTIMATOR}.estimator._check_hooks_type": "legacy.estimator.internals.session_run_hooks",
    f"{_ESTIMATOR}.estimator._get_default_warm_start_settings": (
        "legacy.estimator.loops.warm_start.settings_of"
    ),
    f"{_ESTIMATOR}.estimator._get_replica_device_setter": (
        "legacy.estimator.construction.device_setter"
    ),
    f"{_ESTIMATOR}.estimator._verify_model_fn_args": "legacy.estimator.construction.check_model_fn",
    f"{_ESTIMATOR}.exporter._verify_compare_fn_args": (
        "legacy.estimator.export.exporters._check_compare_fn"
    ),
    f"{_ESTIMATOR}.head.sequential_head._SequentialHead": (
        "legacy.estimator.heads.v2.sequential.SequentialHead"
    ),
    f"{_ESTIMATOR}.model_fn._TPUEstimatorSpec": "legacy.compat.v1.estimator.tpu.TPUEstimatorSpec",
    f"{_ESTIMATOR}.model_fn.verify_model_fn_args": "legacy.estimator.construction.check_model_fn",
    f"{_ESTIMATOR}.run_config.TaskType": "legacy.private_api.copied_code.TaskType",
    f"{_ESTIMATOR}.run_config.get_default_session_config": (
        "legacy.estimator.run_config.default_session_config"
    ),
    f"{_ESTIMATOR}.run_config.path_to_str": "legacy.estimator.run_config_checks.path_text",
    f"{_ESTIMATOR}.tpu.util.IterationsPerLoopCounter": "legacy.estimator.tpu.config.Iterations",
    f"{_ESTIMATOR}.estimator_lib.KMeansClustering": (
        "legacy.estimator.canned.kmeans.KMeansClustering"
    ),
    f"{_ESTIMATOR}.util.DistributedIteratorInitializerHook": (
        "legacy.estimator.loops.distribute.IteratorInitializerHook"
    ),
    f"{_ESTIMATOR}.util.fn_args": "legacy.estimator.arguments.names",
    f"{_ESTIMATOR}.util.parse_iterator_result": "legacy.estimator.loops.input_pipeline.split",
    f"{_ESTIMATOR}.util.parse_input_fn_result": (
        "legacy.estimator.loops.input_pipeline.features_and_labels"
    ),
    f"tensorflow.python.pywrap_tensorflow.{_READER}": f"tf.compat.v1.train.{_READER}",
    "tensorflow.contrib.testing.FakeSummaryWriter": (
        "legacy.private_api.fake_summary_writer.FakeSummaryWriter"
    ),
    **{
        f"tensorflow.python.{module}.distribution_strategy_context.{old}": (
            f"tf.compat.v1.distribute.{new}"
        )
        for module in ("distribute", "training")
        for old, new in (
            ("get_distribution_strategy", "get_strategy"),
            ("has_distribution_strategy", "has_strategy"),
        )
    },
    "tensorflow.python.framework.ops.convert_to_tensor_v2": "tf.convert_to_tensor",
    "tensorflow.python.ops.control_flow_ops.case_v2": "tf.case",
    "tensorflow.python.ops.control_flow_ops.cond_for_tf_v2": "tf.cond",
    "tensorflow.python.ops.control_flow_ops.while_loop_v2": "tf.while_loop",
    "tensorflow.python.ops.math_ops.bincount_v1": "tf.compat.v1.bincount",
    "tensorflow.python.ops.nn_impl.l2_normalize_v2": "tf.math.l2_normalize",
    "tensorflow.python.ops.variable_scope.variable": "tf.compat.v1.Variable",
    "tensorflow.python.ops.variables.VariableV1": "tf.compat.v1.Variable",
    "tensorflow.python.util.nest.is_sequence": "tf.nest.is_nested",
}


def is_module(name: str) -> bool:
    """Returns whether a name is a removed module of TensorFlow 1.15 or tensorflow-estimator.

    Args:
      name: Its full name, such as "tensorflow.contrib.training".
    """
    return (
        name in PUBLIC_PLACES
        or name == _PUBLIC_API
        or name in MOVED
        or name in _read_lines("modules.txt")
        or bool(_contrib_alias(name))
        or _is_part_of_contrib(name)
    )


def places_of(name: str, api: str = "v1") -> tuple[str, ...]:
    """Returns the places that provide the names of a removed module.

    Args:
      name: Full name of the module.
      api: API whose class is meant if both have one of that name: "v1" or "v2".

    Returns:
      The places, in search order. Empty if none exist.
    """
    if name in PUBLIC_PLACES:
        return PUBLIC_PLACES[name]
    contrib_places, new_name = _contrib_alias(name), today(name)
    by_rule = _places_by_rule(new_name, api)
    # A module that moved out of contrib has rows under its new name, and these come first.
    return tuple(
        dict.fromkeys(
            (*contrib_places, *by_rule) if new_name == name else (*by_rule, *contrib_places)
        )
    )


def _places_by_rule(name: str, api: str) -> tuple[str, ...]:
    """Returns the places of a module without a table entry, derived from its last name."""
    if name.startswith("tensorflow.contrib"):
        return _contrib_places(name)
    if name.startswith("tensorflow_estimator.contrib"):
        return _contrib_places(name)[::-1]
    if not name.startswith("tensorflow_estimator"):
        return ()
    below = name.removeprefix(_ESTIMATOR).removeprefix(".")
    public = ("legacy.compat.v1.estimator", "legacy.estimator")
    if below == "":
        return public if api == "v1" else public[::-1]
    if name == _PUBLIC_API:
        return public[:1] if api == "v1" else public[1:]
    own_places = [f"legacy.estimator.{below}"]
    if below.startswith("canned."):
        name = below.removeprefix("canned.")
        own_places = [f"legacy.estimator.canned.{room}{name}" for room in ("v1.", "v2.", "")]
    return (*ESTIMATOR_PLACES.get(below, ()), *public, *own_places)


def constants_of(name: str) -> dict[str, Any]:
    """Returns the constants of a private module of the original.

    Args:
      name: Full name of the module.
    """
    return constants.OF_MODULE.get(today(name).removeprefix(f"{_ESTIMATOR}."), {})


def today(name: str) -> str:
    """Returns the last name of a module that moved. Other names are returned unchanged."""
    for old, new in MOVED.items():
        if name == old or name.startswith(f"{old}."):
            return new + name.removeprefix(old)
    return name


def _contrib_alias(name: str) -> tuple[str, ...]:
    """Returns the place listed for a private module of tf.contrib, or an empty tuple."""
    below = name.removeprefix("tensorflow_estimator.contrib.").removeprefix("tensorflow.contrib.")
    target = contrib_aliases.ALIASES.get(below)
    return (target.replace(":", "."),) if target else ()


def _contrib_places(name: str) -> tuple[str, ...]:
    """Returns the places of tensorflow.contrib.GROUP and of the private modules below it."""
    parts = name.split(".")[2:]
    if not parts:
        return ("legacy.contrib",)
    group, rest = parts[0], [part for part in parts[1:] if part not in ("python", parts[0])]
    places = [f"legacy.contrib.{group}"]
    if rest:
        places.insert(0, f"legacy.contrib.{group}.{rest[-1]}")
    if len(rest) > 1:
        places.insert(0, ".".join(["legacy.contrib", group, *rest]))
    return tuple(places)


def _is_part_of_contrib(name: str) -> bool:
    """Returns whether `legacy.contrib` has a module of this name, such as a group."""
    if not name.startswith("tensorflow.contrib."):
        return False
    path = os.path.join(_LEGACY, "contrib", *name.split(".")[2:])
    return os.path.isfile(f"{path}.py") or os.path.isfile(os.path.join(path, "__init__.py"))


_HERE = os.path.dirname(os.path.abspath(__file__))
_LEGACY = os.path.dirname(_HERE)


def names_of(api: str) -> frozenset[str]:
    """Returns the public names that only one of TensorFlow 1.15 ("v1") and 2.15 ("v2") had."""
    return _read_lines(f"names_{api}.txt")


@functools.lru_cache(maxsize=3)
def _read_lines(file: str) -> frozenset[str]:
    with open(os.path.join(_HERE, file), encoding="utf-8") as lines:
        return frozenset(lines.read().split())
