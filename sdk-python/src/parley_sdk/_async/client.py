"""The asynchronous client."""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable
from types import TracebackType

from .. import types
from .._http import DEFAULT_URL
from .._request import print_warning
from .._retry import RateLimit, RetryNotice
from . import resources, waits
from .io import AsyncIo
from .transport import AsyncTransport, AsyncTransportSettings

TIMEOUT = 30.0
MAX_RETRIES = 2
MAX_CONNECTIONS = 16


class AsyncParley:
    """An asynchronous client of the Parley API. Safe to share; close it, or use it in a `with` block.

    An API key takes precedence over client credentials. Without `base_url` the client uses PARLEY_URL, then
    http://127.0.0.1:8080; without a credential PARLEY_API_KEY. `timeout` is in seconds for each attempt of a request,
    0 for none. `on_retry` is called before a request waits to be sent again, `on_warning` for each member of a sent
    body that the server does not know, a misspelt one for example; it had no effect. Without it, `warnings.warn` is.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        client_id: str | None = None,
        client_secret: str | None = None,
        timeout: float = TIMEOUT,
        max_retries: int = MAX_RETRIES,
        max_connections: int = MAX_CONNECTIONS,
        tls: ssl.SSLContext | None = None,
        on_retry: Callable[[RetryNotice], None] | None = None,
        on_warning: Callable[[types.Warning], None] | None = None,
    ) -> None:
        url = base_url or os.environ.get("PARLEY_URL") or DEFAULT_URL
        oauth = (client_id, client_secret) if client_id is not None and client_secret is not None else None
        if api_key is None and oauth is None:
            api_key = os.environ.get("PARLEY_API_KEY") or None
        self._io = AsyncIo(url, tls, max_connections)
        self._transport = AsyncTransport(
            AsyncTransportSettings(
                io=self._io,
                timeout=timeout,
                max_retries=max_retries,
                api_key=api_key,
                oauth=None if api_key is not None else oauth,
                on_retry=on_retry,
                on_warning=on_warning or print_warning,
            )
        )
        transport = self._transport
        self.calls = waits.AsyncCalls(transport)
        self.call_history = resources.AsyncCallHistory(transport)
        self.jobs = waits.AsyncJobs(transport)
        self.lead_sources = resources.AsyncLeadSources(transport)
        self.flows = resources.AsyncFlows(transport)
        self.models = resources.AsyncModels(transport)
        self.chats = waits.AsyncChats(transport)
        self.contacts = resources.AsyncContacts(transport)
        self.results = resources.AsyncResults(transport)
        self.do_not_call = resources.AsyncDoNotCall(transport)
        self.opt_out_reviews = resources.AsyncOptOutReviews(transport)
        self.widgets = resources.AsyncWidgets(transport)
        self.web_calls = resources.AsyncWebCalls(transport)
        self.web_phones = resources.AsyncWebPhones(transport)
        self.tools = resources.AsyncTools(transport)
        self.connections = resources.AsyncConnections(transport)
        self.tool_packs = resources.AsyncToolPacks(transport)
        self.test_endpoints = resources.AsyncTestEndpoints(transport)
        self.structured_outputs = resources.AsyncStructuredOutputs(transport)
        self.phone_numbers = resources.AsyncPhoneNumbers(transport)
        self.agents = resources.AsyncAgents(transport)
        self.knowledge_base = resources.AsyncKnowledgeBase(transport)
        self.applications = resources.AsyncApplications(transport)
        self.customers = resources.AsyncCustomers(transport)
        self.data_stores = resources.AsyncDataStores(transport)
        self.records = resources.AsyncRecords(transport)
        self.transcriptions = resources.AsyncTranscriptions(transport)
        self.billing = resources.AsyncBilling(transport)
        self.automations = resources.AsyncAutomations(transport)
        self.artifacts = resources.AsyncArtifacts(transport)
        self.session_webhooks = resources.AsyncSessionWebhooks(transport)
        self.simulations = waits.AsyncSimulations(transport)

    @property
    def rate_limit(self) -> RateLimit | None:
        """The caller's bucket as of the last answer; None before the first."""
        return self._transport.rate_limit

    async def close(self) -> None:
        """Closes the connections that are kept."""
        self._io.close()

    async def __aenter__(self) -> AsyncParley:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
