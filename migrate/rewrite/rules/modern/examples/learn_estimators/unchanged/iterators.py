from legacy.contrib import learn
job = learn.Estimator(model_fn)
job.fit(x=iter(features), y=iter(labels), steps=3, batch_size=8)
def model_fn(features, labels, mode):
    return learn.ModelFnOps(mode, *build(features, labels))
