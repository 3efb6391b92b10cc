"""Rewrites all files of a program with one plan.

Files in reading order:
run            rewrites files in parallel, and prints diffs, suggestions and counts
file_contents  reads the facts that a file contains by itself
program_files  groups files into programs, and collects the facts that follow from other files
program_plan   decides once per program how its files change
keras3_moves   decides which programs move to Keras 3
drafts         reads files as rules would see them under a plan
across_files   decides about functions that one file defines and another file calls
lost_lines     finds evaluations that log less than before
messages       groups the messages of a run by their kind
summary        counts the changes of a run, and names the check to run next
"""
