from legacy import contrib
x = contrib.training.HParams is not None
