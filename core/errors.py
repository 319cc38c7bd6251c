"""One tree of errors; each says what happened, to what, and what to do.

ClaimscopeError
├── InputError            a file or an option that cannot be used
│   ├── PageError         a page file
│   │   └── PageNote      it was read; what of it was set aside
│   ├── SuiteError        a suite or answers file
│   └── SettingsError     a settings file, variable or flag
├── StoreError            something on disk
│   ├── DiskRefused       the disk is full, failing, or may not be written
│   ├── IndexMismatch     index made with another model
│   │   └── SplitterMismatch  the same model, another splitter of sentences
│   ├── IndexBroken       index cannot be read; may be rebuilt
│   ├── StoreLocked       another process writes there
│   ├── JournalDamaged    a record in the middle of a journal
│   └── RunMismatch       a run that may not be resumed with these settings
├── ModelError            a model that cannot be asked, or did not answer well
│   ├── ServerDown        no connection
│   ├── ModelMissing      the server does not have the model
│   ├── ModelChanged      other weights than when the run began
│   ├── ContextTooShort   the server gives less context than was asked for
│   ├── PromptTooLong     the prompt does not fit the context
│   ├── ServerBusy        503, queue full (retried)
│   ├── ReplyTimeout      no token in time
│   ├── ReplyIncomplete   cut, empty or unfinished reply
│   └── ReplyUnreadable   the reply is not what was asked for
├── EmbeddingError        an embedding that could not be made
├── ClusterError          a Dask cluster that cannot be used
│   └── ClusterLost       it went away in the middle of a run
└── InternalError         a fault of ours
"""

from __future__ import annotations


class ClaimscopeError(Exception):
    """What a user sees: title, message, hint. Never shown as a traceback."""

    title = "Something went wrong"
    exit_code = 3

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n  {self.hint}" if self.hint else self.message


class InputError(ClaimscopeError):
    """A file or option that cannot be used."""

    title = "Input cannot be used"
    exit_code = 2


class PageError(InputError):
    """A page file that cannot be read."""

    title = "Page cannot be read"


class PageNote(PageError):
    """A page file that was read, and what of it was set aside: front matter in another
    notation, a file that it would include. Raised by a reader after its pages."""

    title = "Part of a page was set aside"


class SuiteError(InputError):
    """A suite or answers file with a mistake; names file, place and field."""

    title = "Suite cannot be used"


class SettingsError(InputError):
    """A settings file, variable or flag with a mistake."""

    title = "Settings cannot be used"


class NoGroundTruth(ClaimscopeError):
    """A sample without contexts in a suite without pages."""

    title = "Nothing to judge by"


class StoreError(ClaimscopeError):
    """Something on disk."""

    title = "Store cannot be used"


class DiskRefused(StoreError):
    """A disk that is full, failing, or may not be written: nothing is damaged."""


class IndexMismatch(StoreError):
    """An index made with another embedding model, or split in another way."""

    title = "Index was made with another model"


class SplitterMismatch(IndexMismatch):
    """An index of the same model whose sentences another splitter has made."""

    title = "Index was split in another way"


class IndexBroken(StoreError):
    """An index that cannot be read and could not be rebuilt."""

    title = "Index is broken"


class StoreLocked(StoreError):
    """Another process writes there."""

    title = "In use by another process"


class JournalDamaged(StoreError):
    """A damaged record before the end of a journal."""

    title = "Journal is damaged"


class RunMismatch(StoreError):
    """A run that may not be resumed as asked."""

    title = "Run cannot be resumed"


class ModelError(ClaimscopeError):
    """A model that cannot be asked, or did not answer well."""

    title = "Model call failed"


class ServerDown(ModelError):
    """No connection to the server."""

    title = "Server does not answer"


class ModelMissing(ModelError):
    """The server does not have the model."""

    title = "Model is not installed"


class ModelChanged(ModelError):
    """Other weights under the same name than when the run began."""

    title = "Model was changed"


class ContextTooShort(ModelError):
    """The server gives a shorter context than was asked for: its replies would be to
    prompts that may have been cut."""

    title = "Context is shorter than asked for"


class PromptTooLong(ModelError):
    """The prompt does not fit the context; a cut prompt is never believed."""

    title = "Prompt does not fit the context"


class ServerBusy(ModelError):
    """The server's queue is full, or it failed for now; retried."""

    title = "Server is busy"
    retry_after: float | None = None
    """Seconds after which the server wants to be asked again, where it says so."""


class ReplyTimeout(ModelError):
    """No token came in time."""

    title = "Server took too long"


class ReplyIncomplete(ModelError):
    """A cut, empty or unfinished reply; `raw` is what there was of it."""

    title = "Reply is incomplete"

    def __init__(self, message: str, hint: str = "", raw: str = "") -> None:
        super().__init__(message, hint)
        self.raw = raw


class ReplyUnreadable(ModelError):
    """A reply that is not what was asked for."""

    title = "Reply cannot be read"

    def __init__(self, message: str, hint: str = "", raw: str = "") -> None:
        super().__init__(message, hint)
        self.raw = raw


class EmbeddingError(ClaimscopeError):
    """An embedding that could not be made."""

    title = "Text cannot be embedded"


class ClusterError(ClaimscopeError):
    """A Dask cluster, or a worker of it, that cannot be used."""

    title = "Cluster cannot be used"


class ClusterLost(ClusterError):
    """The scheduler or every worker went away; the run can be resumed."""

    title = "Cluster was lost"


class InternalError(ClaimscopeError):
    """A fault of ours; the log says where."""

    title = "Internal error"


class ConnectionLost(ReplyIncomplete):
    """The connection broke while the reply came; worth another try."""

    title = "Connection to the server was lost"
