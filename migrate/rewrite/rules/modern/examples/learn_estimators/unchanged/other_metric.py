from legacy.contrib import learn
def model_fn(features, labels, mode):
    out, loss, train_op = build(features, labels)
    return learn.ModelFnOps(mode, out, loss, train_op)
job = learn.Estimator(model_fn)
job.evaluate(input_fn=f, metrics={'own': learn.MetricSpec(own.metric)})
