from legacy import estimator as tf_estimator
def get_spec(steps):
    return tf_estimator.TrainSpec(input_fn, steps)
def train(eval_spec):
    job = tf_estimator.Estimator(model_fn, 'model')
    tf_estimator.train_and_evaluate(job, get_spec(5), eval_spec)
x = 1
