"""Decides whether the ways are equivalent.

Files in reading order:
margins   defines the largest equivalent differences of each job
checks    compares weights, examples, metrics and loss curves
shares    computes the examples that each trainer must consume
verdicts  repeats the checks as seeds arrive, until they have decided
"""
