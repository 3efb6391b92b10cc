from legacy import estimator as tf_estimator
def job(estimator, train_spec, eval_spec):
    tf_estimator.train_and_evaluate(estimator, train_spec, eval_spec)
x = 1
