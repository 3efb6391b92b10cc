from legacy import estimator as tf_estimator
def get_spec(mode):
    if mode == 'train':
        return tf_estimator.TrainSpec(input_fn)
    return tf_estimator.EvalSpec(input_fn)
def train(mode, other):
    job = tf_estimator.Estimator(model_fn, 'model')
    tf_estimator.train_and_evaluate(job, get_spec(mode), get_spec(other))
x = 1
