from legacy.contrib import learn
job = learn.Estimator(model_fn)
job.fit(x=features, y=labels, steps=3)
def model_fn(features, labels, mode):
    return learn.ModelFnOps(mode, *build(features, labels))
