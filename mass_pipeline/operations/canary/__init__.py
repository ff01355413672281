"""A first look at the live sources that asks as little as possible: what answers, what a full run would cost, what to do next.

`probes.look` asks, `answers` keeps what came so that a second look asks nothing twice, `report` says it on one page.
"""
