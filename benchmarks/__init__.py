"""Compares the ways of training a job: throughput and equivalence."""
