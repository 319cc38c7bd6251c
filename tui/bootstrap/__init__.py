"""The one place where stores, adapters and core meet, put together from the settings.

Use cases and faces are handed what is made here and import no adapter. Slow libraries
load only when they are used; `servers` loads none, so the interface may import it.
"""
