"""tf.contrib.framework: argument scopes, variables and their collections, checkpoints.

    with framework.arg_scope([layers.fully_connected], activation_fn=None):
        logits = layers.fully_connected(net, 10)
    restore = framework.assign_from_checkpoint_fn(path, framework.get_model_variables())

Files in reading order:
arg_scope    sets default arguments of functions inside a `with`
variables    creates variables, and selects them by collection and name
assignment   assigns values, from a checkpoint or from arrays, to variables
tensors      checks shapes and types, and evaluates conditions statically where possible
nest         exports tf.nest under its old names
deprecation  warns of deprecated functions and arguments
"""

import tensorflow as tf

from legacy.contrib import _missing
from legacy.contrib.framework import nest
from legacy.contrib.framework.arg_scope import (
    add_arg_scope,
    arg_scope,
    arg_scope_func_key,
    arg_scoped_arguments,
    current_arg_scope,
    has_arg_scope,
)
from legacy.contrib.framework.assignment import (
    assign_from_checkpoint,
    assign_from_checkpoint_fn,
    assign_from_values,
    assign_from_values_fn,
    get_variable_full_name,
    init_from_checkpoint,
    list_variables,
    load_checkpoint,
    load_variable,
)
from legacy.contrib.framework.deprecation import (
    deprecated,
    deprecated_arg_values,
    deprecated_args,
)
from legacy.contrib.framework.tensors import (
    argsort,
    assert_same_float_dtype,
    assert_scalar,
    assert_scalar_int,
    convert_to_tensor_or_sparse_tensor,
    get_name_scope,
    get_placeholders,
    is_tensor,
    prepend_name_scope,
    reduce_sum_n,
    remove_squeezable_dimensions,
    smart_cond,
    smart_constant_value,
    sort,
    strip_name_scope,
    with_same_shape,
    with_shape,
)
from legacy.contrib.framework.variables import (
    VariableDeviceChooser,
    add_model_variable,
    assert_global_step,
    assert_or_get_global_step,
    create_global_step,
    filter_variables,
    get_global_step,
    get_local_variables,
    get_model_variables,
    get_or_create_global_step,
    get_trainable_variables,
    get_unique_variable,
    get_variables,
    get_variables_by_name,
    get_variables_by_suffix,
    get_variables_to_restore,
    global_variable,
    local_variable,
    model_variable,
    variable,
    zero_initializer,
)

TensorSpec = tf.TensorSpec

__getattr__ = _missing.attribute_of("framework")

__all__ = [
    "TensorSpec",
    "VariableDeviceChooser",
    "add_arg_scope",
    "add_model_variable",
    "arg_scope",
    "arg_scope_func_key",
    "arg_scoped_arguments",
    "argsort",
    "assert_global_step",
    "assert_or_get_global_step",
    "assert_same_float_dtype",
    "assert_scalar",
    "assert_scalar_int",
    "assign_from_checkpoint",
    "assign_from_checkpoint_fn",
    "assign_from_values",
    "assign_from_values_fn",
    "convert_to_tensor_or_sparse_tensor",
    "create_global_step",
    "current_arg_scope",
    "deprecated",
    "deprecated_arg_values",
    "deprecated_args",
    "filter_variables",
    "get_global_step",
    "get_local_variables",
    "get_model_variables",
    "get_name_scope",
    "get_or_create_global_step",
    "get_placeholders",
    "get_trainable_variables",
    "get_unique_variable",
    "get_variable_full_name",
    "get_variables",
    "get_variables_by_name",
    "get_variables_by_suffix",
    "get_variables_to_restore",
    "global_variable",
    "has_arg_scope",
    "init_from_checkpoint",
    "is_tensor",
    "list_variables",
    "load_checkpoint",
    "load_variable",
    "local_variable",
    "model_variable",
    "nest",
    "prepend_name_scope",
    "reduce_sum_n",
    "remove_squeezable_dimensions",
    "smart_cond",
    "smart_constant_value",
    "sort",
    "strip_name_scope",
    "variable",
    "with_same_shape",
    "with_shape",
    "zero_initializer",
]
