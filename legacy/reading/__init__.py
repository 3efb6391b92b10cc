"""Static reading of a program: its files, the TensorFlow names that it uses, and its API version.

Files in reading order:
source         reads and parses a program's files, and reports Python 2
program_files  searches for the modules that a program imports
projects       finds the files of a project that a tool such as pytest runs
used_names     lists the TensorFlow names that a file uses
expressions    returns the full name that an expression stands for
bindings       tracks the values of names through scopes and branches
local_modules  follows names through the program's other files
version_tests  evaluates conditions on TensorFlow's version
api_choice     chooses TensorFlow 1 or 2 for a program
slices         tells whether a program makes slices, for indices of arrays
callers        tells the program's code from a library's at run time
"""
