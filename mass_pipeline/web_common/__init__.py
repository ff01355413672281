"""What the annotation app and the public site share: the guard around an app, limits, and where a request comes from."""
