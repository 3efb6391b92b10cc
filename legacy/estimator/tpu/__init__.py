"""tf.compat.v1.estimator.tpu: TPUEstimator and its configuration, for CPUs and GPUs.

    from legacy.compat.v1 import estimator

    config = estimator.tpu.RunConfig(tpu_config=estimator.tpu.TPUConfig(iterations_per_loop=100))
    bert = estimator.tpu.TPUEstimator(
        model_fn, config=config, params={}, use_tpu=False, train_batch_size=32
    )
    bert.train(lambda params: dataset.batch(params["batch_size"]), max_steps=1000)

Programs written for TPUs run with `use_tpu=False`. To train on TPUs, use `tf.distribute`.

Files in reading order:
estimator              trains and evaluates with TPUEstimator
spec                   defines TPUEstimatorSpec, the return value of a model_fn
config                 defines RunConfig and TPUConfig
params                 adds "batch_size" and other values to the hyperparameters
hooks                  counts examples per second, and runs host calls
cross_shard_optimizer  replaces CrossShardOptimizer on CPUs and GPUs
embedding              defines EmbeddingConfigSpec
experimental           lists the names of tpu.experimental
"""

from legacy.estimator.tpu import experimental
from legacy.estimator.tpu.config import InputPipelineConfig, RunConfig, TPUConfig
from legacy.estimator.tpu.estimator import TPUEstimator
from legacy.estimator.tpu.spec import TPUEstimatorSpec

__all__ = [
    "InputPipelineConfig",
    "RunConfig",
    "TPUConfig",
    "TPUEstimator",
    "TPUEstimatorSpec",
    "experimental",
]
