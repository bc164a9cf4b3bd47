"""Tests of the graph heart."""
