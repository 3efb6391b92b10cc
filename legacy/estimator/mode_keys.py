"""What a model function is called for.

>>> ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT
('train', 'eval', 'infer')
"""


class ModeKeys:
    """The three modes, as model functions compare them with `mode`."""

    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"
