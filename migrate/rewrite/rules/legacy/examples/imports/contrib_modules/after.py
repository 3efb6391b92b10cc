from legacy.contrib.learn import learn_runner
from legacy.contrib import slim, training as t
from legacy.compat.v1.estimator import ModeKeys
x = ModeKeys.TRAIN, t.HParams(a=1).a, callable(learn_runner.run), slim is not None
