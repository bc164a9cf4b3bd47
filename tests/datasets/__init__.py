"""Tests of weightlab."""
