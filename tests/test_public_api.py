"""Tests that the packages use only the public API of TensorFlow and Keras, with listed exceptions.

An exception is a private module, or a private attribute of an object that is not ours. Each entry
states its reason. The last test fails if a later TensorFlow lacks one of these names.
"""

import ast
import functools
import importlib.util
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[1]
PACKAGES = ("modern", "legacy", "migrate", "benchmarks")
PRIVATE_MODULES = ("tensorflow.python", "tensorflow.core", "tf_keras.src", "keras.src")

# Reasons for imports of a private module, by file.
MODULES = {
    "legacy/original.py": "makes the old tensorflow-estimator importable, which imports these",
    "legacy/estimator/export/saved_model_graph.py": "reads the protocol buffers of a SavedModel",
    "migrate/bridge/graphs/lookup_tables.py": "makes a copy of a table of TF1 on each worker",
    "migrate/bridge/model_files/keras_files.py": "reads the `safe_mode` that `load_model` got",
    "migrate/checkpoint/formats/bundle_index.py": "reads checkpoints without TensorFlow's ops",
    "migrate/checkpoint/formats/bundles.py": "reads checkpoints without TensorFlow's ops",
    "migrate/checkpoint/formats/object_graph.py": "reads the object graph of a checkpoint",
    "modern/model_files/remote_writes.py": "writes checkpoints without making functions",
    "modern/porting/named_weights.py": "reads the object graph of a checkpoint",
    "migrate/verify/sides/feeding.py": "turns grappler off in a session's config",
}

# Reasons for uses of an attribute that TensorFlow or Keras keep private or export as internal.
ATTRIBUTES = {
    "__internal__": "TensorFlow exports these for Keras and for the original tf.estimator",
    "_gather_serialized_tensors": "the tensors of a checkpoint's objects by key",
    "_create_all_weights": "makes the slots of a Keras optimizer before the first step",
    "_all_reduce_sum_gradients": "Keras 3 has no option for gradients that are summed already",
    "_get_variable_index": "the contract of a subclass of a Keras 3 optimizer",
    "_backend_update_step": "applies gradients of an optimizer of Keras 3, after clipping",
    "_distributed_apply": "applies gradients of a Keras optimizer in a replica's context",
    "_fallback_apply_state": "the contract of a subclass of a legacy Keras optimizer",
    "_get_hyper": "the contract of a subclass of a legacy Keras optimizer",
    "_set_hyper": "the contract of a subclass of a legacy Keras optimizer",
    "_hyper": "the values that a legacy Keras optimizer was made with",
    "_compute_gradients": "the contract of a subclass of a legacy Keras optimizer",
    "_serialize_hyperparameter": "the contract of a subclass of a legacy Keras optimizer",
    "_track_trackable": "makes wrapped optimizers part of a checkpoint",
    "_lr_t": "the contract of a subclass of v1's AdamOptimizer",
    "_beta1": "the contract of a subclass of v1's AdamOptimizer",
    "_beta1_t": "the contract of a subclass of v1's AdamOptimizer",
    "_beta2_t": "the contract of a subclass of v1's AdamOptimizer",
    "_epsilon_t": "the contract of a subclass of v1's AdamOptimizer",
    "_use_locking": "the contract of a subclass of a v1 optimizer",
    "_zeros_slot": "the contract of a subclass of a v1 optimizer",
    "_create_non_slot_variable": "the contract of a subclass of a v1 optimizer",
    "_get_non_slot_variable": "the contract of a subclass of a v1 optimizer",
    "_opt": "the optimizer that a v1 wrapper such as SyncReplicasOptimizer holds",
    "_scale_loss_for_estimator": "makes v1 optimizers average over replicas; there is no other way",
    "_is_loss_scaled_by_optimizer": "the answer of v1 optimizers to the former",
    "_is_graph_network": "tells functional Keras models from subclassed ones, as the original did",
    "_compile_metrics": "the arguments of `compile`, which Keras does not give back",
    "_compile_metric_functions": "the metrics of a compiled model in graph mode",
    "_compile_weights_loss_and_weighted_metrics": "compiles a cloned model, as the original did",
    "_make_train_function": "the train op of a compiled Keras model in graph mode",
    "_get_compile_args": "the arguments of `compile`, which Keras does not give back",
    "_keras_initialized": "tells whether Keras has initialized a variable in its session",
    "_keras_mask": "the mask that a Keras layer attaches to its output",
    "_set_save_spec": "tells Keras the inputs of a subclassed model before it is saved",
    "_is_v2_column": "tells columns of tf.feature_column from those of contrib",
    "_get_sequence_dense_tensor": "the contract of contrib's sequence columns",
    "_save_slice_info": "the place of a part within a partitioned variable",
    "_listeners": "the listeners of a CheckpointSaverHook, to which the original appended",
    "_fail_on_nan_loss": "the setting of a NanTensorHook, for the callback that replaces it",
    "_every_secs": "the setting of a hook's timer, for the callback that replaces the hook",
    "_every_steps": "the setting of a hook's timer, for the callback that replaces the hook",
    "_save_path": "the setting of a CheckpointSaverHook or ProfilerHook",
    "_value_specs": "the specs of one replica in the element_spec of a distributed dataset",
    "_create_seed": "the seed of an initializer that has none, which Keras draws for each one",
    "_maybe_init": "prepares Keras' generator of random numbers before its kind is known",
    "_rng_type": "the kind of Keras' generator, because only initializers have a stateless one",
    "_SEED_GENERATOR": "the generator of Keras' seeds, which only sets all seeds by public API",
    "_add_control_input": "orders two operations of a graph that is already built",
    "_update_input": "lets an operation of a graph that is already built read another tensor",
    "_control_dependencies_stack": "tells whether a program orders an operation by itself",
    "_shuffle_batch": "the queue of tf.train.shuffle_batch, which recorded runs keep in order",
    "_control_outputs": "tells which operations wait for the data of a training step",
    "_id": "tells in which order the operations of a graph were created",
    "_get_control_flow_context": "tells operations in branches and loops from others",
    "_is_ref_dtype": "tells operations that write to a variable",
    "_resource_creator_scope": "the scope that TensorFlow makes lookup tables in",
    "_coordinator_instance": "the coordinator's own copy of a lookup table",
    "_set_attr": "gives a seed to an operation of a graph that is already built",
}

# Private names that are not TensorFlow's, but Python's or those of classes that we reimplement.
OTHERS = {
    "_key_op": "an attribute of functions with arg_scope, which programs of tf.contrib set",
    "_asdict": "public API of namedtuple",
    "_fields": "public API of namedtuple, and of ast",
    "_exit": "public API of os",
    "_getframe": "documented API of sys",
    "_checkpoint_save_graph_def": "an attribute of the original's RunConfig, which programs read",
    "_eval_distribute": "an attribute of the original's RunConfig, which programs read",
    "_experimental_distribute": "an attribute of the original's RunConfig, which programs read",
    "_experimental_max_worker_delay_secs": "an attribute of the original's RunConfig",
    "_init_distributed_setting_from_environment_var": "a method of the original's RunConfig",
    "_maybe_overwrite_session_config_for_distributed_training": "a method of its RunConfig",
    "_start_continuous_evaluation": "a method of the original's _TrainingExecutor",
    "_train_distribute": "an attribute of the original's RunConfig, which programs read",
    "_is_contrib": "an attribute of our own module objects, set by `__setattr__` of modules",
    "_replaced": "an attribute of our own module objects, set by `__setattr__` of modules",
}


@functools.cache
def trees():
    """Returns the syntax tree of each file of the packages, by path."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    old = {*(ROOT / "migrate" / "rewrite" / "rules").glob("*/examples/**/*.py")}
    return {
        str(path.relative_to(ROOT)): ast.parse(path.read_text())
        for path in paths
        if path not in old
    }


def private_imports(tree):
    """Returns the names of private modules that a program imports."""
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return [name for name in names if name.startswith(PRIVATE_MODULES)]


def defined_names(tree):
    """Yields the names that a program binds: definitions, variables, attributes of `self`."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                yield node.attr
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (alias.asname or alias.name for alias in node.names)


def private_attributes(tree):
    """Yields the private attributes that a program reads or sets, by name or by `getattr`."""
    for node in ast.walk(tree):
        name = None
        if isinstance(node, ast.Attribute):
            name = node.attr
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            by_name = node.func.id in ("getattr", "setattr", "hasattr", "delattr")
            if by_name and len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
                name = node.args[1].value
        if isinstance(name, str) and (name == "__internal__" or re.match(r"_[a-zA-Z]", name)):
            yield name


@functools.cache
def foreign_attributes():
    """Returns the files of each private attribute that the packages use but do not define."""
    ours = {name for tree in trees().values() for name in defined_names(tree)}
    uses = {}
    for path, tree in trees().items():
        for name in set(private_attributes(tree)) - ours:
            uses.setdefault(name, []).append(path)
    return uses


def test_private_modules_are_imported_where_there_is_a_reason():
    importing = {path for path, tree in trees().items() if private_imports(tree)}
    assert importing == set(MODULES)


def test_private_attributes_are_used_where_there_is_a_reason():
    uses = foreign_attributes()
    assert {name: uses[name] for name in uses if name not in ATTRIBUTES | OTHERS} == {}
    assert set(ATTRIBUTES | OTHERS) - set(uses) == set()


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n  from tensorflow.python import tf2",
        "from tensorflow.core.protobuf import config_pb2",
        "import tf_keras.src.backend",
    ],
)
def test_a_private_import_is_seen(text):
    assert private_imports(ast.parse(text))


@pytest.mark.parametrize(
    "text",
    ["strategy._secret = 1", "x = hook._timer", "getattr(graph, '_flag', 0)", "tf.__internal__"],
)
def test_a_private_attribute_is_seen(text):
    assert [*private_attributes(ast.parse(text))]


def test_the_installed_tensorflow_has_these_attributes():
    """Some would fail silently, such as `getattr(graph, "_is_loss_scaled_by_optimizer", False)`."""
    missing = set(ATTRIBUTES)
    for package in ("tensorflow", "tf_keras", "keras"):
        spec = importlib.util.find_spec(package)
        for path in pathlib.Path(spec.origin).parent.rglob("*.py"):
            text = path.read_text(errors="replace")
            missing -= {name for name in missing if name in text}
    assert missing == set()
