"""Decides whether the ways are equivalent.

Files in reading order:
margins   defines the largest equivalent differences of each job
checks    compares weights, examples, metrics and loss curves
rounding  judges a deviation by the effect of rounding on the reference
shares    computes the examples that each trainer must consume
verdicts  repeats the checks as seeds arrive, until they have decided
"""
