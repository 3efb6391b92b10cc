from absl import flags
x = flags.FLAGS is not None
