from legacy.contrib import learn
import models
job = learn.Estimator(models.model_fn)
job.fit(input_fn=f, steps=3)
