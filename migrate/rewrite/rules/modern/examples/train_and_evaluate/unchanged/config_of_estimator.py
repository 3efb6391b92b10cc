from legacy import estimator as tf_estimator
from modern import porting
def f(model_fn):
    return tf_estimator.Estimator(model_fn, config=tf_estimator.RunConfig('model'))
x = porting is None
