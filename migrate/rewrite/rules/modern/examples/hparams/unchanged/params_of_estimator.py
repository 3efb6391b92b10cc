from legacy import contrib
from legacy import estimator as tf_estimator
def f(model_fn):
    params = contrib.training.HParams(a=1)
    return tf_estimator.Estimator(model_fn, params=params).train
x = callable(f)
