"""Invented sentences about hours and the pages composed of them: training data that belongs to the project."""
