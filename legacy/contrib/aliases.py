"""Where the private paths of tf.contrib lead that real programs import.

>>> ALIASES["training.python.training.hparam"]
'legacy.contrib.training.hparam'

Dotted path below tf.contrib (and so below the package tensorflow.contrib) to a module of ours, or
to "module:name" for one name. A path whose parents are not listed has none.
"""

_LEARN = "legacy.contrib.learn"
_PRIVATE_LEARN = "learn.python.learn"
_TPU = "legacy.contrib.tpu"

ALIASES: dict[str, str] = {
    # Packages whose own names are those of the public module.
    "cluster_resolver.python.training": "legacy.contrib.cluster_resolver",
    "data.python.ops": "legacy.contrib.data",
    "distribute.python": "legacy.contrib.distribute",
    "eager.python": "legacy.contrib.eager",
    "eager.python.tfe": "legacy.contrib.eager",
    "learn.python": _LEARN,
    _PRIVATE_LEARN: _LEARN,
    "metrics.python.ops": "legacy.contrib.metrics",
    "predictor.predictor_factories": "legacy.contrib.predictor",
    "summary.summary": "legacy.contrib.summary",
    "tensorboard.plugins": "legacy.contrib.tensorboard.plugins",
    "training.python.training": "legacy.contrib.training",
    # contrib.training
    "training.python.training.bucket_ops": "legacy.contrib.training.bucketing",
    "training.python.training.device_setter": "legacy.contrib.training.device_setter",
    "training.python.training.evaluation": "legacy.contrib.training.evaluation",
    "training.python.training.hparam": "legacy.contrib.training.hparam",
    "training.python.training.training": "legacy.contrib.training.train_op",
    # contrib.learn
    f"{_PRIVATE_LEARN}.basic_session_run_hooks": "tensorflow.compat.v1.train",
    f"{_PRIVATE_LEARN}.datasets": f"{_LEARN}.datasets",
    f"{_PRIVATE_LEARN}.datasets.base": f"{_LEARN}.datasets.base",
    f"{_PRIVATE_LEARN}.datasets.mnist": f"{_LEARN}.datasets.mnist",
    f"{_PRIVATE_LEARN}.estimators": _LEARN,
    f"{_PRIVATE_LEARN}.estimators.constants": f"{_LEARN}.constants",
    f"{_PRIVATE_LEARN}.estimators.dnn": f"{_LEARN}.canned",
    f"{_PRIVATE_LEARN}.estimators.dnn_linear_combined": f"{_LEARN}.canned",
    f"{_PRIVATE_LEARN}.estimators.estimator": f"{_LEARN}.estimator",
    f"{_PRIVATE_LEARN}.estimators.head": f"{_LEARN}.head",
    f"{_PRIVATE_LEARN}.estimators.linear": f"{_LEARN}.canned",
    f"{_PRIVATE_LEARN}.estimators.metric_key": f"{_LEARN}.constants",
    f"{_PRIVATE_LEARN}.estimators.model_fn": f"{_LEARN}.model_fn_ops",
    f"{_PRIVATE_LEARN}.estimators.prediction_key": f"{_LEARN}.constants",
    f"{_PRIVATE_LEARN}.estimators.run_config": f"{_LEARN}.run_config",
    f"{_PRIVATE_LEARN}.evaluable": f"{_LEARN}.interfaces",
    f"{_PRIVATE_LEARN}.experiment": f"{_LEARN}.experiment",
    f"{_PRIVATE_LEARN}.export_strategy": f"{_LEARN}.export_strategy",
    f"{_PRIVATE_LEARN}.learn_io": f"{_LEARN}.io",
    f"{_PRIVATE_LEARN}.learn_io.data_feeder": f"{_LEARN}.data_feeder",
    f"{_PRIVATE_LEARN}.learn_io.generator_io": f"{_LEARN}.io",
    f"{_PRIVATE_LEARN}.learn_io.graph_io": f"{_LEARN}.io",
    f"{_PRIVATE_LEARN}.learn_io.numpy_io": f"{_LEARN}.io",
    f"{_PRIVATE_LEARN}.learn_io.pandas_io": f"{_LEARN}.io",
    f"{_PRIVATE_LEARN}.learn_runner": f"{_LEARN}.learn_runner",
    f"{_PRIVATE_LEARN}.metric_spec": f"{_LEARN}.metric_spec",
    f"{_PRIVATE_LEARN}.models": f"{_LEARN}.models",
    f"{_PRIVATE_LEARN}.monitors": f"{_LEARN}.monitors",
    f"{_PRIVATE_LEARN}.preprocessing": f"{_LEARN}.preprocessing",
    f"{_PRIVATE_LEARN}.session_run_hook": "tensorflow.compat.v1.train",
    f"{_PRIVATE_LEARN}.trainable": f"{_LEARN}.interfaces",
    f"{_PRIVATE_LEARN}.utils": f"{_LEARN}.utils",
    f"{_PRIVATE_LEARN}.utils.input_fn_utils": f"{_LEARN}.input_fn_utils",
    f"{_PRIVATE_LEARN}.utils.saved_model_export_utils": f"{_LEARN}.export_strategy",
    "learn.utils.input_fn_utils": f"{_LEARN}.input_fn_utils",
    "learn.utils.saved_model_export_utils": f"{_LEARN}.export_strategy",
    # contrib.estimator
    "estimator.python": "legacy.contrib.estimator",
    "estimator.python.estimator": "legacy.contrib.estimator",
    "estimator.python.estimator.early_stopping": "legacy.estimator.hooks",
    "estimator.python.estimator.extenders": "legacy.estimator.extenders",
    "estimator.python.estimator.head": "legacy.contrib.estimator",
    "estimator.python.estimator.hooks": "legacy.estimator.hooks",
    "estimator.python.estimator.replicate_model_fn": "legacy.contrib.estimator.towers",
    # contrib.distribute
    "distribute.python.collective_all_reduce_strategy": "legacy.contrib.distribute",
    "distribute.python.mirrored_strategy": "legacy.contrib.distribute",
    "distribute.python.one_device_strategy": "legacy.contrib.distribute",
    "distribute.python.parameter_server_strategy": "legacy.contrib.distribute",
    "distribute.python.tpu_strategy": "legacy.contrib.distribute",
    # contrib.data
    "data.python.ops.batching": "legacy.contrib.data",
    "data.python.ops.grouping": "legacy.contrib.data",
    "data.python.ops.interleave_ops": "legacy.contrib.data",
    "data.python.ops.readers": "legacy.contrib.data",
    "data.python.ops.shuffle_ops": "legacy.contrib.data",
    "data.python.ops.sliding": "legacy.contrib.data",
    # contrib.metrics, contrib.lookup
    "metrics.python.ops.metric_ops": "legacy.contrib.metrics",
    "lookup.lookup_ops": "legacy.contrib.lookup",
    # contrib.tpu
    "tpu.python": _TPU,
    "tpu.python.ops": _TPU,
    "tpu.python.ops.tpu_ops": _TPU,
    "tpu.python.tpu": _TPU,
    "tpu.python.tpu.async_checkpoint": _TPU,
    "tpu.python.tpu.bfloat16": _TPU,
    "tpu.python.tpu.keras_support": _TPU,
    "tpu.python.tpu.tpu": _TPU,
    "tpu.python.tpu.tpu_config": "legacy.estimator.tpu.config",
    "tpu.python.tpu.tpu_estimator": "legacy.estimator.tpu.estimator",
    "tpu.python.tpu.tpu_estimator.TPUEstimatorSpec": "legacy.estimator.tpu.spec:TPUEstimatorSpec",
    "tpu.python.tpu.tpu_feed": _TPU,
    "tpu.python.tpu.tpu_optimizer": "legacy.estimator.tpu.cross_shard_optimizer",
    "tpu.python.tpu.training_loop": _TPU,
    "tpu.python.tpu.util": "legacy.estimator.tpu.config",
    "tpu.tpu": _TPU,
}
