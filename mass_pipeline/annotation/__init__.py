"""The web app in which people say which hours are Masses, and the quality of their answers.

Belongs here: questions, votes, the queue, labels made of votes, and the pages. Not here: training, files of the pipeline.
Requirement P14; rules of law and abuse: docs/annotation.md.
"""
