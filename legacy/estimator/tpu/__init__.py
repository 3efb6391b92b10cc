"""tf.compat.v1.estimator.tpu: TPUEstimator and what belongs to it, for CPUs and GPUs.

    from legacy.compat.v1 import estimator

    config = estimator.tpu.RunConfig(tpu_config=estimator.tpu.TPUConfig(iterations_per_loop=100))
    bert = estimator.tpu.TPUEstimator(
        model_fn, config=config, params={}, use_tpu=False, train_batch_size=32
    )
    bert.train(lambda params: dataset.batch(params["batch_size"]), max_steps=1000)

Programs written for TPUs run with `use_tpu=False`. TPUs themselves are for `tf.distribute`.
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
