"""Chooses names for the attributes that hold the layers of a Keras model.

>>> free("layers", ())
'layers_layer'
>>> snake("MaxPooling2D")
'max_pooling2d'
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection

# Attributes of tf_keras.Model, and of the generated classes.
_RESERVED = frozenset(
    (
        *("activity_regularizer", "add_loss", "add_metric", "add_update", "add_variable"),
        *("add_weight", "autotune_steps_per_execution", "build", "build_from_config", "built"),
        *("call", "compile", "compile_from_config", "compiled_loss", "compiled_metrics"),
        *("compute_dtype", "compute_loss", "compute_mask", "compute_metrics"),
        *("compute_output_shape", "compute_output_signature", "count_params"),
        *("distribute_reduction_method", "distribute_strategy", "dtype", "dtype_policy", "dynamic"),
        *("eval_metrics", "evaluate", "evaluate_generator", "export", "finalize_state", "fit"),
        *("fit_generator", "from_config", "get_build_config", "get_compile_config", "get_config"),
        *("get_input_at", "get_input_mask_at", "get_input_shape_at", "get_layer"),
        *("get_metrics_result", "get_output_at", "get_output_mask_at", "get_output_shape_at"),
        *("get_weight_paths", "get_weights", "history", "inbound_nodes", "input", "input_mask"),
        *("input_names", "input_shape", "input_spec", "inputs", "is_training"),
        *("jit_compile", "layers"),
        *("load_own_variables", "load_weights", "loss", "losses", "make_optimizer"),
        *("make_predict_function", "make_test_function", "make_train_function", "metrics"),
        *("metrics_names", "name", "name_scope", "non_trainable_variables"),
        *("non_trainable_weights", "optimizer", "outbound_nodes", "output", "output_mask"),
        *("output_names", "output_shape", "outputs", "params", "path", "predict"),
        *("predict_function", "predict_generator", "predict_on_batch", "predict_step"),
        *("reset_metrics", "reset_states", "run_eagerly", "save", "save_own_variables"),
        *("save_spec", "save_weights", "set_weights", "signatures", "state", "state_updates"),
        *("stateful", "steps_per_execution", "stop_training", "submodules", "summary"),
        *("supports_masking", "test_function", "test_on_batch", "test_step", "to_json", "to_yaml"),
        *("train_function", "train_on_batch", "train_step", "train_tf_function", "trainable"),
        *("trainable_variables", "trainable_weights", "updates", "variable_dtype", "variables"),
        *("weights", "with_name_scope"),
    )
)


def is_taken(name: str) -> bool:
    """Says whether a name is an attribute of Keras models or of generated classes."""
    return name in _RESERVED


def stored(name: str) -> str:
    """Returns the attribute that stores a parameter of a model, or a value of its model_fn.

    Args:
      name: Name of the parameter or of the value.
    """
    return f"{name}_" if is_taken(name) and name != "params" else name


def free(name: str, used_names: Collection[str]) -> str:
    """Returns an unused name for an attribute.

    Args:
      name: Preferred name.
      used_names: Names that are in use.
    """
    base = re.sub(r"\W", "_", name)
    base = base if base.isidentifier() else f"layer_{base}"
    base = f"{base}_layer" if base in _RESERVED or keyword.iskeyword(base) else base
    number, candidate = 0, base
    while candidate in used_names:
        number += 1
        candidate = f"{base}_{number}"
    return candidate


def snake(name: str) -> str:
    """Returns a class's name in the form that Keras uses for its layers."""
    words = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", words).lower()
