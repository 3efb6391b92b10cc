"""The names under which heads predict.

>>> PredictionKeys.PROBABILITIES
'probabilities'
"""


class PredictionKeys:
    """Keys of the dict of predictions, and of a Predict signature's outputs."""

    CLASSES = "classes"
    CLASS_IDS = "class_ids"
    ALL_CLASSES = "all_classes"
    ALL_CLASS_IDS = "all_class_ids"
    LOGISTIC = "logistic"
    LOGITS = "logits"
    PREDICTIONS = "predictions"
    PROBABILITIES = "probabilities"
    TOP_K = "top_k"
