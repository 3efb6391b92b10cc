# migrate rewrite --unsafe
from legacy.contrib import learn
config = learn.RunConfig(num_cores=4, save_checkpoints_steps=5, model_dir="model")
x, y = config.save_checkpoints_steps, config.save_checkpoints_secs
z = config.model_dir, config.keep_checkpoint_max, config.tf_random_seed
