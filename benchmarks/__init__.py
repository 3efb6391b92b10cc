"""Compares the ways of training a job: throughput and equivalence.

Files in reading order:
ways                maps each way to its program, cluster and number of steps
runner              starts clusters and lets them train in turns
comparison          trains seed after seed until every check has decided
compare             runs a comparison: python -m benchmarks.compare
judging             decides whether the ways are equivalent
reporting           writes the report and prints its table
own_jobs            prepares the comparison of a model_fn of yours
forecast            forecasts the speed on another network: python -m benchmarks.forecast
forecasting         computes a forecast from a report
checkpoint_weights  reads weights from any way's checkpoint
pool                stores recorded runs of many seeds
rates               measures the error rates of verdicts on recorded runs
baselines           holds programs that do not use this toolkit
programs            lists the programs that speed measures, and the ratios to reach
turns               runs programs of which all but one are paused
speed               measures the throughput of the ways against the baselines
costs               measures the processor time and traffic of a batch
estimator_speed     measures legacy.estimator against the original
"""

from modern.process import extras

extras.check_all("compare", __name__)
