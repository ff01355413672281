"""Runs on several machines: how the queue hands them out and how a worker takes them. Only deployments import it.

Belongs here: the guarded launcher, the workers' Celery application. Not here: what a run does.
"""
