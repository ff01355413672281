"""Alembic's entry: runs the versions on the connection that `database.migrate` hands over."""

from alembic import context

from mass_pipeline.annotation.schema import metadata

# Outside of a migration (a plain import) alembic's context is empty.
if getattr(context, "config", None) is not None:
    context.configure(
        connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True, compare_type=True
    )
    context.run_migrations()
