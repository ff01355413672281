"""Finding a Mass: schedules laid out over dates, positions, questions, what is near, how fresh it is, and formats to hand out.

Belongs here: pure functions over published rows, and the public index. Not here: pages and HTTP (public_web), Dagster (defs).
"""
