from legacy.contrib import learn
def model_fn(features, labels, mode):
    out, loss, train_op = build(features, labels)
    return learn.ModelFnOps(mode, out, loss, train_op)
job = learn.Estimator(model_fn)
job.fit(input_fn=f, steps=3, monitors=[learn.monitors.ValidationMonitor(x)])
