"""The modes in which Estimator calls a model_fn.

>>> ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT
('train', 'eval', 'infer')
"""


class ModeKeys:
    """Values of a model_fn's `mode` argument."""

    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"
