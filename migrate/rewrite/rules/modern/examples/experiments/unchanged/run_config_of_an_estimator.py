from legacy.contrib import learn
config = learn.RunConfig(num_cores=4, save_checkpoints_steps=5, model_dir="model")
learn.LinearRegressor([], config=config).fit(input_fn=f)
