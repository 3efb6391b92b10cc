"""Places of the private Keras modules of TensorFlow: `tensorflow.python.keras`.

>>> places_of("tensorflow.python.keras.layers.recurrent", "v1")[0]
'tf_keras.src.layers.rnn.lstm_v1'
>>> is_module("tensorflow.python.keras.layers.recurrent")
True

TensorFlow 1.15 implemented `tf.keras` and `tf.layers` in these modules. Today's TensorFlow keeps an
old copy of some of them, whose classes do not mix with those of `tf.keras`. A program gets the
names from tf-keras. Names that tf-keras lacks come from the old copy.
"""

from __future__ import annotations

_KERAS = "tensorflow.python.keras"
_SOURCE = "tf_keras.src"
_RNN = f"{_SOURCE}.layers.rnn"
_LEGACY_CELLS = (f"{_RNN}.legacy_cells", f"{_RNN}.legacy_cell_wrappers")

# Modules that have the same path in tf-keras, with their folder.
_SAME: dict[str, str] = {
    "": "activations backend backend_config callbacks callbacks_v1 constraints losses metrics "
    "mixed_precision regularizers",
    "applications": "densenet efficientnet imagenet_utils inception_resnet_v2 inception_v3 "
    "mobilenet mobilenet_v2 mobilenet_v3 nasnet resnet resnet_v2 vgg16 vgg19 xception",
    "datasets": "boston_housing cifar cifar10 cifar100 fashion_mnist imdb mnist reuters",
    "distribute": "distribute_coordinator_utils distributed_file_utils distributed_training_utils "
    "distributed_training_utils_v1 worker_training_state",
    "engine": "base_layer_utils base_layer_v1 base_preprocessing_layer compile_utils data_adapter "
    "functional input_layer input_spec keras_tensor node partial_batch_padding_handler saving "
    "sequential training training_arrays_v1 training_distributed_v1 training_eager_v1 "
    "training_generator_v1 training_utils_v1 training_v1",
    "feature_column": "base_feature_layer dense_features dense_features_v2 sequence_feature_column",
    "initializers": "initializers_v1",
    "layers": "convolutional core kernelized noise normalization pooling serialization",
    "layers.preprocessing": "category_encoding discretization hashing image_preprocessing "
    "index_lookup integer_lookup normalization string_lookup text_vectorization",
    "legacy_tf_layers": "base convolutional core normalization pooling variable_scope_shim",
    "mixed_precision": "autocast_variable device_compatibility_check policy",
    "preprocessing": "image sequence text",
    "utils": "control_flow_util conv_utils data_utils dataset_creator io_utils kernelized_utils "
    "layer_utils losses_utils metrics_utils mode_keys np_utils object_identity tf_contextlib "
    "tf_inspect tf_utils version_utils vis_utils",
}

# Public packages. Their public names come first, in the form of the program's API.
PUBLIC = (
    *("layers", "activations", "applications", "backend", "callbacks", "constraints", "datasets"),
    *("initializers", "losses", "metrics", "mixed_precision", "models", "optimizers"),
    *("preprocessing", "regularizers", "utils", ""),
)

# Modules of these packages that are public, too. Some of their names, such as `pad_sequences`, are
# elsewhere in the source of tf-keras.
_PUBLIC_MODULES = frozenset(
    [
        *(f"applications.{name}" for name in (*_SAME["applications"].split(), "resnet50")),
        *(f"datasets.{name}" for name in _SAME["datasets"].split() if name != "cifar"),
        *(f"preprocessing.{name}" for name in _SAME["preprocessing"].split()),
        "saving",
    ]
)

# Modules that were split, moved or renamed, with the modules below `tf_keras.src` to search.
_MOVED: dict[str, tuple[str, ...]] = {
    "applications.resnet50": ("applications.resnet",),
    "combinations": ("testing_infra.test_combinations",),
    "engine": (
        *("engine.base_layer", "engine.input_layer", "engine.input_spec"),
        *("engine.training", "engine.sequential"),
    ),
    "engine.base_layer": ("engine.base_layer", "engine.input_spec", "engine.node"),
    "engine.distributed_training_utils": (
        "distribute.distributed_training_utils",
        "distribute.distributed_training_utils_v1",
    ),
    "engine.network": ("engine.functional", "engine.training"),
    "engine.topology": (
        *("engine.base_layer", "engine.input_layer", "engine.input_spec"),
        *("engine.node", "engine.functional"),
    ),
    "engine.training_arrays": ("engine.training_arrays_v1",),
    "engine.training_distributed": ("engine.training_distributed_v1",),
    "engine.training_eager": ("engine.training_eager_v1",),
    "engine.training_generator": ("engine.training_generator_v1",),
    "engine.training_utils": ("engine.training_utils", "engine.training_utils_v1"),
    "initializers": ("initializers", "initializers.initializers"),
    "initializers.initializers_v2": ("initializers.initializers",),
    "keras_parameterized": ("testing_infra.test_combinations",),
    "layers": ("layers", "engine.base_layer", "engine.input_spec", "engine.input_layer"),
    "layers.advanced_activations": ("layers.activation", "layers.activation.softmax"),
    "layers.convolutional_recurrent": (
        *("layers.rnn.conv_lstm2d", "layers.rnn.base_conv_lstm"),
        "layers.rnn.base_conv_rnn",
    ),
    "layers.cudnn_recurrent": (
        *("layers.rnn.cudnn_lstm", "layers.rnn.cudnn_gru", "layers.rnn.base_cudnn_rnn"),
    ),
    "layers.dense_attention": (
        *("layers.attention.attention", "layers.attention.additive_attention"),
        "layers.attention.base_dense_attention",
    ),
    "layers.einsum_dense": ("layers.core.einsum_dense",),
    "layers.embeddings": ("layers.core.embedding",),
    "layers.legacy_rnn": (),
    "layers.legacy_rnn.rnn_cell_impl": (
        "layers.rnn.legacy_cells",
        "layers.rnn.legacy_cell_wrappers",
    ),
    "layers.legacy_rnn.rnn_cell_wrapper_impl": ("layers.rnn.cell_wrappers",),
    "layers.local": ("layers.locally_connected", "layers.locally_connected.locally_connected1d"),
    "layers.merge": ("layers.merging", "layers.merging.base_merge"),
    "layers.multi_head_attention": ("layers.attention.multi_head_attention",),
    "layers.normalization_v2": ("layers.normalization.batch_normalization",),
    "layers.recurrent": (
        *("layers.rnn.lstm_v1", "layers.rnn.gru_v1", "layers.rnn.simple_rnn"),
        *("layers.rnn.base_rnn", "layers.rnn.stacked_rnn_cells", "layers.rnn.abstract_rnn_cell"),
        *("layers.rnn.dropout_rnn_cell_mixin", "layers.rnn.rnn_utils"),
    ),
    "layers.recurrent_v2": (
        *("layers.rnn.lstm", "layers.rnn.gru", "layers.rnn.gru_lstm_utils"),
        *("layers.rnn.base_rnn", "layers.rnn.simple_rnn"),
    ),
    "layers.rnn_cell_wrapper_v2": ("layers.rnn.cell_wrappers",),
    "layers.wrappers": (
        *("layers.rnn.base_wrapper", "layers.rnn.bidirectional", "layers.rnn.time_distributed"),
    ),
    "mixed_precision.experimental": ("mixed_precision",),
    "mixed_precision.experimental.autocast_variable": ("mixed_precision.autocast_variable",),
    "mixed_precision.experimental.loss_scale_optimizer": ("mixed_precision.loss_scale_optimizer",),
    "mixed_precision.experimental.policy": ("mixed_precision.policy",),
    "mixed_precision.loss_scale_optimizer": ("mixed_precision.loss_scale_optimizer",),
    "models": ("models", "models.cloning"),
    "optimizer_v1": ("optimizers.optimizer_v1",),
    "optimizer_v2": ("optimizers.legacy",),
    "optimizer_v2.learning_rate_schedule": ("optimizers.schedules.learning_rate_schedule",),
    "optimizer_v2.legacy_learning_rate_decay": ("optimizers.legacy_learning_rate_decay",),
    "optimizer_v2.utils": ("optimizers.utils",),
    "optimizers": ("optimizers",),
    "premade": ("premade_models",),
    "premade.linear": ("premade_models.linear",),
    "premade.wide_deep": ("premade_models.wide_deep",),
    "testing_utils": ("testing_infra.test_utils",),
    "utils": ("utils", "utils.generic_utils", "saving.object_registration"),
    "utils.all_utils": ("utils",),
    "utils.generic_utils": (
        *("utils.generic_utils", "saving.object_registration", "saving.legacy.serialization"),
    ),
    **{
        f"optimizer_v2.{name}": (f"optimizers.legacy.{name}",)
        for name in (
            *("adadelta", "adagrad", "adam", "adamax", "ftrl", "gradient_descent", "nadam"),
            *("optimizer_v2", "rmsprop"),
        )
    },
    "saving": ("saving.legacy.save",),
    "saving.saved_model": (),
    **{
        f"saving.{name}": (f"saving.legacy.{name}",)
        for name in (
            *("hdf5_format", "model_config", "save", "saving_utils"),
            *("saved_model.base_serialization", "saved_model.constants", "saved_model.json_utils"),
            *("saved_model.layer_serialization", "saved_model.load"),
            *("saved_model.metric_serialization", "saved_model.model_serialization"),
            *("saved_model.network_serialization", "saved_model.save", "saved_model.save_impl"),
            *("saved_model.serialized_attributes", "saved_model.utils"),
        )
    },
}

# Other private modules whose classes are Keras layers.
_LAYERS = "tensorflow.python.layers"
_OTHERS: dict[str, tuple[str, ...]] = {
    **{
        f"{_LAYERS}.{name}": (f"{_SOURCE}.legacy_tf_layers.{name}", "tf.compat.v1.layers")
        for name in ("base", "convolutional", "core", "normalization", "pooling")
    },
    f"{_LAYERS}.layers": ("tf.compat.v1.layers",),
    **{
        f"tensorflow.python.feature_column.{name}": (f"{_SOURCE}.feature_column.{name}",)
        for name in ("base_feature_layer", "dense_features", "dense_features_v2")
    },
    "tensorflow.python.ops.rnn_cell": _LEGACY_CELLS,
    "tensorflow.python.ops.rnn_cell_impl": _LEGACY_CELLS,
}

# Single names: the old full name, and the place of the object today.
RENAMED = {
    f"{_KERAS}.engine.network.Network": "tf_keras.Model",
    # Subclasses of this class compute their updates in `get_updates`.
    f"{_KERAS}.optimizers.Optimizer": f"{_SOURCE}.optimizers.optimizer_v1.Optimizer",
    f"{_KERAS}.estimator.model_to_estimator": "tf.compat.v1.keras.estimator.model_to_estimator",
    f"{_KERAS}.estimator.model_to_estimator_v2": "tf.keras.estimator.model_to_estimator",
}


# Modules of the public API, which tools for imports write, as in
# `from tensorflow.python.keras.api._v1.keras.layers import Dense`.
_API_ONLY = (
    *("callbacks.experimental", "estimator", "experimental", "layers.experimental"),
    *("layers.experimental.preprocessing", "mixed_precision.experimental", "optimizers.schedules"),
)
_API = ("api._v1.keras", "api._v2.keras", "api.keras")


def _paths() -> dict[str, tuple[str, ...]]:
    """Returns the modules to search below `tf_keras.src`, by the path below the old package."""
    paths: dict[str, tuple[str, ...]] = {"": ("",)}
    for folder, names in _SAME.items():
        if folder:
            paths[folder] = (folder,)
        for name in names.split():
            path = f"{folder}.{name}" if folder else name
            paths[path] = (path,)
    return {**paths, **_MOVED, **dict.fromkeys(("api", "api._v1", "api._v2", "estimator"), ())}


_PATHS = _paths()
_API_PATHS = frozenset(
    f"{form}.{path}".rstrip(".")
    for form in _API
    for path in (*PUBLIC, *_PUBLIC_MODULES, *_API_ONLY)
)


def is_module(name: str) -> bool:
    """Returns whether a name is a private module of TensorFlow that implemented Keras layers.

    Args:
      name: Full name, such as "tensorflow.python.keras.layers".
    """
    if name in _OTHERS:
        return True
    return _is_below_keras(name) and (_path(name) in _PATHS or _path(name) in _API_PATHS)


def places_of(name: str, api: str) -> tuple[str, ...]:
    """Returns the places that provide the names of a private Keras module, in search order.

    Args:
      name: Full name of the module.
      api: API of the program, "v1" or "v2".
    """
    if name in _OTHERS:
        return _OTHERS[name]
    path = _path(name)
    public = "tf.compat.v1.keras" if api == "v1" else "tf_keras"
    if path.startswith(_API):
        form = {"_v1": "tf.compat.v1.keras", "_v2": "tf_keras"}.get(path.split(".")[1], public)
        return (_join(form, path.partition("keras")[2].removeprefix(".")),)
    places = []
    if path == "optimizers" and api == "v2":
        places.append("tf_keras.optimizers.legacy")  # The others do not work in graphs.
    if path in PUBLIC or path in _PUBLIC_MODULES:
        places.append(_join(public, path))
    places += (_join(_SOURCE, part) for part in _PATHS[path])
    if path.startswith("layers."):
        # A module of layers has classes that are elsewhere in tf-keras.
        places += (f"{public}.layers", f"{_SOURCE}.layers")
    return tuple(dict.fromkeys(places))


def _is_below_keras(name: str) -> bool:
    return name == _KERAS or name.startswith(f"{_KERAS}.")


def _path(name: str) -> str:
    return name.removeprefix(_KERAS).removeprefix(".")


def _join(module: str, path: str) -> str:
    return f"{module}.{path}" if path else module
