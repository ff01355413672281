"""The public site and API: read-only pages over the public index, in a process of its own without secrets.

Imports finding, schedules, model and web_common only. Nothing of a visitor is kept: no cookies, no log of addresses or positions.
"""
