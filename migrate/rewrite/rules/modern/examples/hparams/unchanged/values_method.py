from legacy import contrib
x = contrib.training.HParams(a=1).values()
