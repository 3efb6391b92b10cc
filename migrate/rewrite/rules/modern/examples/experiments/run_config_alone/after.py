# migrate rewrite --unsafe
from legacy.compat.v1 import estimator as tf_estimator
config = tf_estimator.RunConfig(save_checkpoints_steps=5, model_dir="model")
x, y = config.save_checkpoints_steps, config.save_checkpoints_secs
z = config.model_dir, config.keep_checkpoint_max, config.tf_random_seed
