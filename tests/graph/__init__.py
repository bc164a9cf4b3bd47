"""Tests of weightlab.graph."""
