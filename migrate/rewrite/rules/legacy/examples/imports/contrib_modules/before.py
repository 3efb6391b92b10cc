from tensorflow.contrib.learn.python.learn import learn_runner
from tensorflow.contrib import slim, training as t
from tensorflow.python.estimator.model_fn import ModeKeys
x = ModeKeys.TRAIN, t.HParams(a=1).a, callable(learn_runner.run), slim is not None
