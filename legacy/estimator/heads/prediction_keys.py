"""Names of the predictions of heads.

>>> PredictionKeys.PROBABILITIES
'probabilities'
"""


class PredictionKeys:
    """Keys of the predictions dict, and of the outputs of a Predict signature."""

    CLASSES = "classes"
    CLASS_IDS = "class_ids"
    ALL_CLASSES = "all_classes"
    ALL_CLASS_IDS = "all_class_ids"
    LOGISTIC = "logistic"
    LOGITS = "logits"
    PREDICTIONS = "predictions"
    PROBABILITIES = "probabilities"
    TOP_K = "top_k"
