"""Formats of files, each as a function from a source to its sheet."""
