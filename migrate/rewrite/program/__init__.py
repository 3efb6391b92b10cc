"""Rewrites all files of a program with one plan.

Files in reading order:
run                rewrites files in parallel, and prints diffs, suggestions and counts
program_files      groups files into programs, and collects facts about each file
shared_estimators  plans functions that return Estimators to other files
shared_model_fns   plans model_fns that Estimators of other files use
summary            counts the changes of a run, and names the check to run next
"""
