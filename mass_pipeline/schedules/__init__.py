"""Schedules in time: which Masses a date has, once dated changes and the decisions of people are counted in.

Belongs here: the calendar of the Church, exceptions out of announcements, proposals and approvals as plain values.
Not here: how schedules and announcements are read (reading, reading.changes), nor where they are kept.
"""
