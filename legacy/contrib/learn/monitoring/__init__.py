"""Monitors of contrib.learn, which watch the steps of a training.

Files in reading order:
base                defines monitors that are called around each step, or every N steps
hooks               runs monitors as SessionRunHooks
validation_monitor  evaluates new checkpoints, and stops the training early
"""
