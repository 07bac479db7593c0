# Made from _async/client.py by tools/generate.py.
"""The synchronous client."""

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
from .io import Io
from .transport import Transport, TransportSettings

TIMEOUT = 30.0
MAX_RETRIES = 2
MAX_CONNECTIONS = 16


class Parley:
    """An synchronous client of the Parley API. Safe to share; close it, or use it in a `with` block.

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
        self._io = Io(url, tls, max_connections)
        self._transport = Transport(
            TransportSettings(
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
        self.calls = waits.Calls(transport)
        self.call_history = resources.CallHistory(transport)
        self.jobs = waits.Jobs(transport)
        self.lead_sources = resources.LeadSources(transport)
        self.flows = resources.Flows(transport)
        self.models = resources.Models(transport)
        self.chats = waits.Chats(transport)
        self.contacts = resources.Contacts(transport)
        self.results = resources.Results(transport)
        self.do_not_call = resources.DoNotCall(transport)
        self.opt_out_reviews = resources.OptOutReviews(transport)
        self.widgets = resources.Widgets(transport)
        self.web_calls = resources.WebCalls(transport)
        self.web_phones = resources.WebPhones(transport)
        self.tools = resources.Tools(transport)
        self.connections = resources.Connections(transport)
        self.tool_packs = resources.ToolPacks(transport)
        self.test_endpoints = resources.TestEndpoints(transport)
        self.structured_outputs = resources.StructuredOutputs(transport)
        self.phone_numbers = resources.PhoneNumbers(transport)
        self.agents = resources.Agents(transport)
        self.knowledge_base = resources.KnowledgeBase(transport)
        self.applications = resources.Applications(transport)
        self.customers = resources.Customers(transport)
        self.data_stores = resources.DataStores(transport)
        self.records = resources.Records(transport)
        self.transcriptions = resources.Transcriptions(transport)
        self.billing = resources.Billing(transport)
        self.automations = resources.Automations(transport)
        self.artifacts = resources.Artifacts(transport)
        self.session_webhooks = resources.SessionWebhooks(transport)
        self.simulations = waits.Simulations(transport)

    @property
    def rate_limit(self) -> RateLimit | None:
        """The caller's bucket as of the last answer; None before the first."""
        return self._transport.rate_limit

    def close(self) -> None:
        """Closes the connections that are kept."""
        self._io.close()

    def __enter__(self) -> Parley:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
