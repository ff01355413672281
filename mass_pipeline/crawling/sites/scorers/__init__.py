"""What makes a link promising: pages and links in, a number out. Two are the product's; `laboratory.scorers` has those of papers.

| name | idea | source |
|---|---|---|
| words | words of the link from a list | ours |
| learnt | logistic regression over anchor, address, place and page | Rennie, McCallum 1999 |
"""
