"""Every error the pipeline raises on purpose.

A bad model answer is data (`models.Rejection`), never an exception. Messages carry ids and
counts, never profile text, names, addresses, prompts or completions. Docstrings list under Raises
what a caller handles; any function may raise a TerminalError, which only a person can handle.
"""

from __future__ import annotations


class ProfilesError(Exception):
    """Root of the tree: what happened, which thing, what was expected, what to do next."""


class TerminalError(ProfilesError):
    """Trying again with the same input cannot help; a person has to change something."""


class RetryableError(ProfilesError):
    """The same call may work later; Airflow's retries apply."""


class SettingsError(TerminalError):
    """A setting, Param or Connection is missing or wrong."""


class MappingError(TerminalError):
    """A source mapping does not fit its table; `problems` holds one sentence per fault."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


class SourceError(TerminalError):
    """A source table cannot be used tonight, for example because too many rows vanished."""


class MigrationError(TerminalError):
    """The database schema is not what this version of the package expects."""


class EngineJobError(TerminalError):
    """The engine refused the job itself: unknown model, bad option, wrong interpreter."""


class UnapprovedReleaseError(EngineJobError):
    """The run would ask or publish under a release that waits for approval."""


class ReleaseError(TerminalError):
    """A release does not exist, waits for no decision, or cannot be asked under any more."""


class DecisionError(TerminalError):
    """A human decision names what does not exist or contradicts an earlier one."""


class ErasureError(TerminalError):
    """Nobody, or more than one person, is named; nothing was erased."""


class ExportError(TerminalError):
    """There is no such run, or its files cannot be written."""


class ReviewError(TerminalError):
    """A review sheet cannot be taken in as it is; the message lists the rows and what they lack."""


class ReconciliationError(TerminalError):
    """The buckets of a run do not add up, so nothing was published."""


class DriftError(TerminalError):
    """The gate's figures of a run lie outside their control bands, so nothing was published."""


class RunFailedError(TerminalError):
    """A lane failed or documents are missing although the window had room."""


class DatabaseUnavailableError(RetryableError):
    """Postgres did not answer."""


class SecretsUnavailableError(RetryableError):
    """Airflow or its secrets backend did not answer for a Connection."""


class EngineError(RetryableError):
    """The engine process crashed, hung, or lost its device.

    `exit_code` is the process's exit status, None while it had none. `log_excerpt` is the
    beginning and the end of its own log; a library may have quoted a profile there, so it is
    searched and never shown. One that `is_remote` is the server's that the engine asks, so that no
    request in flight is suspected of it.
    """

    def __init__(
        self,
        message: str,
        *,
        exit_code: int | None = None,
        log_excerpt: str = "",
        is_remote: bool = False,
    ) -> None:
        self.exit_code = exit_code
        self.log_excerpt = log_excerpt
        self.is_remote = is_remote
        super().__init__(message)


class FencedError(RetryableError):
    """A batch was written after its lease had been taken over; nothing was stored."""

    def __init__(self, batch_id: int) -> None:
        self.batch_id = batch_id
        super().__init__(
            f"batch {batch_id} no longer holds its lease; its items belong to another lane now"
        )


class BusyError(RetryableError):
    """Another run holds the advisory lock that this step needs, or a transaction a table."""


class LostLockError(RetryableError):
    """The session of an advisory lock ended before its step did; the step commits nothing more."""


class UnexpectedError(RetryableError):
    """A step failed with an error that is not ours: what kind and where, without its own words."""
