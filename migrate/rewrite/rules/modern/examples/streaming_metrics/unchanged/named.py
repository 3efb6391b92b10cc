from legacy import contrib
f = contrib.metrics.streaming_accuracy
x = contrib.metrics.streaming_covariance(a, b)
y = contrib.metrics.streaming_recall(*args)
