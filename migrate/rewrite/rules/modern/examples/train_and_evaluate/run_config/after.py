# migrate rewrite --api=v2
from modern import porting
from migrate.bridge import as_estimator
config = as_estimator.RunConfig('model', save_checkpoints_steps=5)
config = config.replace(keep_checkpoint_max=3)
x, y = config.model_dir, config.keep_checkpoint_max
z = porting.latest_checkpoint('nowhere')
