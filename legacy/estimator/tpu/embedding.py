"""EmbeddingConfigSpec, the configuration of embeddings on a TPU.

Without a TPU it is only checked. Embedding columns are looked up on the CPU or GPU.

    spec = EmbeddingConfigSpec(feature_columns=columns, optimization_parameters=parameters)
    TPUEstimator(model_fn, config=config, use_tpu=False, embedding_config_spec=spec)
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Mapping
from typing import Any

# Names of classes, because TensorFlow has no public classes for them, or no longer has them.
_NUMERIC = ("NumericColumn", "_NumericColumn")
_EMBEDDING = (
    "EmbeddingColumn",
    "_EmbeddingColumn",
    "_SharedEmbeddingColumn",
    "_TPUEmbeddingColumn",
    "_TPUEmbeddingColumnV2",
    "_TPUSharedEmbeddingColumn",
    "_TPUSharedEmbeddingColumnV2",
)
_ON_TENSOR_CORE = (
    "_TPUDeviceSpecificEmbeddingColumnV2",
    "_TPUSharedDeviceSpecificEmbeddingColumnV2",
)
_OPTIMIZERS = (
    "AdagradParameters",
    "AdamParameters",
    "FtrlParameters",
    "MomentumParameters",
    "ProximalAdagradParameters",
    "RMSPropParameters",
    "StochasticGradientDescentParameters",
)
_FIELDS = (
    "feature_columns",
    "tensor_core_feature_columns",
    "optimization_parameters",
    "clipping_limit",
    "pipeline_execution_with_tensor_core",
    "experimental_gradient_multiplier_fn",
    "feature_to_config_dict",
    "table_to_config_dict",
    "partition_strategy",
    "profile_data_directory",
)


class EmbeddingConfigSpec(collections.namedtuple("EmbeddingConfigSpec", _FIELDS)):
    """Embeddings of a model, and the settings for training them on a TPU.

    Args:
      feature_columns: The embedding columns. Mutually exclusive with the two dicts below.
      optimization_parameters: Optimizer of the columns' embeddings.
      clipping_limit: Maximum absolute value of a gradient, or None.
      pipeline_execution_with_tensor_core: If true, looks up the next batch during the computation.
      experimental_gradient_multiplier_fn: Function from the global step to a factor of all
        gradients.
      feature_to_config_dict: `FeatureConfig`s, which name a table, by feature.
      table_to_config_dict: `TableConfig`s by table.
      partition_strategy: "div" or "mod".
      profile_data_directory: Directory of lookup statistics.

    Raises:
      ValueError: If not exactly one of columns and dicts is set, or if the table of a feature, the
        optimizer or the strategy is unknown.
      TypeError: If a column or a config is of the wrong type.
    """

    def __new__(
        cls,
        feature_columns: Iterable[Any] | None = None,
        optimization_parameters: Any = None,
        clipping_limit: float | None = None,
        pipeline_execution_with_tensor_core: bool = False,
        experimental_gradient_multiplier_fn: Callable[[Any], Any] | None = None,
        feature_to_config_dict: Mapping[str, Any] | None = None,
        table_to_config_dict: Mapping[str, Any] | None = None,
        partition_strategy: str = "div",
        profile_data_directory: str | None = None,
    ) -> EmbeddingConfigSpec:
        """Checks the arguments. See the class."""
        dicts = feature_to_config_dict and table_to_config_dict
        if bool(feature_columns) == bool(dicts):
            raise ValueError(
                "Exactly one of `feature_columns` and the pair `feature_to_config_dict` and "
                "`table_to_config_dict` must be be specified."
            )
        if partition_strategy not in ("div", "mod"):
            raise ValueError(
                f'Invalid partition_strategy {partition_strategy}. Must be one of "mod" or "div".'
            )
        on_host = on_core = None
        if feature_columns:
            on_host, on_core = _split(feature_columns)
            _check_kind(optimization_parameters, _OPTIMIZERS, "optimization_parameters", ValueError)
        else:
            _check_dicts(feature_to_config_dict, table_to_config_dict)
        return super().__new__(
            cls,
            on_host,
            on_core,
            optimization_parameters,
            clipping_limit,
            pipeline_execution_with_tensor_core,
            experimental_gradient_multiplier_fn,
            feature_to_config_dict,
            table_to_config_dict,
            partition_strategy,
            profile_data_directory,
        )


def _split(columns: Iterable[Any]) -> tuple[list[Any], list[Any]]:
    """Splits columns into those looked up on the host and those looked up on the tensor core."""
    on_host, on_core = [], []
    for column in columns:
        kinds = (*_NUMERIC, *_EMBEDDING, *_ON_TENSOR_CORE)
        _check_kind(column, kinds, "All feature columns", TypeError)
        (on_core if type(column).__name__ in _ON_TENSOR_CORE else on_host).append(column)
    return on_host, on_core


def _check_kind(
    value: Any, kinds: tuple[str, ...], description: str, error: type[Exception]
) -> None:
    if type(value).__name__ not in kinds:
        raise error(f"{description} must be one of the types {kinds}. Got {type(value)}.")


def _check_dicts(features: Mapping[str, Any], tables: Mapping[str, Any]) -> None:
    for feature, config in features.items():
        _check_kind(config, ("FeatureConfig",), f"The config of feature {feature}", TypeError)
        if config.table_id not in tables:
            raise ValueError(
                f"Feature {feature} refers to table {config.table_id} which is not in the "
                "table_to_config_dict."
            )
    for table, config in tables.items():
        _check_kind(config, ("TableConfig",), f"The config of table {table}", TypeError)
