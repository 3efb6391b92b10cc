"""Base class of the heads of both APIs that combine several heads over one model.

>>> from legacy.estimator import heads
>>> merged = MergedHeads([heads.RegressionHead(name="price"), heads.BinaryClassHead(name="sold")])
>>> merged.name, merged.logits_dimension
('price_sold', 2)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tensorflow as tf

from legacy.estimator.docstrings import documented
from legacy.estimator.export.outputs import PredictOutput
from legacy.estimator.heads import argument_texts
from legacy.estimator.heads.objectives import DEFAULT_SERVING_KEY, PREDICT_SERVING_KEY
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1


@documented(argument_texts.MULTI)
class MergedHeads:
    """Names, logits, losses and export outputs of several heads.

    {args}

    Raises:
      ValueError: If `heads` is empty, if a head has no name, or if the number of weights differs
        from the number of heads.
    """

    def __init__(self, heads: Sequence[Any], head_weights: Sequence[float] | None = None) -> None:
        if not heads:
            raise ValueError(f"Must specify heads. Given: {heads}")
        if head_weights and len(head_weights) != len(heads):
            raise ValueError(
                "heads and head_weights must have the same size. Given len(heads): "
                f"{len(heads)}. Given len(head_weights): {len(head_weights)}."
            )
        for head in heads:
            if not head.name:
                raise ValueError(f"All given heads must have name specified. Given: {head}")
        self._heads = tuple(heads)
        self._head_weights = tuple(head_weights or ())

    @property
    def name(self) -> str:
        """Names of the heads, joined by underscores."""
        return "_".join(head.name for head in self._heads)

    @property
    def logits_dimension(self) -> int:
        """Sum of the heads' logits dimensions."""
        return sum(head.logits_dimension for head in self._heads)

    def _split(self, logits: Any) -> dict[str, tf.Tensor]:
        """Splits logits along their last dimension. Returns the pieces by head name."""
        with tf1.name_scope(None, "split_logits", [logits]):
            logits = tf.convert_to_tensor(logits)
            sizes = [head.logits_dimension for head in self._heads]
            if logits.shape[-1] not in (None, sum(sizes)):
                raise ValueError(
                    f"Could not split logits of shape {logits.shape.as_list()} among the heads "
                    f"with individual logits dimensions: {sizes}. The last dimension of the logits "
                    f"tensor should equal {sum(sizes)} but is {logits.shape[-1]}."
                )
            outer = logits.shape.rank - 1
            pieces, begin = {}, 0
            for head, size in zip(self._heads, sizes, strict=True):
                pieces[head.name] = tf.slice(logits, [0] * outer + [begin], [-1] * outer + [size])
                begin += size
            return pieces

    def _weighted_sum(self, losses: Sequence[tf.Tensor]) -> tf.Tensor:
        """Returns the sum of the heads' losses, each multiplied by its weight if there are any."""
        if not self._head_weights:
            return tf.add_n(losses)
        pairs = zip(losses, self._head_weights, strict=True)
        return tf.add_n([tf.multiply(loss, weight) for loss, weight in pairs])

    def _merged_export_outputs(self, specs: Sequence[EstimatorSpec]) -> dict[str, Any]:
        """Merges the export outputs of the heads.

        Args:
          specs: EstimatorSpecs of the heads in mode PREDICT.

        Returns:
          The default output, the outputs of each head, and a PredictOutput of the heads'
          predictions.

        Raises:
          ValueError: If the first head has no default output.
        """
        default = _default_output(specs[0].export_outputs, self._heads[0].name)
        merged = {DEFAULT_SERVING_KEY: default}
        predictions = {}
        for head, spec in zip(self._heads, specs, strict=True):
            for key, output in spec.export_outputs.items():
                is_default = key == DEFAULT_SERVING_KEY
                merged[head.name if is_default else f"{head.name}/{key}"] = output
                if key == PREDICT_SERVING_KEY and isinstance(output, PredictOutput):
                    for name, value in output.outputs.items():
                        predictions[f"{head.name}/{name}"] = value
        merged[PREDICT_SERVING_KEY] = PredictOutput(predictions)
        return merged


def _default_output(outputs: Mapping[str, Any], head_name: str) -> Any:
    if len(outputs) == 1:
        return next(iter(outputs.values()))
    if DEFAULT_SERVING_KEY not in outputs:
        raise ValueError(
            f"{head_name} did not specify default export_outputs. Given: {outputs} "
            f"Use a head of tf.estimator, or name one of them {DEFAULT_SERVING_KEY}."
        )
    return outputs[DEFAULT_SERVING_KEY]
