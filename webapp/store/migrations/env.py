"""How Alembic runs the migrations: on the connection that ``store.database`` hands it.

To write a new one, add a file to ``versions/`` by hand and raise ``SCHEMA_REVISION``.
"""

from alembic import context

from webapp.store.schema import metadata

# The caller has begun the transaction and will end it, so that a failed upgrade leaves nothing.
context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=False,
    render_as_batch=True,
)
context.run_migrations()
