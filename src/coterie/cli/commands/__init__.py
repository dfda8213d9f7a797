"""The subcommands, one file each, named after it.

A file holds a function ``run``: its parameters are the options, its docstring is the help. Every
file is imported for ``coterie --help``, so it imports numpy and all that is heavier inside ``run``.
A file of several commands holds ``COMMANDS``, functions by name, and ``HELP`` instead.
"""
