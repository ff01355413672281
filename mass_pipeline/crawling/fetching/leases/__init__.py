"""Who may ask a host now, agreed by all processes of an installation: leases of hosts and addresses, and what goes with them.

Belongs here: the port, its two stores, what a process holds. Not here: how long a host is left alone (`politeness`), requests.
"""
