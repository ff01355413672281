"""Is an order on a page this parish's, and of today? Evidence for and against, and how probably a row is right.

Not here: reading the order (reading), which notices make it up (judging.combining), what is published (schedules).
"""
