"""The shapes of the API. Generated from the service's OpenAPI document by tools/generate.py."""

from __future__ import annotations

from typing import Any, Literal, TypedDict


class ErrorDetailsItem(TypedDict):
    path: str
    code: str
    message: str


class Error(TypedDict):
    error: str
    message: str
    """What is wrong and what to do."""
    code: str
    """Stable name of the error."""
    details: list[ErrorDetailsItem]
    requestId: str


class _PlainError(TypedDict):
    error: str


class PlainError(_PlainError, total=False):
    message: str


class RateLimitError(TypedDict):
    status: Literal[429]
    error: Literal["Rate limit exceeded"]


class _OAuthError(TypedDict):
    error: str
    """Code of RFC 6749 section 5.2."""


class OAuthError(_OAuthError, total=False):
    error_description: str


class _LocalVariable(TypedDict):
    variableName: str
    """a letter, then letters, digits and _."""
    type: str
    """Such as string, number, boolean."""


class LocalVariable(_LocalVariable, total=False):
    defaultValue: Any
    """Used when rowData does not name the variable."""


class _InlineStructuredOutput(TypedDict):
    name: str
    schema: dict[str, Any]
    """JSON Schema 2020-12 of type object."""


class InlineStructuredOutput(_InlineStructuredOutput, total=False):
    description: str | None
    condition: str | None
    """Liquid template over the variables, channel and endReason; the output is left out when it renders empty, 0 or
    false.
    """
    fillDuring: bool | None
    """Filled after each thing the person says, not only at the end. Default false."""


class ModelChoice(TypedDict, total=False):
    modelId: str | None
    """A configured model."""
    fallbackModelIds: list[str] | None
    """Asked in turn when the one before fails or is silent."""
    temperature: float | None


class _TransferTarget(TypedDict):
    name: str
    """What the agent calls it."""
    destination: str
    """an E.164 number, a sip: address, or a flow's id or apiId."""


class TransferTarget(_TransferTarget, total=False):
    description: str | None
    """When to hand the call there."""
    mode: Literal["COLD", "WARM", "AGENTIC_WARM"] | None
    """COLD: at once. WARM: after a word with the target. Default COLD."""
    destinationType: Literal["PHONE", "SIP", "FLOW"] | None
    """Default PHONE."""
    dtmfSequence: str | None
    """keys 0-9 A-D * #, w and , pause; at most 64."""
    callerId: Literal["OWN", "CUSTOMER"] | None
    """Number the target sees. Default OWN."""
    whisperMessage: str | None
    """Told to the target alone before the parties are joined."""
    summaryToAgent: bool | None
    """Tells the target what was said so far. Default false."""
    holdAudioUrl: str | None
    """Audio for the waiting party."""
    ringTimeoutSeconds: int | None
    """Default 30."""
    transferOnlyIfHuman: bool | None
    """Gives up when a machine answers. Default false."""
    fallbackMessage: str | None
    """Said when the transfer fails."""
    sipHeaders: dict[str, str] | None
    """X- headers of the INVITE. Not sealed: put no secrets here."""


class _StageCondition(TypedDict):
    type: Literal["ALWAYS", "COLLECTED", "FIELD", "TOOL_RESULT", "EXPRESSION", "MEANING"]
    """ALWAYS: once the stage has nothing left to ask. COLLECTED: each of its fields has a valid value."""


class StageCondition(_StageCondition, total=False):
    field: str | None
    """FIELD: a property of the flow's structured outputs."""
    operator: Literal["EQUALS", "NOT_EQUALS", "ABOVE", "BELOW", "ONE_OF", "IS_SET", "IS_NOT_SET"] | None
    """FIELD."""
    value: Any
    """FIELD: what it is compared with; a list for ONE_OF."""
    toolId: str | None
    """TOOL_RESULT: one of the stage's tools."""
    outcome: Literal["SUCCEEDED", "FAILED"] | None
    """TOOL_RESULT: of the tool's latest run in this stage."""
    expression: str | None
    """EXPRESSION: Liquid; holds unless it renders empty, 0 or false."""
    description: str | None
    """MEANING: what the person says, in words."""
    examples: list[str] | None
    """MEANING: sentences that a person may say; the scripted model matches their words."""


class _StageGlobal(TypedDict):
    when: StageCondition


class StageGlobal(_StageGlobal, total=False):
    """May be entered from any stage."""
    returns: bool | None
    """Goes back to the stage before, once it is done. Default false."""


class _StageAction(TypedDict):
    type: Literal["SAY", "CALL_TOOL", "SET"]


class StageAction(_StageAction, total=False):
    text: str | None
    """SAY: Liquid template."""
    toolId: str | None
    """CALL_TOOL: one of the flow's tools."""
    arguments: dict[str, Any] | None
    """CALL_TOOL: input of the tool; its texts are Liquid templates."""
    name: str | None
    """SET: a variable of the session."""
    value: str | None
    """SET: Liquid template."""


class _StageEdge(TypedDict):
    id: str
    """a small letter, then small letters, digits and _."""
    to: str
    """a small letter, then small letters, digits and _."""
    when: StageCondition


class StageEdge(_StageEdge, total=False):
    label: str | None
    """Shown in the editor and in reports."""


class FlowStagePosition(TypedDict):
    """Place in the editor."""
    x: float
    y: float


_FlowStage = TypedDict("_FlowStage", {"id": "str", "type": "Literal['TALK', 'CONFIRM', 'SUBFLOW', 'TRANSFER', 'END']"})


_FlowStageOptional = TypedDict("_FlowStageOptional", {"name": "str | None", "isStart": "bool | None", "global": "StageGlobal | None", "prompt": "str | None", "fields": "list[str] | None", "toolIds": "list[str] | None", "onEntry": "list[StageAction] | None", "onExit": "list[StageAction] | None", "edges": "list[StageEdge] | None", "maxVisits": "int | None", "onMaxVisits": "str | None", "languageModelId": "str | None", "flowId": "str | None", "transferTarget": "str | None", "position": "FlowStagePosition | None"}, total=False)


class FlowStage(_FlowStage, _FlowStageOptional):
    pass


class FlowLimits(TypedDict, total=False):
    maxTurns: int | None
    """Turns of the agent. Default 60."""
    maxToolCalls: int | None
    """Calls of tools. Default 50."""
    maxModelTokens: int | None
    """Model tokens. Default 500000."""
    maxCost: str | None
    """What a session may cost by the workspace's prices, as a decimal. Unset: no limit."""
    maxHistoryTokens: int | None
    """What of the conversation the model is told, in tokens; the oldest falls away. Default 24000."""


class FlowMemory(TypedDict, total=False):
    earlierSessions: int | None
    """How many earlier calls and chats with the same contact the agent is told of. Default 0."""


class WorkingHoursWindowsItem(TypedDict):
    days: list[Literal["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]]
    start: str
    """First minute as HH:MM, such as 09:00."""
    end: str
    """Minute after the last as HH:MM, such as 18:00; at most 24:00."""


class _WorkingHours(TypedDict):
    timeZone: str
    """IANA name of a time zone, such as America/New_York."""
    windows: list[WorkingHoursWindowsItem]


class WorkingHours(_WorkingHours, total=False):
    """When humans are there; unset: always."""
    excludeDates: list[str] | None
    """Days without calls."""


class HumanHandoff(TypedDict, total=False):
    """What happens when a person asks for a human in a chat."""
    hours: WorkingHours | None
    waitingMessage: str | None
    """What the person reads within the hours; Liquid template. Unset: the agent's own words."""
    closedMessage: str | None
    """What they read outside the hours; Liquid template, with opensAt. The agent goes on answering."""


class _VoicemailConfig(TypedDict):
    action: Literal["HANG_UP", "LEAVE_MESSAGE"]


class VoicemailConfig(_VoicemailConfig, total=False):
    message: str | None
    """Template; the first message when unset."""


class TurnTaking(TypedDict, total=False):
    """When it is whose turn in a spoken call."""
    endOfTurnMs: int | None
    """Pause that ends a turn, before it adapts to the speaker. Default 500."""
    bargeInMs: int | None
    """Speech over the agent that makes it pause. Default 300."""


class InlineFlow(TypedDict, total=False):
    """A flow for this request alone, by its fields; flowApiId or flowId names a saved one."""
    name: str | None
    """Name of the flow."""
    description: str | None
    """What it is for."""
    masterPrompt: str | None
    """Instructions of the agent; Liquid template over the variables."""
    firstMessage: str | None
    """What the agent says first; Liquid template. Unset: the model opens."""
    voiceId: str | None
    """Voice, by the speech provider's id."""
    language: str | None
    """BCP 47, such as en-US."""
    localVariables: list[LocalVariable] | None
    channelMode: str | None
    """Such as VOICE or CHAT."""
    structuredOutputIds: list[str] | None
    structuredOutputs: list[InlineStructuredOutput] | None
    model: ModelChoice | None
    toolIds: list[str] | None
    """Tools that the agent may call, system tools among them."""
    agentId: str | None
    """Agent whose knowledge base is searched. Unset: the agents that follow the flow."""
    storeKeys: list[str] | None
    """Data stores that read_record and write_record reach."""
    transferTargets: list[TransferTarget] | None
    """Whom transfer_call may hand the call to."""
    stages: list[FlowStage] | None
    """Stages that the dialogue walks through; without them it follows the masterPrompt alone."""
    limits: FlowLimits | None
    memory: FlowMemory | None
    humanHandoff: HumanHandoff | None
    voicemailConfig: VoicemailConfig | None
    turnTaking: TurnTaking | None
    ringTimeoutSeconds: int | None
    """Default 30."""
    maxDurationSeconds: int | None
    """Default 600."""
    silenceTimeoutSeconds: int | None
    """Default 10."""
    callBackInterrupted: bool | None
    """Calls a person back, once, a minute after the operator of the server had to end their call; rowData then has
    interruptedCall: true. Default false.
    """
    recordingEnabled: bool | None
    """Default true."""


class RetryConfig(TypedDict, total=False):
    maxAttempts: int | None
    """The first one included. Default 3."""
    retryOn: list[Literal["BUSY", "NO_ANSWER", "VOICEMAIL", "UNREACHABLE", "CARRIER_FAILURE"]] | None
    """Default BUSY and NO_ANSWER."""
    delaysSeconds: list[int] | None
    """Wait before each retry; the last one repeats. Default 1800, 3600, 7200."""
    jitterPercent: int | None
    """Default 10."""


class CallingWindowInputWindowsItem(TypedDict):
    days: list[Literal["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]]
    start: str
    """First minute as HH:MM, such as 09:00."""
    end: str
    """Minute after the last as HH:MM, such as 18:00; at most 24:00."""


class _CallingWindowInput(TypedDict):
    windows: list[CallingWindowInputWindowsItem]


class CallingWindowInput(_CallingWindowInput, total=False):
    timeZoneMode: Literal["RECIPIENT", "FIXED"] | None
    """RECIPIENT (default): the called person's clock, by the row's timeZone or else in every zone of the number's
    country. FIXED: the clock of timeZone.
    """
    timeZone: str | None
    """IANA name of a time zone, such as America/New_York."""
    excludeDates: list[str] | None
    """Days without calls."""


class _PlaceCall(TypedDict):
    customerNumber: str
    """E.164 number, such as +12025550100."""


class PlaceCall(_PlaceCall, total=False):
    fromPhoneNumber: str | None
    """E.164 number, such as +12025550100."""
    flowApiId: str | None
    """apiId of a saved flow."""
    flowId: str | None
    """uuid or apiId of a saved flow."""
    flow: InlineFlow | None
    contactName: str | None
    contactEmail: str | None
    """E-mail address, such as ada@example.com."""
    timeZone: str | None
    """IANA name of a time zone, such as America/New_York."""
    rowData: dict[str, Any] | None
    """Variables for the conversation: what the agent may know. At most 64 KiB."""
    contextData: dict[str, Any] | None
    """Travels with the call and comes back byte for byte; preloads session memory. At most 64 KiB."""
    retryConfig: RetryConfig | None
    callingWindow: CallingWindowInput | None
    scheduledAt: str | None
    """Not dialled before this time, at most a year from now. Unset: now."""


class CallRefLinks(TypedDict):
    callRow: str
    callHistory: str


class _CallRef(TypedDict):
    rowId: str
    """UUID in its 36-character form."""
    jobId: str | None
    """UUID in its 36-character form."""
    sessionId: str
    """UUID in its 36-character form."""
    status: Literal["QUEUED"]
    customerNumber: str
    """E.164 number, such as +12025550100."""
    fromPhoneNumber: str
    """E.164 number, such as +12025550100."""
    flowId: str | None
    """UUID in its 36-character form."""
    flowApiId: str | None
    inlineFlow: bool
    contactName: str | None
    contactEmail: str | None
    contextData: Any
    """As sent, byte for byte; null when none was."""
    scheduledAt: str | None
    """ISO 8601, UTC."""
    createdAt: str
    """ISO 8601, UTC."""
    links: CallRefLinks


class CallRef(_CallRef, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class Warning(TypedDict):
    path: str
    """JSON Pointer (RFC 6901) to the member in the body."""
    member: str
    """Name of the member, as sent."""
    nearest: str | None
    """The known name that is most like it; null when none is."""
    message: str
    """What is wrong and what to do."""


class AnswerFinding(TypedDict):
    """Who or what was heard to answer; only for calls in real audio."""
    answeredBy: str
    confidence: float
    """From 0 to 1."""
    decidedAfterMs: float
    """Call time at the verdict."""
    reason: str
    """What made it: CARRIER, WORDS, SHORT_GREETING, BEEP and the like."""


class CallAttemptError(TypedDict):
    code: str
    message: str


class CallAttempt(TypedDict):
    number: int
    state: Literal["CLAIMED", "SUBMITTING", "UNKNOWN", "ACCEPTED", "RINGING", "IN_PROGRESS", "ENDED", "REFUSED", "ABSENT", "UNCONFIRMED"]
    provider: str
    providerCallId: str | None
    fromPhoneNumber: str
    startedAt: str
    """ISO 8601, UTC."""
    ringingAt: str | None
    """ISO 8601, UTC."""
    answeredAt: str | None
    """ISO 8601, UTC."""
    endedAt: str | None
    """ISO 8601, UTC."""
    answeredBy: str | None
    outcome: str | None
    endReason: str | None
    sipCode: int | None
    error: CallAttemptError | None


class CallingWindowWindowsItem(TypedDict):
    days: list[Literal["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]]
    start: str
    end: str


class CallingWindow(TypedDict):
    timeZoneMode: Literal["RECIPIENT", "FIXED"]
    timeZone: str | None
    windows: list[CallingWindowWindowsItem]
    excludeDates: list[str]


class Citation(TypedDict):
    itemId: str
    """UUID in its 36-character form."""
    title: str
    position: int
    """Which passage of the item, from 0."""
    headings: list[str]
    """Headings above it, the outermost first."""
    page: int | None
    """Page of a PDF."""


class TurnLatency(TypedDict):
    """How long the person waited for an answer, by stage, in milliseconds."""
    endpointingMs: float
    """The pause after which the person's turn counted as ended."""
    sttMs: float
    """The recogniser's words came that much later."""
    modelMs: float
    """To the first words of the answer."""
    toolsMs: float
    """Waiting for tools before them."""
    ttsMs: float
    """To the first of their sound."""
    transportMs: float
    """To the frame that carried it."""
    totalMs: float
    """From the end of the person's speech, on the call's audio clock."""


class _TranscriptTurn(TypedDict):
    index: int
    role: Literal["ASSISTANT", "USER", "SYSTEM", "TOOL"]
    content: str
    startMs: float
    """Milliseconds of call time since the answer."""
    endMs: float
    interrupted: bool
    toolCallId: str | None


class TranscriptTurn(_TranscriptTurn, total=False):
    openingHeard: float
    """Of the agent's opening (the flow's firstMessage): how much of it the person had heard after this turn, from 0 to
    1. An opening that was talked over is said again from the sentence that was not heard whole.
    """
    citations: list[Citation]
    """Passages of the knowledge base behind what the agent said."""
    latency: TurnLatency
    whisper: bool
    """True for what whoever supervised the call told the agent alone."""
    supervisor: Literal["TYPED", "SPOKEN"]
    """TYPED: words that a supervisor typed, and the agent's voice said; SPOKEN: what a supervisor said who had taken
    the call over. (extension)
    """


class _StageVisit(TypedDict):
    stageId: str
    """Behind the id of a SUBFLOW and a point where it belongs to the flow that runs there."""
    stageName: str
    enteredAt: str
    """ISO 8601, UTC."""
    leftAt: str | None
    """ISO 8601, UTC."""
    edgeId: str | None
    """Edge by which it was left; null: by another way, or not at all."""
    turnIndex: int
    """Index of the line of the transcript that followed."""


class StageVisit(_StageVisit, total=False):
    isTransferred: bool
    """True in a flow to which the session was transferred; absent in its own."""


class _FilledOutput(TypedDict):
    value: Any
    """As the structured output's schema describes it; null when nothing was found."""
    valid: bool
    """False when the value does not fit the schema."""
    errors: list[str]
    extractedAt: str
    """ISO 8601, UTC."""


class FilledOutput(_FilledOutput, total=False):
    sources: dict[str, Literal["ASKED", "FOUND_AFTERWARDS"]]
    """Where each value comes from; only in sessions with stages."""
    pending: Literal[True]
    """The model failed, and is asked again for some minutes."""


class CostBreakdown(TypedDict):
    telephony: str
    llm: str
    stt: str
    tts: str
    messaging: str


class Cost(TypedDict):
    amount: str
    """Decimal."""
    currency: str
    """ISO 4217."""
    simulated: bool
    """Carried by the sandbox: what it would have cost; nothing is billed."""
    breakdown: CostBreakdown


class OptOutReviewRef(TypedDict):
    """The person may have asked for no more contact."""
    id: str
    """UUID in its 36-character form."""
    state: Literal["OPEN", "CONFIRMED", "DISMISSED"]
    """OPEN: the person is left alone until it is decided."""


class CallAlert(TypedDict):
    kind: Literal["LONG_SILENCE", "ANGER", "OPT_OUT_DOUBTFUL", "TOOL_FAILING"]
    """LONG_SILENCE: the person said nothing for 15 s while the agent waited; ANGER: their words were angry;
    OPT_OUT_DOUBTFUL: they may have asked for no more contact; TOOL_FAILING: tools failed twice in a row.
    """
    state: Literal["OPEN", "CLEARED"]
    """CLEARED: what it was about is over, or the call is."""
    raisedAt: str
    """ISO 8601, UTC."""
    clearedAt: str | None
    """ISO 8601, UTC."""
    times: int
    """How often it was raised; raisedAt is the latest."""


class CallRowRecording(TypedDict):
    url: str
    format: str
    channels: int
    durationSeconds: float


class CallRowRecordingFileFailure(TypedDict):
    code: Literal["STORAGE_FULL", "STORAGE_READ_ONLY", "STORAGE_SLOW", "STORAGE_FAILED", "INTERRUPTED"]
    message: str


class CallRowRecordingFile(TypedDict):
    """The file of a call in real audio. FAILED: audio is missing, and `failure` says why."""
    state: Literal["RECORDING", "READY", "FAILED", "ERASING", "ERASED"]
    place: Literal["FOLDER", "SPOOL", "BUCKET"]
    """SPOOL: on the node that made it, on its way to the bucket."""
    failure: CallRowRecordingFileFailure | None


class CallRowLatencyTurnsItem(TypedDict):
    index: int
    """Of the agent's turn."""
    modelMs: float
    """The model's time for the whole turn."""


class CallRowLatency(TypedDict):
    turns: list[CallRowLatencyTurnsItem]
    p50Ms: float | None
    """How long people waited for answers, where the call was audio; else the model's time. The scripted model's time is
    not measured.
    """
    p95Ms: float | None


class CallRowError(TypedDict):
    code: str
    message: str


class CallRow(TypedDict):
    id: str
    """UUID in its 36-character form."""
    jobId: str | None
    """UUID in its 36-character form."""
    sessionId: str
    """UUID in its 36-character form."""
    direction: Literal["OUTBOUND", "INBOUND"]
    """INBOUND: the person called fromPhoneNumber, which is ours in either direction."""
    callBackOf: str | None
    """The call that the operator of the server interrupted, and for which this one calls back. (extension)"""
    line: int | None
    """Line of the file or place in the list it came from."""
    externalId: str | None
    status: Literal["QUEUED", "DIALING", "RINGING", "IN_PROGRESS", "UNKNOWN", "WAITING_FOR_RETRY", "WAITING_FOR_WINDOW", "COMPLETED", "FAILED", "SKIPPED", "CANCELLED", "UNCONFIRMED"]
    actions: list[Literal["cancel", "end"]]
    """Actions that the call's state permits; the request of any other one answers 409. cancel: it waits; end: it is
    dialled or under way. (extension)
    """
    outcome: Literal["ANSWERED", "VOICEMAIL", "CALL_SCREENED", "IVR", "FAX", "BUSY", "NO_ANSWER", "REJECTED", "INVALID_NUMBER", "UNREACHABLE", "CARRIER_FAILURE", "OPTED_OUT", "TRANSFERRED", "INTERRUPTED", "INTERRUPTED_BY_OPERATOR", "BLOCKED", "CANCELLED", "UNCONFIRMED", "FLOW_MISSING"] | None
    endReason: str | None
    answeredBy: str | None
    answer: AnswerFinding | None
    attempt: int
    """Attempts made so far."""
    maxAttempts: int
    nextAttemptAt: str | None
    """Null, too, while an opt-out review of the number is open."""
    attempts: list[CallAttempt]
    customerNumber: str
    fromPhoneNumber: str
    contactName: str | None
    contactEmail: str | None
    timeZone: str | None
    """As sent; null: by the number's country."""
    callingWindow: CallingWindow | None
    rowData: dict[str, Any] | None
    """As sent."""
    contextData: Any
    """As sent, byte for byte."""
    flowId: str | None
    """UUID in its 36-character form."""
    flowApiId: str | None
    flowVersion: int | None
    """Version of the flow that the first dial took; null before it, and for inline ones."""
    inlineFlow: bool
    transcript: list[TranscriptTurn]
    transcriptText: str
    recording: CallRowRecording | None
    recordingFile: CallRowRecordingFile | None
    """The file of a call in real audio. FAILED: audio is missing, and `failure` says why."""
    stagePath: list[StageVisit]
    """Stages that the session walked through, in their order. (extension)"""
    structuredOutputs: dict[str, FilledOutput]
    """By name; an output that failed is shown with its errors."""
    extractedFields: dict[str, Any]
    """Values of all valid outputs, merged."""
    latency: CallRowLatency
    cost: Cost
    optOutReview: OptOutReviewRef | None
    humanRequested: bool
    """The person asked for a human, and the call could not be handed over: somebody has to call back."""
    alerts: list[CallAlert]
    """What a supervisor should have looked at while the call was live. (extension)"""
    error: CallRowError | None
    durationSeconds: float | None
    """Call time since the answer."""
    queuedAt: str
    """ISO 8601, UTC."""
    startedAt: str | None
    """ISO 8601, UTC."""
    answeredAt: str | None
    """ISO 8601, UTC."""
    endedAt: str | None
    """ISO 8601, UTC."""
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""


class CallHistoryPage(TypedDict):
    content: list[CallRow]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class RecordingPeaksChannelsItem(TypedDict):
    name: Literal["AGENT", "CUSTOMER"]
    peaks: list[int]
    """The loudest sample of each interval; 255 is full scale."""


class RecordingPeaksTurnsItem(TypedDict):
    index: int
    startMs: float
    endMs: float


class RecordingPeaks(TypedDict):
    intervalMs: int
    """Milliseconds that each peak stands for."""
    durationMs: int
    channels: list[RecordingPeaksChannelsItem]
    turns: list[RecordingPeaksTurnsItem] | None
    """Where the turns of the transcript are in a recording that was spoken instead of tones; null: at the times of the
    transcript.
    """


class Supervision(TypedDict):
    token: str
    """For the first message of the WebSocket; good for one connection."""
    socketUrl: str
    expiresAt: str
    """ISO 8601, UTC."""


class Whisper(TypedDict):
    text: str
    """What the agent is to know."""


class _Whispered(TypedDict):
    callRowId: str
    """UUID in its 36-character form."""
    text: str
    """As the agent reads it."""


class Whispered(_Whispered, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class SaidWords(TypedDict):
    text: str
    """What the person is to hear."""


class _AcceptedWords(TypedDict):
    callRowId: str
    """UUID in its 36-character form."""
    text: str
    """As the agent's voice says it."""


class AcceptedWords(_AcceptedWords, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class EndedCall(TypedDict):
    callRowId: str
    """UUID in its 36-character form."""
    ending: bool
    """The call ends now; read its row for what came of it."""


class _CompletionWebhookInput(TypedDict):
    url: str


class CompletionWebhookInput(_CompletionWebhookInput, total=False):
    authMode: Literal["NONE", "BEARER", "CUSTOM_HEADER"] | None
    """Default: the mode whose secret is sent; NONE without one."""
    secret: str | None
    """For BEARER."""
    headerName: str | None
    """For CUSTOM_HEADER."""
    headerValue: str | None
    """For CUSTOM_HEADER."""


class _CreateCallJobRowsItem(TypedDict):
    customerNumber: str
    """E.164 number, such as +12025550100."""


class CreateCallJobRowsItem(_CreateCallJobRowsItem, total=False):
    contactName: str | None
    contactEmail: str | None
    """E-mail address, such as ada@example.com."""
    timeZone: str | None
    """IANA name of a time zone, such as America/New_York."""
    rowData: dict[str, Any] | None
    """Variables for the conversation: what the agent may know. At most 64 KiB."""
    contextData: dict[str, Any] | None
    """Travels with the call and comes back byte for byte; preloads session memory. At most 64 KiB."""
    externalId: str | None
    priority: int | None
    """Higher goes first."""


class _CreateCallJob(TypedDict):
    rows: list[CreateCallJobRowsItem]


class CreateCallJob(_CreateCallJob, total=False):
    name: str | None
    flowApiId: str | None
    """apiId of a saved flow."""
    flowId: str | None
    """uuid or apiId of a saved flow."""
    flow: InlineFlow | None
    fromPhoneNumber: str | None
    """E.164 number, such as +12025550100."""
    fromPhoneNumbers: list[str] | None
    startAt: str | None
    """ISO 8601 with a zone, such as 2026-12-01T09:00:00Z."""
    maxConcurrency: int | None
    """Calls of this job at once, shared out over its numbers."""
    retryConfig: RetryConfig | None
    callingWindow: CallingWindowInput | None
    completionWebhook: CompletionWebhookInput | None


class StoredRetryConfig(TypedDict):
    """With every default filled in."""
    maxAttempts: int
    """The first one included."""
    retryOn: list[Literal["BUSY", "NO_ANSWER", "VOICEMAIL", "UNREACHABLE", "CARRIER_FAILURE"]]
    delaysSeconds: list[int]
    """Wait before each retry; the last one repeats."""
    jitterPercent: int


class CompletionWebhook(TypedDict):
    url: str
    authMode: Literal["NONE", "BEARER", "CUSTOM_HEADER"]
    headerName: str | None
    signingSecret: str | None
    """whsec_… of Standard Webhooks; shown once, when the job is made."""


class RowError(TypedDict):
    line: int
    column: str
    code: str
    message: str


class _CreatedCallJob(TypedDict):
    id: str
    """UUID in its 36-character form."""
    name: str
    status: Literal["IMPORTING", "SCHEDULED", "RUNNING", "PAUSED", "CANCELLING", "COMPLETED", "CANCELLED", "FAILED"]
    actions: list[Literal["pause", "resume", "cancel", "change", "changeDialling", "addRows", "retryFailed"]]
    """Actions that the job's state permits; the request of any other one answers 409. change: PATCH; changeDialling:
    PATCH with maxConcurrency, retryConfig or callingWindow, too. (extension)
    """
    pauseReason: str | None
    run: int
    """Counts up when rows are added or retried after completion."""
    flowId: str | None
    """UUID in its 36-character form."""
    flowApiId: str | None
    inlineFlow: bool
    fromPhoneNumbers: list[str]
    maxConcurrency: int | None
    retryConfig: StoredRetryConfig
    callingWindow: CallingWindow | None
    completionWebhook: CompletionWebhook | None
    totalRows: int
    processedRows: int
    """successfulRows + errorRows."""
    successfulRows: int
    errorRows: int
    reachedRows: int
    """Of processedRows: those in which a person was on the line, whatever became of it. (extension)"""
    machineRows: int
    """Of processedRows: those that a machine took: VOICEMAIL, CALL_SCREENED, IVR or FAX. A message that was left is
    also among successfulRows. (extension)
    """
    rejectedRows: int
    """Lines that could not be taken; outside totalRows."""
    searchableRows: int
    """Of totalRows: those that a search by name or part of a number finds. Fewer than all for a while after a large
    list was imported. (extension)
    """
    pendingRows: int
    inProgressRows: int
    waitingForRetryRows: int
    """Of pendingRows: those that wait for another attempt. (extension)"""
    startAt: str | None
    """ISO 8601, UTC."""
    createdAt: str
    """ISO 8601, UTC."""
    startedAt: str | None
    """ISO 8601, UTC."""
    completedAt: str | None
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""
    acceptedRows: int
    rowErrors: list[RowError]
    """The first 100; all of them at /call-jobs/{id}/row-errors."""


class CreatedCallJob(_CreatedCallJob, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class _CallJob(TypedDict):
    id: str
    """UUID in its 36-character form."""
    name: str
    status: Literal["IMPORTING", "SCHEDULED", "RUNNING", "PAUSED", "CANCELLING", "COMPLETED", "CANCELLED", "FAILED"]
    actions: list[Literal["pause", "resume", "cancel", "change", "changeDialling", "addRows", "retryFailed"]]
    """Actions that the job's state permits; the request of any other one answers 409. change: PATCH; changeDialling:
    PATCH with maxConcurrency, retryConfig or callingWindow, too. (extension)
    """
    pauseReason: str | None
    run: int
    """Counts up when rows are added or retried after completion."""
    flowId: str | None
    """UUID in its 36-character form."""
    flowApiId: str | None
    inlineFlow: bool
    fromPhoneNumbers: list[str]
    maxConcurrency: int | None
    retryConfig: StoredRetryConfig
    callingWindow: CallingWindow | None
    completionWebhook: CompletionWebhook | None
    totalRows: int
    processedRows: int
    """successfulRows + errorRows."""
    successfulRows: int
    errorRows: int
    reachedRows: int
    """Of processedRows: those in which a person was on the line, whatever became of it. (extension)"""
    machineRows: int
    """Of processedRows: those that a machine took: VOICEMAIL, CALL_SCREENED, IVR or FAX. A message that was left is
    also among successfulRows. (extension)
    """
    rejectedRows: int
    """Lines that could not be taken; outside totalRows."""
    searchableRows: int
    """Of totalRows: those that a search by name or part of a number finds. Fewer than all for a while after a large
    list was imported. (extension)
    """
    pendingRows: int
    inProgressRows: int
    waitingForRetryRows: int
    """Of pendingRows: those that wait for another attempt. (extension)"""
    startAt: str | None
    """ISO 8601, UTC."""
    createdAt: str
    """ISO 8601, UTC."""
    startedAt: str | None
    """ISO 8601, UTC."""
    completedAt: str | None
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""


class CallJob(_CallJob, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class CallJobPage(TypedDict):
    content: list[CallJob]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class CallJobSummaryStatusesItem(TypedDict):
    status: Literal["QUEUED", "DIALING", "RINGING", "IN_PROGRESS", "UNKNOWN", "WAITING_FOR_RETRY", "WAITING_FOR_WINDOW", "COMPLETED", "FAILED", "SKIPPED", "CANCELLED", "UNCONFIRMED"]
    count: int


class CallJobSummaryOutcomesItem(TypedDict):
    outcome: Literal["ANSWERED", "VOICEMAIL", "CALL_SCREENED", "IVR", "FAX", "BUSY", "NO_ANSWER", "REJECTED", "INVALID_NUMBER", "UNREACHABLE", "CARRIER_FAILURE", "OPTED_OUT", "TRANSFERRED", "INTERRUPTED", "INTERRUPTED_BY_OPERATOR", "BLOCKED", "CANCELLED", "UNCONFIRMED", "FLOW_MISSING"]
    count: int


class CallJobSummaryErrorsItem(TypedDict):
    code: str
    count: int


class CallJobSummaryRetriesItem(TypedDict):
    attempt: int
    count: int
    firstAt: str
    """ISO 8601, UTC."""
    lastAt: str
    """ISO 8601, UTC."""


class CallJobSummaryNumbersItem(TypedDict):
    phoneNumberId: str
    """UUID in its 36-character form."""
    phoneNumber: str
    status: str
    activeCalls: int
    """Calls of this job."""
    maxCalls: int | None
    """The job's share; null: as many as the number takes."""
    numberActiveCalls: int
    """Calls of the number, whatever they belong to."""
    numberMaxCalls: int


class CallJobSummary(TypedDict):
    jobId: str
    """UUID in its 36-character form."""
    asOf: str
    """ISO 8601, UTC."""
    statuses: list[CallJobSummaryStatusesItem]
    """Rows by the status that they show now."""
    outcomes: list[CallJobSummaryOutcomesItem]
    """Rows that are over, by outcome."""
    errors: list[CallJobSummaryErrorsItem]
    """Rows that are over with an error, by its code; the 20 most frequent."""
    retries: list[CallJobSummaryRetriesItem]
    """Rows that wait for another attempt, or for the calling window before it: by its number, and between when and when
    they are due.
    """
    numbers: list[CallJobSummaryNumbersItem]


class CallRowPage(TypedDict):
    content: list[CallRow]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class PatchCallJob(TypedDict, total=False):
    name: str
    maxConcurrency: int | None
    """At least as many as the job has phone numbers; null: as many as the numbers allow."""
    retryConfig: RetryConfig | None
    callingWindow: CallingWindowInput | None
    completionWebhook: CompletionWebhookInput | None
    before: dict[str, Any]
    """Settings as the caller read them: 409 when one of these has another value by now. Unset: the change is made
    anyway.
    """


class _AppendedRows(TypedDict):
    id: str
    """UUID in its 36-character form."""
    name: str
    status: Literal["IMPORTING", "SCHEDULED", "RUNNING", "PAUSED", "CANCELLING", "COMPLETED", "CANCELLED", "FAILED"]
    actions: list[Literal["pause", "resume", "cancel", "change", "changeDialling", "addRows", "retryFailed"]]
    """Actions that the job's state permits; the request of any other one answers 409. change: PATCH; changeDialling:
    PATCH with maxConcurrency, retryConfig or callingWindow, too. (extension)
    """
    pauseReason: str | None
    run: int
    """Counts up when rows are added or retried after completion."""
    flowId: str | None
    """UUID in its 36-character form."""
    flowApiId: str | None
    inlineFlow: bool
    fromPhoneNumbers: list[str]
    maxConcurrency: int | None
    retryConfig: StoredRetryConfig
    callingWindow: CallingWindow | None
    completionWebhook: CompletionWebhook | None
    totalRows: int
    processedRows: int
    """successfulRows + errorRows."""
    successfulRows: int
    errorRows: int
    reachedRows: int
    """Of processedRows: those in which a person was on the line, whatever became of it. (extension)"""
    machineRows: int
    """Of processedRows: those that a machine took: VOICEMAIL, CALL_SCREENED, IVR or FAX. A message that was left is
    also among successfulRows. (extension)
    """
    rejectedRows: int
    """Lines that could not be taken; outside totalRows."""
    searchableRows: int
    """Of totalRows: those that a search by name or part of a number finds. Fewer than all for a while after a large
    list was imported. (extension)
    """
    pendingRows: int
    inProgressRows: int
    waitingForRetryRows: int
    """Of pendingRows: those that wait for another attempt. (extension)"""
    startAt: str | None
    """ISO 8601, UTC."""
    createdAt: str
    """ISO 8601, UTC."""
    startedAt: str | None
    """ISO 8601, UTC."""
    completedAt: str | None
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""
    acceptedRows: int
    duplicateRows: int
    """Rows whose externalId the job had already; left as they are."""
    rowErrors: list[RowError]
    """The first 100, by place in the list that was sent."""


class AppendedRows(_AppendedRows, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class RetriedRows(TypedDict):
    id: str
    """UUID in its 36-character form."""
    name: str
    status: Literal["IMPORTING", "SCHEDULED", "RUNNING", "PAUSED", "CANCELLING", "COMPLETED", "CANCELLED", "FAILED"]
    actions: list[Literal["pause", "resume", "cancel", "change", "changeDialling", "addRows", "retryFailed"]]
    """Actions that the job's state permits; the request of any other one answers 409. change: PATCH; changeDialling:
    PATCH with maxConcurrency, retryConfig or callingWindow, too. (extension)
    """
    pauseReason: str | None
    run: int
    """Counts up when rows are added or retried after completion."""
    flowId: str | None
    """UUID in its 36-character form."""
    flowApiId: str | None
    inlineFlow: bool
    fromPhoneNumbers: list[str]
    maxConcurrency: int | None
    retryConfig: StoredRetryConfig
    callingWindow: CallingWindow | None
    completionWebhook: CompletionWebhook | None
    totalRows: int
    processedRows: int
    """successfulRows + errorRows."""
    successfulRows: int
    errorRows: int
    reachedRows: int
    """Of processedRows: those in which a person was on the line, whatever became of it. (extension)"""
    machineRows: int
    """Of processedRows: those that a machine took: VOICEMAIL, CALL_SCREENED, IVR or FAX. A message that was left is
    also among successfulRows. (extension)
    """
    rejectedRows: int
    """Lines that could not be taken; outside totalRows."""
    searchableRows: int
    """Of totalRows: those that a search by name or part of a number finds. Fewer than all for a while after a large
    list was imported. (extension)
    """
    pendingRows: int
    inProgressRows: int
    waitingForRetryRows: int
    """Of pendingRows: those that wait for another attempt. (extension)"""
    startAt: str | None
    """ISO 8601, UTC."""
    createdAt: str
    """ISO 8601, UTC."""
    startedAt: str | None
    """ISO 8601, UTC."""
    completedAt: str | None
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""
    retriedRows: int
    """Rows that are back in the queue."""
    moreFollow: bool
    """True for a job of very many rows: the failed ones behind those that were looked at follow within minutes, and
    retriedRows does not count them.
    """


class FirstCallOpeningsItem(TypedDict):
    version: int | None
    """Null: an inline flow."""
    percent: int
    """Share of new calls that take this version."""
    flowName: str | None
    language: str
    """BCP 47."""
    text: str | None
    """What the agent says first, with this person's variables; null: the model opens."""
    emptyVariables: list[str]
    """Variables of the first message that are empty for this person, such as {{ day }}."""
    error: str | None
    """Reason why a template cannot be rendered."""


class FirstCall(TypedDict):
    """Call of the first row that would be dialled, for a job that is not made yet. callingWindow: the job's, or else
    the workspace's; null: any hour, as for simulated calls.
    """
    line: int | None
    customerNumber: str
    contactName: str | None
    fromPhoneNumber: str
    flowId: str | None
    """UUID in its 36-character form."""
    flowApiId: str | None
    openings: list[FirstCallOpeningsItem]
    """For each version that new calls take, the largest share first."""
    callingWindow: CallingWindow | None
    timeZones: list[str]
    """Zones in which the person may be."""
    opensAt: str | None
    """Earliest time of the dial by startAt and calling window; null when the window never opens."""


class PreflightReasonsItemRowsItem(TypedDict):
    rowId: str | None
    """UUID in its 36-character form."""
    line: int | None
    customerNumber: str
    externalId: str | None


class PreflightReasonsItem(TypedDict):
    code: Literal["EMERGENCY_NUMBER", "PREMIUM_NUMBER", "SATELLITE_NUMBER", "INVALID_NUMBER", "DO_NOT_CALL", "BALANCE_EXHAUSTED", "TIME_ZONE_UNKNOWN", "COUNTRY_NOT_ENABLED"]
    message: str
    count: int
    rows: list[PreflightReasonsItemRowsItem]
    """The first 20."""


class PreflightWaitsItemRowsItem(TypedDict):
    rowId: str | None
    """UUID in its 36-character form."""
    line: int | None
    customerNumber: str
    externalId: str | None


class PreflightWaitsItem(TypedDict):
    code: Literal["CALLING_WINDOW", "ATTEMPTS_PER_DAY", "ATTEMPT_GAP", "OPT_OUT_REVIEW"]
    message: str
    count: int
    rows: list[PreflightWaitsItemRowsItem]
    """The first 20."""


class _Preflight(TypedDict):
    totalRows: int
    """Rows that were judged: callableRows + skippedRows."""
    callableRows: int
    """Rows that would be dialled, now or when their window opens."""
    waitingForWindowRows: int
    """Of callableRows: outside the calling window now."""
    skippedRows: int
    rejectedRows: int
    """Rows that a job would not take."""
    reasons: list[PreflightReasonsItem]
    waits: list[PreflightWaitsItem]
    """Of callableRows: who would be put off now, and why."""
    rowErrors: list[RowError]
    """The first 100."""
    firstCall: FirstCall | None


class Preflight(_Preflight, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class CancelledCall(TypedDict):
    callRowId: str
    """UUID in its 36-character form."""
    cancelled: bool
    """The call is CANCELLED and never dialled again."""


class FieldResultValuesItem(TypedDict):
    value: str
    count: int


FieldResultNumbersHistogramItem = TypedDict("FieldResultNumbersHistogramItem", {"from": "float", "to": "float", "count": "int"})


class FieldResultNumbers(TypedDict):
    """Of NUMBER. All but the mean are rounded to three digits."""
    count: int
    min: float
    median: float
    mean: float
    max: float
    histogram: list[FieldResultNumbersHistogramItem]
    """Up to 10 different numbers: each by itself. More: 10 parts of equal width; each but the last leaves out `to`."""


class FieldResult(TypedDict):
    field: str
    """Its name; nested ones by their path, such as visit.attending."""
    type: Literal["BOOLEAN", "NUMBER", "DATE", "TEXT"]
    """Type of most of its values. A choice from a list is a TEXT."""
    filled: int
    """Calls answered by a person with a value of any type."""
    otherValues: int
    """Filled calls whose value is in neither `values` nor `numbers`."""
    values: list[FieldResultValuesItem]
    """BOOLEAN: true and false. TEXT: the most frequent 20 of up to 60 characters. DATE: days, or weeks by their Monday
    where they span over 92 days. NUMBER: empty.
    """
    dateUnit: Literal["DAY", "WEEK"] | None
    """Of `values`; null for other types."""
    numbers: FieldResultNumbers | None
    """Of NUMBER. All but the mean are rounded to three digits."""


class ResultsGoal(TypedDict):
    field: str
    value: str


class ResultsSuccessConditionsItem(TypedDict):
    flowApiId: str
    words: str


class ResultsFunnelSuccessRate(TypedDict):
    """Successes by calls that a person answered, with the 95 % interval by Wilson."""
    value: float
    low: float
    high: float


class ResultsFunnel(TypedDict):
    calls: int
    """Calls that are over."""
    dialled: int
    """Of them, those that were dialled or that came in."""
    answeredByPerson: int
    answeredByMachine: int
    """Voicemail, call screening, IVR or fax. Not part of the steps that follow."""
    talked: int
    """Calls in which a person spoke."""
    succeeded: int
    """Calls that came to the goal."""
    talkSeconds: int
    """Length of all calls."""
    cost: str
    """Billed, as an exact decimal. Calls of the sandbox bill nothing."""
    simulatedCost: str
    """Cost that the calls of the sandbox would have had."""
    costPerSuccess: float | None
    """cost and simulatedCost by success; null without a success."""
    successRate: ResultsFunnelSuccessRate | None
    """Successes by calls that a person answered, with the 95 % interval by Wilson."""


class ResultsHoursItem(TypedDict):
    weekday: int
    """1 is Monday, 7 is Sunday."""
    hour: int
    """0 to 23."""
    dials: int
    answeredByPerson: int
    answeredByMachine: int
    answerRate: float | None
    """From 0 to 1; null where nothing was counted."""


class ResultsVersionsItemSuccessRate(TypedDict):
    """Successes by calls that a person answered, with the 95 % interval by Wilson."""
    value: float
    low: float
    high: float


class ResultsVersionsItem(TypedDict):
    flowApiId: str | None
    """Null: a flow that came with its call."""
    version: int | None
    calls: int
    """Calls that are over."""
    dialled: int
    """Of them, those that were dialled or that came in."""
    answeredByPerson: int
    answeredByMachine: int
    """Voicemail, call screening, IVR or fax. Not part of the steps that follow."""
    talked: int
    """Calls in which a person spoke."""
    succeeded: int
    """Calls that came to the goal."""
    cost: str
    """Billed, as an exact decimal. Calls of the sandbox bill nothing."""
    simulatedCost: str
    """Cost that the calls of the sandbox would have had."""
    costPerSuccess: float | None
    """cost and simulatedCost by success; null without a success."""
    successRate: ResultsVersionsItemSuccessRate | None
    """Successes by calls that a person answered, with the 95 % interval by Wilson."""


class ResultsVerdictsItemDifference(TypedDict):
    value: float
    low: float
    high: float


class ResultsVerdictsItem(TypedDict):
    flowApiId: str
    verdict: Literal["BETTER", "NO_DIFFERENCE_YET", "TOO_FEW_CALLS"]
    version: int
    """The version with the higher rate."""
    comparedWith: int
    difference: ResultsVerdictsItemDifference
    words: str


class ResultsNumbersItemSuccessRate(TypedDict):
    """Successes by calls that a person answered, with the 95 % interval by Wilson."""
    value: float
    low: float
    high: float


class ResultsNumbersItem(TypedDict):
    phoneNumberId: str | None
    """UUID in its 36-character form."""
    phoneNumber: str | None
    """Null: over the web, or a number that was removed."""
    calls: int
    """Calls that are over."""
    dialled: int
    """Of them, those that were dialled or that came in."""
    answeredByPerson: int
    answeredByMachine: int
    """Voicemail, call screening, IVR or fax. Not part of the steps that follow."""
    talked: int
    """Calls in which a person spoke."""
    succeeded: int
    """Calls that came to the goal."""
    dials: int
    answerRate: float | None
    """From 0 to 1; null where nothing was counted."""
    cost: str
    """Billed, as an exact decimal. Calls of the sandbox bill nothing."""
    simulatedCost: str
    """Cost that the calls of the sandbox would have had."""
    costPerSuccess: float | None
    """cost and simulatedCost by success; null without a success."""
    successRate: ResultsNumbersItemSuccessRate | None
    """Successes by calls that a person answered, with the 95 % interval by Wilson."""


class ResultsOutcomesItem(TypedDict):
    outcome: Literal["ANSWERED", "VOICEMAIL", "CALL_SCREENED", "IVR", "FAX", "BUSY", "NO_ANSWER", "REJECTED", "INVALID_NUMBER", "UNREACHABLE", "CARRIER_FAILURE", "OPTED_OUT", "TRANSFERRED", "INTERRUPTED", "INTERRUPTED_BY_OPERATOR", "BLOCKED", "CANCELLED", "UNCONFIRMED", "FLOW_MISSING"]
    count: int


class ResultsToolsItem(TypedDict):
    tool: str
    calls: int
    """Calls that used it."""
    failed: int
    """Of them, those in which it failed at least once."""


class ResultsReasonsItem(TypedDict):
    code: str
    count: int


Results = TypedDict("Results", {"asOf": "str", "from": "str | None", "to": "str", "timeZone": "str", "waiting": "int", "isFilling": "bool", "currency": "str", "goal": "ResultsGoal | None", "successConditions": "list[ResultsSuccessConditionsItem]", "funnel": "ResultsFunnel", "hours": "list[ResultsHoursItem]", "fields": "list[FieldResult]", "versions": "list[ResultsVersionsItem]", "verdicts": "list[ResultsVerdictsItem]", "numbers": "list[ResultsNumbersItem]", "outcomes": "list[ResultsOutcomesItem]", "askedForHuman": "int", "tools": "list[ResultsToolsItem]", "reasons": "list[ResultsReasonsItem]"})


class ResultCallsPage(TypedDict):
    content: list[CallRow]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


_ResultBoardFiltersOptional = TypedDict("_ResultBoardFiltersOptional", {"from": "str", "to": "str", "lastDays": "int", "timeZone": "str", "jobId": "str", "flowApiId": "str", "flowVersion": "int", "phoneNumberId": "str", "channel": "Literal['OUTBOUND', 'INBOUND', 'WEB']", "goalField": "str", "goalValue": "str"}, total=False)


class ResultBoardFilters(_ResultBoardFiltersOptional):
    pass


class _ResultBoard(TypedDict):
    id: str
    """UUID in its 36-character form."""
    name: str
    filters: ResultBoardFilters
    cards: list[Literal["FUNNEL", "OUTCOMES", "HOURS", "FIELDS", "VERSIONS", "NUMBERS", "TOOLS"]]
    """In their order."""
    createdBy: str | None
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""


class ResultBoard(_ResultBoard, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class ResultBoardInput(TypedDict):
    name: str
    filters: ResultBoardFilters
    cards: list[Literal["FUNNEL", "OUTCOMES", "HOURS", "FIELDS", "VERSIONS", "NUMBERS", "TOOLS"]]
    """In their order."""


class ResultBoardChange(TypedDict, total=False):
    name: str
    filters: ResultBoardFilters
    cards: list[Literal["FUNNEL", "OUTCOMES", "HOURS", "FIELDS", "VERSIONS", "NUMBERS", "TOOLS"]]
    """In their order."""


class _LeadMapping(TypedDict):
    customerNumber: str
    """Where it is in the delivery: `lead.phones.0`, `fields[name=phone].value`, the name of a form field, or `$` for
    all of it.
    """


class LeadMapping(_LeadMapping, total=False):
    """rowData and contextData take a path for each of their members: the agent may know the first, the second travels
    with the call.
    """
    externalId: str | None
    """Where it is in the delivery: `lead.phones.0`, `fields[name=phone].value`, the name of a form field, or `$` for
    all of it.
    """
    contactName: str | None
    """Where it is in the delivery: `lead.phones.0`, `fields[name=phone].value`, the name of a form field, or `$` for
    all of it.
    """
    contactEmail: str | None
    """Where it is in the delivery: `lead.phones.0`, `fields[name=phone].value`, the name of a form field, or `$` for
    all of it.
    """
    timeZone: str | None
    """Where it is in the delivery: `lead.phones.0`, `fields[name=phone].value`, the name of a form field, or `$` for
    all of it.
    """
    deliveryId: str | None
    """Where it is in the delivery: `lead.phones.0`, `fields[name=phone].value`, the name of a form field, or `$` for
    all of it.
    """
    consent: str | None
    """Where it is in the delivery: `lead.phones.0`, `fields[name=phone].value`, the name of a form field, or `$` for
    all of it.
    """
    rowData: dict[str, Any] | None
    contextData: dict[str, Any] | None


class _LeadSource(TypedDict):
    id: str
    """UUID in its 36-character form."""
    name: str
    active: bool
    url: str | None
    """Its address, with a secret; shown once, when it is made or rotated. Null otherwise."""
    flowId: str | None
    """Null: the workspace's default flow."""
    fromPhoneNumber: str | None
    """Null: the workspace's default number."""
    retryConfig: StoredRetryConfig
    callingWindow: CallingWindow | None
    startAt: str | None
    """ISO 8601, UTC."""
    delaySeconds: int
    mapping: LeadMapping
    defaultCountry: str | None
    deduplicateBy: Literal["EXTERNAL_ID", "NUMBER", "EITHER", "NONE"]
    deduplicateHours: int
    dailyLimit: int | None
    consentRequired: bool
    signature: Literal["NONE", "HMAC_SHA256", "STANDARD_WEBHOOKS"]
    signatureHeader: str | None
    signingSecret: str | None
    """******** when there is one."""
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""


class LeadSource(_LeadSource, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class LeadDelivery(TypedDict):
    id: str
    """UUID in its 36-character form."""
    status: Literal["QUEUED", "DUPLICATE", "REFUSED"]
    """DUPLICATE: a repeat, which dials nobody. REFUSED: no lead, for the reason."""
    reason: Literal["SIGNATURE", "CONTENT_TYPE", "BODY", "NUMBER", "CONSENT", "DAILY_LIMIT", "SETTINGS", "FIELD", "REPEATED_DELIVERY", "REPEATED_EXTERNAL_ID", "REPEATED_NUMBER"] | None
    message: str | None
    customerNumber: str | None
    externalId: str | None
    consent: str | None
    """As it was sent."""
    rowId: str | None
    """The call; of a repeat, that of the first."""
    contentType: str | None
    body: str | None
    """As it was sent; null once its contact was erased."""
    createdAt: str
    """ISO 8601, UTC."""


class LeadDeliveryPage(TypedDict):
    content: list[LeadDelivery]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class _LeadSourceInput(TypedDict):
    name: str
    mapping: LeadMapping


class LeadSourceInput(_LeadSourceInput, total=False):
    active: bool
    """False: deliveries are refused. Default true."""
    flowId: str | None
    """uuid or apiId of a saved flow. Unset: the default."""
    fromPhoneNumber: str | None
    """E.164 number, such as +12025550100."""
    retryConfig: RetryConfig | None
    callingWindow: CallingWindowInput | None
    startAt: str | None
    """Nobody is called before this time."""
    delaySeconds: int
    """Wait from the delivery to the call. Default 0."""
    defaultCountry: str | None
    """ISO 3166 code of the country of numbers without one."""
    deduplicateBy: Literal["EXTERNAL_ID", "NUMBER", "EITHER", "NONE"]
    """What of an earlier lead makes a delivery its repeat, besides its id. Default EITHER."""
    deduplicateHours: int
    """How long after the earlier lead. Default 24."""
    dailyLimit: int | None
    """Calls queued a day, by workspace time."""
    consentRequired: bool
    """True: leads without consent at mapping.consent are refused. Default false."""
    signature: Literal["NONE", "HMAC_SHA256", "STANDARD_WEBHOOKS"]
    """HMAC_SHA256: digest of the body in signatureHeader, in hex or base64. STANDARD_WEBHOOKS: its three headers."""
    signatureHeader: str | None
    """For HMAC_SHA256."""
    signingSecret: str | None
    """The sender's secret; ******** keeps it."""


class LeadSourceChange(TypedDict, total=False):
    name: str
    active: bool
    """False: deliveries are refused. Default true."""
    flowId: str | None
    """uuid or apiId of a saved flow. Unset: the default."""
    fromPhoneNumber: str | None
    """E.164 number, such as +12025550100."""
    retryConfig: RetryConfig | None
    callingWindow: CallingWindowInput | None
    startAt: str | None
    """Nobody is called before this time."""
    delaySeconds: int
    """Wait from the delivery to the call. Default 0."""
    mapping: LeadMapping
    defaultCountry: str | None
    """ISO 3166 code of the country of numbers without one."""
    deduplicateBy: Literal["EXTERNAL_ID", "NUMBER", "EITHER", "NONE"]
    """What of an earlier lead makes a delivery its repeat, besides its id. Default EITHER."""
    deduplicateHours: int
    """How long after the earlier lead. Default 24."""
    dailyLimit: int | None
    """Calls queued a day, by workspace time."""
    consentRequired: bool
    """True: leads without consent at mapping.consent are refused. Default false."""
    signature: Literal["NONE", "HMAC_SHA256", "STANDARD_WEBHOOKS"]
    """HMAC_SHA256: digest of the body in signatureHeader, in hex or base64. STANDARD_WEBHOOKS: its three headers."""
    signatureHeader: str | None
    """For HMAC_SHA256."""
    signingSecret: str | None
    """The sender's secret; ******** keeps it."""


class _LeadMappingSample(TypedDict):
    sample: Any
    """A delivery as its sender would send it: JSON, or the text of form fields."""
    mapping: LeadMapping


class LeadMappingSample(_LeadMappingSample, total=False):
    defaultCountry: str | None
    consentRequired: bool


class LeadPreviewPathsItem(TypedDict):
    path: str
    sample: Any
    """The value there."""


class _LeadPreview(TypedDict):
    result: Literal["QUEUED", "DUPLICATE", "REFUSED"]
    reason: Literal["SIGNATURE", "CONTENT_TYPE", "BODY", "NUMBER", "CONSENT", "DAILY_LIMIT", "SETTINGS", "FIELD", "REPEATED_DELIVERY", "REPEATED_EXTERNAL_ID", "REPEATED_NUMBER"] | None
    message: str | None
    lead: dict[str, Any] | None
    """The call as the mapping reads it: customerNumber, externalId, rowData and so on."""
    preflight: Preflight | None
    paths: list[LeadPreviewPathsItem]
    """Paths of the sample that a mapping can name, at most 200."""


class LeadPreview(_LeadPreview, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class LeadSample(TypedDict):
    sample: Any
    """A delivery as its sender would send it: JSON, or the text of form fields."""


class _Flow(TypedDict):
    id: str
    """UUID in its 36-character form."""
    apiId: str
    name: str | None
    """Name of the flow."""
    description: str | None
    """What it is for."""
    masterPrompt: str | None
    """Instructions of the agent; Liquid template over the variables."""
    firstMessage: str | None
    """What the agent says first; Liquid template. Unset: the model opens."""
    voiceId: str | None
    """Voice, by the speech provider's id."""
    language: str | None
    """BCP 47, such as en-US."""
    localVariables: list[LocalVariable] | None
    channelMode: str | None
    """Such as VOICE or CHAT."""
    structuredOutputIds: list[str] | None
    structuredOutputs: list[InlineStructuredOutput] | None
    model: ModelChoice | None
    toolIds: list[str] | None
    """Tools that the agent may call, system tools among them."""
    agentId: str | None
    """Agent whose knowledge base is searched. Unset: the agents that follow the flow."""
    storeKeys: list[str] | None
    """Data stores that read_record and write_record reach."""
    transferTargets: list[TransferTarget] | None
    """Whom transfer_call may hand the call to."""
    stages: list[FlowStage] | None
    """Stages that the dialogue walks through; without them it follows the masterPrompt alone."""
    limits: FlowLimits | None
    memory: FlowMemory | None
    humanHandoff: HumanHandoff | None
    voicemailConfig: VoicemailConfig | None
    turnTaking: TurnTaking | None
    ringTimeoutSeconds: int | None
    """Default 30."""
    maxDurationSeconds: int | None
    """Default 600."""
    silenceTimeoutSeconds: int | None
    """Default 10."""
    callBackInterrupted: bool | None
    """Calls a person back, once, a minute after the operator of the server had to end their call; rowData then has
    interruptedCall: true. Default false.
    """
    recordingEnabled: bool | None
    """Default true."""
    userId: str | None
    version: int
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""


class Flow(_Flow, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class FlowPage(TypedDict):
    content: list[Flow]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class _NewFlow(TypedDict):
    name: str
    """Name of the flow."""


class NewFlow(_NewFlow, total=False):
    description: str | None
    """What it is for."""
    masterPrompt: str | None
    """Instructions of the agent; Liquid template over the variables."""
    firstMessage: str | None
    """What the agent says first; Liquid template. Unset: the model opens."""
    voiceId: str | None
    """Voice, by the speech provider's id."""
    language: str | None
    """BCP 47, such as en-US."""
    localVariables: list[LocalVariable] | None
    channelMode: str | None
    """Such as VOICE or CHAT."""
    structuredOutputIds: list[str] | None
    structuredOutputs: list[InlineStructuredOutput] | None
    model: ModelChoice | None
    toolIds: list[str] | None
    """Tools that the agent may call, system tools among them."""
    agentId: str | None
    """Agent whose knowledge base is searched. Unset: the agents that follow the flow."""
    storeKeys: list[str] | None
    """Data stores that read_record and write_record reach."""
    transferTargets: list[TransferTarget] | None
    """Whom transfer_call may hand the call to."""
    stages: list[FlowStage] | None
    """Stages that the dialogue walks through; without them it follows the masterPrompt alone."""
    limits: FlowLimits | None
    memory: FlowMemory | None
    humanHandoff: HumanHandoff | None
    voicemailConfig: VoicemailConfig | None
    turnTaking: TurnTaking | None
    ringTimeoutSeconds: int | None
    """Default 30."""
    maxDurationSeconds: int | None
    """Default 600."""
    silenceTimeoutSeconds: int | None
    """Default 10."""
    callBackInterrupted: bool | None
    """Calls a person back, once, a minute after the operator of the server had to end their call; rowData then has
    interruptedCall: true. Default false.
    """
    recordingEnabled: bool | None
    """Default true."""
    apiId: str | None
    """letters, digits, _ and -."""


class FlowInput(TypedDict, total=False):
    name: str | None
    """Name of the flow."""
    description: str | None
    """What it is for."""
    masterPrompt: str | None
    """Instructions of the agent; Liquid template over the variables."""
    firstMessage: str | None
    """What the agent says first; Liquid template. Unset: the model opens."""
    voiceId: str | None
    """Voice, by the speech provider's id."""
    language: str | None
    """BCP 47, such as en-US."""
    localVariables: list[LocalVariable] | None
    channelMode: str | None
    """Such as VOICE or CHAT."""
    structuredOutputIds: list[str] | None
    structuredOutputs: list[InlineStructuredOutput] | None
    model: ModelChoice | None
    toolIds: list[str] | None
    """Tools that the agent may call, system tools among them."""
    agentId: str | None
    """Agent whose knowledge base is searched. Unset: the agents that follow the flow."""
    storeKeys: list[str] | None
    """Data stores that read_record and write_record reach."""
    transferTargets: list[TransferTarget] | None
    """Whom transfer_call may hand the call to."""
    stages: list[FlowStage] | None
    """Stages that the dialogue walks through; without them it follows the masterPrompt alone."""
    limits: FlowLimits | None
    memory: FlowMemory | None
    humanHandoff: HumanHandoff | None
    voicemailConfig: VoicemailConfig | None
    turnTaking: TurnTaking | None
    ringTimeoutSeconds: int | None
    """Default 30."""
    maxDurationSeconds: int | None
    """Default 600."""
    silenceTimeoutSeconds: int | None
    """Default 10."""
    callBackInterrupted: bool | None
    """Calls a person back, once, a minute after the operator of the server had to end their call; rowData then has
    interruptedCall: true. Default false.
    """
    recordingEnabled: bool | None
    """Default true."""
    apiId: str | None
    """letters, digits, _ and -."""


class _FlowDraft(TypedDict):
    flowId: str
    """UUID in its 36-character form."""
    baseVersion: int
    """The published version that it began from."""
    name: str | None
    """Name of the flow."""
    description: str | None
    """What it is for."""
    masterPrompt: str | None
    """Instructions of the agent; Liquid template over the variables."""
    firstMessage: str | None
    """What the agent says first; Liquid template. Unset: the model opens."""
    voiceId: str | None
    """Voice, by the speech provider's id."""
    language: str | None
    """BCP 47, such as en-US."""
    localVariables: list[LocalVariable] | None
    channelMode: str | None
    """Such as VOICE or CHAT."""
    structuredOutputIds: list[str] | None
    structuredOutputs: list[InlineStructuredOutput] | None
    model: ModelChoice | None
    toolIds: list[str] | None
    """Tools that the agent may call, system tools among them."""
    agentId: str | None
    """Agent whose knowledge base is searched. Unset: the agents that follow the flow."""
    storeKeys: list[str] | None
    """Data stores that read_record and write_record reach."""
    transferTargets: list[TransferTarget] | None
    """Whom transfer_call may hand the call to."""
    stages: list[FlowStage] | None
    """Stages that the dialogue walks through; without them it follows the masterPrompt alone."""
    limits: FlowLimits | None
    memory: FlowMemory | None
    humanHandoff: HumanHandoff | None
    voicemailConfig: VoicemailConfig | None
    turnTaking: TurnTaking | None
    ringTimeoutSeconds: int | None
    """Default 30."""
    maxDurationSeconds: int | None
    """Default 600."""
    silenceTimeoutSeconds: int | None
    """Default 10."""
    callBackInterrupted: bool | None
    """Calls a person back, once, a minute after the operator of the server had to end their call; rowData then has
    interruptedCall: true. Default false.
    """
    recordingEnabled: bool | None
    """Default true."""
    updatedAt: str
    """ISO 8601, UTC."""
    updatedBy: str | None
    """The person or the credential, by the name of then."""


class FlowDraft(_FlowDraft, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class FlowChange(TypedDict):
    id: str
    """UUID in its 36-character form."""
    changedAt: str
    """ISO 8601, UTC."""
    changedBy: str | None
    """The person or the credential, by the name of then; null: not known."""
    differs: bool
    """There is a draft, and it says something else than what is published."""
    draft: FlowDraft | None


class FlowChangePage(TypedDict):
    content: list[FlowChange]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class FlowSplit(TypedDict):
    version: int
    percent: int


class FlowEditing(TypedDict):
    flow: Flow
    draft: FlowDraft | None
    differs: bool
    """There is a draft, and it says something else than what is published."""
    splits: list[FlowSplit] | None


class FlowPublication(TypedDict, total=False):
    note: str | None
    """Why; shown in the list."""
    percent: int | None
    """Share of new sessions that take it; the rest stays with the version before. Default 100."""
    acceptUnknownVariables: bool | None
    """Also when a template names a variable that neither localVariables, the contact, the session nor a tool brings,
    and the version before did not name: rowData brings it.
    """
    overwrite: bool | None
    """Also when another version was published since the draft began."""


class FlowVersionEntry(TypedDict):
    id: str
    """UUID in its 36-character form."""
    flowId: str
    """UUID in its 36-character form."""
    version: int
    published: bool
    """It is the one that GET of the flow shows."""
    note: str | None
    createdAt: str
    """ISO 8601, UTC."""
    createdBy: str | None
    """The person or the credential, by the name of then."""


class FlowVersionPage(TypedDict):
    content: list[FlowVersionEntry]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class FlowVersionResult(TypedDict):
    version: int
    calls: int
    """Calls that were dialled with it, also those that still run."""
    ended: int
    completed: int
    """Of those, with status COMPLETED."""
    reached: int
    """Of those that ended: calls in which a person was on the line."""
    successRate: float | None
    """completed / ended, 0 to 1; null while none has ended."""
    averageDurationSeconds: float | None
    """Of the calls that were answered."""


class FlowVersion(TypedDict):
    id: str
    """UUID in its 36-character form."""
    flowId: str
    """UUID in its 36-character form."""
    version: int
    published: bool
    """It is the one that GET of the flow shows."""
    note: str | None
    createdAt: str
    """ISO 8601, UTC."""
    createdBy: str | None
    """The person or the credential, by the name of then."""
    name: str | None
    """Name of the flow."""
    description: str | None
    """What it is for."""
    masterPrompt: str | None
    """Instructions of the agent; Liquid template over the variables."""
    firstMessage: str | None
    """What the agent says first; Liquid template. Unset: the model opens."""
    voiceId: str | None
    """Voice, by the speech provider's id."""
    language: str | None
    """BCP 47, such as en-US."""
    localVariables: list[LocalVariable] | None
    channelMode: str | None
    """Such as VOICE or CHAT."""
    structuredOutputIds: list[str] | None
    structuredOutputs: list[InlineStructuredOutput] | None
    model: ModelChoice | None
    toolIds: list[str] | None
    """Tools that the agent may call, system tools among them."""
    agentId: str | None
    """Agent whose knowledge base is searched. Unset: the agents that follow the flow."""
    storeKeys: list[str] | None
    """Data stores that read_record and write_record reach."""
    transferTargets: list[TransferTarget] | None
    """Whom transfer_call may hand the call to."""
    stages: list[FlowStage] | None
    """Stages that the dialogue walks through; without them it follows the masterPrompt alone."""
    limits: FlowLimits | None
    memory: FlowMemory | None
    humanHandoff: HumanHandoff | None
    voicemailConfig: VoicemailConfig | None
    turnTaking: TurnTaking | None
    ringTimeoutSeconds: int | None
    """Default 30."""
    maxDurationSeconds: int | None
    """Default 600."""
    silenceTimeoutSeconds: int | None
    """Default 10."""
    callBackInterrupted: bool | None
    """Calls a person back, once, a minute after the operator of the server had to end their call; rowData then has
    interruptedCall: true. Default false.
    """
    recordingEnabled: bool | None
    """Default true."""


class FlowRestoration(TypedDict, total=False):
    note: str | None
    """Why; shown in the list."""


class _FlowSplits(TypedDict):
    splits: list[FlowSplit] | None
    """Null: every session takes the published one."""


class FlowSplits(_FlowSplits, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class _FlowSplitsInput(TypedDict):
    splits: list[FlowSplit] | None
    """Null: every session takes the published one."""


class FlowSplitsInput(_FlowSplitsInput, total=False):
    before: dict[str, Any]
    """Settings as the caller read them: 409 when one of these has another value by now. Unset: the change is made
    anyway.
    """


class StageFunnelStagesItemEdgesItem(TypedDict):
    edgeId: str
    to: str
    taken: int
    """Visits that it ended."""


class StageFunnelStagesItem(TypedDict):
    stageId: str
    entered: int
    """Sessions that entered it."""
    endedHere: int
    """Sessions that ended in it."""
    medianSeconds: float | None
    """Of its visits; null when there was none."""
    edges: list[StageFunnelStagesItemEdgesItem]


class StageFunnel(TypedDict):
    version: int
    sessions: int
    """Calls and chats that ended, of those that entered a stage."""
    stages: list[StageFunnelStagesItem]
    """In the order of the definition."""


class _SuccessCondition(TypedDict):
    field: str
    """An extracted field; a nested one by its path, such as visit.attending."""
    operator: Literal["EQUALS", "NOT_EQUALS", "ABOVE", "BELOW", "ONE_OF", "IS_SET", "IS_NOT_SET"]


class SuccessCondition(_SuccessCondition, total=False):
    value: Any
    """A text, a number, true or false; a list of them for ONE_OF."""


class _FlowSuccess(TypedDict):
    conditions: list[SuccessCondition] | None
    """A call succeeds when a person answered and all of these hold. Null: when the person spoke, the call COMPLETED, no
    limit cut it off, its outputs are valid and not all empty, and no tool was left failed.
    """


class FlowSuccess(_FlowSuccess, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class _FlowSuccessInput(TypedDict):
    conditions: list[SuccessCondition] | None
    """A call succeeds when a person answered and all of these hold. Null: when the person spoke, the call COMPLETED, no
    limit cut it off, its outputs are valid and not all empty, and no tool was left failed.
    """


class FlowSuccessInput(_FlowSuccessInput, total=False):
    before: dict[str, Any]
    """Settings as the caller read them: 409 when one of these has another value by now. Unset: the change is made
    anyway.
    """


class _ToolParameter(TypedDict):
    name: str
    """a letter or _, then letters, digits and _, at most 64."""
    type: Literal["string", "number", "integer", "boolean", "array", "object"]
    """JSON Schema type."""


class ToolParameter(_ToolParameter, total=False):
    description: str | None
    """Told to the model."""
    required: bool | None
    """Default false."""
    enumValues: list[str | float | bool] | None
    """The only values allowed."""
    defaultValue: Any
    """Used when the model gives none; the value itself for CONSTANT."""
    format: str | None
    """JSON Schema format, such as date or email."""
    pattern: str | None
    """Regular expression (RE2) that a text must match."""
    items: dict[str, Any] | None
    """JSON Schema of an array's items."""
    properties: dict[str, Any] | None
    """JSON Schemas of an object's members, by name."""
    source: Literal["LLM", "VARIABLE", "CONSTANT"] | None
    """Who gives the value. Default LLM."""


class ToolReturnValue(TypedDict, total=False):
    type: Literal["string", "number", "integer", "boolean", "array", "object"] | None
    """JSON Schema type."""
    description: str | None
    """Told to the model."""
    schema: dict[str, Any] | None
    """JSON Schema of the value."""
    path: str | None
    """Part of the answer that counts, such as data.items.0.price. Unset: all of it."""
    saveToVariable: str | None
    """Session variable that keeps it: a letter or _, then letters, digits and _, at most 64."""


class ToolMessages(TypedDict, total=False):
    start: str | None
    """Said when the tool is called."""
    delayed: str | None
    """Said when it takes longer than delayedAfterMs."""
    delayedAfterMs: int | None
    """Default 3000."""
    success: str | None
    """Said when it has worked."""
    failure: str | None
    """Said when it has failed."""


class ToolExecutionStep(TypedDict, total=False):
    id: str | None
    """Name of its result for later steps: a letter or _, then letters, digits and _, at most 64."""
    type: Literal["API", "CODE", "TOOL"] | None
    """API: this tool's own request. CODE: code. TOOL: toolId."""
    name: str | None
    """For people."""
    condition: str | None
    """Liquid template; the step is skipped when it renders empty, 0 or false."""
    input: dict[str, Any] | None
    """Values for the step; texts are Liquid templates over parameters and earlier results."""
    code: str | None
    """JavaScript of a CODE step."""
    toolId: str | None
    """UUID in its 36-character form."""
    continueOnError: bool | None
    """Unset: haltOnStepError of the tool decides."""


class ToolIntegration(TypedDict, total=False):
    key: str | None
    """Name within the tool; integrationCredentialLinks refer to it."""
    provider: str | None
    """Such as salesforce or google-calendar."""
    name: str | None
    """For people."""
    config: dict[str, Any] | None
    """Settings of the integration. Not sealed: put no secrets here."""


class ToolCredentialLink(TypedDict, total=False):
    integrationKey: str | None
    """Key of the integration."""
    credentialId: str | None
    """Id of the credential where it is kept; never the credential itself."""
    required: bool | None
    """Default true."""


class ForwardCallConfig(TypedDict, total=False):
    mode: Literal["COLD", "WARM", "AGENTIC_WARM"] | None
    """COLD: at once. WARM: after a word with the target. Default COLD."""
    destinationType: Literal["PHONE", "SIP", "FLOW"] | None
    """Default PHONE."""
    destination: str | None
    """E.164 number, sip: address, or a flow's id or apiId; Liquid template."""
    dtmfSequence: str | None
    """keys 0-9 A-D * #, w and , pause; at most 64."""
    callerId: Literal["OWN", "CUSTOMER"] | None
    """Number the target sees. Default OWN."""
    whisperMessage: str | None
    """Told to the target alone before the parties are joined."""
    summaryToAgent: bool | None
    """Tells the target what was said so far. Default false."""
    holdAudioUrl: str | None
    """Audio for the waiting party."""
    ringTimeoutSeconds: int | None
    """Default 30."""
    transferOnlyIfHuman: bool | None
    """Gives up when a machine answers. Default false."""
    fallbackMessage: str | None
    """Said when the transfer fails."""
    sipHeaders: dict[str, str] | None
    """X- headers of the INVITE. Not sealed: put no secrets here."""


class ToolMetaHint(TypedDict, total=False):
    whenToUse: str | None
    """When the tool is the right one."""
    whenNotToUse: str | None
    """When it is not."""
    examples: list[Any] | None
    priority: int | None
    """The higher comes first. Default 0."""


class _ToolPrompt(TypedDict):
    content: str
    """Liquid template."""


class ToolPrompt(_ToolPrompt, total=False):
    key: str | None
    """Which text it is, such as instructions or after_result."""
    role: Literal["SYSTEM", "ASSISTANT", "USER"] | None
    """Default SYSTEM."""
    language: str | None
    """BCP 47, such as en-US."""


class ToolResultCacheConfig(TypedDict, total=False):
    enabled: bool | None
    """Default false."""
    scope: Literal["SESSION", "CONTACT", "WORKSPACE"] | None
    """Who shares an answer. Default SESSION."""
    ttlSeconds: int | None
    """Default 300."""
    keyParameters: list[str] | None
    """Unset: all parameters."""
    cacheErrors: bool | None
    """Default false."""
    maxEntries: int | None
    """Default 1000."""


class ConcurrencyControlConfig(TypedDict, total=False):
    enabled: bool | None
    """Default false."""
    scope: Literal["TOOL", "FLOW", "WORKSPACE"] | None
    """What is counted. Default TOOL."""
    maxConcurrent: int | None
    """Required when enabled."""
    queueTimeoutMs: int | None
    """Longest wait of QUEUE. Default 5000."""
    onLimit: Literal["QUEUE", "FALLBACK", "FAIL"] | None
    """FALLBACK says concurrencyLimitFallbackMessage. Default QUEUE."""


class ToolMockConfig(TypedDict, total=False):
    enabled: bool | None
    """Answers every call from here. Default false."""
    delayMs: int | None
    """Default 0."""
    result: Any
    """Given when no case fits."""
    error: str | None
    """Fails with this text instead."""
    cases: list[dict[str, Any]] | None
    """The first that fits counts."""


class _PortableTool(TypedDict):
    id: str
    """Names it within the document."""


class PortableTool(_PortableTool, total=False):
    name: str | None
    """Function name for the model: a letter or _, then letters, digits, _ and -, at most 64."""
    description: str | None
    """Tells the model what it does."""
    groupName: str | None
    """Group in lists."""
    iconKey: str | None
    """Icon in lists."""
    iconColor: str | None
    """Colour of the icon, such as #2f6f4f."""
    parameters: list[ToolParameter] | None
    returnValue: ToolReturnValue | None
    toolType: Literal["API", "FORWARD_CALL", "CODE", "MCP", "SYSTEM"] | None
    """API: an HTTP request. FORWARD_CALL: hands the call over. CODE: executionPlan in the sandbox. MCP: a tool of the
    MCP server at apiUrl. SYSTEM: comes with the service; cannot be made or changed.
    """
    toolSubtype: str | None
    """Refines toolType; for MCP the tool's name at the server (unset: name)."""
    isAsync: bool | None
    """The answer comes later, to the async tool-task webhook. Default false."""
    internalOnly: bool | None
    """Not offered to models; other tools may call it. Default false."""
    asyncReturnType: str | None
    """What an async answer holds, such as TEXT or JSON."""
    messages: ToolMessages | None
    executionPlan: list[ToolExecutionStep] | None
    integrations: list[ToolIntegration] | None
    integrationCredentialLinks: list[ToolCredentialLink] | None
    forwardCallConfig: ForwardCallConfig | None
    aimetaHint: ToolMetaHint | None
    apiMethod: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] | None
    apiUrl: str | None
    """http or https URL; Liquid template. A template in the host needs networkAllowList."""
    connectionId: str | None
    """(extension) Connection whose token the service puts into the requests, at its provider's servers alone. Not for
    MCP.
    """
    apiBodyOmitsNulls: bool | None
    """(extension) Leaves out the members of apiBody that have no value, instead of sending null. Default false."""
    apiTimeoutSeconds: int | None
    """For the HTTP request. Default 15."""
    toolCallTimeoutSeconds: int | None
    """For the whole call of the tool. Default 30."""
    requiresConfirmedTranscript: bool | None
    """Waits until what the person said is final. Default false."""
    confirmedTranscriptTimeoutMs: int | None
    """Longest such wait. Default 2000."""
    proactiveLookupEnabled: bool | None
    """Called before the conversation starts. Default false."""
    prompts: list[ToolPrompt] | None
    toolResultCacheConfig: ToolResultCacheConfig | None
    toolConcurrencyConfig: ConcurrencyControlConfig | None
    concurrencyLimitFallbackMessage: str | None
    """The tool's answer when too many calls of it run."""
    mockConfig: ToolMockConfig | None
    apiHeaders: dict[str, str] | None
    """Headers of the request; values are Liquid templates, sealed at rest. Values that carry credentials read as
    ********, which sent back means unchanged.
    """
    apiBody: dict[str, Any] | None
    """JSON body of the request; texts in it are Liquid templates, sealed at rest. Not sent with GET. Texts below
    members whose name speaks of a credential read as ********, which sent back means unchanged.
    """
    sourceBuiltinToolKey: str | None
    """Name of the built-in tool that this one was made from."""
    applicationType: str | None
    """Kind of application it belongs to."""
    applicationId: str | None
    """UUID in its 36-character form."""
    requiresFollowUp: bool | None
    """The model must speak after the answer. Default true."""
    hideFromChatTimeline: bool | None
    """Default false."""
    discloseOutputSchema: bool | None
    """Tells the model the schema of returnValue. Default false."""
    requiresSandbox: bool | None
    """CODE steps run in the sandbox whatever their origin. Default true."""
    anonymizeInChatTimeline: bool | None
    """Shows that it was called, not with what. Default false."""
    haltOnStepError: bool | None
    """A failed step ends the executionPlan. Default true."""
    tags: list[str] | None
    """Labels."""
    catalogInclusionModes: list[str] | None
    """Catalogues that show it."""
    networkAllowList: list[str] | None
    """Hosts that it may reach: example.com, *.example.com, 203.0.113.7, example.com:8443."""


class _PortableStructuredOutput(TypedDict):
    id: str
    """Names it within the document."""
    name: str
    schema: dict[str, Any]
    """JSON Schema 2020-12 of type object."""


class PortableStructuredOutput(_PortableStructuredOutput, total=False):
    description: str | None
    condition: str | None
    """Liquid template over the variables, channel and endReason; the output is left out when it renders empty, 0 or
    false.
    """
    fillDuring: bool | None
    """Filled after each thing the person says, not only at the end. Default false."""


class RequiredSecret(TypedDict):
    toolId: str
    """UUID in its 36-character form."""
    toolName: str
    header: str
    """Name of the header whose value must be given anew, or apiBody.<path> of a text in the body."""


class FlowDocumentFlow(TypedDict):
    apiId: str
    name: str | None
    """Name of the flow."""
    description: str | None
    """What it is for."""
    masterPrompt: str | None
    """Instructions of the agent; Liquid template over the variables."""
    firstMessage: str | None
    """What the agent says first; Liquid template. Unset: the model opens."""
    voiceId: str | None
    """Voice, by the speech provider's id."""
    language: str | None
    """BCP 47, such as en-US."""
    localVariables: list[LocalVariable] | None
    channelMode: str | None
    """Such as VOICE or CHAT."""
    structuredOutputIds: list[str] | None
    structuredOutputs: list[InlineStructuredOutput] | None
    model: ModelChoice | None
    toolIds: list[str] | None
    """Tools that the agent may call, system tools among them."""
    agentId: str | None
    """Agent whose knowledge base is searched. Unset: the agents that follow the flow."""
    storeKeys: list[str] | None
    """Data stores that read_record and write_record reach."""
    transferTargets: list[TransferTarget] | None
    """Whom transfer_call may hand the call to."""
    stages: list[FlowStage] | None
    """Stages that the dialogue walks through; without them it follows the masterPrompt alone."""
    limits: FlowLimits | None
    memory: FlowMemory | None
    humanHandoff: HumanHandoff | None
    voicemailConfig: VoicemailConfig | None
    turnTaking: TurnTaking | None
    ringTimeoutSeconds: int | None
    """Default 30."""
    maxDurationSeconds: int | None
    """Default 600."""
    silenceTimeoutSeconds: int | None
    """Default 10."""
    callBackInterrupted: bool | None
    """Calls a person back, once, a minute after the operator of the server had to end their call; rowData then has
    interruptedCall: true. Default false.
    """
    recordingEnabled: bool | None
    """Default true."""


class FlowDocument(TypedDict):
    format: str
    """parley.flow"""
    formatVersion: int
    """1."""
    exportedAt: str
    """ISO 8601, UTC."""
    flow: FlowDocumentFlow
    tools: list[PortableTool]
    structuredOutputs: list[PortableStructuredOutput]
    requiredSecrets: list[RequiredSecret]
    """Headers whose values the file does not hold."""


class _FlowDocumentInput(TypedDict):
    format: str
    formatVersion: int


class FlowDocumentInput(_FlowDocumentInput, total=False):
    exportedAt: Any
    """Ignored: a document is taken as it was exported."""
    flow: FlowInput
    tools: list[PortableTool]
    structuredOutputs: list[PortableStructuredOutput]
    requiredSecrets: list[RequiredSecret]


FlowImportToolsItem = TypedDict("FlowImportToolsItem", {"from": "str", "id": "str", "name": "str"})


FlowImportStructuredOutputsItem = TypedDict("FlowImportStructuredOutputsItem", {"from": "str", "id": "str", "name": "str"})


class FlowImportUnresolvedItem(TypedDict):
    path: str
    value: str


class _FlowImport(TypedDict):
    flow: Flow
    tools: list[FlowImportToolsItem]
    structuredOutputs: list[FlowImportStructuredOutputsItem]
    requiredSecrets: list[RequiredSecret]
    """To be given to the new tools with PUT /tools."""
    unresolved: list[FlowImportUnresolvedItem]
    """What the flow or a tool named and this workspace does not have; they do without it."""


class FlowImport(_FlowImport, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class _FlowToApply(TypedDict):
    name: str
    """Name of the flow."""
    apiId: str
    """letters, digits, _ and -."""


class FlowToApply(_FlowToApply, total=False):
    description: str | None
    """What it is for."""
    masterPrompt: str | None
    """Instructions of the agent; Liquid template over the variables."""
    firstMessage: str | None
    """What the agent says first; Liquid template. Unset: the model opens."""
    voiceId: str | None
    """Voice, by the speech provider's id."""
    language: str | None
    """BCP 47, such as en-US."""
    localVariables: list[LocalVariable] | None
    channelMode: str | None
    """Such as VOICE or CHAT."""
    structuredOutputIds: list[str] | None
    structuredOutputs: list[InlineStructuredOutput] | None
    model: ModelChoice | None
    toolIds: list[str] | None
    """Tools that the agent may call, system tools among them."""
    agentId: str | None
    """Agent whose knowledge base is searched. Unset: the agents that follow the flow."""
    storeKeys: list[str] | None
    """Data stores that read_record and write_record reach."""
    transferTargets: list[TransferTarget] | None
    """Whom transfer_call may hand the call to."""
    stages: list[FlowStage] | None
    """Stages that the dialogue walks through; without them it follows the masterPrompt alone."""
    limits: FlowLimits | None
    memory: FlowMemory | None
    humanHandoff: HumanHandoff | None
    voicemailConfig: VoicemailConfig | None
    turnTaking: TurnTaking | None
    ringTimeoutSeconds: int | None
    """Default 30."""
    maxDurationSeconds: int | None
    """Default 600."""
    silenceTimeoutSeconds: int | None
    """Default 10."""
    callBackInterrupted: bool | None
    """Calls a person back, once, a minute after the operator of the server had to end their call; rowData then has
    interruptedCall: true. Default false.
    """
    recordingEnabled: bool | None
    """Default true."""
    id: str
    """Names it within the body, for stages of other flows; apiId says which flow it is."""
    ifVersion: int | None
    """Version as the caller read it, 0 for none: 409 when it is another by now. Unset: any version."""
    ifDraftUpdatedAt: str | None
    """updatedAt of the draft as the caller read it, null for none: 409 when it is another by now. Unset: any draft."""


class _ToolToApply(TypedDict):
    id: str
    """Names it within the document."""


class ToolToApply(_ToolToApply, total=False):
    name: str | None
    """Function name for the model: a letter or _, then letters, digits, _ and -, at most 64."""
    description: str | None
    """Tells the model what it does."""
    groupName: str | None
    """Group in lists."""
    iconKey: str | None
    """Icon in lists."""
    iconColor: str | None
    """Colour of the icon, such as #2f6f4f."""
    parameters: list[ToolParameter] | None
    returnValue: ToolReturnValue | None
    toolType: Literal["API", "FORWARD_CALL", "CODE", "MCP", "SYSTEM"] | None
    """API: an HTTP request. FORWARD_CALL: hands the call over. CODE: executionPlan in the sandbox. MCP: a tool of the
    MCP server at apiUrl. SYSTEM: comes with the service; cannot be made or changed.
    """
    toolSubtype: str | None
    """Refines toolType; for MCP the tool's name at the server (unset: name)."""
    isAsync: bool | None
    """The answer comes later, to the async tool-task webhook. Default false."""
    internalOnly: bool | None
    """Not offered to models; other tools may call it. Default false."""
    asyncReturnType: str | None
    """What an async answer holds, such as TEXT or JSON."""
    messages: ToolMessages | None
    executionPlan: list[ToolExecutionStep] | None
    integrations: list[ToolIntegration] | None
    integrationCredentialLinks: list[ToolCredentialLink] | None
    forwardCallConfig: ForwardCallConfig | None
    aimetaHint: ToolMetaHint | None
    apiMethod: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] | None
    apiUrl: str | None
    """http or https URL; Liquid template. A template in the host needs networkAllowList."""
    connectionId: str | None
    """(extension) Connection whose token the service puts into the requests, at its provider's servers alone. Not for
    MCP.
    """
    apiBodyOmitsNulls: bool | None
    """(extension) Leaves out the members of apiBody that have no value, instead of sending null. Default false."""
    apiTimeoutSeconds: int | None
    """For the HTTP request. Default 15."""
    toolCallTimeoutSeconds: int | None
    """For the whole call of the tool. Default 30."""
    requiresConfirmedTranscript: bool | None
    """Waits until what the person said is final. Default false."""
    confirmedTranscriptTimeoutMs: int | None
    """Longest such wait. Default 2000."""
    proactiveLookupEnabled: bool | None
    """Called before the conversation starts. Default false."""
    prompts: list[ToolPrompt] | None
    toolResultCacheConfig: ToolResultCacheConfig | None
    toolConcurrencyConfig: ConcurrencyControlConfig | None
    concurrencyLimitFallbackMessage: str | None
    """The tool's answer when too many calls of it run."""
    mockConfig: ToolMockConfig | None
    apiHeaders: dict[str, str] | None
    """Headers of the request; values are Liquid templates, sealed at rest. Values that carry credentials read as
    ********, which sent back means unchanged.
    """
    apiBody: dict[str, Any] | None
    """JSON body of the request; texts in it are Liquid templates, sealed at rest. Not sent with GET. Texts below
    members whose name speaks of a credential read as ********, which sent back means unchanged.
    """
    sourceBuiltinToolKey: str | None
    """Name of the built-in tool that this one was made from."""
    applicationType: str | None
    """Kind of application it belongs to."""
    applicationId: str | None
    """UUID in its 36-character form."""
    requiresFollowUp: bool | None
    """The model must speak after the answer. Default true."""
    hideFromChatTimeline: bool | None
    """Default false."""
    discloseOutputSchema: bool | None
    """Tells the model the schema of returnValue. Default false."""
    requiresSandbox: bool | None
    """CODE steps run in the sandbox whatever their origin. Default true."""
    anonymizeInChatTimeline: bool | None
    """Shows that it was called, not with what. Default false."""
    haltOnStepError: bool | None
    """A failed step ends the executionPlan. Default true."""
    tags: list[str] | None
    """Labels."""
    catalogInclusionModes: list[str] | None
    """Catalogues that show it."""
    networkAllowList: list[str] | None
    """Hosts that it may reach: example.com, *.example.com, 203.0.113.7, example.com:8443."""
    ifVersion: int | None
    """Version as the caller read it, 0 for none: 409 when it is another by now. Unset: any version."""


class _StructuredOutputToApply(TypedDict):
    id: str
    """Names it within the document."""
    name: str
    schema: dict[str, Any]
    """JSON Schema 2020-12 of type object."""


class StructuredOutputToApply(_StructuredOutputToApply, total=False):
    description: str | None
    condition: str | None
    """Liquid template over the variables, channel and endReason; the output is left out when it renders empty, 0 or
    false.
    """
    fillDuring: bool | None
    """Filled after each thing the person says, not only at the end. Default false."""
    ifVersion: int | None
    """Version as the caller read it, 0 for none: 409 when it is another by now. Unset: any version."""


class FlowsToApply(TypedDict, total=False):
    flows: list[FlowToApply]
    tools: list[ToolToApply]
    structuredOutputs: list[StructuredOutputToApply]
    dryRun: bool
    """Answers what would change, and changes nothing."""
    publish: bool
    """Publishes what changed; otherwise it becomes the draft of each flow. A new flow is always published."""
    note: str | None
    """Why; shown in the list."""
    acceptUnknownVariables: bool | None
    """Also when a template names a variable that neither localVariables, the contact, the session nor a tool brings,
    and the version before did not name: rowData brings it.
    """


class AppliedFlow(TypedDict):
    id: str
    """Its id in the workspace."""
    action: Literal["CREATED", "CHANGED", "UNCHANGED"]
    fields: list[str]
    """Names of the fields that changed; every set one when CREATED."""
    version: int
    apiId: str
    draftUpdatedAt: str | None
    """ISO 8601, UTC."""


AppliedDefinition = TypedDict("AppliedDefinition", {"from": "str", "id": "str", "name": "str", "action": "Literal['CREATED', 'CHANGED', 'UNCHANGED']", "fields": "list[str]", "version": "int"})


class _FlowsApplied(TypedDict):
    dryRun: bool
    flows: list[AppliedFlow]
    tools: list[AppliedDefinition]
    structuredOutputs: list[AppliedDefinition]


class FlowsApplied(_FlowsApplied, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class FlowPromptError(TypedDict):
    """A template that cannot be rendered."""
    code: str
    message: str


class FlowPrompt(TypedDict):
    channel: Literal["VOICE", "CHAT"]
    system: str
    """The system prompt of a session that began now: the flow's instructions, the rules of every conversation, and what
    is known.
    """
    firstMessage: str
    """What the agent says first; empty when the model opens."""
    error: FlowPromptError | None
    """A template that cannot be rendered."""


class ListedFlowTemplate(TypedDict):
    name: str
    """Names it in a URL and for `parley init`."""
    title: str
    description: str
    """What it is for."""
    language: str
    """BCP 47, such as en-US."""
    collects: list[str]
    """Labels of the fields that its outputs collect."""
    tools: list[str]
    """Names of the tools that it brings along, all of them mocked."""


class FlowTemplate(TypedDict):
    name: str
    """Names it in a URL and for `parley init`."""
    title: str
    description: str
    """What it is for."""
    language: str
    """BCP 47, such as en-US."""
    collects: list[str]
    """Labels of the fields that its outputs collect."""
    tools: list[str]
    """Names of the tools that it brings along, all of them mocked."""
    document: dict[str, Any]
    """Body of POST /flows/import."""
    suite: str
    """Test suite in YAML; it names the flow as the file ./flow.json."""


class _ConfiguredModel(TypedDict):
    id: str
    """UUID in its 36-character form."""
    kind: Literal["CHAT", "EMBEDDING"]
    """CHAT speaks; EMBEDDING turns text into vectors, for searches by meaning."""
    name: str
    provider: Literal["OPENAI_COMPATIBLE", "ANTHROPIC", "GOOGLE", "AZURE_OPENAI", "AMAZON_BEDROCK"]
    """Whose protocol the server speaks."""
    baseUrl: str | None
    """Null: the provider's own."""
    model: str
    """The provider's name of the model; at AZURE_OPENAI that of the deployment."""
    apiKey: str | None
    """******** when one is stored."""
    temperature: float | None
    """Not sent to models that reason: they refuse it."""
    maxOutputTokens: int | None
    """Of one answer, hidden reasoning included; null: as its family needs."""
    reasoningEffort: Literal["none", "minimal", "low", "medium", "high", "xhigh"] | None
    """Null: low for models known to reason, else not sent."""
    region: str | None
    """AMAZON_BEDROCK: the region that is asked."""
    accessKeyId: str | None
    """AMAZON_BEDROCK: the access key whose secret apiKey is; null: a Bedrock API key."""
    headers: dict[str, str] | None
    """Sent with each request. Values are sealed at rest and read as ********; sent back, that keeps the value."""
    extraBody: dict[str, Any] | None
    """Members of each request's body, beside the service's own."""
    isDefault: bool
    """Of its kind: flows that name no model speak through it; searches use it."""
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""


class ConfiguredModel(_ConfiguredModel, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class ConfiguredModelPage(TypedDict):
    content: list[ConfiguredModel]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class _ConfiguredModelInput(TypedDict):
    name: str
    provider: Literal["OPENAI_COMPATIBLE", "ANTHROPIC", "GOOGLE", "AZURE_OPENAI", "AMAZON_BEDROCK"]
    model: str


class ConfiguredModelInput(_ConfiguredModelInput, total=False):
    kind: Literal["CHAT", "EMBEDDING"]
    """Default CHAT; cannot be changed later."""
    baseUrl: str | None
    """Such as https://host/v1; AZURE_OPENAI: the resource's endpoint."""
    apiKey: str | None
    """Sealed at rest."""
    temperature: float | None
    maxOutputTokens: int | None
    """Of one answer, hidden reasoning included; null: as its family needs."""
    reasoningEffort: Literal["none", "minimal", "low", "medium", "high", "xhigh"] | None
    """Not for ANTHROPIC and AMAZON_BEDROCK; what a model refuses is left out."""
    region: str | None
    """AMAZON_BEDROCK: such as eu-west-1."""
    accessKeyId: str | None
    """AMAZON_BEDROCK: sign requests with this access key; apiKey is its secret."""
    headers: dict[str, str] | None
    """Sent with each request. Values are sealed at rest and read as ********; sent back, that keeps the value."""
    extraBody: dict[str, Any] | None
    """Members of each request's body, merged into the service's own; AMAZON_BEDROCK: additionalModelRequestFields. At
    most 8 KiB.
    """
    isDefault: bool


class ConfiguredModelChange(TypedDict, total=False):
    kind: Literal["CHAT", "EMBEDDING"]
    """Default CHAT; cannot be changed later."""
    name: str
    provider: Literal["OPENAI_COMPATIBLE", "ANTHROPIC", "GOOGLE", "AZURE_OPENAI", "AMAZON_BEDROCK"]
    baseUrl: str | None
    """Such as https://host/v1; AZURE_OPENAI: the resource's endpoint."""
    model: str
    apiKey: str | None
    """Sealed at rest."""
    temperature: float | None
    maxOutputTokens: int | None
    """Of one answer, hidden reasoning included; null: as its family needs."""
    reasoningEffort: Literal["none", "minimal", "low", "medium", "high", "xhigh"] | None
    """Not for ANTHROPIC and AMAZON_BEDROCK; what a model refuses is left out."""
    region: str | None
    """AMAZON_BEDROCK: such as eu-west-1."""
    accessKeyId: str | None
    """AMAZON_BEDROCK: sign requests with this access key; apiKey is its secret."""
    headers: dict[str, str] | None
    """Sent with each request. Values are sealed at rest and read as ********; sent back, that keeps the value."""
    extraBody: dict[str, Any] | None
    """Members of each request's body, merged into the service's own; AMAZON_BEDROCK: additionalModelRequestFields. At
    most 8 KiB.
    """
    isDefault: bool


class ModelCheckError(TypedDict):
    code: str
    message: str


class ModelCheck(TypedDict):
    ok: bool
    model: str
    latencyMs: int
    firstPieceMs: int | None
    """To the first piece of the answer."""
    answer: str | None
    error: ModelCheckError | None


class _MessageTemplate(TypedDict):
    name: str
    language: str
    """Such as en or en_US."""


class MessageTemplate(_MessageTemplate, total=False):
    variables: dict[str, str]
    """Values of the template's variables, by name or number."""


class _ExternalOutboundChatRequest(TypedDict):
    channel: Literal["CHAT", "SMS", "WHATSAPP"]
    """CHAT: over this API. SMS and WHATSAPP: delivered to contactPhone."""


class ExternalOutboundChatRequest(_ExternalOutboundChatRequest, total=False):
    flowApiId: str | None
    """apiId of a saved flow."""
    flowId: str | None
    """uuid or apiId of a saved flow."""
    flow: InlineFlow | None
    assistantPhoneNumber: str | None
    """One of the workspace's numbers; its default for SMS and WHATSAPP."""
    contactPhone: str | None
    """E.164 number. Required for SMS and WHATSAPP."""
    contactIdentifier: str | None
    """Names the person in a CHAT; generated when unset."""
    contactName: str | None
    contactEmail: str | None
    """E-mail address, such as ada@example.com."""
    contextData: dict[str, Any] | None
    """Session memory from the start; comes back byte for byte. At most 64 KiB."""
    initialMessage: str | None
    """The opening, as it is. Unset: the flow's firstMessage; without one, the model opens."""
    template: MessageTemplate | None
    idleTimeoutSeconds: int | None
    """After so long without a message the chat expires. Default 86,400."""


class ChatSessionHandoff(TypedDict):
    state: Literal["NONE", "REQUESTED", "WAITING", "TAKEN_OVER"]
    """WAITING: the person asked for a human, and no operator has come yet. It stays when nobody ever does. REQUESTED:
    outside the flow's hours, so the agent answers meanwhile.
    """
    requestedAt: str | None
    """Since when a chat is WAITING or REQUESTED."""
    assignee: str | None
    """Who took over, as the request named them."""


class ChatSessionError(TypedDict):
    code: str
    message: str


class ChatSession(TypedDict):
    id: str
    """UUID in its 36-character form."""
    providerCallId: str | None
    """The provider's id of the opening message, once it has one."""
    provider: str
    """API for CHAT; otherwise who carries the messages."""
    status: Literal["ACTIVE", "HANDED_OFF", "CLOSED", "EXPIRED", "FAILED"]
    actions: list[Literal["takeOver", "handBack", "write", "close"]]
    """Actions that the chat's state permits; the request of any other one answers 409. write: POST of a message.
    (extension)
    """
    mode: Literal["FLOW", "MANUAL"]
    """MANUAL: a human operator has taken over."""
    aiMode: Literal["ACTIVE", "PAUSED", "OFF"]
    """Whether the agent answers; OFF once the chat is over."""
    flowId: str | None
    """UUID in its 36-character form."""
    flowApiId: str | None
    flowVersion: int | None
    """Version of the flow that it took; null for an inline one."""
    inlineFlow: bool
    channel: Literal["CHAT", "SMS", "WHATSAPP"]
    assistantPhoneNumber: str | None
    contactName: str | None
    contactEmail: str | None
    contactPhone: str | None
    contactIdentifier: str | None
    contextData: Any
    """As sent, byte for byte; null when none was."""
    handoff: ChatSessionHandoff
    messageCount: int
    lastMessageAt: str | None
    """ISO 8601, UTC."""
    windowExpiresAt: str | None
    """WhatsApp: free text may be sent until then."""
    idleTimeoutSeconds: int
    """After so long without a message the chat EXPIRES."""
    stagePath: list[StageVisit]
    """Stages that the session walked through, in their order. (extension)"""
    structuredOutputs: dict[str, FilledOutput] | None
    """By name. Null until the chat has ended and they are filled."""
    extractedFields: dict[str, Any] | None
    """Values of all valid outputs, merged."""
    endReason: Literal["AGENT_ENDED_CHAT", "CUSTOMER_OPTED_OUT", "CLOSED_BY_REQUEST", "LIMIT_IDLE", "LIMIT_TURNS", "LIMIT_TOOL_CALLS", "LIMIT_COST", "ERROR_MODEL", "ERROR_INTERNAL"] | None
    error: ChatSessionError | None
    cost: Cost
    optOutReview: OptOutReviewRef | None
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""
    endedAt: str | None
    """ISO 8601, UTC."""


class ChatMessage(TypedDict):
    id: str
    """UUID in its 36-character form."""
    role: Literal["ASSISTANT", "USER", "AGENT", "TOOL"]
    """AGENT: a human operator. TOOL: what a tool was asked and answered."""
    content: str
    toolCallId: str | None
    citations: list[Citation]
    """Passages of the knowledge base behind an answer."""
    clientMessageId: str | None
    """As the sender named it."""
    deliveryStatus: Literal["QUEUED", "SENT", "DELIVERED", "READ", "FAILED"] | None
    """Null where nothing is sent: in a CHAT, and for the person's own messages."""
    errorCode: str | None
    """Why the delivery FAILED."""
    createdAt: str
    """ISO 8601, UTC."""


class _ChatReply(TypedDict):
    session: ChatSession
    messages: list[ChatMessage]


class ChatReply(_ChatReply, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class ListedChatSessionHandoff(TypedDict):
    state: Literal["NONE", "REQUESTED", "WAITING", "TAKEN_OVER"]
    """WAITING: the person asked for a human, and no operator has come yet. It stays when nobody ever does. REQUESTED:
    outside the flow's hours, so the agent answers meanwhile.
    """
    requestedAt: str | None
    """Since when a chat is WAITING or REQUESTED."""
    assignee: str | None
    """Who took over, as the request named them."""


class ListedChatSessionError(TypedDict):
    code: str
    message: str


class ListedChatSessionLastMessage(TypedDict):
    """The newest message but those of tools."""
    role: Literal["ASSISTANT", "USER", "AGENT"]
    content: str
    """Its first 200 characters."""
    deliveryStatus: Literal["QUEUED", "SENT", "DELIVERED", "READ", "FAILED"] | None
    """Null where nothing is sent: in a CHAT, and for the person's own messages."""
    errorCode: str | None
    """Why the delivery FAILED."""


class ListedChatSession(TypedDict):
    id: str
    """UUID in its 36-character form."""
    providerCallId: str | None
    """The provider's id of the opening message, once it has one."""
    provider: str
    """API for CHAT; otherwise who carries the messages."""
    status: Literal["ACTIVE", "HANDED_OFF", "CLOSED", "EXPIRED", "FAILED"]
    actions: list[Literal["takeOver", "handBack", "write", "close"]]
    """Actions that the chat's state permits; the request of any other one answers 409. write: POST of a message.
    (extension)
    """
    mode: Literal["FLOW", "MANUAL"]
    """MANUAL: a human operator has taken over."""
    aiMode: Literal["ACTIVE", "PAUSED", "OFF"]
    """Whether the agent answers; OFF once the chat is over."""
    flowId: str | None
    """UUID in its 36-character form."""
    flowApiId: str | None
    flowVersion: int | None
    """Version of the flow that it took; null for an inline one."""
    inlineFlow: bool
    channel: Literal["CHAT", "SMS", "WHATSAPP"]
    assistantPhoneNumber: str | None
    contactName: str | None
    contactEmail: str | None
    contactPhone: str | None
    contactIdentifier: str | None
    contextData: Any
    """As sent, byte for byte; null when none was."""
    handoff: ListedChatSessionHandoff
    messageCount: int
    lastMessageAt: str | None
    """ISO 8601, UTC."""
    windowExpiresAt: str | None
    """WhatsApp: free text may be sent until then."""
    idleTimeoutSeconds: int
    """After so long without a message the chat EXPIRES."""
    stagePath: list[StageVisit]
    """Stages that the session walked through, in their order. (extension)"""
    structuredOutputs: dict[str, FilledOutput] | None
    """By name. Null until the chat has ended and they are filled."""
    extractedFields: dict[str, Any] | None
    """Values of all valid outputs, merged."""
    endReason: Literal["AGENT_ENDED_CHAT", "CUSTOMER_OPTED_OUT", "CLOSED_BY_REQUEST", "LIMIT_IDLE", "LIMIT_TURNS", "LIMIT_TOOL_CALLS", "LIMIT_COST", "ERROR_MODEL", "ERROR_INTERNAL"] | None
    error: ListedChatSessionError | None
    cost: Cost
    optOutReview: OptOutReviewRef | None
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""
    endedAt: str | None
    """ISO 8601, UTC."""
    lastMessage: ListedChatSessionLastMessage | None
    """The newest message but those of tools."""


class ChatSessionPage(TypedDict):
    content: list[ListedChatSession]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class ChatMessagePage(TypedDict):
    content: list[ChatMessage]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class _PostMessage(TypedDict):
    content: str
    """Text with something in it."""


class PostMessage(_PostMessage, total=False):
    role: Literal["USER", "AGENT"] | None
    """USER: what the person wrote. AGENT: what a human operator writes. Default USER."""
    clientMessageId: str | None
    """A repeat of the same id is the same message."""
    template: MessageTemplate | None


_InboundMessage = TypedDict("_InboundMessage", {"channel": "Literal['SMS', 'WHATSAPP']", "from": "str", "content": "str"})


_InboundMessageOptional = TypedDict("_InboundMessageOptional", {"to": "str | None", "providerMessageId": "str | None"}, total=False)


class InboundMessage(_InboundMessage, _InboundMessageOptional):
    pass


class Contact(TypedDict):
    id: str
    """UUID in its 36-character form."""
    phone: str | None
    """E.164 number."""
    identifier: str | None
    """contactIdentifier of chats without a number."""
    email: str | None
    name: str | None
    """As the last call or chat that named one."""
    optedOut: bool
    """Wants no more contact, by any channel."""
    optedOutAt: str | None
    """ISO 8601, UTC."""
    optOutSource: str | None
    """STOP_KEYWORD, SPOKEN_REFUSAL, OPERATOR or SANDBOX."""
    callCount: int
    """Calls that are over, at most 1,000: more are not counted."""
    chatCount: int
    """At most 1,000: more are not counted."""
    lastSeenAt: str | None
    """ISO 8601, UTC."""
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""


class ContactPage(TypedDict):
    content: list[Contact]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class ContactTimelineEntryMessages(TypedDict):
    """Of a chat."""
    total: int
    """Without those of tools."""
    fromContact: int
    delivered: int
    """By SMS or WhatsApp: DELIVERED or READ."""
    failed: int


class ContactTimelineEntry(TypedDict):
    id: str
    """UUID in its 36-character form."""
    type: Literal["CALL", "CHAT", "OPT_OUT"]
    channel: Literal["VOICE", "SMS", "WHATSAPP", "CHAT"] | None
    direction: Literal["OUTBOUND", "INBOUND"] | None
    """Of a call. INBOUND: the contact called us."""
    at: str
    """ISO 8601, UTC."""
    endedAt: str | None
    """ISO 8601, UTC."""
    sessionId: str | None
    """UUID in its 36-character form."""
    callRowId: str | None
    """UUID in its 36-character form."""
    status: str | None
    """Of the call row or the chat session."""
    outcome: str | None
    """Of a call."""
    endReason: str | None
    source: str | None
    """Of an opt-out."""
    flowId: str | None
    """UUID in its 36-character form."""
    durationSeconds: float | None
    """Of a call, since the answer."""
    messages: ContactTimelineEntryMessages | None
    """Of a chat."""


class ContactTimelinePage(TypedDict):
    content: list[ContactTimelineEntry]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class DoNotCallEntry(TypedDict):
    number: str
    source: Literal["STOP_KEYWORD", "SPOKEN_REFUSAL", "OPERATOR", "SANDBOX"]
    note: str | None
    createdAt: str
    """ISO 8601, UTC."""


class DoNotCallPage(TypedDict):
    content: list[DoNotCallEntry]
    nextCursor: str | None
    """Null on the last page."""


class _DoNotCallNumbers(TypedDict):
    numbers: list[str]


class DoNotCallNumbers(_DoNotCallNumbers, total=False):
    note: str | None
    """Why, kept with each number."""


class _DoNotCallAdded(TypedDict):
    added: int
    alreadyListed: int
    """Entries that were there before."""


class DoNotCallAdded(_DoNotCallAdded, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class DoNotCallImport(TypedDict):
    csv: str
    """The file's text."""


class DoNotCallImportedErrorsItem(TypedDict):
    line: int
    code: Literal["NUMBER", "NOTE"]
    message: str


class _DoNotCallImported(TypedDict):
    added: int
    alreadyListed: int
    """Entries that were there before."""
    errorCount: int
    errors: list[DoNotCallImportedErrorsItem]
    """The first 100."""


class DoNotCallImported(_DoNotCallImported, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class OptOutReviewQuotesItem(TypedDict):
    text: str
    """The first 500 characters."""
    startMs: float | None
    """In a call: milliseconds of call time since the answer."""
    at: str | None
    """In a chat: when it was written."""


class _OptOutReview(TypedDict):
    id: str
    """UUID in its 36-character form."""
    state: Literal["OPEN", "CONFIRMED", "DISMISSED"]
    """OPEN: the person is neither called nor written to until it is decided."""
    reason: Literal["NOT_RECORDED", "UNANSWERED", "UNHEEDED"]
    """UNHEEDED: words that may ask for no more contact. UNANSWERED: the person was asked whether they do, and gave no
    clear answer. NOT_RECORDED: they do, and the do-not-call list could not be written.
    """
    number: str | None
    """Whom it holds; null where only the contact is known."""
    contactId: str | None
    """UUID in its 36-character form."""
    callRowId: str | None
    """UUID in its 36-character form."""
    chatSessionId: str | None
    """UUID in its 36-character form."""
    sessionId: str
    """UUID in its 36-character form."""
    language: str | None
    """ISO 639-1, of the words."""
    quotes: list[OptOutReviewQuotesItem]
    """The first five of the words, or what the person said last; empty once the talk is forgotten."""
    note: str | None
    """Why it was decided so."""
    decidedBy: str | None
    decidedAt: str | None
    """ISO 8601, UTC."""
    createdAt: str
    """ISO 8601, UTC."""


class OptOutReview(_OptOutReview, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class OptOutReviewPage(TypedDict):
    content: list[OptOutReview]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class _OptOutReviewDecision(TypedDict):
    decision: Literal["CONFIRM", "DISMISS"]


class OptOutReviewDecision(_OptOutReviewDecision, total=False):
    note: str | None
    """Why; kept with the review."""


class _Widget(TypedDict):
    id: str
    """UUID in its 36-character form."""
    publicId: str
    """Stands in the page's script tag; no secret."""
    name: str
    flowId: str | None
    """Null: the workspace's default flow."""
    allowedOrigins: list[str]
    greeting: str | None
    """Null: the flow opens."""
    themeColor: str
    active: bool
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""


class Widget(_Widget, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class _WidgetInput(TypedDict):
    name: str
    """Title of the window."""
    allowedOrigins: list[str]
    """Origins of the pages that may hold it, such as https://www.example.com; no wildcards."""


class WidgetInput(_WidgetInput, total=False):
    flowId: str | None
    """Flow that answers. Unset: the default flow."""
    greeting: str | None
    """The agent's first words."""
    themeColor: str | None
    """Default #2457d6."""
    active: bool | None
    """False: no new chats begin; those under way go on. Default true."""


class WidgetChange(TypedDict, total=False):
    name: str
    """Title of the window."""
    flowId: str | None
    """Flow that answers. Unset: the default flow."""
    allowedOrigins: list[str]
    """Origins of the pages that may hold it, such as https://www.example.com; no wildcards."""
    greeting: str | None
    """The agent's first words."""
    themeColor: str | None
    """Default #2457d6."""
    active: bool | None
    """False: no new chats begin; those under way go on. Default true."""


class WebCallInput(TypedDict, total=False):
    flowApiId: str | None
    """apiId of a saved flow."""
    flowId: str | None
    """uuid or apiId of a saved flow."""
    flow: InlineFlow | None
    contactName: str | None
    contactEmail: str | None
    """E-mail address, such as ada@example.com."""
    timeZone: str | None
    """IANA name of a time zone, such as America/New_York."""
    rowData: dict[str, Any] | None
    """Variables for the conversation: what the agent may know. At most 64 KiB."""
    contextData: dict[str, Any] | None
    """Travels with the call and comes back byte for byte; preloads session memory. At most 64 KiB."""
    customerNumber: str | None
    """Who the person is, where that is known. No telephone is rung."""
    displayName: str | None
    """Whom the page shows as the other side."""
    webPhoneId: str | None
    """Page that is rung. Unset: the page that gets the token begins the call."""
    waitSeconds: int | None
    """How long the call waits to be begun. Default 60."""
    allowedOrigins: list[str] | None
    """Origins of the pages that may use the token, such as https://www.example.com. Unset: this server's own."""


class _WebCall(TypedDict):
    callRowId: str
    """UUID in its 36-character form."""
    sessionId: str
    """UUID in its 36-character form."""
    token: str | None
    """For the page that begins the call; null for one that is rung. Good for this call alone."""
    socketUrl: str
    """WebSocket of the page."""
    webPhoneId: str | None
    """UUID in its 36-character form."""
    expiresAt: str
    """ISO 8601, UTC."""


class WebCall(_WebCall, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class _WebPhoneInput(TypedDict):
    name: str
    """Whose page it is."""


class WebPhoneInput(_WebPhoneInput, total=False):
    lifetimeSeconds: int | None
    """How long the token is good. Default 28800."""
    allowedOrigins: list[str] | None
    """Origins of the pages that may use the token, such as https://www.example.com. Unset: this server's own."""


class _NewWebPhone(TypedDict):
    id: str
    """UUID in its 36-character form."""
    name: str
    allowedOrigins: list[str]
    expiresAt: str
    """ISO 8601, UTC."""
    createdAt: str
    """ISO 8601, UTC."""
    token: str
    """For the page."""
    socketUrl: str


class NewWebPhone(_NewWebPhone, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class WebPhone(TypedDict):
    id: str
    """UUID in its 36-character form."""
    name: str
    allowedOrigins: list[str]
    expiresAt: str
    """ISO 8601, UTC."""
    createdAt: str
    """ISO 8601, UTC."""


class _ToolDefinition(TypedDict):
    id: str
    """UUID in its 36-character form."""
    name: str
    description: str
    groupName: str | None
    """Group in lists."""
    iconKey: str | None
    """Icon in lists."""
    iconColor: str | None
    """Colour of the icon, such as #2f6f4f."""
    parameters: list[ToolParameter] | None
    returnValue: ToolReturnValue | None
    toolType: Literal["API", "FORWARD_CALL", "CODE", "MCP", "SYSTEM"] | None
    """API: an HTTP request. FORWARD_CALL: hands the call over. CODE: executionPlan in the sandbox. MCP: a tool of the
    MCP server at apiUrl. SYSTEM: comes with the service; cannot be made or changed.
    """
    toolSubtype: str | None
    """Refines toolType; for MCP the tool's name at the server (unset: name)."""
    isAsync: bool | None
    """The answer comes later, to the async tool-task webhook. Default false."""
    internalOnly: bool | None
    """Not offered to models; other tools may call it. Default false."""
    asyncReturnType: str | None
    """What an async answer holds, such as TEXT or JSON."""
    messages: ToolMessages | None
    executionPlan: list[ToolExecutionStep] | None
    integrations: list[ToolIntegration] | None
    integrationCredentialLinks: list[ToolCredentialLink] | None
    forwardCallConfig: ForwardCallConfig | None
    aimetaHint: ToolMetaHint | None
    apiMethod: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] | None
    apiUrl: str | None
    """http or https URL; Liquid template. A template in the host needs networkAllowList."""
    connectionId: str | None
    """(extension) Connection whose token the service puts into the requests, at its provider's servers alone. Not for
    MCP.
    """
    apiBodyOmitsNulls: bool | None
    """(extension) Leaves out the members of apiBody that have no value, instead of sending null. Default false."""
    apiTimeoutSeconds: int | None
    """For the HTTP request. Default 15."""
    toolCallTimeoutSeconds: int | None
    """For the whole call of the tool. Default 30."""
    requiresConfirmedTranscript: bool | None
    """Waits until what the person said is final. Default false."""
    confirmedTranscriptTimeoutMs: int | None
    """Longest such wait. Default 2000."""
    proactiveLookupEnabled: bool | None
    """Called before the conversation starts. Default false."""
    prompts: list[ToolPrompt] | None
    toolResultCacheConfig: ToolResultCacheConfig | None
    toolConcurrencyConfig: ConcurrencyControlConfig | None
    concurrencyLimitFallbackMessage: str | None
    """The tool's answer when too many calls of it run."""
    mockConfig: ToolMockConfig | None
    apiHeaders: dict[str, str] | None
    """Headers of the request; values are Liquid templates, sealed at rest. Values that carry credentials read as
    ********, which sent back means unchanged.
    """
    apiBody: dict[str, Any] | None
    """JSON body of the request; texts in it are Liquid templates, sealed at rest. Not sent with GET. Texts below
    members whose name speaks of a credential read as ********, which sent back means unchanged.
    """
    sourceBuiltinToolKey: str | None
    """Name of the built-in tool that this one was made from."""
    applicationType: str | None
    """Kind of application it belongs to."""
    applicationId: str | None
    """UUID in its 36-character form."""
    requiresFollowUp: bool | None
    """The model must speak after the answer. Default true."""
    hideFromChatTimeline: bool | None
    """Default false."""
    discloseOutputSchema: bool | None
    """Tells the model the schema of returnValue. Default false."""
    requiresSandbox: bool | None
    """CODE steps run in the sandbox whatever their origin. Default true."""
    anonymizeInChatTimeline: bool | None
    """Shows that it was called, not with what. Default false."""
    haltOnStepError: bool | None
    """A failed step ends the executionPlan. Default true."""
    tags: list[str] | None
    """Labels."""
    catalogInclusionModes: list[str] | None
    """Catalogues that show it."""
    networkAllowList: list[str] | None
    """Hosts that it may reach: example.com, *.example.com, 203.0.113.7, example.com:8443."""
    isSystem: bool
    userId: str | None
    """Who made it in the dashboard; null for the API."""
    version: int
    """Grows with every change."""
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""
    createdByAi: bool
    creatorAgentId: str | None
    """UUID in its 36-character form."""
    creatorFlowId: str | None
    """UUID in its 36-character form."""


class ToolDefinition(_ToolDefinition, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class ToolDefinitionInput(TypedDict, total=False):
    name: str | None
    """Function name for the model: a letter or _, then letters, digits, _ and -, at most 64."""
    description: str | None
    """Tells the model what it does."""
    groupName: str | None
    """Group in lists."""
    iconKey: str | None
    """Icon in lists."""
    iconColor: str | None
    """Colour of the icon, such as #2f6f4f."""
    parameters: list[ToolParameter] | None
    returnValue: ToolReturnValue | None
    toolType: Literal["API", "FORWARD_CALL", "CODE", "MCP", "SYSTEM"] | None
    """API: an HTTP request. FORWARD_CALL: hands the call over. CODE: executionPlan in the sandbox. MCP: a tool of the
    MCP server at apiUrl. SYSTEM: comes with the service; cannot be made or changed.
    """
    toolSubtype: str | None
    """Refines toolType; for MCP the tool's name at the server (unset: name)."""
    isAsync: bool | None
    """The answer comes later, to the async tool-task webhook. Default false."""
    internalOnly: bool | None
    """Not offered to models; other tools may call it. Default false."""
    asyncReturnType: str | None
    """What an async answer holds, such as TEXT or JSON."""
    messages: ToolMessages | None
    executionPlan: list[ToolExecutionStep] | None
    integrations: list[ToolIntegration] | None
    integrationCredentialLinks: list[ToolCredentialLink] | None
    forwardCallConfig: ForwardCallConfig | None
    aimetaHint: ToolMetaHint | None
    apiMethod: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] | None
    apiUrl: str | None
    """http or https URL; Liquid template. A template in the host needs networkAllowList."""
    connectionId: str | None
    """(extension) Connection whose token the service puts into the requests, at its provider's servers alone. Not for
    MCP.
    """
    apiBodyOmitsNulls: bool | None
    """(extension) Leaves out the members of apiBody that have no value, instead of sending null. Default false."""
    apiTimeoutSeconds: int | None
    """For the HTTP request. Default 15."""
    toolCallTimeoutSeconds: int | None
    """For the whole call of the tool. Default 30."""
    requiresConfirmedTranscript: bool | None
    """Waits until what the person said is final. Default false."""
    confirmedTranscriptTimeoutMs: int | None
    """Longest such wait. Default 2000."""
    proactiveLookupEnabled: bool | None
    """Called before the conversation starts. Default false."""
    prompts: list[ToolPrompt] | None
    toolResultCacheConfig: ToolResultCacheConfig | None
    toolConcurrencyConfig: ConcurrencyControlConfig | None
    concurrencyLimitFallbackMessage: str | None
    """The tool's answer when too many calls of it run."""
    mockConfig: ToolMockConfig | None
    apiHeaders: dict[str, str] | None
    """Headers of the request; values are Liquid templates, sealed at rest. Values that carry credentials read as
    ********, which sent back means unchanged.
    """
    apiBody: dict[str, Any] | None
    """JSON body of the request; texts in it are Liquid templates, sealed at rest. Not sent with GET. Texts below
    members whose name speaks of a credential read as ********, which sent back means unchanged.
    """
    sourceBuiltinToolKey: str | None
    """Name of the built-in tool that this one was made from."""
    applicationType: str | None
    """Kind of application it belongs to."""
    applicationId: str | None
    """UUID in its 36-character form."""
    requiresFollowUp: bool | None
    """The model must speak after the answer. Default true."""
    hideFromChatTimeline: bool | None
    """Default false."""
    discloseOutputSchema: bool | None
    """Tells the model the schema of returnValue. Default false."""
    requiresSandbox: bool | None
    """CODE steps run in the sandbox whatever their origin. Default true."""
    anonymizeInChatTimeline: bool | None
    """Shows that it was called, not with what. Default false."""
    haltOnStepError: bool | None
    """A failed step ends the executionPlan. Default true."""
    tags: list[str] | None
    """Labels."""
    catalogInclusionModes: list[str] | None
    """Catalogues that show it."""
    networkAllowList: list[str] | None
    """Hosts that it may reach: example.com, *.example.com, 203.0.113.7, example.com:8443."""


class ToolTask(TypedDict):
    toolTaskId: str
    status: Literal["PENDING", "COMPLETED", "FAILED"]
    result: Any
    """What the tool answered; null while PENDING."""
    error: str | None
    createdAt: str
    """ISO 8601, UTC."""
    completedAt: str | None
    """ISO 8601, UTC."""


class ToolTaskAnswer(TypedDict, total=False):
    toolTaskId: str | None
    """1 to 200 printable ASCII characters."""
    secret: str | None
    """1 to 1000 printable ASCII characters."""
    status: Literal["COMPLETED", "FAILED"] | None
    """Default COMPLETED."""
    result: Any
    """Any JSON value."""
    error: str | None
    """Why it failed."""
    completedAt: str | None
    """Ignored: the service's own clock counts."""


class ConnectionProvider(TypedDict):
    provider: Literal["GOOGLE", "CAL_COM", "HUBSPOT", "SALESFORCE", "SLACK", "CUSTOM"]
    title: str
    methods: list[Literal["OAUTH", "API_KEY"]]
    scopes: list[str]
    """Asked for when a connection names none."""
    redirectUri: str
    """To be registered for your OAuth app at the provider."""


class _CustomProvider(TypedDict):
    apiOrigins: list[str]
    """The only servers that get the token or key."""


class CustomProvider(_CustomProvider, total=False):
    authorizationUrl: str | None
    """Where a person signs in; OAUTH needs it."""
    tokenUrl: str | None
    """Where codes and refresh tokens are exchanged; OAUTH needs it."""
    revocationUrl: str | None
    """Where tokens are revoked (RFC 7009)."""
    clientAuthentication: Literal["POST", "BASIC"] | None
    """How the app's secret is sent to tokenUrl. Default POST."""
    keyHeader: str | None
    """Header of an API_KEY, with key, token or secret in its name. Default Authorization."""
    keyPrefix: str | None
    """Before the key. Default "Bearer " in Authorization, nothing elsewhere."""


class _Connection(TypedDict):
    id: str
    """UUID in its 36-character form."""
    name: str
    provider: Literal["GOOGLE", "CAL_COM", "HUBSPOT", "SALESFORCE", "SLACK", "CUSTOM"]
    method: Literal["OAUTH", "API_KEY"]
    state: Literal["NOT_CONNECTED", "CONNECTED", "NEEDS_SIGN_IN"]
    """NEEDS_SIGN_IN: the provider accepts neither token nor refresh; tools that use it fail."""
    clientId: str | None
    clientSecret: str | None
    """******** when one is stored."""
    scopes: list[str]
    grantedScopes: list[str] | None
    """Null: the provider did not say."""
    apiKey: str | None
    """******** when one is stored."""
    baseUrl: str | None
    """Null: the provider's own servers."""
    custom: CustomProvider | None
    apiOrigins: list[str]
    """The only servers that get its token."""
    connectedBy: str | None
    """Who signed in."""
    connectedAt: str | None
    """ISO 8601, UTC."""
    refreshedAt: str | None
    """ISO 8601, UTC."""
    expiresAt: str | None
    """ISO 8601, UTC."""
    failure: str | None
    """Why it needs a new sign-in."""
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""


class Connection(_Connection, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class _ConnectionInput(TypedDict):
    name: str
    provider: Literal["GOOGLE", "CAL_COM", "HUBSPOT", "SALESFORCE", "SLACK", "CUSTOM"]
    """Cannot be changed later."""


class ConnectionInput(_ConnectionInput, total=False):
    method: Literal["OAUTH", "API_KEY"]
    """OAUTH: a person signs in. API_KEY: a key of the provider. Default OAUTH; cannot be changed later."""
    clientId: str | None
    """Of your OAuth app at the provider."""
    clientSecret: str | None
    """Sealed at rest."""
    scopes: list[str]
    """Asked for at the sign-in. Empty: what the tool packs need."""
    apiKey: str | None
    """Of an API_KEY. Sealed at rest."""
    baseUrl: str | None
    """Origin of a server of your own, or of a region, instead of the provider's, such as
    https://example.my.salesforce.com.
    """
    custom: CustomProvider | None


class ConnectionChange(TypedDict, total=False):
    name: str
    provider: Literal["GOOGLE", "CAL_COM", "HUBSPOT", "SALESFORCE", "SLACK", "CUSTOM"]
    """Cannot be changed later."""
    method: Literal["OAUTH", "API_KEY"]
    """OAUTH: a person signs in. API_KEY: a key of the provider. Default OAUTH; cannot be changed later."""
    clientId: str | None
    """Of your OAuth app at the provider."""
    clientSecret: str | None
    """Sealed at rest."""
    scopes: list[str]
    """Asked for at the sign-in. Empty: what the tool packs need."""
    apiKey: str | None
    """Of an API_KEY. Sealed at rest."""
    baseUrl: str | None
    """Origin of a server of your own, or of a region, instead of the provider's, such as
    https://example.my.salesforce.com.
    """
    custom: CustomProvider | None


class ConnectionRemoval(TypedDict):
    revoked: bool | None
    """True: the provider revoked the tokens. False: it did not; revoke them there. Null: it has no way to, or there
    were none.
    """


class ListedToolPackSettingsItem(TypedDict):
    name: str
    title: str
    description: str
    required: bool
    default: str | None


class ListedToolPackToolsItem(TypedDict):
    name: str
    description: str


class ListedToolPack(TypedDict):
    name: str
    """Names it in a URL."""
    title: str
    description: str
    provider: Literal["GOOGLE", "CAL_COM", "HUBSPOT", "SALESFORCE", "SLACK", "CUSTOM"]
    """Of the connection that it needs."""
    settings: list[ListedToolPackSettingsItem]
    tools: list[ListedToolPackToolsItem]


class ToolPackSettingsItem(TypedDict):
    name: str
    title: str
    description: str
    required: bool
    default: str | None


class ToolPackToolsItem(TypedDict):
    name: str
    description: str


class ToolPack(TypedDict):
    name: str
    """Names it in a URL."""
    title: str
    description: str
    provider: Literal["GOOGLE", "CAL_COM", "HUBSPOT", "SALESFORCE", "SLACK", "CUSTOM"]
    """Of the connection that it needs."""
    settings: list[ToolPackSettingsItem]
    tools: list[ToolPackToolsItem]
    document: dict[str, Any]
    """The pack as a portable document, with the whole of each tool."""


class _ToolPackInstallationInput(TypedDict):
    connectionId: str
    """UUID in its 36-character form."""


class ToolPackInstallationInput(_ToolPackInstallationInput, total=False):
    settings: dict[str, str]
    """Values by the names of the pack's settings."""


class ToolPackInstallationToolsItem(TypedDict):
    id: str
    """UUID in its 36-character form."""
    name: str
    isNew: bool


class _ToolPackInstallation(TypedDict):
    tools: list[ToolPackInstallationToolsItem]


class ToolPackInstallation(_ToolPackInstallation, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class Echo(TypedDict):
    method: str
    headers: dict[str, Any]
    """By lower-case name; values that carry credentials are masked."""
    query: dict[str, Any]
    """By name; a parameter that came several times is a list."""
    body: Any
    """The JSON value, the text, or the bytes in base64; null when there was none."""
    bodyEncoding: Literal["JSON", "TEXT", "BASE64", "NONE"]
    """How body is to be read."""


class AsyncEchoAccepted(TypedDict):
    status: Literal["ACCEPTED"]
    toolTaskId: str
    delaySeconds: int
    callbackUrl: str
    """Where the test result will be sent."""
    dueAt: str
    """ISO 8601, UTC."""


class _StructuredOutput(TypedDict):
    id: str
    """UUID in its 36-character form."""
    name: str
    description: str | None
    schema: dict[str, Any]
    """JSON Schema 2020-12 of type object; each property is one field to fill."""
    condition: str | None
    """Liquid template over the variables, channel and endReason; the output is left out when it renders empty, 0 or
    false.
    """
    fillDuring: bool | None
    """Filled after each thing the person says, not only at the end."""
    version: int
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""


class StructuredOutput(_StructuredOutput, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class _StructuredOutputInput(TypedDict):
    name: str
    schema: dict[str, Any]
    """JSON Schema 2020-12 of type object."""


class StructuredOutputInput(_StructuredOutputInput, total=False):
    description: str | None
    condition: str | None
    """Liquid template over the variables, channel and endReason; the output is left out when it renders empty, 0 or
    false.
    """
    fillDuring: bool | None
    """Filled after each thing the person says, not only at the end. Default false."""


class StructuredOutputChange(TypedDict, total=False):
    name: str
    description: str | None
    schema: dict[str, Any]
    """JSON Schema 2020-12 of type object."""
    condition: str | None
    """Liquid template over the variables, channel and endReason; the output is left out when it renders empty, 0 or
    false.
    """
    fillDuring: bool | None
    """Filled after each thing the person says, not only at the end. Default false."""


class SipTrunk(TypedDict):
    host: str
    port: int
    transport: Literal["UDP", "TCP", "TLS"]
    username: str | None
    password: str | None
    """******** when one is stored."""
    registrationRequired: bool
    srtp: Literal["OFF", "OPTIONAL", "REQUIRED"]
    """(extension)"""
    codecs: list[Literal["PCMU", "PCMA"]]
    """(extension)"""
    rtpSources: list[str]
    """(extension) ranges (CIDR); empty: the signalled address."""


class PhoneNumberResponseProviderInfo(TypedDict):
    name: str
    externalId: str | None
    region: str | None
    """ISO 3166 code of the number's country."""
    simulated: bool
    """True: calls from it stay in the sandbox."""


class _PhoneNumberResponse(TypedDict):
    id: str
    """UUID in its 36-character form."""
    phoneNumber: str
    """E.164 number, such as +12025550100."""
    provider: Literal["SANDBOX", "TWILIO", "TELNYX", "VONAGE", "BYO_SIP"]
    label: str | None
    status: Literal["PENDING", "ACTIVE", "SUSPENDED", "FAILED"]
    statusMessage: str | None
    suspendedBy: Literal["OPERATOR", "CARRIER"] | None
    """Who made it stop; null while it is not SUSPENDED."""
    carrierAccountId: str | None
    """UUID in its 36-character form."""
    capabilities: list[Literal["VOICE", "SMS", "WHATSAPP"]]
    callsPerSecond: float | None
    """The number's own pace, else its account's; null: unlimited."""
    answerRate7d: float | None
    """Share of the dials of the last 7 days, retries as well, that a person answered, 0 to 1, as in GET /results."""
    machineRate7d: float | None
    """Share of the same dials that a machine answered, such as a voicemail."""
    providerInfo: PhoneNumberResponseProviderInfo
    sipTrunk: SipTrunk | None
    maxConcurrentCalls: int
    currentActiveCalls: int
    """Calls that hold a slot right now."""
    activeInboundCalls: int
    activeOutboundCalls: int
    queuedCalls: int
    """At most 1,000: more are not counted."""
    inboundFlowId: str | None
    """Null: the workspace's default flow answers who calls or writes."""
    isDefault: bool
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""


class PhoneNumberResponse(_PhoneNumberResponse, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class _SipTrunkInput(TypedDict):
    host: str
    """a host name or address, without a port."""


class SipTrunkInput(_SipTrunkInput, total=False):
    port: int | None
    """Default 5060, TLS 5061."""
    transport: Literal["UDP", "TCP", "TLS"] | None
    """Default UDP."""
    username: str | None
    """For digest authentication."""
    password: str | None
    """Sealed at rest, masked when read."""
    registrationRequired: bool | None
    """Default false."""
    srtp: Literal["OFF", "OPTIONAL", "REQUIRED"] | None
    """(extension) Encryption of the audio. Default OPTIONAL."""
    codecs: list[Literal["PCMU", "PCMA"]] | None
    """(extension) best first. Default PCMU, PCMA."""
    rtpSources: list[str] | None
    """(extension) for a trunk behind NAT: ranges (CIDR) from which its audio is taken besides the address in its SDP.
    The first to send four packets in a row is the trunk until the next re-INVITE. Default none: only the signalled
    address is heard.
    """


class _CreatePhoneNumberRequest(TypedDict):
    provider: Literal["SANDBOX", "TWILIO", "TELNYX", "VONAGE", "BYO_SIP"]


class CreatePhoneNumberRequest(_CreatePhoneNumberRequest, total=False):
    phoneNumber: str | None
    """E.164 number you own, or want. Unset: one is picked for you."""
    countryCode: str | None
    """ISO 3166 code of a number to pick. Default US."""
    areaCode: str | None
    """Area of a number to pick, where the country has such."""
    carrierAccountId: str | None
    """Account of the carrier. Unset: the only one that the workspace has."""
    label: str | None
    sipTrunk: SipTrunkInput | None
    callsPerSecond: float | None
    """Calls a second from this number. Unset: as many as its carrier account."""
    maxConcurrentCalls: int | None
    """Default 10."""
    inboundFlowId: str | None
    """Flow that answers who calls or writes to this number. Unset: the default flow."""
    isDefault: bool | None


class UpdatePhoneNumberRequest(TypedDict, total=False):
    label: str | None
    status: Literal["PENDING", "ACTIVE", "SUSPENDED", "FAILED"]
    """ACTIVE also tries again what a carrier refused: to set the number up, or to call. PENDING and FAILED are the
    service's to set: they are taken while the number has them, and change nothing.
    """
    sipTrunk: SipTrunkInput | None
    callsPerSecond: float | None
    """Calls a second from this number. Unset: as many as its carrier account."""
    maxConcurrentCalls: int
    inboundFlowId: str | None
    """Flow that answers who calls or writes to this number. Unset: the default flow."""
    isDefault: bool


class _Agent(TypedDict):
    id: str
    """UUID in its 36-character form."""
    name: str
    description: str | None
    flowId: str | None
    """Flow that it follows; null when none, or when that was deleted."""
    version: int
    """Counts its changes, from 1."""
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""


class Agent(_Agent, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class AgentPage(TypedDict):
    content: list[Agent]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class _AgentInput(TypedDict):
    name: str


class AgentInput(_AgentInput, total=False):
    description: str | None
    flowId: str | None
    """UUID in its 36-character form."""


class AgentChange(TypedDict, total=False):
    name: str
    description: str | None
    flowId: str | None
    """UUID in its 36-character form."""


class KnowledgeBaseItemSummary(TypedDict):
    id: str
    """UUID in its 36-character form."""
    agentId: str
    """UUID in its 36-character form."""
    title: str
    type: Literal["TEXT", "URL", "FILE"]
    """TEXT: `content`. URL: a page that is fetched. FILE: an uploaded file."""
    url: str | None
    """http(s) address of a URL item."""
    fileId: str | None
    """UUID in its 36-character form."""
    tags: list[str]
    metadata: dict[str, Any] | None
    """Kept as sent; at most 64 KiB of JSON."""
    language: str | None
    """BCP 47, such as en-US: a search then finds other forms of a word too. Unset: words as they are."""
    enabled: bool
    """False hides the item from searches. Default true."""
    refreshIntervalHours: int | None
    """How often a URL is read again; null: never."""
    status: Literal["PENDING", "INDEXING", "READY", "FAILED", "DISABLED"]
    statusMessage: str | None
    """Why it failed, or what is waited for."""
    sizeBytes: int | None
    """Of the source, as it was indexed last."""
    chunkCount: int
    """Passages that a search can find."""
    contentHash: str | None
    """SHA-256 of the source, in hex."""
    lastIndexedAt: str | None
    """ISO 8601, UTC."""
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""


class KnowledgeBaseItemPage(TypedDict):
    content: list[KnowledgeBaseItemSummary]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class _NewKnowledgeBaseItem(TypedDict):
    title: str
    type: Literal["TEXT", "URL", "FILE"]
    """TEXT: `content`. URL: a page that is fetched. FILE: an uploaded file."""


class NewKnowledgeBaseItem(_NewKnowledgeBaseItem, total=False):
    content: str | None
    """The text of a TEXT item."""
    url: str | None
    """http(s) address of a URL item."""
    fileId: str | None
    """UUID in its 36-character form."""
    tags: list[str] | None
    metadata: dict[str, Any] | None
    """Kept as sent; at most 64 KiB of JSON."""
    language: str | None
    """BCP 47, such as en-US: a search then finds other forms of a word too. Unset: words as they are."""
    enabled: bool | None
    """False hides the item from searches. Default true."""
    refreshIntervalHours: int | None
    """How often a URL is read again; null: never."""


class _KnowledgeBaseItemDto(TypedDict):
    id: str
    """UUID in its 36-character form."""
    agentId: str
    """UUID in its 36-character form."""
    content: str | None
    """The text of a TEXT item."""
    title: str
    type: Literal["TEXT", "URL", "FILE"]
    """TEXT: `content`. URL: a page that is fetched. FILE: an uploaded file."""
    url: str | None
    """http(s) address of a URL item."""
    fileId: str | None
    """UUID in its 36-character form."""
    tags: list[str]
    metadata: dict[str, Any] | None
    """Kept as sent; at most 64 KiB of JSON."""
    language: str | None
    """BCP 47, such as en-US: a search then finds other forms of a word too. Unset: words as they are."""
    enabled: bool
    """False hides the item from searches. Default true."""
    refreshIntervalHours: int | None
    """How often a URL is read again; null: never."""
    status: Literal["PENDING", "INDEXING", "READY", "FAILED", "DISABLED"]
    statusMessage: str | None
    """Why it failed, or what is waited for."""
    sizeBytes: int | None
    """Of the source, as it was indexed last."""
    chunkCount: int
    """Passages that a search can find."""
    contentHash: str | None
    """SHA-256 of the source, in hex."""
    lastIndexedAt: str | None
    """ISO 8601, UTC."""
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""


class KnowledgeBaseItemDto(_KnowledgeBaseItemDto, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class ItemRequest(TypedDict, total=False):
    title: str
    type: Literal["TEXT", "URL", "FILE"]
    """TEXT: `content`. URL: a page that is fetched. FILE: an uploaded file."""
    content: str | None
    """The text of a TEXT item."""
    url: str | None
    """http(s) address of a URL item."""
    fileId: str | None
    """UUID in its 36-character form."""
    tags: list[str] | None
    metadata: dict[str, Any] | None
    """Kept as sent; at most 64 KiB of JSON."""
    language: str | None
    """BCP 47, such as en-US: a search then finds other forms of a word too. Unset: words as they are."""
    enabled: bool | None
    """False hides the item from searches. Default true."""
    refreshIntervalHours: int | None
    """How often a URL is read again; null: never."""


class KnowledgeHit(TypedDict):
    itemId: str
    """UUID in its 36-character form."""
    title: str
    """Title of the item."""
    headings: list[str]
    """Above the passage in its document, the highest first."""
    page: int | None
    """Of a PDF, from 1: where the passage begins."""
    position: int
    """Which passage of the item it is, from 0."""
    text: str
    """The passage."""
    score: float
    """Higher is better; comparable within one search only."""


class KnowledgeSearchResults(TypedDict):
    results: list[KnowledgeHit]


class KnowledgeFile(TypedDict):
    id: str
    """UUID in its 36-character form."""
    agentId: str
    """UUID in its 36-character form."""
    fileName: str
    """The sender's name for it."""
    mediaType: Literal["text/plain", "text/markdown", "text/html", "text/csv", "application/json", "application/pdf", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"]
    sizeBytes: int
    sha256: str
    """In hex."""
    createdAt: str
    """ISO 8601, UTC."""


class _Application(TypedDict):
    id: str
    """UUID in its 36-character form."""
    key: str
    """Unique in the workspace; fixed."""
    name: str
    description: str | None
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""


class Application(_Application, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class ApplicationPage(TypedDict):
    content: list[Application]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class _ApplicationInput(TypedDict):
    name: str


class ApplicationInput(_ApplicationInput, total=False):
    key: str
    """Lower-case letters, digits, - and _, beginning with a letter; at most 63."""
    description: str | None


class ApplicationChange(TypedDict, total=False):
    key: str
    """Lower-case letters, digits, - and _, beginning with a letter; at most 63."""
    name: str
    description: str | None


class _ApplicationCustomer(TypedDict):
    id: str
    """UUID in its 36-character form."""
    applicationId: str
    """UUID in its 36-character form."""
    name: str | None
    email: str | None
    """E-mail address."""
    phone: str | None
    """E.164 number, such as +12025550100."""
    externalId: str | None
    """Id in a system of your own; unique in the application."""
    fields: dict[str, Any]
    """Anything else that is known; comes back as it was sent."""
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""


class ApplicationCustomer(_ApplicationCustomer, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class ApplicationCustomerPage(TypedDict):
    content: list[ApplicationCustomer]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class ApplicationCustomerInput(TypedDict, total=False):
    name: str | None
    email: str | None
    """E-mail address."""
    phone: str | None
    """E.164 number, such as +12025550100."""
    externalId: str | None
    """Id in a system of your own; unique in the application."""
    fields: dict[str, Any] | None
    """Anything else that is known, at most 64 KiB; replaced as a whole."""


class OwnedDataStoreApplication(TypedDict):
    id: str
    """UUID in its 36-character form."""
    name: str


class OwnedDataStore(TypedDict):
    id: str
    """UUID in its 36-character form."""
    key: str
    """Names it in paths; unique in the application; fixed."""
    name: str
    kind: Literal["BUILT_IN", "CUSTOM"]
    """BUILT_IN: kept by the service, read-only through the record endpoints."""
    schema: dict[str, Any] | None
    """JSON Schema 2020-12 that the custom fields of its records must fit."""
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""
    application: OwnedDataStoreApplication


class OwnedDataStorePage(TypedDict):
    content: list[OwnedDataStore]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class _DataStore(TypedDict):
    id: str
    """UUID in its 36-character form."""
    key: str
    """Names it in paths; unique in the application; fixed."""
    name: str
    kind: Literal["BUILT_IN", "CUSTOM"]
    """BUILT_IN: kept by the service, read-only through the record endpoints."""
    schema: dict[str, Any] | None
    """JSON Schema 2020-12 that the custom fields of its records must fit."""
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""


class DataStore(_DataStore, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class DataStorePage(TypedDict):
    content: list[DataStore]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class _DataStoreInput(TypedDict):
    key: str
    """Lower-case letters, digits, - and _, beginning with a letter; at most 63."""


class DataStoreInput(_DataStoreInput, total=False):
    name: str
    """Default: the key."""
    schema: dict[str, Any] | None
    """JSON Schema 2020-12 of type object; null: records hold any fields."""


class DataStoreChange(TypedDict, total=False):
    key: str
    """Lower-case letters, digits, - and _, beginning with a letter; at most 63."""
    name: str
    """Default: the key."""
    schema: dict[str, Any] | None
    """JSON Schema 2020-12 of type object; null: records hold any fields."""


class DataRecord(TypedDict):
    """Custom fields, exactly as sent, and these."""
    id: str
    """UUID in its 36-character form."""
    metadata: dict[str, Any] | None
    """As it was sent."""
    customerId: str | None
    """Customer of the application that it is linked to."""
    createdAt: str
    """Local date-time in the workspace's time zone, without offset, such as 2026-11-21T08:15:30.123."""
    updatedAt: str
    """Local date-time in the workspace's time zone, without offset, such as 2026-11-21T08:15:30.123."""


class DataRecordPage(TypedDict):
    content: list[DataRecord]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class DataRecordInput(TypedDict, total=False):
    """The custom fields, all of them. id, createdAt and updatedAt are ignored, so a record that was read may be sent
    back.
    """
    metadata: dict[str, Any] | None
    """Present: replaces the metadata; null clears it. Absent: it stays."""
    customerId: str | None
    """Present: relinks; null unlinks. Absent: stays."""


class MetadataField(TypedDict):
    key: str
    """Name in metadata: a letter, then letters, digits, _ . or -; at most 100."""
    type: Literal["STRING", "NUMBER", "DATE", "BOOLEAN", "ENUM"]
    """DATE is YYYY-MM-DD; ENUM takes one of allowedValues."""
    label: str
    """Name for people; also found as a spreadsheet's column."""
    required: bool
    """A recording without it is taken with a warning."""
    allowedValues: list[str] | None
    description: str | None
    jobId: str | None
    """The job that alone has it; null for the workspace's own."""


class TranscriptionJobSpreadsheet(TypedDict):
    fileName: str | None
    columns: list[str]
    rows: int
    uploadedAt: str
    """ISO 8601, UTC."""


class _TranscriptionJob(TypedDict):
    id: str
    """UUID in its 36-character form."""
    name: str
    status: Literal["OPEN", "CLOSED"]
    """A closed job takes no new recordings."""
    provider: Literal["SANDBOX", "OPENAI_COMPATIBLE", "DEEPGRAM"]
    """SANDBOX hears tone speech and needs no account; OPENAI_COMPATIBLE is OpenAI or a Whisper server; DEEPGRAM."""
    language: str | None
    """BCP 47 language of the speech; null: the provider finds out."""
    fileNamePattern: str | None
    """RE2 expression whose named groups become metadata of each file name it finds."""
    metadataFields: list[MetadataField]
    """Valid keys besides the workspace's own."""
    retainAudio: bool
    """Keeps uploaded audio after its transcription."""
    spreadsheet: TranscriptionJobSpreadsheet | None
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""
    closedAt: str | None
    """ISO 8601, UTC."""


class TranscriptionJob(_TranscriptionJob, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class TranscriptionJobPage(TypedDict):
    content: list[TranscriptionJob]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class _MetadataFieldInput(TypedDict):
    key: str
    """Name in metadata: a letter, then letters, digits, _ . or -; at most 100."""


class MetadataFieldInput(_MetadataFieldInput, total=False):
    type: Literal["STRING", "NUMBER", "DATE", "BOOLEAN", "ENUM"]
    """Default STRING."""
    label: str | None
    """Default: the key."""
    required: bool
    allowedValues: list[str] | None
    description: str | None


class _CreateTranscriptionJob(TypedDict):
    name: str


class CreateTranscriptionJob(_CreateTranscriptionJob, total=False):
    provider: Literal["SANDBOX", "OPENAI_COMPATIBLE", "DEEPGRAM"]
    """SANDBOX hears tone speech and needs no account; OPENAI_COMPATIBLE is OpenAI or a Whisper server; DEEPGRAM.
    Default SANDBOX.
    """
    language: str | None
    """BCP 47 tag such as en-US."""
    fileNamePattern: str | None
    """RE2 expression with named groups: (?<agent>[a-z]+)."""
    metadataFields: list[MetadataFieldInput]
    retainAudio: bool
    """Default false."""


class ChangeTranscriptionJob(TypedDict, total=False):
    name: str
    provider: Literal["SANDBOX", "OPENAI_COMPATIBLE", "DEEPGRAM"]
    """SANDBOX hears tone speech and needs no account; OPENAI_COMPATIBLE is OpenAI or a Whisper server; DEEPGRAM.
    Default SANDBOX.
    """
    language: str | None
    """BCP 47 tag such as en-US."""
    fileNamePattern: str | None
    """RE2 expression with named groups: (?<agent>[a-z]+)."""
    metadataFields: list[MetadataFieldInput]
    retainAudio: bool
    """Default false."""


class _RecordingInput(TypedDict):
    url: str
    """http or https address, handed to the provider as given."""


class RecordingInput(_RecordingInput, total=False):
    fileName: str | None
    """Name for people, for the pattern and the spreadsheet."""
    externalId: str | None
    """The sender's own id. A repeat returns the existing row; always send it."""
    metadata: dict[str, Any] | None
    """What the recording is filed under; GET /metadata/fields lists the valid keys."""


class _RecordingReceipt(TypedDict):
    rowId: str
    """UUID in its 36-character form."""
    duplicate: bool
    """True: the externalId was seen before, and this is the existing row."""
    jobId: str
    """UUID in its 36-character form."""
    externalId: str | None
    status: Literal["QUEUED", "PROCESSING", "COMPLETED", "FAILED"]
    fileName: str | None
    url: str | None
    """As sent; null for uploads."""
    metadata: dict[str, Any]
    """File-name pattern first, then spreadsheet, then the values sent, which win."""
    unknownMetadataKeys: list[str]
    """Keys that were sent and that no field defines."""
    warning: str | None
    createdAt: str
    """ISO 8601, UTC."""


class RecordingReceipt(_RecordingReceipt, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class _RecordingForm(TypedDict):
    file: str


class RecordingForm(_RecordingForm, total=False):
    payload: str
    """JSON object with fileName, externalId and metadata, as in RecordingDetails."""


class RecordingSummaryError(TypedDict):
    code: str
    message: str


class RecordingSummary(TypedDict):
    id: str
    """UUID in its 36-character form."""
    jobId: str
    """UUID in its 36-character form."""
    externalId: str | None
    status: Literal["QUEUED", "PROCESSING", "COMPLETED", "FAILED"]
    fileName: str | None
    url: str | None
    """As sent; null for uploads."""
    metadata: dict[str, Any]
    """File-name pattern first, then spreadsheet, then the values sent, which win."""
    unknownMetadataKeys: list[str]
    """Keys that were sent and that no field defines."""
    warning: str | None
    createdAt: str
    """ISO 8601, UTC."""
    provider: Literal["SANDBOX", "OPENAI_COMPATIBLE", "DEEPGRAM"]
    mediaType: str | None
    """As the uploader declared it."""
    bytes: int | None
    audioFormat: str | None
    """Container and codec, as found in an upload."""
    durationSeconds: float | None
    language: str | None
    """Of the transcript, as the provider names it."""
    failures: int
    """Failed attempts so far."""
    error: RecordingSummaryError | None
    startedAt: str | None
    """ISO 8601, UTC."""
    completedAt: str | None
    """ISO 8601, UTC."""


class RecordingPage(TypedDict):
    content: list[RecordingSummary]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class RecordingError(TypedDict):
    code: str
    message: str


class RecordingTranscriptSegmentsItem(TypedDict):
    startMs: int
    endMs: int
    speaker: str | None
    """Such as ASSISTANT, USER or SPEAKER_0."""
    text: str


class RecordingTranscript(TypedDict):
    text: str
    note: str | None
    """Such as that nothing was heard."""
    segments: list[RecordingTranscriptSegmentsItem]


class Recording(TypedDict):
    id: str
    """UUID in its 36-character form."""
    jobId: str
    """UUID in its 36-character form."""
    externalId: str | None
    status: Literal["QUEUED", "PROCESSING", "COMPLETED", "FAILED"]
    fileName: str | None
    url: str | None
    """As sent; null for uploads."""
    metadata: dict[str, Any]
    """File-name pattern first, then spreadsheet, then the values sent, which win."""
    unknownMetadataKeys: list[str]
    """Keys that were sent and that no field defines."""
    warning: str | None
    createdAt: str
    """ISO 8601, UTC."""
    provider: Literal["SANDBOX", "OPENAI_COMPATIBLE", "DEEPGRAM"]
    mediaType: str | None
    """As the uploader declared it."""
    bytes: int | None
    audioFormat: str | None
    """Container and codec, as found in an upload."""
    durationSeconds: float | None
    language: str | None
    """Of the transcript, as the provider names it."""
    failures: int
    """Failed attempts so far."""
    error: RecordingError | None
    startedAt: str | None
    """ISO 8601, UTC."""
    completedAt: str | None
    """ISO 8601, UTC."""
    transcript: RecordingTranscript | None


class SpreadsheetForm(TypedDict):
    file: str


class _MetadataFieldList(TypedDict):
    fields: list[MetadataFieldInput]


class MetadataFieldList(_MetadataFieldList, total=False):
    before: dict[str, Any]
    """Settings as the caller read them: 409 when one of these has another value by now. Unset: the change is made
    anyway.
    """


class Balance(TypedDict):
    balance: str
    """Top-ups less what was billed."""
    currency: str
    """ISO 4217."""
    creditLimit: str | None
    """How far below zero the balance may go; null: no limit."""
    availableCredit: str | None
    """Balance and limit less pending; null: no limit. At zero no call is placed."""
    pending: str
    """What the calls now on the line have come to; billed when they end."""
    lowBalanceThreshold: str | None
    """Below it, lowBalance is true."""
    lowBalance: bool
    unlimited: bool
    """True until the operator sets a limit."""
    toppedUpTotal: str
    """All top-ups."""
    billedTotal: str
    """Everything billed."""
    simulatedTotal: str
    """What the calls and chats of the sandbox would have cost; never billed."""
    asOf: str
    """ISO 8601, UTC."""


class UsageEntry(TypedDict):
    id: str
    """UUID in its 36-character form."""
    kind: Literal["TELEPHONY_SECOND", "MODEL_INPUT_TOKEN", "MODEL_CACHED_INPUT_TOKEN", "MODEL_OUTPUT_TOKEN", "SPEECH_SECOND", "TRANSCRIPTION_SECOND", "SMS_SEGMENT", "WHATSAPP_MESSAGE"]
    quantity: float
    """In the kind's unit."""
    unitPrice: str
    """Decimal, as it was when this was used."""
    amount: str
    """Quantity times unit price, not rounded."""
    simulated: bool
    """True: what it would have cost; not billed."""
    subjectType: Literal["CALL", "CHAT", "TRANSCRIPTION"]
    subjectId: str
    """Call row, chat session or transcription row."""
    createdAt: str
    """ISO 8601, UTC."""


class UsagePage(TypedDict):
    content: list[UsageEntry]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class UsageSummaryDaysItem(TypedDict):
    day: str
    """Such as 2026-12-01."""
    kind: Literal["TELEPHONY_SECOND", "MODEL_INPUT_TOKEN", "MODEL_CACHED_INPUT_TOKEN", "MODEL_OUTPUT_TOKEN", "SPEECH_SECOND", "TRANSCRIPTION_SECOND", "SMS_SEGMENT", "WHATSAPP_MESSAGE"]
    simulated: bool
    entries: int
    quantity: float
    amount: str


UsageSummary = TypedDict("UsageSummary", {"from": "str", "to": "str", "currency": "str", "billed": "str", "simulated": "str", "days": "list[UsageSummaryDaysItem]"})


class Artifact(TypedDict):
    id: str
    """UUID in its 36-character form."""
    automationId: str
    """UUID in its 36-character form."""
    runId: str
    """UUID in its 36-character form."""
    type: Literal["TEXT", "JSON", "FILE", "HTML", "TABLE"]
    name: str
    """File name."""
    title: str
    mimeType: str
    sizeBytes: int
    downloadUrl: str
    """The bytes; takes the same credential as this request."""
    metadata: dict[str, Any]
    """What it is about, such as callJobId, or from and until."""
    createdAt: str
    """ISO 8601, UTC."""
    content: Any
    """The value for type JSON, otherwise the text; null when larger than 1 MiB (see downloadUrl)."""


class ArtifactSummary(TypedDict):
    id: str
    """UUID in its 36-character form."""
    automationId: str
    """UUID in its 36-character form."""
    runId: str
    """UUID in its 36-character form."""
    type: Literal["TEXT", "JSON", "FILE", "HTML", "TABLE"]
    name: str
    """File name."""
    title: str
    mimeType: str
    sizeBytes: int
    downloadUrl: str
    """The bytes; takes the same credential as this request."""
    metadata: dict[str, Any]
    """What it is about, such as callJobId, or from and until."""
    createdAt: str
    """ISO 8601, UTC."""


class ArtifactPage(TypedDict):
    content: list[ArtifactSummary]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class AutomationSchedule(TypedDict):
    time: str
    """Local time of day, HH:MM."""
    days: list[Literal["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]]
    """Days of the week; empty: every day."""
    timeZone: str
    """IANA zone."""


class ExportSettings(TypedDict):
    format: Literal["CSV", "JSON"]
    status: list[Literal["QUEUED", "DIALING", "RINGING", "IN_PROGRESS", "UNKNOWN", "WAITING_FOR_RETRY", "WAITING_FOR_WINDOW", "COMPLETED", "FAILED", "SKIPPED", "CANCELLED", "UNCONFIRMED"]]
    """Only calls in one of these states; empty: any."""
    outcome: list[Literal["ANSWERED", "VOICEMAIL", "CALL_SCREENED", "IVR", "FAX", "BUSY", "NO_ANSWER", "REJECTED", "INVALID_NUMBER", "UNREACHABLE", "CARRIER_FAILURE", "OPTED_OUT", "TRANSFERRED", "INTERRUPTED", "INTERRUPTED_BY_OPERATOR", "BLOCKED", "CANCELLED", "UNCONFIRMED", "FLOW_MISSING"]]
    """Only calls with one of these outcomes; empty: any."""
    createdAfter: str | None
    """ISO 8601, UTC."""
    createdBefore: str | None
    """ISO 8601, UTC."""


class _Automation(TypedDict):
    id: str
    """UUID in its 36-character form."""
    name: str
    description: str | None
    kind: Literal["CALL_JOB_REPORT", "DAILY_DIGEST", "EXPORT"]
    """CALL_JOB_REPORT: a job finished. DAILY_DIGEST: on its schedule. EXPORT: when asked."""
    enabled: bool
    """A disabled one starts by no trigger; it still runs when asked."""
    callJobId: str | None
    """UUID in its 36-character form."""
    schedule: AutomationSchedule | None
    export: ExportSettings | None
    nextRunAt: str | None
    """ISO 8601, UTC."""
    version: int
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""


class Automation(_Automation, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class AutomationPage(TypedDict):
    content: list[Automation]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class AutomationScheduleInput(TypedDict, total=False):
    time: str | None
    """HH:MM, from 00:00 to 23:59. Default 08:00."""
    days: list[Literal["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]] | None
    """Default every day."""
    timeZone: str | None
    """IANA zone such as Europe/Berlin. Default the workspace's."""


class ExportSettingsInput(TypedDict, total=False):
    format: Literal["CSV", "JSON"] | None
    """Default CSV."""
    status: list[Literal["QUEUED", "DIALING", "RINGING", "IN_PROGRESS", "UNKNOWN", "WAITING_FOR_RETRY", "WAITING_FOR_WINDOW", "COMPLETED", "FAILED", "SKIPPED", "CANCELLED", "UNCONFIRMED"]] | None
    outcome: list[Literal["ANSWERED", "VOICEMAIL", "CALL_SCREENED", "IVR", "FAX", "BUSY", "NO_ANSWER", "REJECTED", "INVALID_NUMBER", "UNREACHABLE", "CARRIER_FAILURE", "OPTED_OUT", "TRANSFERRED", "INTERRUPTED", "INTERRUPTED_BY_OPERATOR", "BLOCKED", "CANCELLED", "UNCONFIRMED", "FLOW_MISSING"]] | None
    createdAfter: str | None
    """ISO 8601 with a zone, such as 2026-12-01T09:00:00Z."""
    createdBefore: str | None
    """ISO 8601 with a zone, such as 2026-12-01T09:00:00Z."""


class _AutomationInput(TypedDict):
    name: str
    kind: Literal["CALL_JOB_REPORT", "DAILY_DIGEST", "EXPORT"]
    """Fixed when it is made."""


class AutomationInput(_AutomationInput, total=False):
    description: str | None
    enabled: bool
    """Default true."""
    callJobId: str | None
    """Reports: this job's runs only; null: every job's. Exports: this job's rows; null: the history."""
    schedule: AutomationScheduleInput | None
    export: ExportSettingsInput | None


class AutomationChange(TypedDict, total=False):
    name: str
    description: str | None
    kind: Literal["CALL_JOB_REPORT", "DAILY_DIGEST", "EXPORT"]
    """Fixed when it is made."""
    enabled: bool
    """Default true."""
    callJobId: str | None
    """Reports: this job's runs only; null: every job's. Exports: this job's rows; null: the history."""
    schedule: AutomationScheduleInput | None
    export: ExportSettingsInput | None


class AutomationRunError(TypedDict):
    code: str
    message: str


AutomationRun = TypedDict("AutomationRun", {"id": "str", "automationId": "str", "trigger": "Literal['CALL_JOB_COMPLETED', 'SCHEDULE', 'MANUAL']", "status": "Literal['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED']", "callJobId": "str | None", "callJobRun": "int | None", "from": "str | None", "until": "str | None", "artifactCount": "int", "error": "AutomationRunError | None", "createdAt": "str", "startedAt": "str | None", "endedAt": "str | None"})


class AutomationRunPage(TypedDict):
    content: list[AutomationRun]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class _SessionWebhook(TypedDict):
    id: str
    """UUID in its 36-character form."""
    flowId: str | None
    """The flow whose sessions it hears of; null: those of every flow."""
    url: str
    events: list[Literal["session.started", "message.created", "session.human_requested", "call.alert", "session.ended"]]
    authMode: Literal["NONE", "BEARER", "CUSTOM_HEADER"]
    secret: str | None
    """Masked. For BEARER."""
    headerName: str | None
    """For CUSTOM_HEADER."""
    headerValue: str | None
    """Masked. For CUSTOM_HEADER."""
    enabled: bool
    disabledReason: str | None
    """Why the service disabled it."""
    signingSecret: str | None
    """whsec_… of Standard Webhooks; shown once, when the webhook is made."""
    createdAt: str
    """ISO 8601, UTC."""
    updatedAt: str
    """ISO 8601, UTC."""


class SessionWebhook(_SessionWebhook, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class SessionWebhookPage(TypedDict):
    content: list[SessionWebhook]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class _SessionWebhookInput(TypedDict):
    url: str


class SessionWebhookInput(_SessionWebhookInput, total=False):
    flowId: str | None
    """uuid or apiId of a saved flow; null: all."""
    flowApiId: str | None
    """apiId of a saved flow, instead of flowId."""
    events: list[Literal["session.started", "message.created", "session.human_requested", "call.alert", "session.ended"]]
    """Default: all of them."""
    authMode: Literal["NONE", "BEARER", "CUSTOM_HEADER"] | None
    """Default: as before; without one, the mode whose secret is sent, else NONE."""
    secret: str | None
    """For BEARER."""
    headerName: str | None
    """For CUSTOM_HEADER."""
    headerValue: str | None
    """For CUSTOM_HEADER."""
    enabled: bool
    """Default true."""


class SessionWebhookChange(TypedDict, total=False):
    flowId: str | None
    """uuid or apiId of a saved flow; null: all."""
    flowApiId: str | None
    """apiId of a saved flow, instead of flowId."""
    url: str
    events: list[Literal["session.started", "message.created", "session.human_requested", "call.alert", "session.ended"]]
    """Default: all of them."""
    authMode: Literal["NONE", "BEARER", "CUSTOM_HEADER"] | None
    """Default: as before; without one, the mode whose secret is sent, else NONE."""
    secret: str | None
    """For BEARER."""
    headerName: str | None
    """For CUSTOM_HEADER."""
    headerValue: str | None
    """For CUSTOM_HEADER."""
    enabled: bool
    """Default true."""


class WebhookEventEntry(TypedDict):
    id: str
    """Id of the delivery: several webhooks may receive one event."""
    eventId: str
    """The same for every webhook: drop one that was handled."""
    eventType: str
    webhookUrl: str | None
    createdAt: str
    """ISO 8601, UTC."""
    body: str
    """JSON text as it is sent."""


class WebhookEvents(TypedDict):
    events: list[WebhookEventEntry]
    cursor: str


class WebhookInspector(TypedDict):
    url: str
    """Takes every method; whoever knows it can send to it."""
    failNext: int
    """So many of the next requests are answered with failStatus."""
    failStatus: int


class _SimulationInput(TypedDict):
    suite: Any
    """The suite: its YAML or JSON as a text, or an object."""


class SimulationInput(_SimulationInput, total=False):
    flow: Any
    """Instead of the suite's flow: an id or apiId, {flow, version}, {draft}, or {document} with an export or a flow's
    fields.
    """
    files: dict[str, Any] | None
    """Texts of the files that the suite names, by the names that it uses."""
    only: list[str] | None
    """Names of the scenarios to run. Default: all."""
    repeat: int | None
    """For every scenario."""
    seed: int | None
    mode: Literal["TEXT", "AUDIO"] | None
    """Instead of the suite's mode."""
    compareWith: str | None
    """Id of the run to compare with, or none. Default: the last finished run of the same suite and flow that ran all of
    its scenarios, or at least those of `only`.
    """


class SimulationFlow(TypedDict):
    id: str | None
    """UUID in its 36-character form."""
    apiId: str | None
    name: str
    version: int | None
    """Null for a draft and for a flow that was sent along."""


class SimulationProgress(TypedDict):
    done: int
    """Conversations that are over."""
    total: int
    failed: int
    """Of those that are over."""


class SimulationError(TypedDict):
    code: str
    message: str


class _Simulation(TypedDict):
    id: str
    """UUID in its 36-character form."""
    kind: str
    """SUITE: a test suite. REPLAY: past calls, spoken to a flow."""
    state: Literal["QUEUED", "RUNNING", "PASSED", "FAILED", "CANCELLED", "ERROR"]
    """PASSED and FAILED say what the suite found; ERROR: it could not be run to its end."""
    suite: str
    """Name of the suite."""
    flow: SimulationFlow
    progress: SimulationProgress
    comparedWith: str | None
    """The run that the comparison is with."""
    error: SimulationError | None
    createdAt: str
    """ISO 8601, UTC."""
    startedAt: str | None
    """ISO 8601, UTC."""
    endedAt: str | None
    """ISO 8601, UTC."""
    report: dict[str, Any] | None
    """Scenarios with their conversations; null until the run is over."""
    comparison: dict[str, Any] | None
    """What changed since the run in comparedWith."""


class Simulation(_Simulation, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class SimulationEntryFlow(TypedDict):
    id: str | None
    """UUID in its 36-character form."""
    apiId: str | None
    name: str
    version: int | None
    """Null for a draft and for a flow that was sent along."""


class SimulationEntryProgress(TypedDict):
    done: int
    """Conversations that are over."""
    total: int
    failed: int
    """Of those that are over."""


class SimulationEntryError(TypedDict):
    code: str
    message: str


class SimulationEntry(TypedDict):
    id: str
    """UUID in its 36-character form."""
    kind: str
    """SUITE: a test suite. REPLAY: past calls, spoken to a flow."""
    state: Literal["QUEUED", "RUNNING", "PASSED", "FAILED", "CANCELLED", "ERROR"]
    """PASSED and FAILED say what the suite found; ERROR: it could not be run to its end."""
    suite: str
    """Name of the suite."""
    flow: SimulationEntryFlow
    progress: SimulationEntryProgress
    comparedWith: str | None
    """The run that the comparison is with."""
    error: SimulationEntryError | None
    createdAt: str
    """ISO 8601, UTC."""
    startedAt: str | None
    """ISO 8601, UTC."""
    endedAt: str | None
    """ISO 8601, UTC."""


class SimulationPage(TypedDict):
    content: list[SimulationEntry]
    page: int
    size: int
    totalElements: int
    """Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first
    rows of a list of calls have.
    """
    totalIsExact: bool
    """False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)"""
    totalPages: int
    """As far as is known: grows with page while totalIsExact is false."""
    first: bool
    last: bool
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class SimulationSource(TypedDict):
    suite: Any
    """The suite as it was sent: a text or an object."""
    files: dict[str, Any]
    """Texts of the files that the suite names."""
    flow: Any
    only: list[str] | None
    repeat: int | None
    seed: int | None
    mode: Literal["TEXT", "AUDIO"] | None


class Persona(TypedDict):
    name: str
    """What suites call it."""
    title: str
    description: str
    kind: str
    """PERSON, or the machine that answers."""
    answeredBy: str
    """What a carrier would say of who answered."""
    language: str | None
    """Null: as addressed."""


class ReplayInput(TypedDict, total=False):
    flowId: str | None
    """Id or apiId."""
    flowApiId: str | None
    draft: bool | None
    """Speak to the flow's draft. Default: what is published."""
    version: int | None
    rowIds: list[str] | None
    """Which calls."""
    last: int | None
    """Instead: so many of the flow's last calls. Default 20."""
    jobId: str | None
    """With last: of this job alone."""


class SuiteProposalRemovedItem(TypedDict):
    kind: str
    count: int


class _SuiteProposal(TypedDict):
    suite: str
    """The suite file, YAML."""
    scenario: dict[str, Any]
    """Its scenario, as data."""
    persona: dict[str, Any]
    """Its persona, as data."""
    removed: list[SuiteProposalRemovedItem]
    """Personal data that was replaced by stand-ins: how many different things of each kind."""
    notes: list[str]
    """What the suite leaves out, and why."""


class SuiteProposal(_SuiteProposal, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class _PopulationPart(TypedDict):
    share: float
    """Weight beside the other parts."""


class PopulationPart(_PopulationPart, total=False):
    """A persona who answers, a line that nobody picks up, or first one, then the other."""
    persona: str | None
    """Name of a built-in persona."""
    line: Literal["BUSY", "NO_ANSWER", "VOICEMAIL", "REJECTED", "INVALID_NUMBER", "UNREACHABLE", "CARRIER_FAILURE"] | None
    """What the line does instead of somebody picking up."""
    attempts: int | None
    """With line: it does so for this many attempts only, and then `persona` answers."""


class RehearsalInputJobTimeZonesItem(TypedDict):
    timeZone: str
    """IANA name of a time zone, such as America/New_York."""
    share: float


class _RehearsalInputJob(TypedDict):
    rowCount: int


class RehearsalInputJob(_RehearsalInputJob, total=False):
    name: str | None
    flowApiId: str | None
    """apiId of a saved flow."""
    flowId: str | None
    """uuid or apiId of a saved flow."""
    flow: InlineFlow | None
    fromPhoneNumber: str | None
    """E.164 number, such as +12025550100."""
    fromPhoneNumbers: list[str] | None
    startAt: str | None
    """ISO 8601 with a zone, such as 2026-12-01T09:00:00Z."""
    maxConcurrency: int | None
    """Calls of this job at once, shared out over its numbers."""
    retryConfig: RetryConfig | None
    callingWindow: CallingWindowInput | None
    completionWebhook: CompletionWebhookInput | None
    timeZones: list[RehearsalInputJobTimeZonesItem] | None
    """Where the people are, for the calling window. Default: the zones of the first number's country."""


class RehearsalInput(TypedDict, total=False):
    jobId: str | None
    """A job whose waiting rows are meant."""
    job: RehearsalInputJob | None
    population: list[PopulationPart] | None
    """Default: the sandbox's own mix."""
    sample: int | None
    """Conversations that are really held. Default 50."""
    model: Literal["FLOW", "SCRIPTED"] | None
    """What the agent speaks through in them. Default FLOW, the flow's own."""
    seed: int | None
    """Default 1."""


class ForecastDurationSeconds(TypedDict):
    """From the start to the end of the last call."""
    p10: float
    p50: float
    p90: float


class ForecastOutcomesItem(TypedDict):
    status: Literal["COMPLETED", "FAILED", "SKIPPED", "CANCELLED", "UNCONFIRMED"]
    outcome: Literal["ANSWERED", "VOICEMAIL", "CALL_SCREENED", "IVR", "FAX", "BUSY", "NO_ANSWER", "REJECTED", "INVALID_NUMBER", "UNREACHABLE", "CARRIER_FAILURE", "OPTED_OUT", "TRANSFERRED", "INTERRUPTED", "INTERRUPTED_BY_OPERATOR", "BLOCKED", "CANCELLED", "UNCONFIRMED", "FLOW_MISSING"]
    count: int
    share: float
    """Of all rows, those that are skipped included."""


class ForecastCost(TypedDict):
    p10: str
    p50: str
    p90: str
    currency: str
    """ISO 4217."""


class ForecastBusiestNumber(TypedDict):
    phoneNumber: str
    attempts: int
    busyShare: float
    """Of the slots that the job has in it, over the job's duration."""


class ForecastPerHourItem(TypedDict):
    startsAt: str
    """ISO 8601, UTC."""
    attempts: int
    endedRows: int
    talkSeconds: float


class ForecastSkippedReasonsItem(TypedDict):
    code: str
    count: int


class ForecastSkipped(TypedDict):
    count: int
    """Rows that the compliance gate would never let out."""
    reasons: list[ForecastSkippedReasonsItem]


class _Forecast(TypedDict):
    rows: int
    """Rows that would be dialled."""
    repetitions: int
    """Runs that the percentiles are taken over."""
    durationSeconds: ForecastDurationSeconds
    """From the start to the end of the last call."""
    startsAt: str
    """ISO 8601, UTC."""
    endsAt: str | None
    """ISO 8601, UTC."""
    attempts: int
    outcomes: list[ForecastOutcomesItem]
    cost: ForecastCost
    talkSeconds: float
    busiestNumber: ForecastBusiestNumber | None
    perHour: list[ForecastPerHourItem]
    """Of the middle run, without hours in which nothing happens; at most 744."""
    skipped: ForecastSkipped
    assumptions: list[str]


class Forecast(_Forecast, total=False):
    warnings: list[Warning]
    """Only in replies to writes: members of the body that have no effect, because nothing of that name is known there,
    the first 20. Left out when there is none.
    """
    warningsTotal: int
    """How many there are; only beside `warnings`."""


class CallJobCompletedJob(TypedDict):
    id: str
    """UUID in its 36-character form."""
    name: str
    status: Literal["COMPLETED", "CANCELLED", "FAILED"]
    totalRows: int
    processedRows: int
    successfulRows: int
    errorRows: int
    flowApiId: str
    """Empty for an inline flow."""


class CallJobCompletedRetrievalEndpoints(TypedDict):
    callJob: str
    callRows: str


class CallJobCompletedRetrieval(TypedDict):
    endpoints: CallJobCompletedRetrievalEndpoints


class CallJobCompleted(TypedDict):
    eventId: str
    """The same on every attempt: drop an event that was handled before."""
    eventType: Literal["call_job.completed"]
    occurredAt: str
    """ISO 8601, UTC."""
    deliveryAttempt: int
    """1 for the first."""
    job: CallJobCompletedJob
    retrieval: CallJobCompletedRetrieval


class WebhookSession(TypedDict):
    """Members that do not apply are null; chats have some of their own."""
    id: str
    """UUID in its 36-character form."""
    channel: Literal["VOICE", "CHAT", "SMS", "WHATSAPP"]
    status: str | None
    outcome: str | None
    flowId: str | None
    """UUID in its 36-character form."""
    flowApiId: str | None
    contactName: str | None
    contactPhone: str | None
    startedAt: str | None
    """ISO 8601, UTC."""
    endedAt: str | None
    """ISO 8601, UTC."""
    endReason: str | None
    contextData: Any
    """As sent, byte for byte; null when none was."""


class SessionStartedRow(TypedDict):
    """The call's row; null for chats."""
    id: str
    """UUID in its 36-character form."""
    jobId: str | None
    """UUID in its 36-character form."""
    humanRequested: bool


class SessionStartedRetrievalEndpoints(TypedDict, total=False):
    callRow: str
    callJob: str
    chatSession: str
    messages: str


class SessionStartedRetrieval(TypedDict):
    endpoints: SessionStartedRetrievalEndpoints


class SessionStarted(TypedDict):
    eventId: str
    """The same on every attempt: drop an event that was handled before."""
    eventType: Literal["session.started"]
    occurredAt: str
    """ISO 8601, UTC."""
    deliveryAttempt: int
    """1 for the first."""
    session: WebhookSession
    row: SessionStartedRow | None
    """The call's row; null for chats."""
    retrieval: SessionStartedRetrieval


class MessageCreatedRow(TypedDict):
    """The call's row; null for chats."""
    id: str
    """UUID in its 36-character form."""
    jobId: str | None
    """UUID in its 36-character form."""
    humanRequested: bool


class MessageCreatedRetrievalEndpoints(TypedDict, total=False):
    callRow: str
    callJob: str
    chatSession: str
    messages: str


class MessageCreatedRetrieval(TypedDict):
    endpoints: MessageCreatedRetrievalEndpoints


class MessageCreatedMessage(TypedDict):
    id: str
    """UUID in its 36-character form."""
    role: Literal["ASSISTANT", "USER", "AGENT"]
    content: str
    createdAt: str
    """ISO 8601, UTC."""


class MessageCreated(TypedDict):
    eventId: str
    """The same on every attempt: drop an event that was handled before."""
    eventType: Literal["message.created"]
    occurredAt: str
    """ISO 8601, UTC."""
    deliveryAttempt: int
    """1 for the first."""
    session: WebhookSession
    row: MessageCreatedRow | None
    """The call's row; null for chats."""
    retrieval: MessageCreatedRetrieval
    message: MessageCreatedMessage


class HumanRequestedRow(TypedDict):
    """The call's row; null for chats."""
    id: str
    """UUID in its 36-character form."""
    jobId: str | None
    """UUID in its 36-character form."""
    humanRequested: bool


class HumanRequestedRetrievalEndpoints(TypedDict, total=False):
    callRow: str
    callJob: str
    chatSession: str
    messages: str


class HumanRequestedRetrieval(TypedDict):
    endpoints: HumanRequestedRetrievalEndpoints


class HumanRequested(TypedDict):
    eventId: str
    """The same on every attempt: drop an event that was handled before."""
    eventType: Literal["session.human_requested"]
    occurredAt: str
    """ISO 8601, UTC."""
    deliveryAttempt: int
    """1 for the first."""
    session: WebhookSession
    row: HumanRequestedRow | None
    """The call's row; null for chats."""
    retrieval: HumanRequestedRetrieval


class CallAlertedRow(TypedDict):
    """The call's row; null for chats."""
    id: str
    """UUID in its 36-character form."""
    jobId: str | None
    """UUID in its 36-character form."""
    humanRequested: bool


class CallAlertedRetrievalEndpoints(TypedDict, total=False):
    callRow: str
    callJob: str
    chatSession: str
    messages: str


class CallAlertedRetrieval(TypedDict):
    endpoints: CallAlertedRetrievalEndpoints


class CallAlertedAlert(TypedDict):
    kind: Literal["LONG_SILENCE", "ANGER", "OPT_OUT_DOUBTFUL", "TOOL_FAILING"]
    raisedAt: str
    """ISO 8601, UTC."""
    times: int
    """How often the call has raised it."""


class CallAlerted(TypedDict):
    eventId: str
    """The same on every attempt: drop an event that was handled before."""
    eventType: Literal["call.alert"]
    occurredAt: str
    """ISO 8601, UTC."""
    deliveryAttempt: int
    """1 for the first."""
    session: WebhookSession
    row: CallAlertedRow | None
    """The call's row; null for chats."""
    retrieval: CallAlertedRetrieval
    alert: CallAlertedAlert


class SessionEndedRow(TypedDict):
    """The call's row; null for chats."""
    id: str
    """UUID in its 36-character form."""
    jobId: str | None
    """UUID in its 36-character form."""
    humanRequested: bool


class SessionEndedRetrievalEndpoints(TypedDict, total=False):
    callRow: str
    callJob: str
    chatSession: str
    messages: str


class SessionEndedRetrieval(TypedDict):
    endpoints: SessionEndedRetrievalEndpoints


class SessionEnded(TypedDict):
    eventId: str
    """The same on every attempt: drop an event that was handled before."""
    eventType: Literal["session.ended"]
    occurredAt: str
    """ISO 8601, UTC."""
    deliveryAttempt: int
    """1 for the first."""
    session: WebhookSession
    row: SessionEndedRow | None
    """The call's row; null for chats."""
    retrieval: SessionEndedRetrieval


class CallJobOptions(TypedDict, total=False):
    name: str | None
    flowApiId: str | None
    """apiId of a saved flow."""
    flowId: str | None
    """uuid or apiId of a saved flow."""
    flow: InlineFlow | None
    fromPhoneNumber: str | None
    """E.164 number, such as +12025550100."""
    fromPhoneNumbers: list[str] | None
    startAt: str | None
    """ISO 8601 with a zone, such as 2026-12-01T09:00:00Z."""
    maxConcurrency: int | None
    """Calls of this job at once, shared out over its numbers."""
    retryConfig: RetryConfig | None
    callingWindow: CallingWindowInput | None
    completionWebhook: CompletionWebhookInput | None


class PostCallJobsJobIdRowsBody(TypedDict):
    rows: list[dict[str, Any]]


class _PostCallJobsPreflightBody(TypedDict):
    rows: list[dict[str, Any]]


class PostCallJobsPreflightBody(_PostCallJobsPreflightBody, total=False):
    name: str | None
    flowApiId: str | None
    """apiId of a saved flow."""
    flowId: str | None
    """uuid or apiId of a saved flow."""
    flow: InlineFlow | None
    fromPhoneNumber: str | None
    """E.164 number, such as +12025550100."""
    fromPhoneNumbers: list[str] | None
    startAt: str | None
    """ISO 8601 with a zone, such as 2026-12-01T09:00:00Z."""
    maxConcurrency: int | None
    """Calls of this job at once, shared out over its numbers."""
    retryConfig: RetryConfig | None
    callingWindow: CallingWindowInput | None
    completionWebhook: CompletionWebhookInput | None


class PostWebhooksAsyncToolTaskResponseAnswer(TypedDict):
    status: Literal["accepted"]


class _PostSimulationsSentencesBody(TypedDict):
    rowId: str
    """UUID in its 36-character form."""


class PostSimulationsSentencesBody(_PostSimulationsSentencesBody, total=False):
    says: list[str]
    """Words that a line of the agent must have."""
    neverSays: list[str]
    """Words that no line of the agent may have."""
