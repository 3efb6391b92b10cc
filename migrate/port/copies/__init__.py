"""Copies of a user's program, in which it runs.

Files in reading order:
program   describes the program: its files, its command line and its folder
paths     distinguishes outputs from input data, and moves paths of outputs into the copy
inputs    distinguishes pretrained checkpoints from the program's own
mirror    copies the program, and links its data
"""
