"""From the pages of a site to one decided schedule and its single hours, with what was decided and why.

Not here: the grammar of schedules, the classifier itself, what is published (schedules).
"""
