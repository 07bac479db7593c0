/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
export interface components {
    schemas: {
        LocalVariable: {
            /** @description a letter, then letters, digits and _. */
            variableName: string;
            /** @description Such as string, number, boolean. */
            type: string;
            /** @description Used when rowData does not name the variable. */
            defaultValue?: unknown;
        };
        InlineStructuredOutput: {
            name: string;
            description?: string | null;
            /** @description JSON Schema 2020-12 of type object. */
            schema: {
                [key: string]: unknown;
            };
            /** @description Liquid template over the variables, channel and endReason; the output is left out when it renders empty, 0 or false. */
            condition?: string | null;
            /** @description Filled after each thing the person says, not only at the end. Default false. */
            fillDuring?: boolean | null;
        };
        ModelChoice: {
            /** @description A configured model. */
            modelId?: string | null;
            /** @description Asked in turn when the one before fails or is silent. */
            fallbackModelIds?: string[] | null;
            temperature?: number | null;
        };
        TransferTarget: {
            /** @description What the agent calls it. */
            name: string;
            /** @description When to hand the call there. */
            description?: string | null;
            /**
             * @description COLD: at once. WARM: after a word with the target. Default COLD.
             * @enum {string|null}
             */
            mode?: "COLD" | "WARM" | "AGENTIC_WARM" | null;
            /**
             * @description Default PHONE.
             * @enum {string|null}
             */
            destinationType?: "PHONE" | "SIP" | "FLOW" | null;
            /** @description an E.164 number, a sip: address, or a flow's id or apiId. */
            destination: string;
            /** @description keys 0-9 A-D * #, w and , pause; at most 64. */
            dtmfSequence?: string | null;
            /**
             * @description Number the target sees. Default OWN.
             * @enum {string|null}
             */
            callerId?: "OWN" | "CUSTOMER" | null;
            /** @description Told to the target alone before the parties are joined. */
            whisperMessage?: string | null;
            /** @description Tells the target what was said so far. Default false. */
            summaryToAgent?: boolean | null;
            /** @description Audio for the waiting party. */
            holdAudioUrl?: string | null;
            /** @description Default 30. */
            ringTimeoutSeconds?: number | null;
            /** @description Gives up when a machine answers. Default false. */
            transferOnlyIfHuman?: boolean | null;
            /** @description Said when the transfer fails. */
            fallbackMessage?: string | null;
            /** @description X- headers of the INVITE. Not sealed: put no secrets here. */
            sipHeaders?: {
                [key: string]: string;
            } | null;
        };
        StageCondition: {
            /**
             * @description ALWAYS: once the stage has nothing left to ask. COLLECTED: each of its fields has a valid value.
             * @enum {string}
             */
            type: "ALWAYS" | "COLLECTED" | "FIELD" | "TOOL_RESULT" | "EXPRESSION" | "MEANING";
            /** @description FIELD: a property of the flow's structured outputs. */
            field?: string | null;
            /**
             * @description FIELD.
             * @enum {string|null}
             */
            operator?: "EQUALS" | "NOT_EQUALS" | "ABOVE" | "BELOW" | "ONE_OF" | "IS_SET" | "IS_NOT_SET" | null;
            /** @description FIELD: what it is compared with; a list for ONE_OF. */
            value?: unknown;
            /** @description TOOL_RESULT: one of the stage's tools. */
            toolId?: string | null;
            /**
             * @description TOOL_RESULT: of the tool's latest run in this stage.
             * @enum {string|null}
             */
            outcome?: "SUCCEEDED" | "FAILED" | null;
            /** @description EXPRESSION: Liquid; holds unless it renders empty, 0 or false. */
            expression?: string | null;
            /** @description MEANING: what the person says, in words. */
            description?: string | null;
            /** @description MEANING: sentences that a person may say; the scripted model matches their words. */
            examples?: string[] | null;
        };
        /** @description May be entered from any stage. */
        StageGlobal: {
            when: components["schemas"]["StageCondition"];
            /** @description Goes back to the stage before, once it is done. Default false. */
            returns?: boolean | null;
        };
        StageAction: {
            /** @enum {string} */
            type: "SAY" | "CALL_TOOL" | "SET";
            /** @description SAY: Liquid template. */
            text?: string | null;
            /** @description CALL_TOOL: one of the flow's tools. */
            toolId?: string | null;
            /** @description CALL_TOOL: input of the tool; its texts are Liquid templates. */
            arguments?: {
                [key: string]: unknown;
            } | null;
            /** @description SET: a variable of the session. */
            name?: string | null;
            /** @description SET: Liquid template. */
            value?: string | null;
        };
        StageEdge: {
            /** @description a small letter, then small letters, digits and _. */
            id: string;
            /** @description a small letter, then small letters, digits and _. */
            to: string;
            /** @description Shown in the editor and in reports. */
            label?: string | null;
            when: components["schemas"]["StageCondition"];
        };
        FlowStage: {
            /** @description a small letter, then small letters, digits and _. */
            id: string;
            /** @description Unset: the id. */
            name?: string | null;
            /** @enum {string} */
            type: "TALK" | "CONFIRM" | "SUBFLOW" | "TRANSFER" | "END";
            /** @description A session begins here. Unset: in the first stage. */
            isStart?: boolean | null;
            global?: components["schemas"]["StageGlobal"] | null;
            /** @description Added to the masterPrompt while the stage lasts; Liquid template. */
            prompt?: string | null;
            /** @description Properties of the flow's structured outputs that it asks for; CONFIRM reads them back. */
            fields?: string[] | null;
            /** @description Those of the flow's tools that it may call. Unset: all. */
            toolIds?: string[] | null;
            /** @description Taken in their order when the stage is entered. */
            onEntry?: components["schemas"]["StageAction"][] | null;
            /** @description Taken in their order when an edge is taken. */
            onExit?: components["schemas"]["StageAction"][] | null;
            /** @description Tried in their order. */
            edges?: components["schemas"]["StageEdge"][] | null;
            /** @description Default 5. */
            maxVisits?: number | null;
            /** @description Stage that is entered instead. Unset: the session ends. */
            onMaxVisits?: string | null;
            /** @description Configured model that speaks in this stage. Unset: the flow's. */
            languageModelId?: string | null;
            /** @description SUBFLOW: the flow whose published stages run here. */
            flowId?: string | null;
            /** @description TRANSFER: name of one of the flow's transferTargets. */
            transferTarget?: string | null;
            /** @description Place in the editor. */
            position?: {
                x: number;
                y: number;
            } | null;
        };
        FlowLimits: {
            /** @description Turns of the agent. Default 60. */
            maxTurns?: number | null;
            /** @description Calls of tools. Default 50. */
            maxToolCalls?: number | null;
            /** @description Model tokens. Default 500000. */
            maxModelTokens?: number | null;
            /** @description What a session may cost by the workspace's prices, as a decimal. Unset: no limit. */
            maxCost?: string | null;
            /** @description What of the conversation the model is told, in tokens; the oldest falls away. Default 24000. */
            maxHistoryTokens?: number | null;
        };
        FlowMemory: {
            /** @description How many earlier calls and chats with the same contact the agent is told of. Default 0. */
            earlierSessions?: number | null;
        };
        /** @description When humans are there; unset: always. */
        WorkingHours: {
            /** @description IANA name of a time zone, such as America/New_York. */
            timeZone: string;
            windows: {
                days: ("MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT" | "SUN")[];
                /** @description First minute as HH:MM, such as 09:00. */
                start: string;
                /** @description Minute after the last as HH:MM, such as 18:00; at most 24:00. */
                end: string;
            }[];
            /** @description Days without calls. */
            excludeDates?: string[] | null;
        };
        /** @description What happens when a person asks for a human in a chat. */
        HumanHandoff: {
            hours?: components["schemas"]["WorkingHours"] | null;
            /** @description What the person reads within the hours; Liquid template. Unset: the agent's own words. */
            waitingMessage?: string | null;
            /** @description What they read outside the hours; Liquid template, with opensAt. The agent goes on answering. */
            closedMessage?: string | null;
        };
        VoicemailConfig: {
            /** @enum {string} */
            action: "HANG_UP" | "LEAVE_MESSAGE";
            /** @description Template; the first message when unset. */
            message?: string | null;
        };
        /** @description When it is whose turn in a spoken call. */
        TurnTaking: {
            /** @description Pause that ends a turn, before it adapts to the speaker. Default 500. */
            endOfTurnMs?: number | null;
            /** @description Speech over the agent that makes it pause. Default 300. */
            bargeInMs?: number | null;
        };
        /** @description A flow for this request alone, by its fields; flowApiId or flowId names a saved one. */
        InlineFlow: {
            /** @description Name of the flow. */
            name?: string | null;
            /** @description What it is for. */
            description?: string | null;
            /** @description Instructions of the agent; Liquid template over the variables. */
            masterPrompt?: string | null;
            /** @description What the agent says first; Liquid template. Unset: the model opens. */
            firstMessage?: string | null;
            /** @description Voice, by the speech provider's id. */
            voiceId?: string | null;
            /** @description BCP 47, such as en-US. */
            language?: string | null;
            localVariables?: components["schemas"]["LocalVariable"][] | null;
            /** @description Such as VOICE or CHAT. */
            channelMode?: string | null;
            structuredOutputIds?: string[] | null;
            structuredOutputs?: components["schemas"]["InlineStructuredOutput"][] | null;
            model?: components["schemas"]["ModelChoice"] | null;
            /** @description Tools that the agent may call, system tools among them. */
            toolIds?: string[] | null;
            /** @description Agent whose knowledge base is searched. Unset: the agents that follow the flow. */
            agentId?: string | null;
            /** @description Data stores that read_record and write_record reach. */
            storeKeys?: string[] | null;
            /** @description Whom transfer_call may hand the call to. */
            transferTargets?: components["schemas"]["TransferTarget"][] | null;
            /** @description Stages that the dialogue walks through; without them it follows the masterPrompt alone. */
            stages?: components["schemas"]["FlowStage"][] | null;
            limits?: components["schemas"]["FlowLimits"] | null;
            memory?: components["schemas"]["FlowMemory"] | null;
            humanHandoff?: components["schemas"]["HumanHandoff"] | null;
            voicemailConfig?: components["schemas"]["VoicemailConfig"] | null;
            turnTaking?: components["schemas"]["TurnTaking"] | null;
            /** @description Default 30. */
            ringTimeoutSeconds?: number | null;
            /** @description Default 600. */
            maxDurationSeconds?: number | null;
            /** @description Default 10. */
            silenceTimeoutSeconds?: number | null;
            /** @description Calls a person back, once, a minute after the operator of the server had to end their call; rowData then has interruptedCall: true. Default false. */
            callBackInterrupted?: boolean | null;
            /** @description Default true. */
            recordingEnabled?: boolean | null;
        };
        RetryConfig: {
            /** @description The first one included. Default 3. */
            maxAttempts?: number | null;
            /** @description Default BUSY and NO_ANSWER. */
            retryOn?: ("BUSY" | "NO_ANSWER" | "VOICEMAIL" | "UNREACHABLE" | "CARRIER_FAILURE")[] | null;
            /** @description Wait before each retry; the last one repeats. Default 1800, 3600, 7200. */
            delaysSeconds?: number[] | null;
            /** @description Default 10. */
            jitterPercent?: number | null;
        };
        CallingWindowInput: {
            /**
             * @description RECIPIENT (default): the called person's clock, by the row's timeZone or else in every zone of the number's country. FIXED: the clock of timeZone.
             * @enum {string|null}
             */
            timeZoneMode?: "RECIPIENT" | "FIXED" | null;
            /** @description IANA name of a time zone, such as America/New_York. */
            timeZone?: string | null;
            windows: {
                days: ("MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT" | "SUN")[];
                /** @description First minute as HH:MM, such as 09:00. */
                start: string;
                /** @description Minute after the last as HH:MM, such as 18:00; at most 24:00. */
                end: string;
            }[];
            /** @description Days without calls. */
            excludeDates?: string[] | null;
        };
        PlaceCall: {
            /** @description E.164 number, such as +12025550100. */
            customerNumber: string;
            /** @description E.164 number, such as +12025550100. */
            fromPhoneNumber?: string | null;
            /** @description apiId of a saved flow. */
            flowApiId?: string | null;
            /** @description uuid or apiId of a saved flow. */
            flowId?: string | null;
            flow?: components["schemas"]["InlineFlow"] | null;
            contactName?: string | null;
            /** @description E-mail address, such as ada@example.com. */
            contactEmail?: string | null;
            /** @description IANA name of a time zone, such as America/New_York. */
            timeZone?: string | null;
            /** @description Variables for the conversation: what the agent may know. At most 64 KiB. */
            rowData?: {
                [key: string]: unknown;
            } | null;
            /** @description Travels with the call and comes back byte for byte; preloads session memory. At most 64 KiB. */
            contextData?: {
                [key: string]: unknown;
            } | null;
            retryConfig?: components["schemas"]["RetryConfig"] | null;
            callingWindow?: components["schemas"]["CallingWindowInput"] | null;
            /**
             * Format: date-time
             * @description Not dialled before this time, at most a year from now. Unset: now.
             */
            scheduledAt?: string | null;
        };
        CallRef: {
            /** @description UUID in its 36-character form. */
            rowId: string;
            /** @description UUID in its 36-character form. */
            jobId: string | null;
            /** @description UUID in its 36-character form. */
            sessionId: string;
            /** @enum {string} */
            status: "QUEUED";
            /** @description E.164 number, such as +12025550100. */
            customerNumber: string;
            /** @description E.164 number, such as +12025550100. */
            fromPhoneNumber: string;
            /** @description UUID in its 36-character form. */
            flowId: string | null;
            flowApiId: string | null;
            inlineFlow: boolean;
            contactName: string | null;
            contactEmail: string | null;
            /** @description As sent, byte for byte; null when none was. */
            contextData: unknown;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            scheduledAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            links: {
                callRow: string;
                callHistory: string;
            };
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        Warning: {
            /** @description JSON Pointer (RFC 6901) to the member in the body. */
            path: string;
            /** @description Name of the member, as sent. */
            member: string;
            /** @description The known name that is most like it; null when none is. */
            nearest: string | null;
            /** @description What is wrong and what to do. */
            message: string;
        };
        /** @description Who or what was heard to answer; only for calls in real audio. */
        AnswerFinding: {
            answeredBy: string;
            /** @description From 0 to 1. */
            confidence: number;
            /** @description Call time at the verdict. */
            decidedAfterMs: number;
            /** @description What made it: CARRIER, WORDS, SHORT_GREETING, BEEP and the like. */
            reason: string;
        };
        CallAttempt: {
            number: number;
            /** @enum {string} */
            state: "CLAIMED" | "SUBMITTING" | "UNKNOWN" | "ACCEPTED" | "RINGING" | "IN_PROGRESS" | "ENDED" | "REFUSED" | "ABSENT" | "UNCONFIRMED";
            provider: string;
            providerCallId: string | null;
            fromPhoneNumber: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            ringingAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            answeredAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            endedAt: string | null;
            answeredBy: string | null;
            outcome: string | null;
            endReason: string | null;
            sipCode: number | null;
            error: {
                code: string;
                message: string;
            } | null;
        };
        CallingWindow: {
            /** @enum {string} */
            timeZoneMode: "RECIPIENT" | "FIXED";
            timeZone: string | null;
            windows: {
                days: ("MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT" | "SUN")[];
                start: string;
                end: string;
            }[];
            excludeDates: string[];
        };
        Citation: {
            /** @description UUID in its 36-character form. */
            itemId: string;
            title: string;
            /** @description Which passage of the item, from 0. */
            position: number;
            /** @description Headings above it, the outermost first. */
            headings: string[];
            /** @description Page of a PDF. */
            page: number | null;
        };
        /** @description How long the person waited for an answer, by stage, in milliseconds. */
        TurnLatency: {
            /** @description The pause after which the person's turn counted as ended. */
            endpointingMs: number;
            /** @description The recogniser's words came that much later. */
            sttMs: number;
            /** @description To the first words of the answer. */
            modelMs: number;
            /** @description Waiting for tools before them. */
            toolsMs: number;
            /** @description To the first of their sound. */
            ttsMs: number;
            /** @description To the frame that carried it. */
            transportMs: number;
            /** @description From the end of the person's speech, on the call's audio clock. */
            totalMs: number;
        };
        TranscriptTurn: {
            index: number;
            /** @enum {string} */
            role: "ASSISTANT" | "USER" | "SYSTEM" | "TOOL";
            content: string;
            /** @description Milliseconds of call time since the answer. */
            startMs: number;
            endMs: number;
            interrupted: boolean;
            toolCallId: string | null;
            /** @description Of the agent's opening (the flow's firstMessage): how much of it the person had heard after this turn, from 0 to 1. An opening that was talked over is said again from the sentence that was not heard whole. */
            openingHeard?: number;
            /** @description Passages of the knowledge base behind what the agent said. */
            citations?: components["schemas"]["Citation"][];
            latency?: components["schemas"]["TurnLatency"];
            /** @description True for what whoever supervised the call told the agent alone. */
            whisper?: boolean;
            /**
             * @description TYPED: words that a supervisor typed, and the agent's voice said; SPOKEN: what a supervisor said who had taken the call over. (extension)
             * @enum {string}
             */
            supervisor?: "TYPED" | "SPOKEN";
        };
        StageVisit: {
            /** @description Behind the id of a SUBFLOW and a point where it belongs to the flow that runs there. */
            stageId: string;
            stageName: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            enteredAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            leftAt: string | null;
            /** @description Edge by which it was left; null: by another way, or not at all. */
            edgeId: string | null;
            /** @description Index of the line of the transcript that followed. */
            turnIndex: number;
            /** @description True in a flow to which the session was transferred; absent in its own. */
            isTransferred?: boolean;
        };
        FilledOutput: {
            /** @description As the structured output's schema describes it; null when nothing was found. */
            value: unknown;
            /** @description False when the value does not fit the schema. */
            valid: boolean;
            errors: string[];
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            extractedAt: string;
            /** @description Where each value comes from; only in sessions with stages. */
            sources?: {
                [key: string]: "ASKED" | "FOUND_AFTERWARDS";
            };
            /**
             * @description The model failed, and is asked again for some minutes.
             * @constant
             */
            pending?: true;
        };
        Cost: {
            /** @description Decimal. */
            amount: string;
            /** @description ISO 4217. */
            currency: string;
            /** @description Carried by the sandbox: what it would have cost; nothing is billed. */
            simulated: boolean;
            breakdown: {
                telephony: string;
                llm: string;
                stt: string;
                tts: string;
                messaging: string;
            };
        };
        /** @description The person may have asked for no more contact. */
        OptOutReviewRef: {
            /** @description UUID in its 36-character form. */
            id: string;
            /**
             * @description OPEN: the person is left alone until it is decided.
             * @enum {string}
             */
            state: "OPEN" | "CONFIRMED" | "DISMISSED";
        };
        CallAlert: {
            /**
             * @description LONG_SILENCE: the person said nothing for 15 s while the agent waited; ANGER: their words were angry; OPT_OUT_DOUBTFUL: they may have asked for no more contact; TOOL_FAILING: tools failed twice in a row.
             * @enum {string}
             */
            kind: "LONG_SILENCE" | "ANGER" | "OPT_OUT_DOUBTFUL" | "TOOL_FAILING";
            /**
             * @description CLEARED: what it was about is over, or the call is.
             * @enum {string}
             */
            state: "OPEN" | "CLEARED";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            raisedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            clearedAt: string | null;
            /** @description How often it was raised; raisedAt is the latest. */
            times: number;
        };
        CallRow: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description UUID in its 36-character form. */
            jobId: string | null;
            /** @description UUID in its 36-character form. */
            sessionId: string;
            /**
             * @description INBOUND: the person called fromPhoneNumber, which is ours in either direction.
             * @enum {string}
             */
            direction: "OUTBOUND" | "INBOUND";
            /** @description The call that the operator of the server interrupted, and for which this one calls back. (extension) */
            callBackOf: string | null;
            /** @description Line of the file or place in the list it came from. */
            line: number | null;
            externalId: string | null;
            /** @enum {string} */
            status: "QUEUED" | "DIALING" | "RINGING" | "IN_PROGRESS" | "UNKNOWN" | "WAITING_FOR_RETRY" | "WAITING_FOR_WINDOW" | "COMPLETED" | "FAILED" | "SKIPPED" | "CANCELLED" | "UNCONFIRMED";
            /** @description Actions that the call's state permits; the request of any other one answers 409. cancel: it waits; end: it is dialled or under way. (extension) */
            actions: ("cancel" | "end")[];
            /** @enum {string|null} */
            outcome: "ANSWERED" | "VOICEMAIL" | "CALL_SCREENED" | "IVR" | "FAX" | "BUSY" | "NO_ANSWER" | "REJECTED" | "INVALID_NUMBER" | "UNREACHABLE" | "CARRIER_FAILURE" | "OPTED_OUT" | "TRANSFERRED" | "INTERRUPTED" | "INTERRUPTED_BY_OPERATOR" | "BLOCKED" | "CANCELLED" | "UNCONFIRMED" | "FLOW_MISSING" | null;
            endReason: string | null;
            answeredBy: string | null;
            answer: components["schemas"]["AnswerFinding"] | null;
            /** @description Attempts made so far. */
            attempt: number;
            maxAttempts: number;
            /**
             * Format: date-time
             * @description Null, too, while an opt-out review of the number is open.
             */
            nextAttemptAt: string | null;
            attempts: components["schemas"]["CallAttempt"][];
            customerNumber: string;
            fromPhoneNumber: string;
            contactName: string | null;
            contactEmail: string | null;
            /** @description As sent; null: by the number's country. */
            timeZone: string | null;
            callingWindow: components["schemas"]["CallingWindow"] | null;
            /** @description As sent. */
            rowData: {
                [key: string]: unknown;
            } | null;
            /** @description As sent, byte for byte. */
            contextData: unknown;
            /** @description UUID in its 36-character form. */
            flowId: string | null;
            flowApiId: string | null;
            /** @description Version of the flow that the first dial took; null before it, and for inline ones. */
            flowVersion: number | null;
            inlineFlow: boolean;
            transcript: components["schemas"]["TranscriptTurn"][];
            transcriptText: string;
            recording: {
                url: string;
                format: string;
                channels: number;
                durationSeconds: number;
            } | null;
            /** @description The file of a call in real audio. FAILED: audio is missing, and `failure` says why. */
            recordingFile: {
                /** @enum {string} */
                state: "RECORDING" | "READY" | "FAILED" | "ERASING" | "ERASED";
                /**
                 * @description SPOOL: on the node that made it, on its way to the bucket.
                 * @enum {string}
                 */
                place: "FOLDER" | "SPOOL" | "BUCKET";
                failure: {
                    /** @enum {string} */
                    code: "STORAGE_FULL" | "STORAGE_READ_ONLY" | "STORAGE_SLOW" | "STORAGE_FAILED" | "INTERRUPTED";
                    message: string;
                } | null;
            } | null;
            /** @description Stages that the session walked through, in their order. (extension) */
            stagePath: components["schemas"]["StageVisit"][];
            /** @description By name; an output that failed is shown with its errors. */
            structuredOutputs: {
                [key: string]: components["schemas"]["FilledOutput"];
            };
            /** @description Values of all valid outputs, merged. */
            extractedFields: {
                [key: string]: unknown;
            };
            latency: {
                turns: {
                    /** @description Of the agent's turn. */
                    index: number;
                    /** @description The model's time for the whole turn. */
                    modelMs: number;
                }[];
                /** @description How long people waited for answers, where the call was audio; else the model's time. The scripted model's time is not measured. */
                p50Ms: number | null;
                p95Ms: number | null;
            };
            cost: components["schemas"]["Cost"];
            optOutReview: components["schemas"]["OptOutReviewRef"] | null;
            /** @description The person asked for a human, and the call could not be handed over: somebody has to call back. */
            humanRequested: boolean;
            /** @description What a supervisor should have looked at while the call was live. (extension) */
            alerts: components["schemas"]["CallAlert"][];
            error: {
                code: string;
                message: string;
            } | null;
            /** @description Call time since the answer. */
            durationSeconds: number | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            queuedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            answeredAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            endedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
        };
        CallHistoryPage: {
            content: components["schemas"]["CallRow"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        RecordingPeaks: {
            /** @description Milliseconds that each peak stands for. */
            intervalMs: number;
            durationMs: number;
            channels: {
                /** @enum {string} */
                name: "AGENT" | "CUSTOMER";
                /** @description The loudest sample of each interval; 255 is full scale. */
                peaks: number[];
            }[];
            /** @description Where the turns of the transcript are in a recording that was spoken instead of tones; null: at the times of the transcript. */
            turns: {
                index: number;
                startMs: number;
                endMs: number;
            }[] | null;
        };
        Supervision: {
            /** @description For the first message of the WebSocket; good for one connection. */
            token: string;
            socketUrl: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expiresAt: string;
        };
        Whisper: {
            /** @description What the agent is to know. */
            text: string;
        };
        Whispered: {
            /** @description UUID in its 36-character form. */
            callRowId: string;
            /** @description As the agent reads it. */
            text: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        SaidWords: {
            /** @description What the person is to hear. */
            text: string;
        };
        AcceptedWords: {
            /** @description UUID in its 36-character form. */
            callRowId: string;
            /** @description As the agent's voice says it. */
            text: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        EndedCall: {
            /** @description UUID in its 36-character form. */
            callRowId: string;
            /** @description The call ends now; read its row for what came of it. */
            ending: boolean;
        };
        CompletionWebhookInput: {
            url: string;
            /**
             * @description Default: the mode whose secret is sent; NONE without one.
             * @enum {string|null}
             */
            authMode?: "NONE" | "BEARER" | "CUSTOM_HEADER" | null;
            /** @description For BEARER. */
            secret?: string | null;
            /** @description For CUSTOM_HEADER. */
            headerName?: string | null;
            /** @description For CUSTOM_HEADER. */
            headerValue?: string | null;
        };
        CreateCallJob: {
            name?: string | null;
            /** @description apiId of a saved flow. */
            flowApiId?: string | null;
            /** @description uuid or apiId of a saved flow. */
            flowId?: string | null;
            flow?: components["schemas"]["InlineFlow"] | null;
            /** @description E.164 number, such as +12025550100. */
            fromPhoneNumber?: string | null;
            fromPhoneNumbers?: string[] | null;
            /**
             * Format: date-time
             * @description ISO 8601 with a zone, such as 2026-12-01T09:00:00Z.
             */
            startAt?: string | null;
            /** @description Calls of this job at once, shared out over its numbers. */
            maxConcurrency?: number | null;
            retryConfig?: components["schemas"]["RetryConfig"] | null;
            callingWindow?: components["schemas"]["CallingWindowInput"] | null;
            completionWebhook?: components["schemas"]["CompletionWebhookInput"] | null;
            rows: {
                /** @description E.164 number, such as +12025550100. */
                customerNumber: string;
                contactName?: string | null;
                /** @description E-mail address, such as ada@example.com. */
                contactEmail?: string | null;
                /** @description IANA name of a time zone, such as America/New_York. */
                timeZone?: string | null;
                /** @description Variables for the conversation: what the agent may know. At most 64 KiB. */
                rowData?: {
                    [key: string]: unknown;
                } | null;
                /** @description Travels with the call and comes back byte for byte; preloads session memory. At most 64 KiB. */
                contextData?: {
                    [key: string]: unknown;
                } | null;
                externalId?: string | null;
                /** @description Higher goes first. */
                priority?: number | null;
            }[];
        };
        /** @description With every default filled in. */
        StoredRetryConfig: {
            /** @description The first one included. */
            maxAttempts: number;
            retryOn: ("BUSY" | "NO_ANSWER" | "VOICEMAIL" | "UNREACHABLE" | "CARRIER_FAILURE")[];
            /** @description Wait before each retry; the last one repeats. */
            delaysSeconds: number[];
            jitterPercent: number;
        };
        CompletionWebhook: {
            url: string;
            /** @enum {string} */
            authMode: "NONE" | "BEARER" | "CUSTOM_HEADER";
            headerName: string | null;
            /** @description whsec_… of Standard Webhooks; shown once, when the job is made. */
            signingSecret: string | null;
        };
        RowError: {
            line: number;
            column: string;
            code: string;
            message: string;
        };
        CreatedCallJob: {
            /** @description UUID in its 36-character form. */
            id: string;
            name: string;
            /** @enum {string} */
            status: "IMPORTING" | "SCHEDULED" | "RUNNING" | "PAUSED" | "CANCELLING" | "COMPLETED" | "CANCELLED" | "FAILED";
            /** @description Actions that the job's state permits; the request of any other one answers 409. change: PATCH; changeDialling: PATCH with maxConcurrency, retryConfig or callingWindow, too. (extension) */
            actions: ("pause" | "resume" | "cancel" | "change" | "changeDialling" | "addRows" | "retryFailed")[];
            pauseReason: string | null;
            /** @description Counts up when rows are added or retried after completion. */
            run: number;
            /** @description UUID in its 36-character form. */
            flowId: string | null;
            flowApiId: string | null;
            inlineFlow: boolean;
            fromPhoneNumbers: string[];
            maxConcurrency: number | null;
            retryConfig: components["schemas"]["StoredRetryConfig"];
            callingWindow: components["schemas"]["CallingWindow"] | null;
            completionWebhook: components["schemas"]["CompletionWebhook"] | null;
            totalRows: number;
            /** @description successfulRows + errorRows. */
            processedRows: number;
            successfulRows: number;
            errorRows: number;
            /** @description Of processedRows: those in which a person was on the line, whatever became of it. (extension) */
            reachedRows: number;
            /** @description Of processedRows: those that a machine took: VOICEMAIL, CALL_SCREENED, IVR or FAX. A message that was left is also among successfulRows. (extension) */
            machineRows: number;
            /** @description Lines that could not be taken; outside totalRows. */
            rejectedRows: number;
            /** @description Of totalRows: those that a search by name or part of a number finds. Fewer than all for a while after a large list was imported. (extension) */
            searchableRows: number;
            pendingRows: number;
            inProgressRows: number;
            /** @description Of pendingRows: those that wait for another attempt. (extension) */
            waitingForRetryRows: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            completedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            acceptedRows: number;
            /** @description The first 100; all of them at /call-jobs/{id}/row-errors. */
            rowErrors: components["schemas"]["RowError"][];
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        CallJob: {
            /** @description UUID in its 36-character form. */
            id: string;
            name: string;
            /** @enum {string} */
            status: "IMPORTING" | "SCHEDULED" | "RUNNING" | "PAUSED" | "CANCELLING" | "COMPLETED" | "CANCELLED" | "FAILED";
            /** @description Actions that the job's state permits; the request of any other one answers 409. change: PATCH; changeDialling: PATCH with maxConcurrency, retryConfig or callingWindow, too. (extension) */
            actions: ("pause" | "resume" | "cancel" | "change" | "changeDialling" | "addRows" | "retryFailed")[];
            pauseReason: string | null;
            /** @description Counts up when rows are added or retried after completion. */
            run: number;
            /** @description UUID in its 36-character form. */
            flowId: string | null;
            flowApiId: string | null;
            inlineFlow: boolean;
            fromPhoneNumbers: string[];
            maxConcurrency: number | null;
            retryConfig: components["schemas"]["StoredRetryConfig"];
            callingWindow: components["schemas"]["CallingWindow"] | null;
            completionWebhook: components["schemas"]["CompletionWebhook"] | null;
            totalRows: number;
            /** @description successfulRows + errorRows. */
            processedRows: number;
            successfulRows: number;
            errorRows: number;
            /** @description Of processedRows: those in which a person was on the line, whatever became of it. (extension) */
            reachedRows: number;
            /** @description Of processedRows: those that a machine took: VOICEMAIL, CALL_SCREENED, IVR or FAX. A message that was left is also among successfulRows. (extension) */
            machineRows: number;
            /** @description Lines that could not be taken; outside totalRows. */
            rejectedRows: number;
            /** @description Of totalRows: those that a search by name or part of a number finds. Fewer than all for a while after a large list was imported. (extension) */
            searchableRows: number;
            pendingRows: number;
            inProgressRows: number;
            /** @description Of pendingRows: those that wait for another attempt. (extension) */
            waitingForRetryRows: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            completedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        CallJobPage: {
            content: components["schemas"]["CallJob"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        CallJobSummary: {
            /** @description UUID in its 36-character form. */
            jobId: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            asOf: string;
            /** @description Rows by the status that they show now. */
            statuses: {
                /** @enum {string} */
                status: "QUEUED" | "DIALING" | "RINGING" | "IN_PROGRESS" | "UNKNOWN" | "WAITING_FOR_RETRY" | "WAITING_FOR_WINDOW" | "COMPLETED" | "FAILED" | "SKIPPED" | "CANCELLED" | "UNCONFIRMED";
                count: number;
            }[];
            /** @description Rows that are over, by outcome. */
            outcomes: {
                /** @enum {string} */
                outcome: "ANSWERED" | "VOICEMAIL" | "CALL_SCREENED" | "IVR" | "FAX" | "BUSY" | "NO_ANSWER" | "REJECTED" | "INVALID_NUMBER" | "UNREACHABLE" | "CARRIER_FAILURE" | "OPTED_OUT" | "TRANSFERRED" | "INTERRUPTED" | "INTERRUPTED_BY_OPERATOR" | "BLOCKED" | "CANCELLED" | "UNCONFIRMED" | "FLOW_MISSING";
                count: number;
            }[];
            /** @description Rows that are over with an error, by its code; the 20 most frequent. */
            errors: {
                code: string;
                count: number;
            }[];
            /** @description Rows that wait for another attempt, or for the calling window before it: by its number, and between when and when they are due. */
            retries: {
                attempt: number;
                count: number;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                firstAt: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                lastAt: string;
            }[];
            numbers: {
                /** @description UUID in its 36-character form. */
                phoneNumberId: string;
                phoneNumber: string;
                status: string;
                /** @description Calls of this job. */
                activeCalls: number;
                /** @description The job's share; null: as many as the number takes. */
                maxCalls: number | null;
                /** @description Calls of the number, whatever they belong to. */
                numberActiveCalls: number;
                numberMaxCalls: number;
            }[];
        };
        CallRowPage: {
            content: components["schemas"]["CallRow"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        PatchCallJob: {
            name?: string;
            /** @description At least as many as the job has phone numbers; null: as many as the numbers allow. */
            maxConcurrency?: number | null;
            retryConfig?: components["schemas"]["RetryConfig"] | null;
            callingWindow?: components["schemas"]["CallingWindowInput"] | null;
            completionWebhook?: components["schemas"]["CompletionWebhookInput"] | null;
            /** @description Settings as the caller read them: 409 when one of these has another value by now. Unset: the change is made anyway. */
            before?: {
                [key: string]: unknown;
            };
        };
        AppendedRows: {
            /** @description UUID in its 36-character form. */
            id: string;
            name: string;
            /** @enum {string} */
            status: "IMPORTING" | "SCHEDULED" | "RUNNING" | "PAUSED" | "CANCELLING" | "COMPLETED" | "CANCELLED" | "FAILED";
            /** @description Actions that the job's state permits; the request of any other one answers 409. change: PATCH; changeDialling: PATCH with maxConcurrency, retryConfig or callingWindow, too. (extension) */
            actions: ("pause" | "resume" | "cancel" | "change" | "changeDialling" | "addRows" | "retryFailed")[];
            pauseReason: string | null;
            /** @description Counts up when rows are added or retried after completion. */
            run: number;
            /** @description UUID in its 36-character form. */
            flowId: string | null;
            flowApiId: string | null;
            inlineFlow: boolean;
            fromPhoneNumbers: string[];
            maxConcurrency: number | null;
            retryConfig: components["schemas"]["StoredRetryConfig"];
            callingWindow: components["schemas"]["CallingWindow"] | null;
            completionWebhook: components["schemas"]["CompletionWebhook"] | null;
            totalRows: number;
            /** @description successfulRows + errorRows. */
            processedRows: number;
            successfulRows: number;
            errorRows: number;
            /** @description Of processedRows: those in which a person was on the line, whatever became of it. (extension) */
            reachedRows: number;
            /** @description Of processedRows: those that a machine took: VOICEMAIL, CALL_SCREENED, IVR or FAX. A message that was left is also among successfulRows. (extension) */
            machineRows: number;
            /** @description Lines that could not be taken; outside totalRows. */
            rejectedRows: number;
            /** @description Of totalRows: those that a search by name or part of a number finds. Fewer than all for a while after a large list was imported. (extension) */
            searchableRows: number;
            pendingRows: number;
            inProgressRows: number;
            /** @description Of pendingRows: those that wait for another attempt. (extension) */
            waitingForRetryRows: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            completedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            acceptedRows: number;
            /** @description Rows whose externalId the job had already; left as they are. */
            duplicateRows: number;
            /** @description The first 100, by place in the list that was sent. */
            rowErrors: components["schemas"]["RowError"][];
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        RetriedRows: {
            /** @description UUID in its 36-character form. */
            id: string;
            name: string;
            /** @enum {string} */
            status: "IMPORTING" | "SCHEDULED" | "RUNNING" | "PAUSED" | "CANCELLING" | "COMPLETED" | "CANCELLED" | "FAILED";
            /** @description Actions that the job's state permits; the request of any other one answers 409. change: PATCH; changeDialling: PATCH with maxConcurrency, retryConfig or callingWindow, too. (extension) */
            actions: ("pause" | "resume" | "cancel" | "change" | "changeDialling" | "addRows" | "retryFailed")[];
            pauseReason: string | null;
            /** @description Counts up when rows are added or retried after completion. */
            run: number;
            /** @description UUID in its 36-character form. */
            flowId: string | null;
            flowApiId: string | null;
            inlineFlow: boolean;
            fromPhoneNumbers: string[];
            maxConcurrency: number | null;
            retryConfig: components["schemas"]["StoredRetryConfig"];
            callingWindow: components["schemas"]["CallingWindow"] | null;
            completionWebhook: components["schemas"]["CompletionWebhook"] | null;
            totalRows: number;
            /** @description successfulRows + errorRows. */
            processedRows: number;
            successfulRows: number;
            errorRows: number;
            /** @description Of processedRows: those in which a person was on the line, whatever became of it. (extension) */
            reachedRows: number;
            /** @description Of processedRows: those that a machine took: VOICEMAIL, CALL_SCREENED, IVR or FAX. A message that was left is also among successfulRows. (extension) */
            machineRows: number;
            /** @description Lines that could not be taken; outside totalRows. */
            rejectedRows: number;
            /** @description Of totalRows: those that a search by name or part of a number finds. Fewer than all for a while after a large list was imported. (extension) */
            searchableRows: number;
            pendingRows: number;
            inProgressRows: number;
            /** @description Of pendingRows: those that wait for another attempt. (extension) */
            waitingForRetryRows: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            completedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description Rows that are back in the queue. */
            retriedRows: number;
            /** @description True for a job of very many rows: the failed ones behind those that were looked at follow within minutes, and retriedRows does not count them. */
            moreFollow: boolean;
        };
        /** @description Call of the first row that would be dialled, for a job that is not made yet. callingWindow: the job's, or else the workspace's; null: any hour, as for simulated calls. */
        FirstCall: {
            line: number | null;
            customerNumber: string;
            contactName: string | null;
            fromPhoneNumber: string;
            /** @description UUID in its 36-character form. */
            flowId: string | null;
            flowApiId: string | null;
            /** @description For each version that new calls take, the largest share first. */
            openings: {
                /** @description Null: an inline flow. */
                version: number | null;
                /** @description Share of new calls that take this version. */
                percent: number;
                flowName: string | null;
                /** @description BCP 47. */
                language: string;
                /** @description What the agent says first, with this person's variables; null: the model opens. */
                text: string | null;
                /** @description Variables of the first message that are empty for this person, such as {{ day }}. */
                emptyVariables: string[];
                /** @description Reason why a template cannot be rendered. */
                error: string | null;
            }[];
            callingWindow: components["schemas"]["CallingWindow"] | null;
            /** @description Zones in which the person may be. */
            timeZones: string[];
            /**
             * Format: date-time
             * @description Earliest time of the dial by startAt and calling window; null when the window never opens.
             */
            opensAt: string | null;
        };
        Preflight: {
            /** @description Rows that were judged: callableRows + skippedRows. */
            totalRows: number;
            /** @description Rows that would be dialled, now or when their window opens. */
            callableRows: number;
            /** @description Of callableRows: outside the calling window now. */
            waitingForWindowRows: number;
            skippedRows: number;
            /** @description Rows that a job would not take. */
            rejectedRows: number;
            reasons: {
                /** @enum {string} */
                code: "EMERGENCY_NUMBER" | "PREMIUM_NUMBER" | "SATELLITE_NUMBER" | "INVALID_NUMBER" | "DO_NOT_CALL" | "BALANCE_EXHAUSTED" | "TIME_ZONE_UNKNOWN" | "COUNTRY_NOT_ENABLED";
                message: string;
                count: number;
                /** @description The first 20. */
                rows: {
                    /** @description UUID in its 36-character form. */
                    rowId: string | null;
                    line: number | null;
                    customerNumber: string;
                    externalId: string | null;
                }[];
            }[];
            /** @description Of callableRows: who would be put off now, and why. */
            waits: {
                /** @enum {string} */
                code: "CALLING_WINDOW" | "ATTEMPTS_PER_DAY" | "ATTEMPT_GAP" | "OPT_OUT_REVIEW";
                message: string;
                count: number;
                /** @description The first 20. */
                rows: {
                    /** @description UUID in its 36-character form. */
                    rowId: string | null;
                    line: number | null;
                    customerNumber: string;
                    externalId: string | null;
                }[];
            }[];
            /** @description The first 100. */
            rowErrors: components["schemas"]["RowError"][];
            firstCall: components["schemas"]["FirstCall"] | null;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        CancelledCall: {
            /** @description UUID in its 36-character form. */
            callRowId: string;
            /** @description The call is CANCELLED and never dialled again. */
            cancelled: boolean;
        };
        FieldResult: {
            /** @description Its name; nested ones by their path, such as visit.attending. */
            field: string;
            /**
             * @description Type of most of its values. A choice from a list is a TEXT.
             * @enum {string}
             */
            type: "BOOLEAN" | "NUMBER" | "DATE" | "TEXT";
            /** @description Calls answered by a person with a value of any type. */
            filled: number;
            /** @description Filled calls whose value is in neither `values` nor `numbers`. */
            otherValues: number;
            /** @description BOOLEAN: true and false. TEXT: the most frequent 20 of up to 60 characters. DATE: days, or weeks by their Monday where they span over 92 days. NUMBER: empty. */
            values: {
                value: string;
                count: number;
            }[];
            /**
             * @description Of `values`; null for other types.
             * @enum {string|null}
             */
            dateUnit: "DAY" | "WEEK" | null;
            /** @description Of NUMBER. All but the mean are rounded to three digits. */
            numbers: {
                count: number;
                min: number;
                median: number;
                mean: number;
                max: number;
                /** @description Up to 10 different numbers: each by itself. More: 10 parts of equal width; each but the last leaves out `to`. */
                histogram: {
                    from: number;
                    to: number;
                    count: number;
                }[];
            } | null;
        };
        Results: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            asOf: string;
            /** @description First day; null: the job's first. */
            from: string | null;
            /** @description Last day. */
            to: string;
            timeZone: string;
            /** @description Calls that ended or changed and are added within seconds; counted to 10,000. */
            waiting: number;
            /** @description True while calls of an earlier version of the service are still being added, or calls are counted anew after a flow's success condition changed. */
            isFilling: boolean;
            currency: string;
            goal: {
                field: string;
                value: string;
            } | null;
            /** @description What counts as a success of those flows that say so, where no goal is asked for. */
            successConditions: {
                flowApiId: string;
                words: string;
            }[];
            funnel: {
                /** @description Calls that are over. */
                calls: number;
                /** @description Of them, those that were dialled or that came in. */
                dialled: number;
                answeredByPerson: number;
                /** @description Voicemail, call screening, IVR or fax. Not part of the steps that follow. */
                answeredByMachine: number;
                /** @description Calls in which a person spoke. */
                talked: number;
                /** @description Calls that came to the goal. */
                succeeded: number;
                /** @description Length of all calls. */
                talkSeconds: number;
                /** @description Billed, as an exact decimal. Calls of the sandbox bill nothing. */
                cost: string;
                /** @description Cost that the calls of the sandbox would have had. */
                simulatedCost: string;
                /** @description cost and simulatedCost by success; null without a success. */
                costPerSuccess: number | null;
                /** @description Successes by calls that a person answered, with the 95 % interval by Wilson. */
                successRate: {
                    value: number;
                    low: number;
                    high: number;
                } | null;
            };
            /** @description Dials by when they began in `timeZone`, retries as well; hours without a dial are left out. */
            hours: {
                /** @description 1 is Monday, 7 is Sunday. */
                weekday: number;
                /** @description 0 to 23. */
                hour: number;
                dials: number;
                answeredByPerson: number;
                answeredByMachine: number;
                /** @description From 0 to 1; null where nothing was counted. */
                answerRate: number | null;
            }[];
            fields: components["schemas"]["FieldResult"][];
            /** @description The 100 with most calls. */
            versions: {
                /** @description Null: a flow that came with its call. */
                flowApiId: string | null;
                version: number | null;
                /** @description Calls that are over. */
                calls: number;
                /** @description Of them, those that were dialled or that came in. */
                dialled: number;
                answeredByPerson: number;
                /** @description Voicemail, call screening, IVR or fax. Not part of the steps that follow. */
                answeredByMachine: number;
                /** @description Calls in which a person spoke. */
                talked: number;
                /** @description Calls that came to the goal. */
                succeeded: number;
                /** @description Billed, as an exact decimal. Calls of the sandbox bill nothing. */
                cost: string;
                /** @description Cost that the calls of the sandbox would have had. */
                simulatedCost: string;
                /** @description cost and simulatedCost by success; null without a success. */
                costPerSuccess: number | null;
                /** @description Successes by calls that a person answered, with the 95 % interval by Wilson. */
                successRate: {
                    value: number;
                    low: number;
                    high: number;
                } | null;
            }[];
            /** @description For each flow, the two versions that most people answered, compared by their success rates. */
            verdicts: {
                flowApiId: string;
                /** @enum {string} */
                verdict: "BETTER" | "NO_DIFFERENCE_YET" | "TOO_FEW_CALLS";
                /** @description The version with the higher rate. */
                version: number;
                comparedWith: number;
                difference: {
                    value: number;
                    low: number;
                    high: number;
                };
                words: string;
            }[];
            /** @description The 100 with most dials. */
            numbers: {
                /** @description UUID in its 36-character form. */
                phoneNumberId: string | null;
                /** @description Null: over the web, or a number that was removed. */
                phoneNumber: string | null;
                /** @description Calls that are over. */
                calls: number;
                /** @description Of them, those that were dialled or that came in. */
                dialled: number;
                answeredByPerson: number;
                /** @description Voicemail, call screening, IVR or fax. Not part of the steps that follow. */
                answeredByMachine: number;
                /** @description Calls in which a person spoke. */
                talked: number;
                /** @description Calls that came to the goal. */
                succeeded: number;
                dials: number;
                /** @description From 0 to 1; null where nothing was counted. */
                answerRate: number | null;
                /** @description Billed, as an exact decimal. Calls of the sandbox bill nothing. */
                cost: string;
                /** @description Cost that the calls of the sandbox would have had. */
                simulatedCost: string;
                /** @description cost and simulatedCost by success; null without a success. */
                costPerSuccess: number | null;
                /** @description Successes by calls that a person answered, with the 95 % interval by Wilson. */
                successRate: {
                    value: number;
                    low: number;
                    high: number;
                } | null;
            }[];
            outcomes: {
                /** @enum {string} */
                outcome: "ANSWERED" | "VOICEMAIL" | "CALL_SCREENED" | "IVR" | "FAX" | "BUSY" | "NO_ANSWER" | "REJECTED" | "INVALID_NUMBER" | "UNREACHABLE" | "CARRIER_FAILURE" | "OPTED_OUT" | "TRANSFERRED" | "INTERRUPTED" | "INTERRUPTED_BY_OPERATOR" | "BLOCKED" | "CANCELLED" | "UNCONFIRMED" | "FLOW_MISSING";
                count: number;
            }[];
            /** @description Calls in which the person asked for a human and no tool could transfer them. Transferred ones have the outcome TRANSFERRED. */
            askedForHuman: number;
            /** @description Tools of the workspace by their failures, then by their calls, 100 at most; without hidden ones. */
            tools: {
                tool: string;
                /** @description Calls that used it. */
                calls: number;
                /** @description Of them, those in which it failed at least once. */
                failed: number;
            }[];
            /** @description Codes of the errors with which calls ended, and of limits that cut them off, such as LIMIT_DURATION. */
            reasons: {
                code: string;
                count: number;
            }[];
        };
        ResultCallsPage: {
            content: components["schemas"]["CallRow"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        /** @description Filters of GET /results. lastDays moves with the calendar; from and to stay. */
        ResultBoardFilters: {
            /** @description First day, in `timeZone`. Default: 30 days up to `to`; with jobId, the job's first. */
            from?: string;
            /** @description Last day, in `timeZone`; without jobId at most 92 days. Default: today. */
            to?: string;
            /** @description This many days up to `to`, in place of `from`. */
            lastDays?: number;
            /** @description IANA zone of the days and of the hours. Default: UTC. */
            timeZone?: string;
            /** @description UUID in its 36-character form. */
            jobId?: string;
            /** @description apiId of a flow. */
            flowApiId?: string;
            /** @description Needs flowApiId. */
            flowVersion?: number;
            /** @description UUID in its 36-character form. */
            phoneNumberId?: string;
            /**
             * @description OUTBOUND: we dialled. INBOUND: people called our number. WEB: calls from a web page.
             * @enum {string}
             */
            channel?: "OUTBOUND" | "INBOUND" | "WEB";
            /** @description A call succeeds when this extracted field has goalValue; nested ones by their path, such as visit.attending. Default: a person answered and spoke, the call COMPLETED, no limit cut it off, every structured output is valid, not all are empty, and no tool was left failed. */
            goalField?: string;
            /** @description true or false, a date (YYYY-MM-DD), a number with three digits, or a text. Needs goalField. */
            goalValue?: string;
        };
        ResultBoard: {
            /** @description UUID in its 36-character form. */
            id: string;
            name: string;
            filters: components["schemas"]["ResultBoardFilters"];
            /** @description In their order. */
            cards: ("FUNNEL" | "OUTCOMES" | "HOURS" | "FIELDS" | "VERSIONS" | "NUMBERS" | "TOOLS")[];
            createdBy: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        ResultBoardInput: {
            name: string;
            filters: components["schemas"]["ResultBoardFilters"];
            /** @description In their order. */
            cards: ("FUNNEL" | "OUTCOMES" | "HOURS" | "FIELDS" | "VERSIONS" | "NUMBERS" | "TOOLS")[];
        };
        ResultBoardChange: {
            name?: string;
            filters?: components["schemas"]["ResultBoardFilters"];
            /** @description In their order. */
            cards?: ("FUNNEL" | "OUTCOMES" | "HOURS" | "FIELDS" | "VERSIONS" | "NUMBERS" | "TOOLS")[];
        };
        /** @description rowData and contextData take a path for each of their members: the agent may know the first, the second travels with the call. */
        LeadMapping: {
            /**
             * @description Where it is in the delivery: `lead.phones.0`, `fields[name=phone].value`, the name of a form field, or `$` for all of it.
             * @example lead.phone
             */
            customerNumber: string;
            /**
             * @description Where it is in the delivery: `lead.phones.0`, `fields[name=phone].value`, the name of a form field, or `$` for all of it.
             * @example lead.phone
             */
            externalId?: string | null;
            /**
             * @description Where it is in the delivery: `lead.phones.0`, `fields[name=phone].value`, the name of a form field, or `$` for all of it.
             * @example lead.phone
             */
            contactName?: string | null;
            /**
             * @description Where it is in the delivery: `lead.phones.0`, `fields[name=phone].value`, the name of a form field, or `$` for all of it.
             * @example lead.phone
             */
            contactEmail?: string | null;
            /**
             * @description Where it is in the delivery: `lead.phones.0`, `fields[name=phone].value`, the name of a form field, or `$` for all of it.
             * @example lead.phone
             */
            timeZone?: string | null;
            /**
             * @description Where it is in the delivery: `lead.phones.0`, `fields[name=phone].value`, the name of a form field, or `$` for all of it.
             * @example lead.phone
             */
            deliveryId?: string | null;
            /**
             * @description Where it is in the delivery: `lead.phones.0`, `fields[name=phone].value`, the name of a form field, or `$` for all of it.
             * @example lead.phone
             */
            consent?: string | null;
            rowData?: {
                [key: string]: string;
            } | null;
            contextData?: {
                [key: string]: string;
            } | null;
        };
        LeadSource: {
            /** @description UUID in its 36-character form. */
            id: string;
            name: string;
            active: boolean;
            /** @description Its address, with a secret; shown once, when it is made or rotated. Null otherwise. */
            url: string | null;
            /** @description Null: the workspace's default flow. */
            flowId: string | null;
            /** @description Null: the workspace's default number. */
            fromPhoneNumber: string | null;
            retryConfig: components["schemas"]["StoredRetryConfig"];
            callingWindow: components["schemas"]["CallingWindow"] | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startAt: string | null;
            delaySeconds: number;
            mapping: components["schemas"]["LeadMapping"];
            defaultCountry: string | null;
            /** @enum {string} */
            deduplicateBy: "EXTERNAL_ID" | "NUMBER" | "EITHER" | "NONE";
            deduplicateHours: number;
            dailyLimit: number | null;
            consentRequired: boolean;
            /** @enum {string} */
            signature: "NONE" | "HMAC_SHA256" | "STANDARD_WEBHOOKS";
            signatureHeader: string | null;
            /** @description ******** when there is one. */
            signingSecret: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        LeadDelivery: {
            /** @description UUID in its 36-character form. */
            id: string;
            /**
             * @description DUPLICATE: a repeat, which dials nobody. REFUSED: no lead, for the reason.
             * @enum {string}
             */
            status: "QUEUED" | "DUPLICATE" | "REFUSED";
            /** @enum {string|null} */
            reason: "SIGNATURE" | "CONTENT_TYPE" | "BODY" | "NUMBER" | "CONSENT" | "DAILY_LIMIT" | "SETTINGS" | "FIELD" | "REPEATED_DELIVERY" | "REPEATED_EXTERNAL_ID" | "REPEATED_NUMBER" | null;
            message: string | null;
            customerNumber: string | null;
            externalId: string | null;
            /** @description As it was sent. */
            consent: string | null;
            /** @description The call; of a repeat, that of the first. */
            rowId: string | null;
            contentType: string | null;
            /** @description As it was sent; null once its contact was erased. */
            body: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
        };
        LeadDeliveryPage: {
            content: components["schemas"]["LeadDelivery"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        LeadSourceInput: {
            name: string;
            /** @description False: deliveries are refused. Default true. */
            active?: boolean;
            /** @description uuid or apiId of a saved flow. Unset: the default. */
            flowId?: string | null;
            /** @description E.164 number, such as +12025550100. */
            fromPhoneNumber?: string | null;
            retryConfig?: components["schemas"]["RetryConfig"] | null;
            callingWindow?: components["schemas"]["CallingWindowInput"] | null;
            /**
             * Format: date-time
             * @description Nobody is called before this time.
             */
            startAt?: string | null;
            /** @description Wait from the delivery to the call. Default 0. */
            delaySeconds?: number;
            mapping: components["schemas"]["LeadMapping"];
            /** @description ISO 3166 code of the country of numbers without one. */
            defaultCountry?: string | null;
            /**
             * @description What of an earlier lead makes a delivery its repeat, besides its id. Default EITHER.
             * @enum {string}
             */
            deduplicateBy?: "EXTERNAL_ID" | "NUMBER" | "EITHER" | "NONE";
            /** @description How long after the earlier lead. Default 24. */
            deduplicateHours?: number;
            /** @description Calls queued a day, by workspace time. */
            dailyLimit?: number | null;
            /** @description True: leads without consent at mapping.consent are refused. Default false. */
            consentRequired?: boolean;
            /**
             * @description HMAC_SHA256: digest of the body in signatureHeader, in hex or base64. STANDARD_WEBHOOKS: its three headers.
             * @enum {string}
             */
            signature?: "NONE" | "HMAC_SHA256" | "STANDARD_WEBHOOKS";
            /** @description For HMAC_SHA256. */
            signatureHeader?: string | null;
            /** @description The sender's secret; ******** keeps it. */
            signingSecret?: string | null;
        };
        LeadSourceChange: {
            name?: string;
            /** @description False: deliveries are refused. Default true. */
            active?: boolean;
            /** @description uuid or apiId of a saved flow. Unset: the default. */
            flowId?: string | null;
            /** @description E.164 number, such as +12025550100. */
            fromPhoneNumber?: string | null;
            retryConfig?: components["schemas"]["RetryConfig"] | null;
            callingWindow?: components["schemas"]["CallingWindowInput"] | null;
            /**
             * Format: date-time
             * @description Nobody is called before this time.
             */
            startAt?: string | null;
            /** @description Wait from the delivery to the call. Default 0. */
            delaySeconds?: number;
            mapping?: components["schemas"]["LeadMapping"];
            /** @description ISO 3166 code of the country of numbers without one. */
            defaultCountry?: string | null;
            /**
             * @description What of an earlier lead makes a delivery its repeat, besides its id. Default EITHER.
             * @enum {string}
             */
            deduplicateBy?: "EXTERNAL_ID" | "NUMBER" | "EITHER" | "NONE";
            /** @description How long after the earlier lead. Default 24. */
            deduplicateHours?: number;
            /** @description Calls queued a day, by workspace time. */
            dailyLimit?: number | null;
            /** @description True: leads without consent at mapping.consent are refused. Default false. */
            consentRequired?: boolean;
            /**
             * @description HMAC_SHA256: digest of the body in signatureHeader, in hex or base64. STANDARD_WEBHOOKS: its three headers.
             * @enum {string}
             */
            signature?: "NONE" | "HMAC_SHA256" | "STANDARD_WEBHOOKS";
            /** @description For HMAC_SHA256. */
            signatureHeader?: string | null;
            /** @description The sender's secret; ******** keeps it. */
            signingSecret?: string | null;
        };
        LeadMappingSample: {
            /** @description A delivery as its sender would send it: JSON, or the text of form fields. */
            sample: unknown;
            mapping: components["schemas"]["LeadMapping"];
            defaultCountry?: string | null;
            consentRequired?: boolean;
        };
        LeadPreview: {
            /** @enum {string} */
            result: "QUEUED" | "DUPLICATE" | "REFUSED";
            /** @enum {string|null} */
            reason: "SIGNATURE" | "CONTENT_TYPE" | "BODY" | "NUMBER" | "CONSENT" | "DAILY_LIMIT" | "SETTINGS" | "FIELD" | "REPEATED_DELIVERY" | "REPEATED_EXTERNAL_ID" | "REPEATED_NUMBER" | null;
            message: string | null;
            /** @description The call as the mapping reads it: customerNumber, externalId, rowData and so on. */
            lead: {
                [key: string]: unknown;
            } | null;
            preflight: components["schemas"]["Preflight"] | null;
            /** @description Paths of the sample that a mapping can name, at most 200. */
            paths: {
                path: string;
                /** @description The value there. */
                sample: unknown;
            }[];
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        LeadSample: {
            /** @description A delivery as its sender would send it: JSON, or the text of form fields. */
            sample: unknown;
        };
        Flow: {
            /** @description UUID in its 36-character form. */
            id: string;
            apiId: string;
            /** @description Name of the flow. */
            name: string | null;
            /** @description What it is for. */
            description: string | null;
            /** @description Instructions of the agent; Liquid template over the variables. */
            masterPrompt: string | null;
            /** @description What the agent says first; Liquid template. Unset: the model opens. */
            firstMessage: string | null;
            /** @description Voice, by the speech provider's id. */
            voiceId: string | null;
            /** @description BCP 47, such as en-US. */
            language: string | null;
            localVariables: components["schemas"]["LocalVariable"][] | null;
            /** @description Such as VOICE or CHAT. */
            channelMode: string | null;
            structuredOutputIds: string[] | null;
            structuredOutputs: components["schemas"]["InlineStructuredOutput"][] | null;
            model: components["schemas"]["ModelChoice"] | null;
            /** @description Tools that the agent may call, system tools among them. */
            toolIds: string[] | null;
            /** @description Agent whose knowledge base is searched. Unset: the agents that follow the flow. */
            agentId: string | null;
            /** @description Data stores that read_record and write_record reach. */
            storeKeys: string[] | null;
            /** @description Whom transfer_call may hand the call to. */
            transferTargets: components["schemas"]["TransferTarget"][] | null;
            /** @description Stages that the dialogue walks through; without them it follows the masterPrompt alone. */
            stages: components["schemas"]["FlowStage"][] | null;
            limits: components["schemas"]["FlowLimits"] | null;
            memory: components["schemas"]["FlowMemory"] | null;
            humanHandoff: components["schemas"]["HumanHandoff"] | null;
            voicemailConfig: components["schemas"]["VoicemailConfig"] | null;
            turnTaking: components["schemas"]["TurnTaking"] | null;
            /** @description Default 30. */
            ringTimeoutSeconds: number | null;
            /** @description Default 600. */
            maxDurationSeconds: number | null;
            /** @description Default 10. */
            silenceTimeoutSeconds: number | null;
            /** @description Calls a person back, once, a minute after the operator of the server had to end their call; rowData then has interruptedCall: true. Default false. */
            callBackInterrupted: boolean | null;
            /** @description Default true. */
            recordingEnabled: boolean | null;
            userId: string | null;
            version: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        FlowPage: {
            content: components["schemas"]["Flow"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        NewFlow: {
            /** @description Name of the flow. */
            name: string;
            /** @description What it is for. */
            description?: string | null;
            /** @description Instructions of the agent; Liquid template over the variables. */
            masterPrompt?: string | null;
            /** @description What the agent says first; Liquid template. Unset: the model opens. */
            firstMessage?: string | null;
            /** @description Voice, by the speech provider's id. */
            voiceId?: string | null;
            /** @description BCP 47, such as en-US. */
            language?: string | null;
            localVariables?: components["schemas"]["LocalVariable"][] | null;
            /** @description Such as VOICE or CHAT. */
            channelMode?: string | null;
            structuredOutputIds?: string[] | null;
            structuredOutputs?: components["schemas"]["InlineStructuredOutput"][] | null;
            model?: components["schemas"]["ModelChoice"] | null;
            /** @description Tools that the agent may call, system tools among them. */
            toolIds?: string[] | null;
            /** @description Agent whose knowledge base is searched. Unset: the agents that follow the flow. */
            agentId?: string | null;
            /** @description Data stores that read_record and write_record reach. */
            storeKeys?: string[] | null;
            /** @description Whom transfer_call may hand the call to. */
            transferTargets?: components["schemas"]["TransferTarget"][] | null;
            /** @description Stages that the dialogue walks through; without them it follows the masterPrompt alone. */
            stages?: components["schemas"]["FlowStage"][] | null;
            limits?: components["schemas"]["FlowLimits"] | null;
            memory?: components["schemas"]["FlowMemory"] | null;
            humanHandoff?: components["schemas"]["HumanHandoff"] | null;
            voicemailConfig?: components["schemas"]["VoicemailConfig"] | null;
            turnTaking?: components["schemas"]["TurnTaking"] | null;
            /** @description Default 30. */
            ringTimeoutSeconds?: number | null;
            /** @description Default 600. */
            maxDurationSeconds?: number | null;
            /** @description Default 10. */
            silenceTimeoutSeconds?: number | null;
            /** @description Calls a person back, once, a minute after the operator of the server had to end their call; rowData then has interruptedCall: true. Default false. */
            callBackInterrupted?: boolean | null;
            /** @description Default true. */
            recordingEnabled?: boolean | null;
            /** @description letters, digits, _ and -. */
            apiId?: string | null;
        };
        FlowInput: {
            /** @description Name of the flow. */
            name?: string | null;
            /** @description What it is for. */
            description?: string | null;
            /** @description Instructions of the agent; Liquid template over the variables. */
            masterPrompt?: string | null;
            /** @description What the agent says first; Liquid template. Unset: the model opens. */
            firstMessage?: string | null;
            /** @description Voice, by the speech provider's id. */
            voiceId?: string | null;
            /** @description BCP 47, such as en-US. */
            language?: string | null;
            localVariables?: components["schemas"]["LocalVariable"][] | null;
            /** @description Such as VOICE or CHAT. */
            channelMode?: string | null;
            structuredOutputIds?: string[] | null;
            structuredOutputs?: components["schemas"]["InlineStructuredOutput"][] | null;
            model?: components["schemas"]["ModelChoice"] | null;
            /** @description Tools that the agent may call, system tools among them. */
            toolIds?: string[] | null;
            /** @description Agent whose knowledge base is searched. Unset: the agents that follow the flow. */
            agentId?: string | null;
            /** @description Data stores that read_record and write_record reach. */
            storeKeys?: string[] | null;
            /** @description Whom transfer_call may hand the call to. */
            transferTargets?: components["schemas"]["TransferTarget"][] | null;
            /** @description Stages that the dialogue walks through; without them it follows the masterPrompt alone. */
            stages?: components["schemas"]["FlowStage"][] | null;
            limits?: components["schemas"]["FlowLimits"] | null;
            memory?: components["schemas"]["FlowMemory"] | null;
            humanHandoff?: components["schemas"]["HumanHandoff"] | null;
            voicemailConfig?: components["schemas"]["VoicemailConfig"] | null;
            turnTaking?: components["schemas"]["TurnTaking"] | null;
            /** @description Default 30. */
            ringTimeoutSeconds?: number | null;
            /** @description Default 600. */
            maxDurationSeconds?: number | null;
            /** @description Default 10. */
            silenceTimeoutSeconds?: number | null;
            /** @description Calls a person back, once, a minute after the operator of the server had to end their call; rowData then has interruptedCall: true. Default false. */
            callBackInterrupted?: boolean | null;
            /** @description Default true. */
            recordingEnabled?: boolean | null;
            /** @description letters, digits, _ and -. */
            apiId?: string | null;
        };
        FlowDraft: {
            /** @description UUID in its 36-character form. */
            flowId: string;
            /** @description The published version that it began from. */
            baseVersion: number;
            /** @description Name of the flow. */
            name: string | null;
            /** @description What it is for. */
            description: string | null;
            /** @description Instructions of the agent; Liquid template over the variables. */
            masterPrompt: string | null;
            /** @description What the agent says first; Liquid template. Unset: the model opens. */
            firstMessage: string | null;
            /** @description Voice, by the speech provider's id. */
            voiceId: string | null;
            /** @description BCP 47, such as en-US. */
            language: string | null;
            localVariables: components["schemas"]["LocalVariable"][] | null;
            /** @description Such as VOICE or CHAT. */
            channelMode: string | null;
            structuredOutputIds: string[] | null;
            structuredOutputs: components["schemas"]["InlineStructuredOutput"][] | null;
            model: components["schemas"]["ModelChoice"] | null;
            /** @description Tools that the agent may call, system tools among them. */
            toolIds: string[] | null;
            /** @description Agent whose knowledge base is searched. Unset: the agents that follow the flow. */
            agentId: string | null;
            /** @description Data stores that read_record and write_record reach. */
            storeKeys: string[] | null;
            /** @description Whom transfer_call may hand the call to. */
            transferTargets: components["schemas"]["TransferTarget"][] | null;
            /** @description Stages that the dialogue walks through; without them it follows the masterPrompt alone. */
            stages: components["schemas"]["FlowStage"][] | null;
            limits: components["schemas"]["FlowLimits"] | null;
            memory: components["schemas"]["FlowMemory"] | null;
            humanHandoff: components["schemas"]["HumanHandoff"] | null;
            voicemailConfig: components["schemas"]["VoicemailConfig"] | null;
            turnTaking: components["schemas"]["TurnTaking"] | null;
            /** @description Default 30. */
            ringTimeoutSeconds: number | null;
            /** @description Default 600. */
            maxDurationSeconds: number | null;
            /** @description Default 10. */
            silenceTimeoutSeconds: number | null;
            /** @description Calls a person back, once, a minute after the operator of the server had to end their call; rowData then has interruptedCall: true. Default false. */
            callBackInterrupted: boolean | null;
            /** @description Default true. */
            recordingEnabled: boolean | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description The person or the credential, by the name of then. */
            updatedBy: string | null;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        FlowChange: {
            /** @description UUID in its 36-character form. */
            id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            changedAt: string;
            /** @description The person or the credential, by the name of then; null: not known. */
            changedBy: string | null;
            /** @description There is a draft, and it says something else than what is published. */
            differs: boolean;
            draft: components["schemas"]["FlowDraft"] | null;
        };
        FlowChangePage: {
            content: components["schemas"]["FlowChange"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        FlowSplit: {
            version: number;
            percent: number;
        };
        FlowEditing: {
            flow: components["schemas"]["Flow"];
            draft: components["schemas"]["FlowDraft"] | null;
            /** @description There is a draft, and it says something else than what is published. */
            differs: boolean;
            splits: components["schemas"]["FlowSplit"][] | null;
        };
        FlowPublication: {
            /** @description Why; shown in the list. */
            note?: string | null;
            /** @description Share of new sessions that take it; the rest stays with the version before. Default 100. */
            percent?: number | null;
            /** @description Also when a template names a variable that neither localVariables, the contact, the session nor a tool brings, and the version before did not name: rowData brings it. */
            acceptUnknownVariables?: boolean | null;
            /** @description Also when another version was published since the draft began. */
            overwrite?: boolean | null;
        };
        FlowVersionEntry: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description UUID in its 36-character form. */
            flowId: string;
            version: number;
            /** @description It is the one that GET of the flow shows. */
            published: boolean;
            note: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /** @description The person or the credential, by the name of then. */
            createdBy: string | null;
        };
        FlowVersionPage: {
            content: components["schemas"]["FlowVersionEntry"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        FlowVersionResult: {
            version: number;
            /** @description Calls that were dialled with it, also those that still run. */
            calls: number;
            ended: number;
            /** @description Of those, with status COMPLETED. */
            completed: number;
            /** @description Of those that ended: calls in which a person was on the line. */
            reached: number;
            /** @description completed / ended, 0 to 1; null while none has ended. */
            successRate: number | null;
            /** @description Of the calls that were answered. */
            averageDurationSeconds: number | null;
        };
        FlowVersion: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description UUID in its 36-character form. */
            flowId: string;
            version: number;
            /** @description It is the one that GET of the flow shows. */
            published: boolean;
            note: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /** @description The person or the credential, by the name of then. */
            createdBy: string | null;
            /** @description Name of the flow. */
            name: string | null;
            /** @description What it is for. */
            description: string | null;
            /** @description Instructions of the agent; Liquid template over the variables. */
            masterPrompt: string | null;
            /** @description What the agent says first; Liquid template. Unset: the model opens. */
            firstMessage: string | null;
            /** @description Voice, by the speech provider's id. */
            voiceId: string | null;
            /** @description BCP 47, such as en-US. */
            language: string | null;
            localVariables: components["schemas"]["LocalVariable"][] | null;
            /** @description Such as VOICE or CHAT. */
            channelMode: string | null;
            structuredOutputIds: string[] | null;
            structuredOutputs: components["schemas"]["InlineStructuredOutput"][] | null;
            model: components["schemas"]["ModelChoice"] | null;
            /** @description Tools that the agent may call, system tools among them. */
            toolIds: string[] | null;
            /** @description Agent whose knowledge base is searched. Unset: the agents that follow the flow. */
            agentId: string | null;
            /** @description Data stores that read_record and write_record reach. */
            storeKeys: string[] | null;
            /** @description Whom transfer_call may hand the call to. */
            transferTargets: components["schemas"]["TransferTarget"][] | null;
            /** @description Stages that the dialogue walks through; without them it follows the masterPrompt alone. */
            stages: components["schemas"]["FlowStage"][] | null;
            limits: components["schemas"]["FlowLimits"] | null;
            memory: components["schemas"]["FlowMemory"] | null;
            humanHandoff: components["schemas"]["HumanHandoff"] | null;
            voicemailConfig: components["schemas"]["VoicemailConfig"] | null;
            turnTaking: components["schemas"]["TurnTaking"] | null;
            /** @description Default 30. */
            ringTimeoutSeconds: number | null;
            /** @description Default 600. */
            maxDurationSeconds: number | null;
            /** @description Default 10. */
            silenceTimeoutSeconds: number | null;
            /** @description Calls a person back, once, a minute after the operator of the server had to end their call; rowData then has interruptedCall: true. Default false. */
            callBackInterrupted: boolean | null;
            /** @description Default true. */
            recordingEnabled: boolean | null;
        };
        FlowRestoration: {
            /** @description Why; shown in the list. */
            note?: string | null;
        };
        FlowSplits: {
            /** @description Null: every session takes the published one. */
            splits: components["schemas"]["FlowSplit"][] | null;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        FlowSplitsInput: {
            /** @description Null: every session takes the published one. */
            splits: components["schemas"]["FlowSplit"][] | null;
            /** @description Settings as the caller read them: 409 when one of these has another value by now. Unset: the change is made anyway. */
            before?: {
                [key: string]: unknown;
            };
        };
        StageFunnel: {
            version: number;
            /** @description Calls and chats that ended, of those that entered a stage. */
            sessions: number;
            /** @description In the order of the definition. */
            stages: {
                stageId: string;
                /** @description Sessions that entered it. */
                entered: number;
                /** @description Sessions that ended in it. */
                endedHere: number;
                /** @description Of its visits; null when there was none. */
                medianSeconds: number | null;
                edges: {
                    edgeId: string;
                    to: string;
                    /** @description Visits that it ended. */
                    taken: number;
                }[];
            }[];
        };
        SuccessCondition: {
            /** @description An extracted field; a nested one by its path, such as visit.attending. */
            field: string;
            /** @enum {string} */
            operator: "EQUALS" | "NOT_EQUALS" | "ABOVE" | "BELOW" | "ONE_OF" | "IS_SET" | "IS_NOT_SET";
            /** @description A text, a number, true or false; a list of them for ONE_OF. */
            value?: unknown;
        };
        FlowSuccess: {
            /** @description A call succeeds when a person answered and all of these hold. Null: when the person spoke, the call COMPLETED, no limit cut it off, its outputs are valid and not all empty, and no tool was left failed. */
            conditions: components["schemas"]["SuccessCondition"][] | null;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        FlowSuccessInput: {
            /** @description A call succeeds when a person answered and all of these hold. Null: when the person spoke, the call COMPLETED, no limit cut it off, its outputs are valid and not all empty, and no tool was left failed. */
            conditions: components["schemas"]["SuccessCondition"][] | null;
            /** @description Settings as the caller read them: 409 when one of these has another value by now. Unset: the change is made anyway. */
            before?: {
                [key: string]: unknown;
            };
        };
        ToolParameter: {
            /** @description a letter or _, then letters, digits and _, at most 64. */
            name: string;
            /**
             * @description JSON Schema type.
             * @enum {string}
             */
            type: "string" | "number" | "integer" | "boolean" | "array" | "object";
            /** @description Told to the model. */
            description?: string | null;
            /** @description Default false. */
            required?: boolean | null;
            /** @description The only values allowed. */
            enumValues?: (string | number | boolean)[] | null;
            /** @description Used when the model gives none; the value itself for CONSTANT. */
            defaultValue?: unknown;
            /** @description JSON Schema format, such as date or email. */
            format?: string | null;
            /** @description Regular expression (RE2) that a text must match. */
            pattern?: string | null;
            /** @description JSON Schema of an array's items. */
            items?: {
                [key: string]: unknown;
            } | null;
            /** @description JSON Schemas of an object's members, by name. */
            properties?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Who gives the value. Default LLM.
             * @enum {string|null}
             */
            source?: "LLM" | "VARIABLE" | "CONSTANT" | null;
        };
        ToolReturnValue: {
            /**
             * @description JSON Schema type.
             * @enum {string|null}
             */
            type?: "string" | "number" | "integer" | "boolean" | "array" | "object" | null;
            /** @description Told to the model. */
            description?: string | null;
            /** @description JSON Schema of the value. */
            schema?: {
                [key: string]: unknown;
            } | null;
            /** @description Part of the answer that counts, such as data.items.0.price. Unset: all of it. */
            path?: string | null;
            /** @description Session variable that keeps it: a letter or _, then letters, digits and _, at most 64. */
            saveToVariable?: string | null;
        };
        ToolMessages: {
            /** @description Said when the tool is called. */
            start?: string | null;
            /** @description Said when it takes longer than delayedAfterMs. */
            delayed?: string | null;
            /** @description Default 3000. */
            delayedAfterMs?: number | null;
            /** @description Said when it has worked. */
            success?: string | null;
            /** @description Said when it has failed. */
            failure?: string | null;
        };
        ToolExecutionStep: {
            /** @description Name of its result for later steps: a letter or _, then letters, digits and _, at most 64. */
            id?: string | null;
            /**
             * @description API: this tool's own request. CODE: code. TOOL: toolId.
             * @enum {string|null}
             */
            type?: "API" | "CODE" | "TOOL" | null;
            /** @description For people. */
            name?: string | null;
            /** @description Liquid template; the step is skipped when it renders empty, 0 or false. */
            condition?: string | null;
            /** @description Values for the step; texts are Liquid templates over parameters and earlier results. */
            input?: {
                [key: string]: unknown;
            } | null;
            /** @description JavaScript of a CODE step. */
            code?: string | null;
            /** @description UUID in its 36-character form. */
            toolId?: string | null;
            /** @description Unset: haltOnStepError of the tool decides. */
            continueOnError?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        ToolIntegration: {
            /** @description Name within the tool; integrationCredentialLinks refer to it. */
            key?: string | null;
            /** @description Such as salesforce or google-calendar. */
            provider?: string | null;
            /** @description For people. */
            name?: string | null;
            /** @description Settings of the integration. Not sealed: put no secrets here. */
            config?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        ToolCredentialLink: {
            /** @description Key of the integration. */
            integrationKey?: string | null;
            /** @description Id of the credential where it is kept; never the credential itself. */
            credentialId?: string | null;
            /** @description Default true. */
            required?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        ForwardCallConfig: {
            /**
             * @description COLD: at once. WARM: after a word with the target. Default COLD.
             * @enum {string|null}
             */
            mode?: "COLD" | "WARM" | "AGENTIC_WARM" | null;
            /**
             * @description Default PHONE.
             * @enum {string|null}
             */
            destinationType?: "PHONE" | "SIP" | "FLOW" | null;
            /** @description E.164 number, sip: address, or a flow's id or apiId; Liquid template. */
            destination?: string | null;
            /** @description keys 0-9 A-D * #, w and , pause; at most 64. */
            dtmfSequence?: string | null;
            /**
             * @description Number the target sees. Default OWN.
             * @enum {string|null}
             */
            callerId?: "OWN" | "CUSTOMER" | null;
            /** @description Told to the target alone before the parties are joined. */
            whisperMessage?: string | null;
            /** @description Tells the target what was said so far. Default false. */
            summaryToAgent?: boolean | null;
            /** @description Audio for the waiting party. */
            holdAudioUrl?: string | null;
            /** @description Default 30. */
            ringTimeoutSeconds?: number | null;
            /** @description Gives up when a machine answers. Default false. */
            transferOnlyIfHuman?: boolean | null;
            /** @description Said when the transfer fails. */
            fallbackMessage?: string | null;
            /** @description X- headers of the INVITE. Not sealed: put no secrets here. */
            sipHeaders?: {
                [key: string]: string;
            } | null;
        };
        ToolMetaHint: {
            /** @description When the tool is the right one. */
            whenToUse?: string | null;
            /** @description When it is not. */
            whenNotToUse?: string | null;
            examples?: unknown[] | null;
            /** @description The higher comes first. Default 0. */
            priority?: number | null;
        };
        ToolPrompt: {
            /** @description Which text it is, such as instructions or after_result. */
            key?: string | null;
            /**
             * @description Default SYSTEM.
             * @enum {string|null}
             */
            role?: "SYSTEM" | "ASSISTANT" | "USER" | null;
            /** @description Liquid template. */
            content: string;
            /** @description BCP 47, such as en-US. */
            language?: string | null;
        };
        ToolResultCacheConfig: {
            /** @description Default false. */
            enabled?: boolean | null;
            /**
             * @description Who shares an answer. Default SESSION.
             * @enum {string|null}
             */
            scope?: "SESSION" | "CONTACT" | "WORKSPACE" | null;
            /** @description Default 300. */
            ttlSeconds?: number | null;
            /** @description Unset: all parameters. */
            keyParameters?: string[] | null;
            /** @description Default false. */
            cacheErrors?: boolean | null;
            /** @description Default 1000. */
            maxEntries?: number | null;
        };
        ConcurrencyControlConfig: {
            /** @description Default false. */
            enabled?: boolean | null;
            /**
             * @description What is counted. Default TOOL.
             * @enum {string|null}
             */
            scope?: "TOOL" | "FLOW" | "WORKSPACE" | null;
            /** @description Required when enabled. */
            maxConcurrent?: number | null;
            /** @description Longest wait of QUEUE. Default 5000. */
            queueTimeoutMs?: number | null;
            /**
             * @description FALLBACK says concurrencyLimitFallbackMessage. Default QUEUE.
             * @enum {string|null}
             */
            onLimit?: "QUEUE" | "FALLBACK" | "FAIL" | null;
        };
        ToolMockConfig: {
            /** @description Answers every call from here. Default false. */
            enabled?: boolean | null;
            /** @description Default 0. */
            delayMs?: number | null;
            /** @description Given when no case fits. */
            result?: unknown;
            /** @description Fails with this text instead. */
            error?: string | null;
            /** @description The first that fits counts. */
            cases?: {
                [key: string]: unknown;
            }[] | null;
        };
        PortableTool: {
            /** @description Names it within the document. */
            id: string;
            /** @description Function name for the model: a letter or _, then letters, digits, _ and -, at most 64. */
            name?: string | null;
            /** @description Tells the model what it does. */
            description?: string | null;
            /** @description Group in lists. */
            groupName?: string | null;
            /** @description Icon in lists. */
            iconKey?: string | null;
            /** @description Colour of the icon, such as #2f6f4f. */
            iconColor?: string | null;
            parameters?: components["schemas"]["ToolParameter"][] | null;
            returnValue?: components["schemas"]["ToolReturnValue"] | null;
            /**
             * @description API: an HTTP request. FORWARD_CALL: hands the call over. CODE: executionPlan in the sandbox. MCP: a tool of the MCP server at apiUrl. SYSTEM: comes with the service; cannot be made or changed.
             * @enum {string|null}
             */
            toolType?: "API" | "FORWARD_CALL" | "CODE" | "MCP" | "SYSTEM" | null;
            /** @description Refines toolType; for MCP the tool's name at the server (unset: name). */
            toolSubtype?: string | null;
            /** @description The answer comes later, to the async tool-task webhook. Default false. */
            isAsync?: boolean | null;
            /** @description Not offered to models; other tools may call it. Default false. */
            internalOnly?: boolean | null;
            /** @description What an async answer holds, such as TEXT or JSON. */
            asyncReturnType?: string | null;
            messages?: components["schemas"]["ToolMessages"] | null;
            executionPlan?: components["schemas"]["ToolExecutionStep"][] | null;
            integrations?: components["schemas"]["ToolIntegration"][] | null;
            integrationCredentialLinks?: components["schemas"]["ToolCredentialLink"][] | null;
            forwardCallConfig?: components["schemas"]["ForwardCallConfig"] | null;
            aimetaHint?: components["schemas"]["ToolMetaHint"] | null;
            /** @enum {string|null} */
            apiMethod?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | null;
            /** @description http or https URL; Liquid template. A template in the host needs networkAllowList. */
            apiUrl?: string | null;
            /** @description (extension) Connection whose token the service puts into the requests, at its provider's servers alone. Not for MCP. */
            connectionId?: string | null;
            /** @description (extension) Leaves out the members of apiBody that have no value, instead of sending null. Default false. */
            apiBodyOmitsNulls?: boolean | null;
            /** @description For the HTTP request. Default 15. */
            apiTimeoutSeconds?: number | null;
            /** @description For the whole call of the tool. Default 30. */
            toolCallTimeoutSeconds?: number | null;
            /** @description Waits until what the person said is final. Default false. */
            requiresConfirmedTranscript?: boolean | null;
            /** @description Longest such wait. Default 2000. */
            confirmedTranscriptTimeoutMs?: number | null;
            /** @description Called before the conversation starts. Default false. */
            proactiveLookupEnabled?: boolean | null;
            prompts?: components["schemas"]["ToolPrompt"][] | null;
            toolResultCacheConfig?: components["schemas"]["ToolResultCacheConfig"] | null;
            toolConcurrencyConfig?: components["schemas"]["ConcurrencyControlConfig"] | null;
            /** @description The tool's answer when too many calls of it run. */
            concurrencyLimitFallbackMessage?: string | null;
            mockConfig?: components["schemas"]["ToolMockConfig"] | null;
            /** @description Headers of the request; values are Liquid templates, sealed at rest. Values that carry credentials read as ********, which sent back means unchanged. */
            apiHeaders?: {
                [key: string]: string;
            } | null;
            /** @description JSON body of the request; texts in it are Liquid templates, sealed at rest. Not sent with GET. Texts below members whose name speaks of a credential read as ********, which sent back means unchanged. */
            apiBody?: {
                [key: string]: unknown;
            } | null;
            /** @description Name of the built-in tool that this one was made from. */
            sourceBuiltinToolKey?: string | null;
            /** @description Kind of application it belongs to. */
            applicationType?: string | null;
            /** @description UUID in its 36-character form. */
            applicationId?: string | null;
            /** @description The model must speak after the answer. Default true. */
            requiresFollowUp?: boolean | null;
            /** @description Default false. */
            hideFromChatTimeline?: boolean | null;
            /** @description Tells the model the schema of returnValue. Default false. */
            discloseOutputSchema?: boolean | null;
            /** @description CODE steps run in the sandbox whatever their origin. Default true. */
            requiresSandbox?: boolean | null;
            /** @description Shows that it was called, not with what. Default false. */
            anonymizeInChatTimeline?: boolean | null;
            /** @description A failed step ends the executionPlan. Default true. */
            haltOnStepError?: boolean | null;
            /** @description Labels. */
            tags?: string[] | null;
            /** @description Catalogues that show it. */
            catalogInclusionModes?: string[] | null;
            /** @description Hosts that it may reach: example.com, *.example.com, 203.0.113.7, example.com:8443. */
            networkAllowList?: string[] | null;
        };
        PortableStructuredOutput: {
            /** @description Names it within the document. */
            id: string;
            name: string;
            description?: string | null;
            /** @description JSON Schema 2020-12 of type object. */
            schema: {
                [key: string]: unknown;
            };
            /** @description Liquid template over the variables, channel and endReason; the output is left out when it renders empty, 0 or false. */
            condition?: string | null;
            /** @description Filled after each thing the person says, not only at the end. Default false. */
            fillDuring?: boolean | null;
        };
        RequiredSecret: {
            /** @description UUID in its 36-character form. */
            toolId: string;
            toolName: string;
            /** @description Name of the header whose value must be given anew, or apiBody.<path> of a text in the body. */
            header: string;
        };
        FlowDocument: {
            /** @description parley.flow */
            format: string;
            /** @description 1. */
            formatVersion: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            exportedAt: string;
            flow: {
                apiId: string;
                /** @description Name of the flow. */
                name: string | null;
                /** @description What it is for. */
                description: string | null;
                /** @description Instructions of the agent; Liquid template over the variables. */
                masterPrompt: string | null;
                /** @description What the agent says first; Liquid template. Unset: the model opens. */
                firstMessage: string | null;
                /** @description Voice, by the speech provider's id. */
                voiceId: string | null;
                /** @description BCP 47, such as en-US. */
                language: string | null;
                localVariables: components["schemas"]["LocalVariable"][] | null;
                /** @description Such as VOICE or CHAT. */
                channelMode: string | null;
                structuredOutputIds: string[] | null;
                structuredOutputs: components["schemas"]["InlineStructuredOutput"][] | null;
                model: components["schemas"]["ModelChoice"] | null;
                /** @description Tools that the agent may call, system tools among them. */
                toolIds: string[] | null;
                /** @description Agent whose knowledge base is searched. Unset: the agents that follow the flow. */
                agentId: string | null;
                /** @description Data stores that read_record and write_record reach. */
                storeKeys: string[] | null;
                /** @description Whom transfer_call may hand the call to. */
                transferTargets: components["schemas"]["TransferTarget"][] | null;
                /** @description Stages that the dialogue walks through; without them it follows the masterPrompt alone. */
                stages: components["schemas"]["FlowStage"][] | null;
                limits: components["schemas"]["FlowLimits"] | null;
                memory: components["schemas"]["FlowMemory"] | null;
                humanHandoff: components["schemas"]["HumanHandoff"] | null;
                voicemailConfig: components["schemas"]["VoicemailConfig"] | null;
                turnTaking: components["schemas"]["TurnTaking"] | null;
                /** @description Default 30. */
                ringTimeoutSeconds: number | null;
                /** @description Default 600. */
                maxDurationSeconds: number | null;
                /** @description Default 10. */
                silenceTimeoutSeconds: number | null;
                /** @description Calls a person back, once, a minute after the operator of the server had to end their call; rowData then has interruptedCall: true. Default false. */
                callBackInterrupted: boolean | null;
                /** @description Default true. */
                recordingEnabled: boolean | null;
            };
            tools: components["schemas"]["PortableTool"][];
            structuredOutputs: components["schemas"]["PortableStructuredOutput"][];
            /** @description Headers whose values the file does not hold. */
            requiredSecrets: components["schemas"]["RequiredSecret"][];
        };
        FlowDocumentInput: {
            format: string;
            formatVersion: number;
            /** @description Ignored: a document is taken as it was exported. */
            exportedAt?: unknown;
            flow?: components["schemas"]["FlowInput"];
            tools?: components["schemas"]["PortableTool"][];
            structuredOutputs?: components["schemas"]["PortableStructuredOutput"][];
            requiredSecrets?: components["schemas"]["RequiredSecret"][];
        };
        FlowImport: {
            flow: components["schemas"]["Flow"];
            tools: {
                /** @description UUID in its 36-character form. */
                from: string;
                /** @description UUID in its 36-character form. */
                id: string;
                name: string;
            }[];
            structuredOutputs: {
                /** @description UUID in its 36-character form. */
                from: string;
                /** @description UUID in its 36-character form. */
                id: string;
                name: string;
            }[];
            /** @description To be given to the new tools with PUT /tools. */
            requiredSecrets: components["schemas"]["RequiredSecret"][];
            /** @description What the flow or a tool named and this workspace does not have; they do without it. */
            unresolved: {
                path: string;
                value: string;
            }[];
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        FlowToApply: {
            /** @description Name of the flow. */
            name: string;
            /** @description What it is for. */
            description?: string | null;
            /** @description Instructions of the agent; Liquid template over the variables. */
            masterPrompt?: string | null;
            /** @description What the agent says first; Liquid template. Unset: the model opens. */
            firstMessage?: string | null;
            /** @description Voice, by the speech provider's id. */
            voiceId?: string | null;
            /** @description BCP 47, such as en-US. */
            language?: string | null;
            localVariables?: components["schemas"]["LocalVariable"][] | null;
            /** @description Such as VOICE or CHAT. */
            channelMode?: string | null;
            structuredOutputIds?: string[] | null;
            structuredOutputs?: components["schemas"]["InlineStructuredOutput"][] | null;
            model?: components["schemas"]["ModelChoice"] | null;
            /** @description Tools that the agent may call, system tools among them. */
            toolIds?: string[] | null;
            /** @description Agent whose knowledge base is searched. Unset: the agents that follow the flow. */
            agentId?: string | null;
            /** @description Data stores that read_record and write_record reach. */
            storeKeys?: string[] | null;
            /** @description Whom transfer_call may hand the call to. */
            transferTargets?: components["schemas"]["TransferTarget"][] | null;
            /** @description Stages that the dialogue walks through; without them it follows the masterPrompt alone. */
            stages?: components["schemas"]["FlowStage"][] | null;
            limits?: components["schemas"]["FlowLimits"] | null;
            memory?: components["schemas"]["FlowMemory"] | null;
            humanHandoff?: components["schemas"]["HumanHandoff"] | null;
            voicemailConfig?: components["schemas"]["VoicemailConfig"] | null;
            turnTaking?: components["schemas"]["TurnTaking"] | null;
            /** @description Default 30. */
            ringTimeoutSeconds?: number | null;
            /** @description Default 600. */
            maxDurationSeconds?: number | null;
            /** @description Default 10. */
            silenceTimeoutSeconds?: number | null;
            /** @description Calls a person back, once, a minute after the operator of the server had to end their call; rowData then has interruptedCall: true. Default false. */
            callBackInterrupted?: boolean | null;
            /** @description Default true. */
            recordingEnabled?: boolean | null;
            /** @description letters, digits, _ and -. */
            apiId: string;
            /** @description Names it within the body, for stages of other flows; apiId says which flow it is. */
            id?: string;
            /** @description Version as the caller read it, 0 for none: 409 when it is another by now. Unset: any version. */
            ifVersion?: number | null;
            /**
             * Format: date-time
             * @description updatedAt of the draft as the caller read it, null for none: 409 when it is another by now. Unset: any draft.
             */
            ifDraftUpdatedAt?: string | null;
        };
        ToolToApply: {
            /** @description Names it within the document. */
            id: string;
            /** @description Function name for the model: a letter or _, then letters, digits, _ and -, at most 64. */
            name?: string | null;
            /** @description Tells the model what it does. */
            description?: string | null;
            /** @description Group in lists. */
            groupName?: string | null;
            /** @description Icon in lists. */
            iconKey?: string | null;
            /** @description Colour of the icon, such as #2f6f4f. */
            iconColor?: string | null;
            parameters?: components["schemas"]["ToolParameter"][] | null;
            returnValue?: components["schemas"]["ToolReturnValue"] | null;
            /**
             * @description API: an HTTP request. FORWARD_CALL: hands the call over. CODE: executionPlan in the sandbox. MCP: a tool of the MCP server at apiUrl. SYSTEM: comes with the service; cannot be made or changed.
             * @enum {string|null}
             */
            toolType?: "API" | "FORWARD_CALL" | "CODE" | "MCP" | "SYSTEM" | null;
            /** @description Refines toolType; for MCP the tool's name at the server (unset: name). */
            toolSubtype?: string | null;
            /** @description The answer comes later, to the async tool-task webhook. Default false. */
            isAsync?: boolean | null;
            /** @description Not offered to models; other tools may call it. Default false. */
            internalOnly?: boolean | null;
            /** @description What an async answer holds, such as TEXT or JSON. */
            asyncReturnType?: string | null;
            messages?: components["schemas"]["ToolMessages"] | null;
            executionPlan?: components["schemas"]["ToolExecutionStep"][] | null;
            integrations?: components["schemas"]["ToolIntegration"][] | null;
            integrationCredentialLinks?: components["schemas"]["ToolCredentialLink"][] | null;
            forwardCallConfig?: components["schemas"]["ForwardCallConfig"] | null;
            aimetaHint?: components["schemas"]["ToolMetaHint"] | null;
            /** @enum {string|null} */
            apiMethod?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | null;
            /** @description http or https URL; Liquid template. A template in the host needs networkAllowList. */
            apiUrl?: string | null;
            /** @description (extension) Connection whose token the service puts into the requests, at its provider's servers alone. Not for MCP. */
            connectionId?: string | null;
            /** @description (extension) Leaves out the members of apiBody that have no value, instead of sending null. Default false. */
            apiBodyOmitsNulls?: boolean | null;
            /** @description For the HTTP request. Default 15. */
            apiTimeoutSeconds?: number | null;
            /** @description For the whole call of the tool. Default 30. */
            toolCallTimeoutSeconds?: number | null;
            /** @description Waits until what the person said is final. Default false. */
            requiresConfirmedTranscript?: boolean | null;
            /** @description Longest such wait. Default 2000. */
            confirmedTranscriptTimeoutMs?: number | null;
            /** @description Called before the conversation starts. Default false. */
            proactiveLookupEnabled?: boolean | null;
            prompts?: components["schemas"]["ToolPrompt"][] | null;
            toolResultCacheConfig?: components["schemas"]["ToolResultCacheConfig"] | null;
            toolConcurrencyConfig?: components["schemas"]["ConcurrencyControlConfig"] | null;
            /** @description The tool's answer when too many calls of it run. */
            concurrencyLimitFallbackMessage?: string | null;
            mockConfig?: components["schemas"]["ToolMockConfig"] | null;
            /** @description Headers of the request; values are Liquid templates, sealed at rest. Values that carry credentials read as ********, which sent back means unchanged. */
            apiHeaders?: {
                [key: string]: string;
            } | null;
            /** @description JSON body of the request; texts in it are Liquid templates, sealed at rest. Not sent with GET. Texts below members whose name speaks of a credential read as ********, which sent back means unchanged. */
            apiBody?: {
                [key: string]: unknown;
            } | null;
            /** @description Name of the built-in tool that this one was made from. */
            sourceBuiltinToolKey?: string | null;
            /** @description Kind of application it belongs to. */
            applicationType?: string | null;
            /** @description UUID in its 36-character form. */
            applicationId?: string | null;
            /** @description The model must speak after the answer. Default true. */
            requiresFollowUp?: boolean | null;
            /** @description Default false. */
            hideFromChatTimeline?: boolean | null;
            /** @description Tells the model the schema of returnValue. Default false. */
            discloseOutputSchema?: boolean | null;
            /** @description CODE steps run in the sandbox whatever their origin. Default true. */
            requiresSandbox?: boolean | null;
            /** @description Shows that it was called, not with what. Default false. */
            anonymizeInChatTimeline?: boolean | null;
            /** @description A failed step ends the executionPlan. Default true. */
            haltOnStepError?: boolean | null;
            /** @description Labels. */
            tags?: string[] | null;
            /** @description Catalogues that show it. */
            catalogInclusionModes?: string[] | null;
            /** @description Hosts that it may reach: example.com, *.example.com, 203.0.113.7, example.com:8443. */
            networkAllowList?: string[] | null;
            /** @description Version as the caller read it, 0 for none: 409 when it is another by now. Unset: any version. */
            ifVersion?: number | null;
        };
        StructuredOutputToApply: {
            /** @description Names it within the document. */
            id: string;
            name: string;
            description?: string | null;
            /** @description JSON Schema 2020-12 of type object. */
            schema: {
                [key: string]: unknown;
            };
            /** @description Liquid template over the variables, channel and endReason; the output is left out when it renders empty, 0 or false. */
            condition?: string | null;
            /** @description Filled after each thing the person says, not only at the end. Default false. */
            fillDuring?: boolean | null;
            /** @description Version as the caller read it, 0 for none: 409 when it is another by now. Unset: any version. */
            ifVersion?: number | null;
        };
        FlowsToApply: {
            flows?: components["schemas"]["FlowToApply"][];
            tools?: components["schemas"]["ToolToApply"][];
            structuredOutputs?: components["schemas"]["StructuredOutputToApply"][];
            /** @description Answers what would change, and changes nothing. */
            dryRun?: boolean;
            /** @description Publishes what changed; otherwise it becomes the draft of each flow. A new flow is always published. */
            publish?: boolean;
            /** @description Why; shown in the list. */
            note?: string | null;
            /** @description Also when a template names a variable that neither localVariables, the contact, the session nor a tool brings, and the version before did not name: rowData brings it. */
            acceptUnknownVariables?: boolean | null;
        };
        AppliedFlow: {
            /** @description Its id in the workspace. */
            id: string;
            /** @enum {string} */
            action: "CREATED" | "CHANGED" | "UNCHANGED";
            /** @description Names of the fields that changed; every set one when CREATED. */
            fields: string[];
            version: number;
            apiId: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            draftUpdatedAt: string | null;
        };
        AppliedDefinition: {
            /** @description Its id in the body. */
            from: string;
            /** @description Its id in the workspace. */
            id: string;
            name: string;
            /** @enum {string} */
            action: "CREATED" | "CHANGED" | "UNCHANGED";
            /** @description Names of the fields that changed; every set one when CREATED. */
            fields: string[];
            version: number;
        };
        FlowsApplied: {
            dryRun: boolean;
            flows: components["schemas"]["AppliedFlow"][];
            tools: components["schemas"]["AppliedDefinition"][];
            structuredOutputs: components["schemas"]["AppliedDefinition"][];
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        FlowPrompt: {
            /** @enum {string} */
            channel: "VOICE" | "CHAT";
            /** @description The system prompt of a session that began now: the flow's instructions, the rules of every conversation, and what is known. */
            system: string;
            /** @description What the agent says first; empty when the model opens. */
            firstMessage: string;
            /** @description A template that cannot be rendered. */
            error: {
                code: string;
                message: string;
            } | null;
        };
        ListedFlowTemplate: {
            /** @description Names it in a URL and for `parley init`. */
            name: string;
            title: string;
            /** @description What it is for. */
            description: string;
            /** @description BCP 47, such as en-US. */
            language: string;
            /** @description Labels of the fields that its outputs collect. */
            collects: string[];
            /** @description Names of the tools that it brings along, all of them mocked. */
            tools: string[];
        };
        FlowTemplate: {
            /** @description Names it in a URL and for `parley init`. */
            name: string;
            title: string;
            /** @description What it is for. */
            description: string;
            /** @description BCP 47, such as en-US. */
            language: string;
            /** @description Labels of the fields that its outputs collect. */
            collects: string[];
            /** @description Names of the tools that it brings along, all of them mocked. */
            tools: string[];
            /** @description Body of POST /flows/import. */
            document: {
                [key: string]: unknown;
            };
            /** @description Test suite in YAML; it names the flow as the file ./flow.json. */
            suite: string;
        };
        ConfiguredModel: {
            /** @description UUID in its 36-character form. */
            id: string;
            /**
             * @description CHAT speaks; EMBEDDING turns text into vectors, for searches by meaning.
             * @enum {string}
             */
            kind: "CHAT" | "EMBEDDING";
            name: string;
            /**
             * @description Whose protocol the server speaks.
             * @enum {string}
             */
            provider: "OPENAI_COMPATIBLE" | "ANTHROPIC" | "GOOGLE" | "AZURE_OPENAI" | "AMAZON_BEDROCK";
            /** @description Null: the provider's own. */
            baseUrl: string | null;
            /** @description The provider's name of the model; at AZURE_OPENAI that of the deployment. */
            model: string;
            /** @description ******** when one is stored. */
            apiKey: string | null;
            /** @description Not sent to models that reason: they refuse it. */
            temperature: number | null;
            /** @description Of one answer, hidden reasoning included; null: as its family needs. */
            maxOutputTokens: number | null;
            /**
             * @description Null: low for models known to reason, else not sent.
             * @enum {string|null}
             */
            reasoningEffort: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | null;
            /** @description AMAZON_BEDROCK: the region that is asked. */
            region: string | null;
            /** @description AMAZON_BEDROCK: the access key whose secret apiKey is; null: a Bedrock API key. */
            accessKeyId: string | null;
            /** @description Sent with each request. Values are sealed at rest and read as ********; sent back, that keeps the value. */
            headers: {
                [key: string]: string;
            } | null;
            /** @description Members of each request's body, beside the service's own. */
            extraBody: {
                [key: string]: unknown;
            } | null;
            /** @description Of its kind: flows that name no model speak through it; searches use it. */
            isDefault: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        ConfiguredModelPage: {
            content: components["schemas"]["ConfiguredModel"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        ConfiguredModelInput: {
            /**
             * @description Default CHAT; cannot be changed later.
             * @enum {string}
             */
            kind?: "CHAT" | "EMBEDDING";
            name: string;
            /** @enum {string} */
            provider: "OPENAI_COMPATIBLE" | "ANTHROPIC" | "GOOGLE" | "AZURE_OPENAI" | "AMAZON_BEDROCK";
            /** @description Such as https://host/v1; AZURE_OPENAI: the resource's endpoint. */
            baseUrl?: string | null;
            model: string;
            /** @description Sealed at rest. */
            apiKey?: string | null;
            temperature?: number | null;
            /** @description Of one answer, hidden reasoning included; null: as its family needs. */
            maxOutputTokens?: number | null;
            /**
             * @description Not for ANTHROPIC and AMAZON_BEDROCK; what a model refuses is left out.
             * @enum {string|null}
             */
            reasoningEffort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | null;
            /** @description AMAZON_BEDROCK: such as eu-west-1. */
            region?: string | null;
            /** @description AMAZON_BEDROCK: sign requests with this access key; apiKey is its secret. */
            accessKeyId?: string | null;
            /** @description Sent with each request. Values are sealed at rest and read as ********; sent back, that keeps the value. */
            headers?: {
                [key: string]: string;
            } | null;
            /** @description Members of each request's body, merged into the service's own; AMAZON_BEDROCK: additionalModelRequestFields. At most 8 KiB. */
            extraBody?: {
                [key: string]: unknown;
            } | null;
            isDefault?: boolean;
        };
        ConfiguredModelChange: {
            /**
             * @description Default CHAT; cannot be changed later.
             * @enum {string}
             */
            kind?: "CHAT" | "EMBEDDING";
            name?: string;
            /** @enum {string} */
            provider?: "OPENAI_COMPATIBLE" | "ANTHROPIC" | "GOOGLE" | "AZURE_OPENAI" | "AMAZON_BEDROCK";
            /** @description Such as https://host/v1; AZURE_OPENAI: the resource's endpoint. */
            baseUrl?: string | null;
            model?: string;
            /** @description Sealed at rest. */
            apiKey?: string | null;
            temperature?: number | null;
            /** @description Of one answer, hidden reasoning included; null: as its family needs. */
            maxOutputTokens?: number | null;
            /**
             * @description Not for ANTHROPIC and AMAZON_BEDROCK; what a model refuses is left out.
             * @enum {string|null}
             */
            reasoningEffort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | null;
            /** @description AMAZON_BEDROCK: such as eu-west-1. */
            region?: string | null;
            /** @description AMAZON_BEDROCK: sign requests with this access key; apiKey is its secret. */
            accessKeyId?: string | null;
            /** @description Sent with each request. Values are sealed at rest and read as ********; sent back, that keeps the value. */
            headers?: {
                [key: string]: string;
            } | null;
            /** @description Members of each request's body, merged into the service's own; AMAZON_BEDROCK: additionalModelRequestFields. At most 8 KiB. */
            extraBody?: {
                [key: string]: unknown;
            } | null;
            isDefault?: boolean;
        };
        ModelCheck: {
            ok: boolean;
            model: string;
            latencyMs: number;
            /** @description To the first piece of the answer. */
            firstPieceMs: number | null;
            answer: string | null;
            error: {
                code: string;
                message: string;
            } | null;
        };
        MessageTemplate: {
            name: string;
            /** @description Such as en or en_US. */
            language: string;
            /** @description Values of the template's variables, by name or number. */
            variables?: {
                [key: string]: string;
            };
        };
        ExternalOutboundChatRequest: {
            /**
             * @description CHAT: over this API. SMS and WHATSAPP: delivered to contactPhone.
             * @enum {string}
             */
            channel: "CHAT" | "SMS" | "WHATSAPP";
            /** @description apiId of a saved flow. */
            flowApiId?: string | null;
            /** @description uuid or apiId of a saved flow. */
            flowId?: string | null;
            flow?: components["schemas"]["InlineFlow"] | null;
            /** @description One of the workspace's numbers; its default for SMS and WHATSAPP. */
            assistantPhoneNumber?: string | null;
            /** @description E.164 number. Required for SMS and WHATSAPP. */
            contactPhone?: string | null;
            /** @description Names the person in a CHAT; generated when unset. */
            contactIdentifier?: string | null;
            contactName?: string | null;
            /** @description E-mail address, such as ada@example.com. */
            contactEmail?: string | null;
            /** @description Session memory from the start; comes back byte for byte. At most 64 KiB. */
            contextData?: {
                [key: string]: unknown;
            } | null;
            /** @description The opening, as it is. Unset: the flow's firstMessage; without one, the model opens. */
            initialMessage?: string | null;
            template?: components["schemas"]["MessageTemplate"] | null;
            /** @description After so long without a message the chat expires. Default 86,400. */
            idleTimeoutSeconds?: number | null;
        };
        ChatSession: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description The provider's id of the opening message, once it has one. */
            providerCallId: string | null;
            /** @description API for CHAT; otherwise who carries the messages. */
            provider: string;
            /** @enum {string} */
            status: "ACTIVE" | "HANDED_OFF" | "CLOSED" | "EXPIRED" | "FAILED";
            /** @description Actions that the chat's state permits; the request of any other one answers 409. write: POST of a message. (extension) */
            actions: ("takeOver" | "handBack" | "write" | "close")[];
            /**
             * @description MANUAL: a human operator has taken over.
             * @enum {string}
             */
            mode: "FLOW" | "MANUAL";
            /**
             * @description Whether the agent answers; OFF once the chat is over.
             * @enum {string}
             */
            aiMode: "ACTIVE" | "PAUSED" | "OFF";
            /** @description UUID in its 36-character form. */
            flowId: string | null;
            flowApiId: string | null;
            /** @description Version of the flow that it took; null for an inline one. */
            flowVersion: number | null;
            inlineFlow: boolean;
            /** @enum {string} */
            channel: "CHAT" | "SMS" | "WHATSAPP";
            assistantPhoneNumber: string | null;
            contactName: string | null;
            contactEmail: string | null;
            contactPhone: string | null;
            contactIdentifier: string | null;
            /** @description As sent, byte for byte; null when none was. */
            contextData: unknown;
            handoff: {
                /**
                 * @description WAITING: the person asked for a human, and no operator has come yet. It stays when nobody ever does. REQUESTED: outside the flow's hours, so the agent answers meanwhile.
                 * @enum {string}
                 */
                state: "NONE" | "REQUESTED" | "WAITING" | "TAKEN_OVER";
                /**
                 * Format: date-time
                 * @description Since when a chat is WAITING or REQUESTED.
                 */
                requestedAt: string | null;
                /** @description Who took over, as the request named them. */
                assignee: string | null;
            };
            messageCount: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            lastMessageAt: string | null;
            /**
             * Format: date-time
             * @description WhatsApp: free text may be sent until then.
             */
            windowExpiresAt: string | null;
            /** @description After so long without a message the chat EXPIRES. */
            idleTimeoutSeconds: number;
            /** @description Stages that the session walked through, in their order. (extension) */
            stagePath: components["schemas"]["StageVisit"][];
            /** @description By name. Null until the chat has ended and they are filled. */
            structuredOutputs: {
                [key: string]: components["schemas"]["FilledOutput"];
            } | null;
            /** @description Values of all valid outputs, merged. */
            extractedFields: {
                [key: string]: unknown;
            } | null;
            /** @enum {string|null} */
            endReason: "AGENT_ENDED_CHAT" | "CUSTOMER_OPTED_OUT" | "CLOSED_BY_REQUEST" | "LIMIT_IDLE" | "LIMIT_TURNS" | "LIMIT_TOOL_CALLS" | "LIMIT_COST" | "ERROR_MODEL" | "ERROR_INTERNAL" | null;
            error: {
                code: string;
                message: string;
            } | null;
            cost: components["schemas"]["Cost"];
            optOutReview: components["schemas"]["OptOutReviewRef"] | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            endedAt: string | null;
        };
        ChatMessage: {
            /** @description UUID in its 36-character form. */
            id: string;
            /**
             * @description AGENT: a human operator. TOOL: what a tool was asked and answered.
             * @enum {string}
             */
            role: "ASSISTANT" | "USER" | "AGENT" | "TOOL";
            content: string;
            toolCallId: string | null;
            /** @description Passages of the knowledge base behind an answer. */
            citations: components["schemas"]["Citation"][];
            /** @description As the sender named it. */
            clientMessageId: string | null;
            /**
             * @description Null where nothing is sent: in a CHAT, and for the person's own messages.
             * @enum {string|null}
             */
            deliveryStatus: "QUEUED" | "SENT" | "DELIVERED" | "READ" | "FAILED" | null;
            /** @description Why the delivery FAILED. */
            errorCode: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
        };
        ChatReply: {
            session: components["schemas"]["ChatSession"];
            messages: components["schemas"]["ChatMessage"][];
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        ListedChatSession: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description The provider's id of the opening message, once it has one. */
            providerCallId: string | null;
            /** @description API for CHAT; otherwise who carries the messages. */
            provider: string;
            /** @enum {string} */
            status: "ACTIVE" | "HANDED_OFF" | "CLOSED" | "EXPIRED" | "FAILED";
            /** @description Actions that the chat's state permits; the request of any other one answers 409. write: POST of a message. (extension) */
            actions: ("takeOver" | "handBack" | "write" | "close")[];
            /**
             * @description MANUAL: a human operator has taken over.
             * @enum {string}
             */
            mode: "FLOW" | "MANUAL";
            /**
             * @description Whether the agent answers; OFF once the chat is over.
             * @enum {string}
             */
            aiMode: "ACTIVE" | "PAUSED" | "OFF";
            /** @description UUID in its 36-character form. */
            flowId: string | null;
            flowApiId: string | null;
            /** @description Version of the flow that it took; null for an inline one. */
            flowVersion: number | null;
            inlineFlow: boolean;
            /** @enum {string} */
            channel: "CHAT" | "SMS" | "WHATSAPP";
            assistantPhoneNumber: string | null;
            contactName: string | null;
            contactEmail: string | null;
            contactPhone: string | null;
            contactIdentifier: string | null;
            /** @description As sent, byte for byte; null when none was. */
            contextData: unknown;
            handoff: {
                /**
                 * @description WAITING: the person asked for a human, and no operator has come yet. It stays when nobody ever does. REQUESTED: outside the flow's hours, so the agent answers meanwhile.
                 * @enum {string}
                 */
                state: "NONE" | "REQUESTED" | "WAITING" | "TAKEN_OVER";
                /**
                 * Format: date-time
                 * @description Since when a chat is WAITING or REQUESTED.
                 */
                requestedAt: string | null;
                /** @description Who took over, as the request named them. */
                assignee: string | null;
            };
            messageCount: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            lastMessageAt: string | null;
            /**
             * Format: date-time
             * @description WhatsApp: free text may be sent until then.
             */
            windowExpiresAt: string | null;
            /** @description After so long without a message the chat EXPIRES. */
            idleTimeoutSeconds: number;
            /** @description Stages that the session walked through, in their order. (extension) */
            stagePath: components["schemas"]["StageVisit"][];
            /** @description By name. Null until the chat has ended and they are filled. */
            structuredOutputs: {
                [key: string]: components["schemas"]["FilledOutput"];
            } | null;
            /** @description Values of all valid outputs, merged. */
            extractedFields: {
                [key: string]: unknown;
            } | null;
            /** @enum {string|null} */
            endReason: "AGENT_ENDED_CHAT" | "CUSTOMER_OPTED_OUT" | "CLOSED_BY_REQUEST" | "LIMIT_IDLE" | "LIMIT_TURNS" | "LIMIT_TOOL_CALLS" | "LIMIT_COST" | "ERROR_MODEL" | "ERROR_INTERNAL" | null;
            error: {
                code: string;
                message: string;
            } | null;
            cost: components["schemas"]["Cost"];
            optOutReview: components["schemas"]["OptOutReviewRef"] | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            endedAt: string | null;
            /** @description The newest message but those of tools. */
            lastMessage: {
                /** @enum {string} */
                role: "ASSISTANT" | "USER" | "AGENT";
                /** @description Its first 200 characters. */
                content: string;
                /**
                 * @description Null where nothing is sent: in a CHAT, and for the person's own messages.
                 * @enum {string|null}
                 */
                deliveryStatus: "QUEUED" | "SENT" | "DELIVERED" | "READ" | "FAILED" | null;
                /** @description Why the delivery FAILED. */
                errorCode: string | null;
            } | null;
        };
        ChatSessionPage: {
            content: components["schemas"]["ListedChatSession"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        ChatMessagePage: {
            content: components["schemas"]["ChatMessage"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        PostMessage: {
            /** @description Text with something in it. */
            content: string;
            /**
             * @description USER: what the person wrote. AGENT: what a human operator writes. Default USER.
             * @enum {string|null}
             */
            role?: "USER" | "AGENT" | null;
            /** @description A repeat of the same id is the same message. */
            clientMessageId?: string | null;
            template?: components["schemas"]["MessageTemplate"] | null;
        };
        InboundMessage: {
            /** @enum {string} */
            channel: "SMS" | "WHATSAPP";
            /** @description Who writes; E.164. */
            from: string;
            /** @description One of the workspace's numbers. Unset: its default number. */
            to?: string | null;
            content: string;
            /** @description A repeat of the same id is the same message. Unset: one is made up. */
            providerMessageId?: string | null;
        };
        Contact: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description E.164 number. */
            phone: string | null;
            /** @description contactIdentifier of chats without a number. */
            identifier: string | null;
            email: string | null;
            /** @description As the last call or chat that named one. */
            name: string | null;
            /** @description Wants no more contact, by any channel. */
            optedOut: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            optedOutAt: string | null;
            /** @description STOP_KEYWORD, SPOKEN_REFUSAL, OPERATOR or SANDBOX. */
            optOutSource: string | null;
            /** @description Calls that are over, at most 1,000: more are not counted. */
            callCount: number;
            /** @description At most 1,000: more are not counted. */
            chatCount: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            lastSeenAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
        };
        ContactPage: {
            content: components["schemas"]["Contact"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        ContactTimelineEntry: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @enum {string} */
            type: "CALL" | "CHAT" | "OPT_OUT";
            /** @enum {string|null} */
            channel: "VOICE" | "SMS" | "WHATSAPP" | "CHAT" | null;
            /**
             * @description Of a call. INBOUND: the contact called us.
             * @enum {string|null}
             */
            direction: "OUTBOUND" | "INBOUND" | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            endedAt: string | null;
            /** @description UUID in its 36-character form. */
            sessionId: string | null;
            /** @description UUID in its 36-character form. */
            callRowId: string | null;
            /** @description Of the call row or the chat session. */
            status: string | null;
            /** @description Of a call. */
            outcome: string | null;
            endReason: string | null;
            /** @description Of an opt-out. */
            source: string | null;
            /** @description UUID in its 36-character form. */
            flowId: string | null;
            /** @description Of a call, since the answer. */
            durationSeconds: number | null;
            /** @description Of a chat. */
            messages: {
                /** @description Without those of tools. */
                total: number;
                fromContact: number;
                /** @description By SMS or WhatsApp: DELIVERED or READ. */
                delivered: number;
                failed: number;
            } | null;
        };
        ContactTimelinePage: {
            content: components["schemas"]["ContactTimelineEntry"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        DoNotCallEntry: {
            number: string;
            /** @enum {string} */
            source: "STOP_KEYWORD" | "SPOKEN_REFUSAL" | "OPERATOR" | "SANDBOX";
            note: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
        };
        DoNotCallPage: {
            content: components["schemas"]["DoNotCallEntry"][];
            /** @description Null on the last page. */
            nextCursor: string | null;
        };
        DoNotCallNumbers: {
            numbers: string[];
            /** @description Why, kept with each number. */
            note?: string | null;
        };
        DoNotCallAdded: {
            added: number;
            /** @description Entries that were there before. */
            alreadyListed: number;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        DoNotCallImport: {
            /** @description The file's text. */
            csv: string;
        };
        DoNotCallImported: {
            added: number;
            /** @description Entries that were there before. */
            alreadyListed: number;
            errorCount: number;
            /** @description The first 100. */
            errors: {
                line: number;
                /** @enum {string} */
                code: "NUMBER" | "NOTE";
                message: string;
            }[];
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        OptOutReview: {
            /** @description UUID in its 36-character form. */
            id: string;
            /**
             * @description OPEN: the person is neither called nor written to until it is decided.
             * @enum {string}
             */
            state: "OPEN" | "CONFIRMED" | "DISMISSED";
            /**
             * @description UNHEEDED: words that may ask for no more contact. UNANSWERED: the person was asked whether they do, and gave no clear answer. NOT_RECORDED: they do, and the do-not-call list could not be written.
             * @enum {string}
             */
            reason: "NOT_RECORDED" | "UNANSWERED" | "UNHEEDED";
            /** @description Whom it holds; null where only the contact is known. */
            number: string | null;
            /** @description UUID in its 36-character form. */
            contactId: string | null;
            /** @description UUID in its 36-character form. */
            callRowId: string | null;
            /** @description UUID in its 36-character form. */
            chatSessionId: string | null;
            /** @description UUID in its 36-character form. */
            sessionId: string;
            /** @description ISO 639-1, of the words. */
            language: string | null;
            /** @description The first five of the words, or what the person said last; empty once the talk is forgotten. */
            quotes: {
                /** @description The first 500 characters. */
                text: string;
                /** @description In a call: milliseconds of call time since the answer. */
                startMs: number | null;
                /**
                 * Format: date-time
                 * @description In a chat: when it was written.
                 */
                at: string | null;
            }[];
            /** @description Why it was decided so. */
            note: string | null;
            decidedBy: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            decidedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        OptOutReviewPage: {
            content: components["schemas"]["OptOutReview"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        OptOutReviewDecision: {
            /** @enum {string} */
            decision: "CONFIRM" | "DISMISS";
            /** @description Why; kept with the review. */
            note?: string | null;
        };
        Widget: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description Stands in the page's script tag; no secret. */
            publicId: string;
            name: string;
            /** @description Null: the workspace's default flow. */
            flowId: string | null;
            allowedOrigins: string[];
            /** @description Null: the flow opens. */
            greeting: string | null;
            themeColor: string;
            active: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        WidgetInput: {
            /** @description Title of the window. */
            name: string;
            /** @description Flow that answers. Unset: the default flow. */
            flowId?: string | null;
            /** @description Origins of the pages that may hold it, such as https://www.example.com; no wildcards. */
            allowedOrigins: string[];
            /** @description The agent's first words. */
            greeting?: string | null;
            /** @description Default #2457d6. */
            themeColor?: string | null;
            /** @description False: no new chats begin; those under way go on. Default true. */
            active?: boolean | null;
        };
        WidgetChange: {
            /** @description Title of the window. */
            name?: string;
            /** @description Flow that answers. Unset: the default flow. */
            flowId?: string | null;
            /** @description Origins of the pages that may hold it, such as https://www.example.com; no wildcards. */
            allowedOrigins?: string[];
            /** @description The agent's first words. */
            greeting?: string | null;
            /** @description Default #2457d6. */
            themeColor?: string | null;
            /** @description False: no new chats begin; those under way go on. Default true. */
            active?: boolean | null;
        };
        WebCallInput: {
            /** @description apiId of a saved flow. */
            flowApiId?: string | null;
            /** @description uuid or apiId of a saved flow. */
            flowId?: string | null;
            flow?: components["schemas"]["InlineFlow"] | null;
            contactName?: string | null;
            /** @description E-mail address, such as ada@example.com. */
            contactEmail?: string | null;
            /** @description IANA name of a time zone, such as America/New_York. */
            timeZone?: string | null;
            /** @description Variables for the conversation: what the agent may know. At most 64 KiB. */
            rowData?: {
                [key: string]: unknown;
            } | null;
            /** @description Travels with the call and comes back byte for byte; preloads session memory. At most 64 KiB. */
            contextData?: {
                [key: string]: unknown;
            } | null;
            /** @description Who the person is, where that is known. No telephone is rung. */
            customerNumber?: string | null;
            /** @description Whom the page shows as the other side. */
            displayName?: string | null;
            /** @description Page that is rung. Unset: the page that gets the token begins the call. */
            webPhoneId?: string | null;
            /** @description How long the call waits to be begun. Default 60. */
            waitSeconds?: number | null;
            /** @description Origins of the pages that may use the token, such as https://www.example.com. Unset: this server's own. */
            allowedOrigins?: string[] | null;
        };
        WebCall: {
            /** @description UUID in its 36-character form. */
            callRowId: string;
            /** @description UUID in its 36-character form. */
            sessionId: string;
            /** @description For the page that begins the call; null for one that is rung. Good for this call alone. */
            token: string | null;
            /** @description WebSocket of the page. */
            socketUrl: string;
            /** @description UUID in its 36-character form. */
            webPhoneId: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expiresAt: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        WebPhoneInput: {
            /** @description Whose page it is. */
            name: string;
            /** @description How long the token is good. Default 28800. */
            lifetimeSeconds?: number | null;
            /** @description Origins of the pages that may use the token, such as https://www.example.com. Unset: this server's own. */
            allowedOrigins?: string[] | null;
        };
        NewWebPhone: {
            /** @description UUID in its 36-character form. */
            id: string;
            name: string;
            allowedOrigins: string[];
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /** @description For the page. */
            token: string;
            socketUrl: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        WebPhone: {
            /** @description UUID in its 36-character form. */
            id: string;
            name: string;
            allowedOrigins: string[];
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
        };
        ToolDefinition: {
            /** @description UUID in its 36-character form. */
            id: string;
            name: string;
            description: string;
            /** @description Group in lists. */
            groupName: string | null;
            /** @description Icon in lists. */
            iconKey: string | null;
            /** @description Colour of the icon, such as #2f6f4f. */
            iconColor: string | null;
            parameters: components["schemas"]["ToolParameter"][] | null;
            returnValue: components["schemas"]["ToolReturnValue"] | null;
            /**
             * @description API: an HTTP request. FORWARD_CALL: hands the call over. CODE: executionPlan in the sandbox. MCP: a tool of the MCP server at apiUrl. SYSTEM: comes with the service; cannot be made or changed.
             * @enum {string|null}
             */
            toolType: "API" | "FORWARD_CALL" | "CODE" | "MCP" | "SYSTEM" | null;
            /** @description Refines toolType; for MCP the tool's name at the server (unset: name). */
            toolSubtype: string | null;
            /** @description The answer comes later, to the async tool-task webhook. Default false. */
            isAsync: boolean | null;
            /** @description Not offered to models; other tools may call it. Default false. */
            internalOnly: boolean | null;
            /** @description What an async answer holds, such as TEXT or JSON. */
            asyncReturnType: string | null;
            messages: components["schemas"]["ToolMessages"] | null;
            executionPlan: components["schemas"]["ToolExecutionStep"][] | null;
            integrations: components["schemas"]["ToolIntegration"][] | null;
            integrationCredentialLinks: components["schemas"]["ToolCredentialLink"][] | null;
            forwardCallConfig: components["schemas"]["ForwardCallConfig"] | null;
            aimetaHint: components["schemas"]["ToolMetaHint"] | null;
            /** @enum {string|null} */
            apiMethod: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | null;
            /** @description http or https URL; Liquid template. A template in the host needs networkAllowList. */
            apiUrl: string | null;
            /** @description (extension) Connection whose token the service puts into the requests, at its provider's servers alone. Not for MCP. */
            connectionId: string | null;
            /** @description (extension) Leaves out the members of apiBody that have no value, instead of sending null. Default false. */
            apiBodyOmitsNulls: boolean | null;
            /** @description For the HTTP request. Default 15. */
            apiTimeoutSeconds: number | null;
            /** @description For the whole call of the tool. Default 30. */
            toolCallTimeoutSeconds: number | null;
            /** @description Waits until what the person said is final. Default false. */
            requiresConfirmedTranscript: boolean | null;
            /** @description Longest such wait. Default 2000. */
            confirmedTranscriptTimeoutMs: number | null;
            /** @description Called before the conversation starts. Default false. */
            proactiveLookupEnabled: boolean | null;
            prompts: components["schemas"]["ToolPrompt"][] | null;
            toolResultCacheConfig: components["schemas"]["ToolResultCacheConfig"] | null;
            toolConcurrencyConfig: components["schemas"]["ConcurrencyControlConfig"] | null;
            /** @description The tool's answer when too many calls of it run. */
            concurrencyLimitFallbackMessage: string | null;
            mockConfig: components["schemas"]["ToolMockConfig"] | null;
            /** @description Headers of the request; values are Liquid templates, sealed at rest. Values that carry credentials read as ********, which sent back means unchanged. */
            apiHeaders: {
                [key: string]: string;
            } | null;
            /** @description JSON body of the request; texts in it are Liquid templates, sealed at rest. Not sent with GET. Texts below members whose name speaks of a credential read as ********, which sent back means unchanged. */
            apiBody: {
                [key: string]: unknown;
            } | null;
            /** @description Name of the built-in tool that this one was made from. */
            sourceBuiltinToolKey: string | null;
            /** @description Kind of application it belongs to. */
            applicationType: string | null;
            /** @description UUID in its 36-character form. */
            applicationId: string | null;
            /** @description The model must speak after the answer. Default true. */
            requiresFollowUp: boolean | null;
            /** @description Default false. */
            hideFromChatTimeline: boolean | null;
            /** @description Tells the model the schema of returnValue. Default false. */
            discloseOutputSchema: boolean | null;
            /** @description CODE steps run in the sandbox whatever their origin. Default true. */
            requiresSandbox: boolean | null;
            /** @description Shows that it was called, not with what. Default false. */
            anonymizeInChatTimeline: boolean | null;
            /** @description A failed step ends the executionPlan. Default true. */
            haltOnStepError: boolean | null;
            /** @description Labels. */
            tags: string[] | null;
            /** @description Catalogues that show it. */
            catalogInclusionModes: string[] | null;
            /** @description Hosts that it may reach: example.com, *.example.com, 203.0.113.7, example.com:8443. */
            networkAllowList: string[] | null;
            isSystem: boolean;
            /** @description Who made it in the dashboard; null for the API. */
            userId: string | null;
            /** @description Grows with every change. */
            version: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            createdByAi: boolean;
            /** @description UUID in its 36-character form. */
            creatorAgentId: string | null;
            /** @description UUID in its 36-character form. */
            creatorFlowId: string | null;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        ToolDefinitionInput: {
            /** @description Function name for the model: a letter or _, then letters, digits, _ and -, at most 64. */
            name?: string | null;
            /** @description Tells the model what it does. */
            description?: string | null;
            /** @description Group in lists. */
            groupName?: string | null;
            /** @description Icon in lists. */
            iconKey?: string | null;
            /** @description Colour of the icon, such as #2f6f4f. */
            iconColor?: string | null;
            parameters?: components["schemas"]["ToolParameter"][] | null;
            returnValue?: components["schemas"]["ToolReturnValue"] | null;
            /**
             * @description API: an HTTP request. FORWARD_CALL: hands the call over. CODE: executionPlan in the sandbox. MCP: a tool of the MCP server at apiUrl. SYSTEM: comes with the service; cannot be made or changed.
             * @enum {string|null}
             */
            toolType?: "API" | "FORWARD_CALL" | "CODE" | "MCP" | "SYSTEM" | null;
            /** @description Refines toolType; for MCP the tool's name at the server (unset: name). */
            toolSubtype?: string | null;
            /** @description The answer comes later, to the async tool-task webhook. Default false. */
            isAsync?: boolean | null;
            /** @description Not offered to models; other tools may call it. Default false. */
            internalOnly?: boolean | null;
            /** @description What an async answer holds, such as TEXT or JSON. */
            asyncReturnType?: string | null;
            messages?: components["schemas"]["ToolMessages"] | null;
            executionPlan?: components["schemas"]["ToolExecutionStep"][] | null;
            integrations?: components["schemas"]["ToolIntegration"][] | null;
            integrationCredentialLinks?: components["schemas"]["ToolCredentialLink"][] | null;
            forwardCallConfig?: components["schemas"]["ForwardCallConfig"] | null;
            aimetaHint?: components["schemas"]["ToolMetaHint"] | null;
            /** @enum {string|null} */
            apiMethod?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | null;
            /** @description http or https URL; Liquid template. A template in the host needs networkAllowList. */
            apiUrl?: string | null;
            /** @description (extension) Connection whose token the service puts into the requests, at its provider's servers alone. Not for MCP. */
            connectionId?: string | null;
            /** @description (extension) Leaves out the members of apiBody that have no value, instead of sending null. Default false. */
            apiBodyOmitsNulls?: boolean | null;
            /** @description For the HTTP request. Default 15. */
            apiTimeoutSeconds?: number | null;
            /** @description For the whole call of the tool. Default 30. */
            toolCallTimeoutSeconds?: number | null;
            /** @description Waits until what the person said is final. Default false. */
            requiresConfirmedTranscript?: boolean | null;
            /** @description Longest such wait. Default 2000. */
            confirmedTranscriptTimeoutMs?: number | null;
            /** @description Called before the conversation starts. Default false. */
            proactiveLookupEnabled?: boolean | null;
            prompts?: components["schemas"]["ToolPrompt"][] | null;
            toolResultCacheConfig?: components["schemas"]["ToolResultCacheConfig"] | null;
            toolConcurrencyConfig?: components["schemas"]["ConcurrencyControlConfig"] | null;
            /** @description The tool's answer when too many calls of it run. */
            concurrencyLimitFallbackMessage?: string | null;
            mockConfig?: components["schemas"]["ToolMockConfig"] | null;
            /** @description Headers of the request; values are Liquid templates, sealed at rest. Values that carry credentials read as ********, which sent back means unchanged. */
            apiHeaders?: {
                [key: string]: string;
            } | null;
            /** @description JSON body of the request; texts in it are Liquid templates, sealed at rest. Not sent with GET. Texts below members whose name speaks of a credential read as ********, which sent back means unchanged. */
            apiBody?: {
                [key: string]: unknown;
            } | null;
            /** @description Name of the built-in tool that this one was made from. */
            sourceBuiltinToolKey?: string | null;
            /** @description Kind of application it belongs to. */
            applicationType?: string | null;
            /** @description UUID in its 36-character form. */
            applicationId?: string | null;
            /** @description The model must speak after the answer. Default true. */
            requiresFollowUp?: boolean | null;
            /** @description Default false. */
            hideFromChatTimeline?: boolean | null;
            /** @description Tells the model the schema of returnValue. Default false. */
            discloseOutputSchema?: boolean | null;
            /** @description CODE steps run in the sandbox whatever their origin. Default true. */
            requiresSandbox?: boolean | null;
            /** @description Shows that it was called, not with what. Default false. */
            anonymizeInChatTimeline?: boolean | null;
            /** @description A failed step ends the executionPlan. Default true. */
            haltOnStepError?: boolean | null;
            /** @description Labels. */
            tags?: string[] | null;
            /** @description Catalogues that show it. */
            catalogInclusionModes?: string[] | null;
            /** @description Hosts that it may reach: example.com, *.example.com, 203.0.113.7, example.com:8443. */
            networkAllowList?: string[] | null;
        };
        ToolTask: {
            toolTaskId: string;
            /** @enum {string} */
            status: "PENDING" | "COMPLETED" | "FAILED";
            /** @description What the tool answered; null while PENDING. */
            result: unknown;
            error: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            completedAt: string | null;
        };
        ToolTaskAnswer: {
            /** @description 1 to 200 printable ASCII characters. */
            toolTaskId?: string | null;
            /** @description 1 to 1000 printable ASCII characters. */
            secret?: string | null;
            /**
             * @description Default COMPLETED.
             * @enum {string|null}
             */
            status?: "COMPLETED" | "FAILED" | null;
            /** @description Any JSON value. */
            result?: unknown;
            /** @description Why it failed. */
            error?: string | null;
            /** @description Ignored: the service's own clock counts. */
            completedAt?: string | null;
        };
        ConnectionProvider: {
            /** @enum {string} */
            provider: "GOOGLE" | "CAL_COM" | "HUBSPOT" | "SALESFORCE" | "SLACK" | "CUSTOM";
            title: string;
            methods: ("OAUTH" | "API_KEY")[];
            /** @description Asked for when a connection names none. */
            scopes: string[];
            /** @description To be registered for your OAuth app at the provider. */
            redirectUri: string;
        };
        CustomProvider: {
            /** @description Where a person signs in; OAUTH needs it. */
            authorizationUrl?: string | null;
            /** @description Where codes and refresh tokens are exchanged; OAUTH needs it. */
            tokenUrl?: string | null;
            /** @description Where tokens are revoked (RFC 7009). */
            revocationUrl?: string | null;
            /** @description The only servers that get the token or key. */
            apiOrigins: string[];
            /**
             * @description How the app's secret is sent to tokenUrl. Default POST.
             * @enum {string|null}
             */
            clientAuthentication?: "POST" | "BASIC" | null;
            /** @description Header of an API_KEY, with key, token or secret in its name. Default Authorization. */
            keyHeader?: string | null;
            /** @description Before the key. Default "Bearer " in Authorization, nothing elsewhere. */
            keyPrefix?: string | null;
        };
        Connection: {
            /** @description UUID in its 36-character form. */
            id: string;
            name: string;
            /** @enum {string} */
            provider: "GOOGLE" | "CAL_COM" | "HUBSPOT" | "SALESFORCE" | "SLACK" | "CUSTOM";
            /** @enum {string} */
            method: "OAUTH" | "API_KEY";
            /**
             * @description NEEDS_SIGN_IN: the provider accepts neither token nor refresh; tools that use it fail.
             * @enum {string}
             */
            state: "NOT_CONNECTED" | "CONNECTED" | "NEEDS_SIGN_IN";
            clientId: string | null;
            /** @description ******** when one is stored. */
            clientSecret: string | null;
            scopes: string[];
            /** @description Null: the provider did not say. */
            grantedScopes: string[] | null;
            /** @description ******** when one is stored. */
            apiKey: string | null;
            /** @description Null: the provider's own servers. */
            baseUrl: string | null;
            custom: components["schemas"]["CustomProvider"] | null;
            /** @description The only servers that get its token. */
            apiOrigins: string[];
            /** @description Who signed in. */
            connectedBy: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            connectedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            refreshedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expiresAt: string | null;
            /** @description Why it needs a new sign-in. */
            failure: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        ConnectionInput: {
            name: string;
            /**
             * @description Cannot be changed later.
             * @enum {string}
             */
            provider: "GOOGLE" | "CAL_COM" | "HUBSPOT" | "SALESFORCE" | "SLACK" | "CUSTOM";
            /**
             * @description OAUTH: a person signs in. API_KEY: a key of the provider. Default OAUTH; cannot be changed later.
             * @enum {string}
             */
            method?: "OAUTH" | "API_KEY";
            /** @description Of your OAuth app at the provider. */
            clientId?: string | null;
            /** @description Sealed at rest. */
            clientSecret?: string | null;
            /** @description Asked for at the sign-in. Empty: what the tool packs need. */
            scopes?: string[];
            /** @description Of an API_KEY. Sealed at rest. */
            apiKey?: string | null;
            /** @description Origin of a server of your own, or of a region, instead of the provider's, such as https://example.my.salesforce.com. */
            baseUrl?: string | null;
            custom?: components["schemas"]["CustomProvider"] | null;
        };
        ConnectionChange: {
            name?: string;
            /**
             * @description Cannot be changed later.
             * @enum {string}
             */
            provider?: "GOOGLE" | "CAL_COM" | "HUBSPOT" | "SALESFORCE" | "SLACK" | "CUSTOM";
            /**
             * @description OAUTH: a person signs in. API_KEY: a key of the provider. Default OAUTH; cannot be changed later.
             * @enum {string}
             */
            method?: "OAUTH" | "API_KEY";
            /** @description Of your OAuth app at the provider. */
            clientId?: string | null;
            /** @description Sealed at rest. */
            clientSecret?: string | null;
            /** @description Asked for at the sign-in. Empty: what the tool packs need. */
            scopes?: string[];
            /** @description Of an API_KEY. Sealed at rest. */
            apiKey?: string | null;
            /** @description Origin of a server of your own, or of a region, instead of the provider's, such as https://example.my.salesforce.com. */
            baseUrl?: string | null;
            custom?: components["schemas"]["CustomProvider"] | null;
        };
        ConnectionRemoval: {
            /** @description True: the provider revoked the tokens. False: it did not; revoke them there. Null: it has no way to, or there were none. */
            revoked: boolean | null;
        };
        ListedToolPack: {
            /** @description Names it in a URL. */
            name: string;
            title: string;
            description: string;
            /**
             * @description Of the connection that it needs.
             * @enum {string}
             */
            provider: "GOOGLE" | "CAL_COM" | "HUBSPOT" | "SALESFORCE" | "SLACK" | "CUSTOM";
            settings: {
                name: string;
                title: string;
                description: string;
                required: boolean;
                default: string | null;
            }[];
            tools: {
                name: string;
                description: string;
            }[];
        };
        ToolPack: {
            /** @description Names it in a URL. */
            name: string;
            title: string;
            description: string;
            /**
             * @description Of the connection that it needs.
             * @enum {string}
             */
            provider: "GOOGLE" | "CAL_COM" | "HUBSPOT" | "SALESFORCE" | "SLACK" | "CUSTOM";
            settings: {
                name: string;
                title: string;
                description: string;
                required: boolean;
                default: string | null;
            }[];
            tools: {
                name: string;
                description: string;
            }[];
            /** @description The pack as a portable document, with the whole of each tool. */
            document: {
                [key: string]: unknown;
            };
        };
        ToolPackInstallationInput: {
            /** @description UUID in its 36-character form. */
            connectionId: string;
            /** @description Values by the names of the pack's settings. */
            settings?: {
                [key: string]: string;
            };
        };
        ToolPackInstallation: {
            tools: {
                /** @description UUID in its 36-character form. */
                id: string;
                name: string;
                isNew: boolean;
            }[];
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        Echo: {
            method: string;
            /** @description By lower-case name; values that carry credentials are masked. */
            headers: {
                [key: string]: unknown;
            };
            /** @description By name; a parameter that came several times is a list. */
            query: {
                [key: string]: unknown;
            };
            /** @description The JSON value, the text, or the bytes in base64; null when there was none. */
            body: unknown;
            /**
             * @description How body is to be read.
             * @enum {string}
             */
            bodyEncoding: "JSON" | "TEXT" | "BASE64" | "NONE";
        };
        AsyncEchoAccepted: {
            /** @constant */
            status: "ACCEPTED";
            toolTaskId: string;
            delaySeconds: number;
            /** @description Where the test result will be sent. */
            callbackUrl: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            dueAt: string;
        };
        StructuredOutput: {
            /** @description UUID in its 36-character form. */
            id: string;
            name: string;
            description: string | null;
            /** @description JSON Schema 2020-12 of type object; each property is one field to fill. */
            schema: {
                [key: string]: unknown;
            };
            /** @description Liquid template over the variables, channel and endReason; the output is left out when it renders empty, 0 or false. */
            condition: string | null;
            /** @description Filled after each thing the person says, not only at the end. */
            fillDuring: boolean | null;
            version: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        StructuredOutputInput: {
            name: string;
            description?: string | null;
            /** @description JSON Schema 2020-12 of type object. */
            schema: {
                [key: string]: unknown;
            };
            /** @description Liquid template over the variables, channel and endReason; the output is left out when it renders empty, 0 or false. */
            condition?: string | null;
            /** @description Filled after each thing the person says, not only at the end. Default false. */
            fillDuring?: boolean | null;
        };
        StructuredOutputChange: {
            name?: string;
            description?: string | null;
            /** @description JSON Schema 2020-12 of type object. */
            schema?: {
                [key: string]: unknown;
            };
            /** @description Liquid template over the variables, channel and endReason; the output is left out when it renders empty, 0 or false. */
            condition?: string | null;
            /** @description Filled after each thing the person says, not only at the end. Default false. */
            fillDuring?: boolean | null;
        };
        SipTrunk: {
            host: string;
            port: number;
            /** @enum {string} */
            transport: "UDP" | "TCP" | "TLS";
            username: string | null;
            /** @description ******** when one is stored. */
            password: string | null;
            registrationRequired: boolean;
            /**
             * @description (extension)
             * @enum {string}
             */
            srtp: "OFF" | "OPTIONAL" | "REQUIRED";
            /** @description (extension) */
            codecs: ("PCMU" | "PCMA")[];
            /** @description (extension) ranges (CIDR); empty: the signalled address. */
            rtpSources: string[];
        };
        PhoneNumberResponse: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description E.164 number, such as +12025550100. */
            phoneNumber: string;
            /** @enum {string} */
            provider: "SANDBOX" | "TWILIO" | "TELNYX" | "VONAGE" | "BYO_SIP";
            label: string | null;
            /** @enum {string} */
            status: "PENDING" | "ACTIVE" | "SUSPENDED" | "FAILED";
            statusMessage: string | null;
            /**
             * @description Who made it stop; null while it is not SUSPENDED.
             * @enum {string|null}
             */
            suspendedBy: "OPERATOR" | "CARRIER" | null;
            /** @description UUID in its 36-character form. */
            carrierAccountId: string | null;
            capabilities: ("VOICE" | "SMS" | "WHATSAPP")[];
            /** @description The number's own pace, else its account's; null: unlimited. */
            callsPerSecond: number | null;
            /** @description Share of the dials of the last 7 days, retries as well, that a person answered, 0 to 1, as in GET /results. */
            answerRate7d: number | null;
            /** @description Share of the same dials that a machine answered, such as a voicemail. */
            machineRate7d: number | null;
            providerInfo: {
                name: string;
                externalId: string | null;
                /** @description ISO 3166 code of the number's country. */
                region: string | null;
                /** @description True: calls from it stay in the sandbox. */
                simulated: boolean;
            };
            sipTrunk: components["schemas"]["SipTrunk"] | null;
            maxConcurrentCalls: number;
            /** @description Calls that hold a slot right now. */
            currentActiveCalls: number;
            activeInboundCalls: number;
            activeOutboundCalls: number;
            /** @description At most 1,000: more are not counted. */
            queuedCalls: number;
            /** @description Null: the workspace's default flow answers who calls or writes. */
            inboundFlowId: string | null;
            isDefault: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        SipTrunkInput: {
            /** @description a host name or address, without a port. */
            host: string;
            /** @description Default 5060, TLS 5061. */
            port?: number | null;
            /**
             * @description Default UDP.
             * @enum {string|null}
             */
            transport?: "UDP" | "TCP" | "TLS" | null;
            /** @description For digest authentication. */
            username?: string | null;
            /** @description Sealed at rest, masked when read. */
            password?: string | null;
            /** @description Default false. */
            registrationRequired?: boolean | null;
            /**
             * @description (extension) Encryption of the audio. Default OPTIONAL.
             * @enum {string|null}
             */
            srtp?: "OFF" | "OPTIONAL" | "REQUIRED" | null;
            /** @description (extension) best first. Default PCMU, PCMA. */
            codecs?: ("PCMU" | "PCMA")[] | null;
            /** @description (extension) for a trunk behind NAT: ranges (CIDR) from which its audio is taken besides the address in its SDP. The first to send four packets in a row is the trunk until the next re-INVITE. Default none: only the signalled address is heard. */
            rtpSources?: string[] | null;
        };
        CreatePhoneNumberRequest: {
            /** @enum {string} */
            provider: "SANDBOX" | "TWILIO" | "TELNYX" | "VONAGE" | "BYO_SIP";
            /** @description E.164 number you own, or want. Unset: one is picked for you. */
            phoneNumber?: string | null;
            /** @description ISO 3166 code of a number to pick. Default US. */
            countryCode?: string | null;
            /** @description Area of a number to pick, where the country has such. */
            areaCode?: string | null;
            /** @description Account of the carrier. Unset: the only one that the workspace has. */
            carrierAccountId?: string | null;
            label?: string | null;
            sipTrunk?: components["schemas"]["SipTrunkInput"] | null;
            /** @description Calls a second from this number. Unset: as many as its carrier account. */
            callsPerSecond?: number | null;
            /** @description Default 10. */
            maxConcurrentCalls?: number | null;
            /** @description Flow that answers who calls or writes to this number. Unset: the default flow. */
            inboundFlowId?: string | null;
            isDefault?: boolean | null;
        };
        UpdatePhoneNumberRequest: {
            label?: string | null;
            /**
             * @description ACTIVE also tries again what a carrier refused: to set the number up, or to call. PENDING and FAILED are the service's to set: they are taken while the number has them, and change nothing.
             * @enum {string}
             */
            status?: "PENDING" | "ACTIVE" | "SUSPENDED" | "FAILED";
            sipTrunk?: components["schemas"]["SipTrunkInput"] | null;
            /** @description Calls a second from this number. Unset: as many as its carrier account. */
            callsPerSecond?: number | null;
            maxConcurrentCalls?: number;
            /** @description Flow that answers who calls or writes to this number. Unset: the default flow. */
            inboundFlowId?: string | null;
            isDefault?: boolean;
        };
        Agent: {
            /** @description UUID in its 36-character form. */
            id: string;
            name: string;
            description: string | null;
            /** @description Flow that it follows; null when none, or when that was deleted. */
            flowId: string | null;
            /** @description Counts its changes, from 1. */
            version: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        AgentPage: {
            content: components["schemas"]["Agent"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        AgentInput: {
            name: string;
            description?: string | null;
            /** @description UUID in its 36-character form. */
            flowId?: string | null;
        };
        AgentChange: {
            name?: string;
            description?: string | null;
            /** @description UUID in its 36-character form. */
            flowId?: string | null;
        };
        KnowledgeBaseItemSummary: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description UUID in its 36-character form. */
            agentId: string;
            title: string;
            /**
             * @description TEXT: `content`. URL: a page that is fetched. FILE: an uploaded file.
             * @enum {string}
             */
            type: "TEXT" | "URL" | "FILE";
            /** @description http(s) address of a URL item. */
            url: string | null;
            /** @description UUID in its 36-character form. */
            fileId: string | null;
            tags: string[];
            /** @description Kept as sent; at most 64 KiB of JSON. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description BCP 47, such as en-US: a search then finds other forms of a word too. Unset: words as they are. */
            language: string | null;
            /** @description False hides the item from searches. Default true. */
            enabled: boolean;
            /** @description How often a URL is read again; null: never. */
            refreshIntervalHours: number | null;
            /** @enum {string} */
            status: "PENDING" | "INDEXING" | "READY" | "FAILED" | "DISABLED";
            /** @description Why it failed, or what is waited for. */
            statusMessage: string | null;
            /** @description Of the source, as it was indexed last. */
            sizeBytes: number | null;
            /** @description Passages that a search can find. */
            chunkCount: number;
            /** @description SHA-256 of the source, in hex. */
            contentHash: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            lastIndexedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
        };
        KnowledgeBaseItemPage: {
            content: components["schemas"]["KnowledgeBaseItemSummary"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        NewKnowledgeBaseItem: {
            title: string;
            /**
             * @description TEXT: `content`. URL: a page that is fetched. FILE: an uploaded file.
             * @enum {string}
             */
            type: "TEXT" | "URL" | "FILE";
            /** @description The text of a TEXT item. */
            content?: string | null;
            /** @description http(s) address of a URL item. */
            url?: string | null;
            /** @description UUID in its 36-character form. */
            fileId?: string | null;
            tags?: string[] | null;
            /** @description Kept as sent; at most 64 KiB of JSON. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description BCP 47, such as en-US: a search then finds other forms of a word too. Unset: words as they are. */
            language?: string | null;
            /** @description False hides the item from searches. Default true. */
            enabled?: boolean | null;
            /** @description How often a URL is read again; null: never. */
            refreshIntervalHours?: number | null;
        };
        KnowledgeBaseItemDto: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description UUID in its 36-character form. */
            agentId: string;
            /** @description The text of a TEXT item. */
            content: string | null;
            title: string;
            /**
             * @description TEXT: `content`. URL: a page that is fetched. FILE: an uploaded file.
             * @enum {string}
             */
            type: "TEXT" | "URL" | "FILE";
            /** @description http(s) address of a URL item. */
            url: string | null;
            /** @description UUID in its 36-character form. */
            fileId: string | null;
            tags: string[];
            /** @description Kept as sent; at most 64 KiB of JSON. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description BCP 47, such as en-US: a search then finds other forms of a word too. Unset: words as they are. */
            language: string | null;
            /** @description False hides the item from searches. Default true. */
            enabled: boolean;
            /** @description How often a URL is read again; null: never. */
            refreshIntervalHours: number | null;
            /** @enum {string} */
            status: "PENDING" | "INDEXING" | "READY" | "FAILED" | "DISABLED";
            /** @description Why it failed, or what is waited for. */
            statusMessage: string | null;
            /** @description Of the source, as it was indexed last. */
            sizeBytes: number | null;
            /** @description Passages that a search can find. */
            chunkCount: number;
            /** @description SHA-256 of the source, in hex. */
            contentHash: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            lastIndexedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        ItemRequest: {
            title?: string;
            /**
             * @description TEXT: `content`. URL: a page that is fetched. FILE: an uploaded file.
             * @enum {string}
             */
            type?: "TEXT" | "URL" | "FILE";
            /** @description The text of a TEXT item. */
            content?: string | null;
            /** @description http(s) address of a URL item. */
            url?: string | null;
            /** @description UUID in its 36-character form. */
            fileId?: string | null;
            tags?: string[] | null;
            /** @description Kept as sent; at most 64 KiB of JSON. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description BCP 47, such as en-US: a search then finds other forms of a word too. Unset: words as they are. */
            language?: string | null;
            /** @description False hides the item from searches. Default true. */
            enabled?: boolean | null;
            /** @description How often a URL is read again; null: never. */
            refreshIntervalHours?: number | null;
        };
        KnowledgeHit: {
            /** @description UUID in its 36-character form. */
            itemId: string;
            /** @description Title of the item. */
            title: string;
            /** @description Above the passage in its document, the highest first. */
            headings: string[];
            /** @description Of a PDF, from 1: where the passage begins. */
            page: number | null;
            /** @description Which passage of the item it is, from 0. */
            position: number;
            /** @description The passage. */
            text: string;
            /** @description Higher is better; comparable within one search only. */
            score: number;
        };
        KnowledgeSearchResults: {
            results: components["schemas"]["KnowledgeHit"][];
        };
        KnowledgeFile: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description UUID in its 36-character form. */
            agentId: string;
            /** @description The sender's name for it. */
            fileName: string;
            /** @enum {string} */
            mediaType: "text/plain" | "text/markdown" | "text/html" | "text/csv" | "application/json" | "application/pdf" | "application/vnd.openxmlformats-officedocument.wordprocessingml.document" | "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
            sizeBytes: number;
            /** @description In hex. */
            sha256: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
        };
        Application: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description Unique in the workspace; fixed. */
            key: string;
            name: string;
            description: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        ApplicationPage: {
            content: components["schemas"]["Application"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        ApplicationInput: {
            /** @description Lower-case letters, digits, - and _, beginning with a letter; at most 63. */
            key?: string;
            name: string;
            description?: string | null;
        };
        ApplicationChange: {
            /** @description Lower-case letters, digits, - and _, beginning with a letter; at most 63. */
            key?: string;
            name?: string;
            description?: string | null;
        };
        ApplicationCustomer: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description UUID in its 36-character form. */
            applicationId: string;
            name: string | null;
            /** @description E-mail address. */
            email: string | null;
            /** @description E.164 number, such as +12025550100. */
            phone: string | null;
            /** @description Id in a system of your own; unique in the application. */
            externalId: string | null;
            /** @description Anything else that is known; comes back as it was sent. */
            fields: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        ApplicationCustomerPage: {
            content: components["schemas"]["ApplicationCustomer"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        ApplicationCustomerInput: {
            name?: string | null;
            /** @description E-mail address. */
            email?: string | null;
            /** @description E.164 number, such as +12025550100. */
            phone?: string | null;
            /** @description Id in a system of your own; unique in the application. */
            externalId?: string | null;
            /** @description Anything else that is known, at most 64 KiB; replaced as a whole. */
            fields?: {
                [key: string]: unknown;
            } | null;
        };
        OwnedDataStore: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description Names it in paths; unique in the application; fixed. */
            key: string;
            name: string;
            /**
             * @description BUILT_IN: kept by the service, read-only through the record endpoints.
             * @enum {string}
             */
            kind: "BUILT_IN" | "CUSTOM";
            /** @description JSON Schema 2020-12 that the custom fields of its records must fit. */
            schema: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            application: {
                /** @description UUID in its 36-character form. */
                id: string;
                name: string;
            };
        };
        OwnedDataStorePage: {
            content: components["schemas"]["OwnedDataStore"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        DataStore: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description Names it in paths; unique in the application; fixed. */
            key: string;
            name: string;
            /**
             * @description BUILT_IN: kept by the service, read-only through the record endpoints.
             * @enum {string}
             */
            kind: "BUILT_IN" | "CUSTOM";
            /** @description JSON Schema 2020-12 that the custom fields of its records must fit. */
            schema: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        DataStorePage: {
            content: components["schemas"]["DataStore"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        DataStoreInput: {
            /** @description Lower-case letters, digits, - and _, beginning with a letter; at most 63. */
            key: string;
            /** @description Default: the key. */
            name?: string;
            /** @description JSON Schema 2020-12 of type object; null: records hold any fields. */
            schema?: {
                [key: string]: unknown;
            } | null;
        };
        DataStoreChange: {
            /** @description Lower-case letters, digits, - and _, beginning with a letter; at most 63. */
            key?: string;
            /** @description Default: the key. */
            name?: string;
            /** @description JSON Schema 2020-12 of type object; null: records hold any fields. */
            schema?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description Custom fields, exactly as sent, and these. */
        DataRecord: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description As it was sent. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description Customer of the application that it is linked to. */
            customerId: string | null;
            /** @description Local date-time in the workspace's time zone, without offset, such as 2026-11-21T08:15:30.123. */
            createdAt: string;
            /** @description Local date-time in the workspace's time zone, without offset, such as 2026-11-21T08:15:30.123. */
            updatedAt: string;
        } & {
            [key: string]: unknown;
        };
        DataRecordPage: {
            content: components["schemas"]["DataRecord"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        /** @description The custom fields, all of them. id, createdAt and updatedAt are ignored, so a record that was read may be sent back. */
        DataRecordInput: {
            /** @description Present: replaces the metadata; null clears it. Absent: it stays. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description Present: relinks; null unlinks. Absent: stays. */
            customerId?: string | null;
        } & {
            [key: string]: unknown;
        };
        MetadataField: {
            /** @description Name in metadata: a letter, then letters, digits, _ . or -; at most 100. */
            key: string;
            /**
             * @description DATE is YYYY-MM-DD; ENUM takes one of allowedValues.
             * @enum {string}
             */
            type: "STRING" | "NUMBER" | "DATE" | "BOOLEAN" | "ENUM";
            /** @description Name for people; also found as a spreadsheet's column. */
            label: string;
            /** @description A recording without it is taken with a warning. */
            required: boolean;
            allowedValues: string[] | null;
            description: string | null;
            /** @description The job that alone has it; null for the workspace's own. */
            jobId: string | null;
        };
        TranscriptionJob: {
            /** @description UUID in its 36-character form. */
            id: string;
            name: string;
            /**
             * @description A closed job takes no new recordings.
             * @enum {string}
             */
            status: "OPEN" | "CLOSED";
            /**
             * @description SANDBOX hears tone speech and needs no account; OPENAI_COMPATIBLE is OpenAI or a Whisper server; DEEPGRAM.
             * @enum {string}
             */
            provider: "SANDBOX" | "OPENAI_COMPATIBLE" | "DEEPGRAM";
            /** @description BCP 47 language of the speech; null: the provider finds out. */
            language: string | null;
            /** @description RE2 expression whose named groups become metadata of each file name it finds. */
            fileNamePattern: string | null;
            /** @description Valid keys besides the workspace's own. */
            metadataFields: components["schemas"]["MetadataField"][];
            /** @description Keeps uploaded audio after its transcription. */
            retainAudio: boolean;
            spreadsheet: {
                fileName: string | null;
                columns: string[];
                rows: number;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                uploadedAt: string;
            } | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            closedAt: string | null;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        TranscriptionJobPage: {
            content: components["schemas"]["TranscriptionJob"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        MetadataFieldInput: {
            /** @description Name in metadata: a letter, then letters, digits, _ . or -; at most 100. */
            key: string;
            /**
             * @description Default STRING.
             * @enum {string}
             */
            type?: "STRING" | "NUMBER" | "DATE" | "BOOLEAN" | "ENUM";
            /** @description Default: the key. */
            label?: string | null;
            required?: boolean;
            allowedValues?: string[] | null;
            description?: string | null;
        };
        CreateTranscriptionJob: {
            name: string;
            /**
             * @description SANDBOX hears tone speech and needs no account; OPENAI_COMPATIBLE is OpenAI or a Whisper server; DEEPGRAM. Default SANDBOX.
             * @enum {string}
             */
            provider?: "SANDBOX" | "OPENAI_COMPATIBLE" | "DEEPGRAM";
            /** @description BCP 47 tag such as en-US. */
            language?: string | null;
            /** @description RE2 expression with named groups: (?<agent>[a-z]+). */
            fileNamePattern?: string | null;
            metadataFields?: components["schemas"]["MetadataFieldInput"][];
            /** @description Default false. */
            retainAudio?: boolean;
        };
        ChangeTranscriptionJob: {
            name?: string;
            /**
             * @description SANDBOX hears tone speech and needs no account; OPENAI_COMPATIBLE is OpenAI or a Whisper server; DEEPGRAM. Default SANDBOX.
             * @enum {string}
             */
            provider?: "SANDBOX" | "OPENAI_COMPATIBLE" | "DEEPGRAM";
            /** @description BCP 47 tag such as en-US. */
            language?: string | null;
            /** @description RE2 expression with named groups: (?<agent>[a-z]+). */
            fileNamePattern?: string | null;
            metadataFields?: components["schemas"]["MetadataFieldInput"][];
            /** @description Default false. */
            retainAudio?: boolean;
        };
        RecordingInput: {
            /** @description http or https address, handed to the provider as given. */
            url: string;
            /** @description Name for people, for the pattern and the spreadsheet. */
            fileName?: string | null;
            /** @description The sender's own id. A repeat returns the existing row; always send it. */
            externalId?: string | null;
            /** @description What the recording is filed under; GET /metadata/fields lists the valid keys. */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        RecordingReceipt: {
            /** @description UUID in its 36-character form. */
            rowId: string;
            /** @description True: the externalId was seen before, and this is the existing row. */
            duplicate: boolean;
            /** @description UUID in its 36-character form. */
            jobId: string;
            externalId: string | null;
            /** @enum {string} */
            status: "QUEUED" | "PROCESSING" | "COMPLETED" | "FAILED";
            fileName: string | null;
            /** @description As sent; null for uploads. */
            url: string | null;
            /** @description File-name pattern first, then spreadsheet, then the values sent, which win. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Keys that were sent and that no field defines. */
            unknownMetadataKeys: string[];
            warning: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        RecordingForm: {
            /** Format: binary */
            file: Blob;
            /** @description JSON object with fileName, externalId and metadata, as in RecordingDetails. */
            payload?: string;
        };
        RecordingSummary: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description UUID in its 36-character form. */
            jobId: string;
            externalId: string | null;
            /** @enum {string} */
            status: "QUEUED" | "PROCESSING" | "COMPLETED" | "FAILED";
            fileName: string | null;
            /** @description As sent; null for uploads. */
            url: string | null;
            /** @description File-name pattern first, then spreadsheet, then the values sent, which win. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Keys that were sent and that no field defines. */
            unknownMetadataKeys: string[];
            warning: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /** @enum {string} */
            provider: "SANDBOX" | "OPENAI_COMPATIBLE" | "DEEPGRAM";
            /** @description As the uploader declared it. */
            mediaType: string | null;
            bytes: number | null;
            /** @description Container and codec, as found in an upload. */
            audioFormat: string | null;
            durationSeconds: number | null;
            /** @description Of the transcript, as the provider names it. */
            language: string | null;
            /** @description Failed attempts so far. */
            failures: number;
            error: {
                code: string;
                message: string;
            } | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            completedAt: string | null;
        };
        RecordingPage: {
            content: components["schemas"]["RecordingSummary"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        Recording: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description UUID in its 36-character form. */
            jobId: string;
            externalId: string | null;
            /** @enum {string} */
            status: "QUEUED" | "PROCESSING" | "COMPLETED" | "FAILED";
            fileName: string | null;
            /** @description As sent; null for uploads. */
            url: string | null;
            /** @description File-name pattern first, then spreadsheet, then the values sent, which win. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Keys that were sent and that no field defines. */
            unknownMetadataKeys: string[];
            warning: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /** @enum {string} */
            provider: "SANDBOX" | "OPENAI_COMPATIBLE" | "DEEPGRAM";
            /** @description As the uploader declared it. */
            mediaType: string | null;
            bytes: number | null;
            /** @description Container and codec, as found in an upload. */
            audioFormat: string | null;
            durationSeconds: number | null;
            /** @description Of the transcript, as the provider names it. */
            language: string | null;
            /** @description Failed attempts so far. */
            failures: number;
            error: {
                code: string;
                message: string;
            } | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            completedAt: string | null;
            transcript: {
                text: string;
                /** @description Such as that nothing was heard. */
                note: string | null;
                segments: {
                    startMs: number;
                    endMs: number;
                    /** @description Such as ASSISTANT, USER or SPEAKER_0. */
                    speaker: string | null;
                    text: string;
                }[];
            } | null;
        };
        SpreadsheetForm: {
            /** Format: binary */
            file: Blob;
        };
        MetadataFieldList: {
            fields: components["schemas"]["MetadataFieldInput"][];
            /** @description Settings as the caller read them: 409 when one of these has another value by now. Unset: the change is made anyway. */
            before?: {
                [key: string]: unknown;
            };
        };
        Balance: {
            /** @description Top-ups less what was billed. */
            balance: string;
            /** @description ISO 4217. */
            currency: string;
            /** @description How far below zero the balance may go; null: no limit. */
            creditLimit: string | null;
            /** @description Balance and limit less pending; null: no limit. At zero no call is placed. */
            availableCredit: string | null;
            /** @description What the calls now on the line have come to; billed when they end. */
            pending: string;
            /** @description Below it, lowBalance is true. */
            lowBalanceThreshold: string | null;
            lowBalance: boolean;
            /** @description True until the operator sets a limit. */
            unlimited: boolean;
            /** @description All top-ups. */
            toppedUpTotal: string;
            /** @description Everything billed. */
            billedTotal: string;
            /** @description What the calls and chats of the sandbox would have cost; never billed. */
            simulatedTotal: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            asOf: string;
        };
        UsageEntry: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @enum {string} */
            kind: "TELEPHONY_SECOND" | "MODEL_INPUT_TOKEN" | "MODEL_CACHED_INPUT_TOKEN" | "MODEL_OUTPUT_TOKEN" | "SPEECH_SECOND" | "TRANSCRIPTION_SECOND" | "SMS_SEGMENT" | "WHATSAPP_MESSAGE";
            /** @description In the kind's unit. */
            quantity: number;
            /** @description Decimal, as it was when this was used. */
            unitPrice: string;
            /** @description Quantity times unit price, not rounded. */
            amount: string;
            /** @description True: what it would have cost; not billed. */
            simulated: boolean;
            /** @enum {string} */
            subjectType: "CALL" | "CHAT" | "TRANSCRIPTION";
            /** @description Call row, chat session or transcription row. */
            subjectId: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
        };
        UsagePage: {
            content: components["schemas"]["UsageEntry"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        UsageSummary: {
            /** @description First day, UTC. */
            from: string;
            /** @description Last day, UTC. */
            to: string;
            currency: string;
            /** @description All that was billed in these days. */
            billed: string;
            /** @description What the sandbox would have cost. */
            simulated: string;
            days: {
                /** @description Such as 2026-12-01. */
                day: string;
                /** @enum {string} */
                kind: "TELEPHONY_SECOND" | "MODEL_INPUT_TOKEN" | "MODEL_CACHED_INPUT_TOKEN" | "MODEL_OUTPUT_TOKEN" | "SPEECH_SECOND" | "TRANSCRIPTION_SECOND" | "SMS_SEGMENT" | "WHATSAPP_MESSAGE";
                simulated: boolean;
                entries: number;
                quantity: number;
                amount: string;
            }[];
        };
        Artifact: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description UUID in its 36-character form. */
            automationId: string;
            /** @description UUID in its 36-character form. */
            runId: string;
            /** @enum {string} */
            type: "TEXT" | "JSON" | "FILE" | "HTML" | "TABLE";
            /** @description File name. */
            name: string;
            title: string;
            mimeType: string;
            sizeBytes: number;
            /** @description The bytes; takes the same credential as this request. */
            downloadUrl: string;
            /** @description What it is about, such as callJobId, or from and until. */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /** @description The value for type JSON, otherwise the text; null when larger than 1 MiB (see downloadUrl). */
            content: unknown;
        };
        ArtifactSummary: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description UUID in its 36-character form. */
            automationId: string;
            /** @description UUID in its 36-character form. */
            runId: string;
            /** @enum {string} */
            type: "TEXT" | "JSON" | "FILE" | "HTML" | "TABLE";
            /** @description File name. */
            name: string;
            title: string;
            mimeType: string;
            sizeBytes: number;
            /** @description The bytes; takes the same credential as this request. */
            downloadUrl: string;
            /** @description What it is about, such as callJobId, or from and until. */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
        };
        ArtifactPage: {
            content: components["schemas"]["ArtifactSummary"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        AutomationSchedule: {
            /** @description Local time of day, HH:MM. */
            time: string;
            /** @description Days of the week; empty: every day. */
            days: ("MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT" | "SUN")[];
            /** @description IANA zone. */
            timeZone: string;
        };
        ExportSettings: {
            /** @enum {string} */
            format: "CSV" | "JSON";
            /** @description Only calls in one of these states; empty: any. */
            status: ("QUEUED" | "DIALING" | "RINGING" | "IN_PROGRESS" | "UNKNOWN" | "WAITING_FOR_RETRY" | "WAITING_FOR_WINDOW" | "COMPLETED" | "FAILED" | "SKIPPED" | "CANCELLED" | "UNCONFIRMED")[];
            /** @description Only calls with one of these outcomes; empty: any. */
            outcome: ("ANSWERED" | "VOICEMAIL" | "CALL_SCREENED" | "IVR" | "FAX" | "BUSY" | "NO_ANSWER" | "REJECTED" | "INVALID_NUMBER" | "UNREACHABLE" | "CARRIER_FAILURE" | "OPTED_OUT" | "TRANSFERRED" | "INTERRUPTED" | "INTERRUPTED_BY_OPERATOR" | "BLOCKED" | "CANCELLED" | "UNCONFIRMED" | "FLOW_MISSING")[];
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAfter: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdBefore: string | null;
        };
        Automation: {
            /** @description UUID in its 36-character form. */
            id: string;
            name: string;
            description: string | null;
            /**
             * @description CALL_JOB_REPORT: a job finished. DAILY_DIGEST: on its schedule. EXPORT: when asked.
             * @enum {string}
             */
            kind: "CALL_JOB_REPORT" | "DAILY_DIGEST" | "EXPORT";
            /** @description A disabled one starts by no trigger; it still runs when asked. */
            enabled: boolean;
            /** @description UUID in its 36-character form. */
            callJobId: string | null;
            schedule: components["schemas"]["AutomationSchedule"] | null;
            export: components["schemas"]["ExportSettings"] | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            nextRunAt: string | null;
            version: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        AutomationPage: {
            content: components["schemas"]["Automation"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        AutomationScheduleInput: {
            /** @description HH:MM, from 00:00 to 23:59. Default 08:00. */
            time?: string | null;
            /** @description Default every day. */
            days?: ("MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT" | "SUN")[] | null;
            /** @description IANA zone such as Europe/Berlin. Default the workspace's. */
            timeZone?: string | null;
        };
        ExportSettingsInput: {
            /**
             * @description Default CSV.
             * @enum {string|null}
             */
            format?: "CSV" | "JSON" | null;
            status?: ("QUEUED" | "DIALING" | "RINGING" | "IN_PROGRESS" | "UNKNOWN" | "WAITING_FOR_RETRY" | "WAITING_FOR_WINDOW" | "COMPLETED" | "FAILED" | "SKIPPED" | "CANCELLED" | "UNCONFIRMED")[] | null;
            outcome?: ("ANSWERED" | "VOICEMAIL" | "CALL_SCREENED" | "IVR" | "FAX" | "BUSY" | "NO_ANSWER" | "REJECTED" | "INVALID_NUMBER" | "UNREACHABLE" | "CARRIER_FAILURE" | "OPTED_OUT" | "TRANSFERRED" | "INTERRUPTED" | "INTERRUPTED_BY_OPERATOR" | "BLOCKED" | "CANCELLED" | "UNCONFIRMED" | "FLOW_MISSING")[] | null;
            /**
             * Format: date-time
             * @description ISO 8601 with a zone, such as 2026-12-01T09:00:00Z.
             */
            createdAfter?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 with a zone, such as 2026-12-01T09:00:00Z.
             */
            createdBefore?: string | null;
        };
        AutomationInput: {
            name: string;
            description?: string | null;
            /**
             * @description Fixed when it is made.
             * @enum {string}
             */
            kind: "CALL_JOB_REPORT" | "DAILY_DIGEST" | "EXPORT";
            /** @description Default true. */
            enabled?: boolean;
            /** @description Reports: this job's runs only; null: every job's. Exports: this job's rows; null: the history. */
            callJobId?: string | null;
            schedule?: components["schemas"]["AutomationScheduleInput"] | null;
            export?: components["schemas"]["ExportSettingsInput"] | null;
        };
        AutomationChange: {
            name?: string;
            description?: string | null;
            /**
             * @description Fixed when it is made.
             * @enum {string}
             */
            kind?: "CALL_JOB_REPORT" | "DAILY_DIGEST" | "EXPORT";
            /** @description Default true. */
            enabled?: boolean;
            /** @description Reports: this job's runs only; null: every job's. Exports: this job's rows; null: the history. */
            callJobId?: string | null;
            schedule?: components["schemas"]["AutomationScheduleInput"] | null;
            export?: components["schemas"]["ExportSettingsInput"] | null;
        };
        AutomationRun: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description UUID in its 36-character form. */
            automationId: string;
            /** @enum {string} */
            trigger: "CALL_JOB_COMPLETED" | "SCHEDULE" | "MANUAL";
            /** @enum {string} */
            status: "QUEUED" | "RUNNING" | "COMPLETED" | "FAILED";
            /** @description UUID in its 36-character form. */
            callJobId: string | null;
            callJobRun: number | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            from: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            until: string | null;
            artifactCount: number;
            error: {
                code: string;
                message: string;
            } | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            endedAt: string | null;
        };
        AutomationRunPage: {
            content: components["schemas"]["AutomationRun"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        SessionWebhook: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description The flow whose sessions it hears of; null: those of every flow. */
            flowId: string | null;
            url: string;
            events: ("session.started" | "message.created" | "session.human_requested" | "call.alert" | "session.ended")[];
            /** @enum {string} */
            authMode: "NONE" | "BEARER" | "CUSTOM_HEADER";
            /** @description Masked. For BEARER. */
            secret: string | null;
            /** @description For CUSTOM_HEADER. */
            headerName: string | null;
            /** @description Masked. For CUSTOM_HEADER. */
            headerValue: string | null;
            enabled: boolean;
            /** @description Why the service disabled it. */
            disabledReason: string | null;
            /** @description whsec_… of Standard Webhooks; shown once, when the webhook is made. */
            signingSecret: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        SessionWebhookPage: {
            content: components["schemas"]["SessionWebhook"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        SessionWebhookInput: {
            /** @description uuid or apiId of a saved flow; null: all. */
            flowId?: string | null;
            /** @description apiId of a saved flow, instead of flowId. */
            flowApiId?: string | null;
            url: string;
            /** @description Default: all of them. */
            events?: ("session.started" | "message.created" | "session.human_requested" | "call.alert" | "session.ended")[];
            /**
             * @description Default: as before; without one, the mode whose secret is sent, else NONE.
             * @enum {string|null}
             */
            authMode?: "NONE" | "BEARER" | "CUSTOM_HEADER" | null;
            /** @description For BEARER. */
            secret?: string | null;
            /** @description For CUSTOM_HEADER. */
            headerName?: string | null;
            /** @description For CUSTOM_HEADER. */
            headerValue?: string | null;
            /** @description Default true. */
            enabled?: boolean;
        };
        SessionWebhookChange: {
            /** @description uuid or apiId of a saved flow; null: all. */
            flowId?: string | null;
            /** @description apiId of a saved flow, instead of flowId. */
            flowApiId?: string | null;
            url?: string;
            /** @description Default: all of them. */
            events?: ("session.started" | "message.created" | "session.human_requested" | "call.alert" | "session.ended")[];
            /**
             * @description Default: as before; without one, the mode whose secret is sent, else NONE.
             * @enum {string|null}
             */
            authMode?: "NONE" | "BEARER" | "CUSTOM_HEADER" | null;
            /** @description For BEARER. */
            secret?: string | null;
            /** @description For CUSTOM_HEADER. */
            headerName?: string | null;
            /** @description For CUSTOM_HEADER. */
            headerValue?: string | null;
            /** @description Default true. */
            enabled?: boolean;
        };
        WebhookEventEntry: {
            /** @description Id of the delivery: several webhooks may receive one event. */
            id: string;
            /** @description The same for every webhook: drop one that was handled. */
            eventId: string;
            eventType: string;
            webhookUrl: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /** @description JSON text as it is sent. */
            body: string;
        };
        WebhookEvents: {
            events: components["schemas"]["WebhookEventEntry"][];
            cursor: string;
        };
        WebhookInspector: {
            /** @description Takes every method; whoever knows it can send to it. */
            url: string;
            /** @description So many of the next requests are answered with failStatus. */
            failNext: number;
            failStatus: number;
        };
        SimulationInput: {
            /** @description The suite: its YAML or JSON as a text, or an object. */
            suite: unknown;
            /** @description Instead of the suite's flow: an id or apiId, {flow, version}, {draft}, or {document} with an export or a flow's fields. */
            flow?: unknown;
            /** @description Texts of the files that the suite names, by the names that it uses. */
            files?: {
                [key: string]: string;
            } | null;
            /** @description Names of the scenarios to run. Default: all. */
            only?: string[] | null;
            /** @description For every scenario. */
            repeat?: number | null;
            seed?: number | null;
            /**
             * @description Instead of the suite's mode.
             * @enum {string|null}
             */
            mode?: "TEXT" | "AUDIO" | null;
            /** @description Id of the run to compare with, or none. Default: the last finished run of the same suite and flow that ran all of its scenarios, or at least those of `only`. */
            compareWith?: string | null;
        };
        Simulation: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description SUITE: a test suite. REPLAY: past calls, spoken to a flow. */
            kind: string;
            /**
             * @description PASSED and FAILED say what the suite found; ERROR: it could not be run to its end.
             * @enum {string}
             */
            state: "QUEUED" | "RUNNING" | "PASSED" | "FAILED" | "CANCELLED" | "ERROR";
            /** @description Name of the suite. */
            suite: string;
            flow: {
                /** @description UUID in its 36-character form. */
                id: string | null;
                apiId: string | null;
                name: string;
                /** @description Null for a draft and for a flow that was sent along. */
                version: number | null;
            };
            progress: {
                /** @description Conversations that are over. */
                done: number;
                total: number;
                /** @description Of those that are over. */
                failed: number;
            };
            /** @description The run that the comparison is with. */
            comparedWith: string | null;
            error: {
                code: string;
                message: string;
            } | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            endedAt: string | null;
            /** @description Scenarios with their conversations; null until the run is over. */
            report: {
                [key: string]: unknown;
            } | null;
            /** @description What changed since the run in comparedWith. */
            comparison: {
                [key: string]: unknown;
            } | null;
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        SimulationEntry: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @description SUITE: a test suite. REPLAY: past calls, spoken to a flow. */
            kind: string;
            /**
             * @description PASSED and FAILED say what the suite found; ERROR: it could not be run to its end.
             * @enum {string}
             */
            state: "QUEUED" | "RUNNING" | "PASSED" | "FAILED" | "CANCELLED" | "ERROR";
            /** @description Name of the suite. */
            suite: string;
            flow: {
                /** @description UUID in its 36-character form. */
                id: string | null;
                apiId: string | null;
                name: string;
                /** @description Null for a draft and for a flow that was sent along. */
                version: number | null;
            };
            progress: {
                /** @description Conversations that are over. */
                done: number;
                total: number;
                /** @description Of those that are over. */
                failed: number;
            };
            /** @description The run that the comparison is with. */
            comparedWith: string | null;
            error: {
                code: string;
                message: string;
            } | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            endedAt: string | null;
        };
        SimulationPage: {
            content: components["schemas"]["SimulationEntry"][];
            page: number;
            size: number;
            /** @description Number of rows; when totalIsExact is false, a number that they exceed: 10000, 1000 of a search, or what the first rows of a list of calls have. */
            totalElements: number;
            /** @description False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension) */
            totalIsExact: boolean;
            /** @description As far as is known: grows with page while totalIsExact is false. */
            totalPages: number;
            first: boolean;
            last: boolean;
            /** @description Cursor of the next page; null on the last. */
            nextCursor: string | null;
        };
        SimulationSource: {
            /** @description The suite as it was sent: a text or an object. */
            suite: unknown;
            /** @description Texts of the files that the suite names. */
            files: {
                [key: string]: string;
            };
            flow: unknown | null;
            only: string[] | null;
            repeat: number | null;
            seed: number | null;
            /** @enum {string|null} */
            mode: "TEXT" | "AUDIO" | null;
        };
        Persona: {
            /** @description What suites call it. */
            name: string;
            title: string;
            description: string;
            /** @description PERSON, or the machine that answers. */
            kind: string;
            /** @description What a carrier would say of who answered. */
            answeredBy: string;
            /** @description Null: as addressed. */
            language: string | null;
        };
        ReplayInput: {
            /** @description Id or apiId. */
            flowId?: string | null;
            flowApiId?: string | null;
            /** @description Speak to the flow's draft. Default: what is published. */
            draft?: boolean | null;
            version?: number | null;
            /** @description Which calls. */
            rowIds?: string[] | null;
            /** @description Instead: so many of the flow's last calls. Default 20. */
            last?: number | null;
            /** @description With last: of this job alone. */
            jobId?: string | null;
        };
        SuiteProposal: {
            /** @description The suite file, YAML. */
            suite: string;
            /** @description Its scenario, as data. */
            scenario: {
                [key: string]: unknown;
            };
            /** @description Its persona, as data. */
            persona: {
                [key: string]: unknown;
            };
            /** @description Personal data that was replaced by stand-ins: how many different things of each kind. */
            removed: {
                kind: string;
                count: number;
            }[];
            /** @description What the suite leaves out, and why. */
            notes: string[];
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        /** @description A persona who answers, a line that nobody picks up, or first one, then the other. */
        PopulationPart: {
            /** @description Weight beside the other parts. */
            share: number;
            /** @description Name of a built-in persona. */
            persona?: string | null;
            /**
             * @description What the line does instead of somebody picking up.
             * @enum {string|null}
             */
            line?: "BUSY" | "NO_ANSWER" | "VOICEMAIL" | "REJECTED" | "INVALID_NUMBER" | "UNREACHABLE" | "CARRIER_FAILURE" | null;
            /** @description With line: it does so for this many attempts only, and then `persona` answers. */
            attempts?: number | null;
        };
        RehearsalInput: {
            /** @description A job whose waiting rows are meant. */
            jobId?: string | null;
            job?: {
                name?: string | null;
                /** @description apiId of a saved flow. */
                flowApiId?: string | null;
                /** @description uuid or apiId of a saved flow. */
                flowId?: string | null;
                flow?: components["schemas"]["InlineFlow"] | null;
                /** @description E.164 number, such as +12025550100. */
                fromPhoneNumber?: string | null;
                fromPhoneNumbers?: string[] | null;
                /**
                 * Format: date-time
                 * @description ISO 8601 with a zone, such as 2026-12-01T09:00:00Z.
                 */
                startAt?: string | null;
                /** @description Calls of this job at once, shared out over its numbers. */
                maxConcurrency?: number | null;
                retryConfig?: components["schemas"]["RetryConfig"] | null;
                callingWindow?: components["schemas"]["CallingWindowInput"] | null;
                completionWebhook?: components["schemas"]["CompletionWebhookInput"] | null;
                rowCount: number;
                /** @description Where the people are, for the calling window. Default: the zones of the first number's country. */
                timeZones?: {
                    /** @description IANA name of a time zone, such as America/New_York. */
                    timeZone: string;
                    share: number;
                }[] | null;
            } | null;
            /** @description Default: the sandbox's own mix. */
            population?: components["schemas"]["PopulationPart"][] | null;
            /** @description Conversations that are really held. Default 50. */
            sample?: number | null;
            /**
             * @description What the agent speaks through in them. Default FLOW, the flow's own.
             * @enum {string|null}
             */
            model?: "FLOW" | "SCRIPTED" | null;
            /** @description Default 1. */
            seed?: number | null;
        };
        Forecast: {
            /** @description Rows that would be dialled. */
            rows: number;
            /** @description Runs that the percentiles are taken over. */
            repetitions: number;
            /** @description From the start to the end of the last call. */
            durationSeconds: {
                p10: number;
                p50: number;
                p90: number;
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startsAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            endsAt: string | null;
            attempts: number;
            outcomes: {
                /** @enum {string} */
                status: "COMPLETED" | "FAILED" | "SKIPPED" | "CANCELLED" | "UNCONFIRMED";
                /** @enum {string} */
                outcome: "ANSWERED" | "VOICEMAIL" | "CALL_SCREENED" | "IVR" | "FAX" | "BUSY" | "NO_ANSWER" | "REJECTED" | "INVALID_NUMBER" | "UNREACHABLE" | "CARRIER_FAILURE" | "OPTED_OUT" | "TRANSFERRED" | "INTERRUPTED" | "INTERRUPTED_BY_OPERATOR" | "BLOCKED" | "CANCELLED" | "UNCONFIRMED" | "FLOW_MISSING";
                count: number;
                /** @description Of all rows, those that are skipped included. */
                share: number;
            }[];
            cost: {
                p10: string;
                p50: string;
                p90: string;
                /** @description ISO 4217. */
                currency: string;
            };
            talkSeconds: number;
            busiestNumber: {
                phoneNumber: string;
                attempts: number;
                /** @description Of the slots that the job has in it, over the job's duration. */
                busyShare: number;
            } | null;
            /** @description Of the middle run, without hours in which nothing happens; at most 744. */
            perHour: {
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                startsAt: string;
                attempts: number;
                endedRows: number;
                talkSeconds: number;
            }[];
            skipped: {
                /** @description Rows that the compliance gate would never let out. */
                count: number;
                reasons: {
                    code: string;
                    count: number;
                }[];
            };
            assumptions: string[];
            /** @description Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none. */
            warnings?: components["schemas"]["Warning"][];
            /** @description How many there are; only beside `warnings`. */
            warningsTotal?: number;
        };
        CallJobCompleted: {
            /** @description The same on every attempt: drop an event that was handled before. */
            eventId: string;
            /** @constant */
            eventType: "call_job.completed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            occurredAt: string;
            /** @description 1 for the first. */
            deliveryAttempt: number;
            job: {
                /** @description UUID in its 36-character form. */
                id: string;
                name: string;
                /** @enum {string} */
                status: "COMPLETED" | "CANCELLED" | "FAILED";
                totalRows: number;
                processedRows: number;
                successfulRows: number;
                errorRows: number;
                /** @description Empty for an inline flow. */
                flowApiId: string;
            };
            retrieval: {
                endpoints: {
                    callJob: string;
                    callRows: string;
                };
            };
        };
        /** @description Members that do not apply are null; chats have some of their own. */
        WebhookSession: {
            /** @description UUID in its 36-character form. */
            id: string;
            /** @enum {string} */
            channel: "VOICE" | "CHAT" | "SMS" | "WHATSAPP";
            status: string | null;
            outcome: string | null;
            /** @description UUID in its 36-character form. */
            flowId: string | null;
            flowApiId: string | null;
            contactName: string | null;
            contactPhone: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            endedAt: string | null;
            endReason: string | null;
            /** @description As sent, byte for byte; null when none was. */
            contextData: unknown;
        };
        SessionStarted: {
            /** @description The same on every attempt: drop an event that was handled before. */
            eventId: string;
            /** @constant */
            eventType: "session.started";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            occurredAt: string;
            /** @description 1 for the first. */
            deliveryAttempt: number;
            session: components["schemas"]["WebhookSession"];
            /** @description The call's row; null for chats. */
            row: {
                /** @description UUID in its 36-character form. */
                id: string;
                /** @description UUID in its 36-character form. */
                jobId: string | null;
                humanRequested: boolean;
            } | null;
            retrieval: {
                endpoints: {
                    callRow?: string;
                    callJob?: string;
                    chatSession?: string;
                    messages?: string;
                };
            };
        };
        MessageCreated: {
            /** @description The same on every attempt: drop an event that was handled before. */
            eventId: string;
            /** @constant */
            eventType: "message.created";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            occurredAt: string;
            /** @description 1 for the first. */
            deliveryAttempt: number;
            session: components["schemas"]["WebhookSession"];
            /** @description The call's row; null for chats. */
            row: {
                /** @description UUID in its 36-character form. */
                id: string;
                /** @description UUID in its 36-character form. */
                jobId: string | null;
                humanRequested: boolean;
            } | null;
            retrieval: {
                endpoints: {
                    callRow?: string;
                    callJob?: string;
                    chatSession?: string;
                    messages?: string;
                };
            };
            message: {
                /** @description UUID in its 36-character form. */
                id: string;
                /** @enum {string} */
                role: "ASSISTANT" | "USER" | "AGENT";
                content: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                createdAt: string;
            };
        };
        HumanRequested: {
            /** @description The same on every attempt: drop an event that was handled before. */
            eventId: string;
            /** @constant */
            eventType: "session.human_requested";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            occurredAt: string;
            /** @description 1 for the first. */
            deliveryAttempt: number;
            session: components["schemas"]["WebhookSession"];
            /** @description The call's row; null for chats. */
            row: {
                /** @description UUID in its 36-character form. */
                id: string;
                /** @description UUID in its 36-character form. */
                jobId: string | null;
                humanRequested: boolean;
            } | null;
            retrieval: {
                endpoints: {
                    callRow?: string;
                    callJob?: string;
                    chatSession?: string;
                    messages?: string;
                };
            };
        };
        CallAlerted: {
            /** @description The same on every attempt: drop an event that was handled before. */
            eventId: string;
            /** @constant */
            eventType: "call.alert";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            occurredAt: string;
            /** @description 1 for the first. */
            deliveryAttempt: number;
            session: components["schemas"]["WebhookSession"];
            /** @description The call's row; null for chats. */
            row: {
                /** @description UUID in its 36-character form. */
                id: string;
                /** @description UUID in its 36-character form. */
                jobId: string | null;
                humanRequested: boolean;
            } | null;
            retrieval: {
                endpoints: {
                    callRow?: string;
                    callJob?: string;
                    chatSession?: string;
                    messages?: string;
                };
            };
            alert: {
                /** @enum {string} */
                kind: "LONG_SILENCE" | "ANGER" | "OPT_OUT_DOUBTFUL" | "TOOL_FAILING";
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                raisedAt: string;
                /** @description How often the call has raised it. */
                times: number;
            };
        };
        SessionEnded: {
            /** @description The same on every attempt: drop an event that was handled before. */
            eventId: string;
            /** @constant */
            eventType: "session.ended";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            occurredAt: string;
            /** @description 1 for the first. */
            deliveryAttempt: number;
            session: components["schemas"]["WebhookSession"];
            /** @description The call's row; null for chats. */
            row: {
                /** @description UUID in its 36-character form. */
                id: string;
                /** @description UUID in its 36-character form. */
                jobId: string | null;
                humanRequested: boolean;
            } | null;
            retrieval: {
                endpoints: {
                    callRow?: string;
                    callJob?: string;
                    chatSession?: string;
                    messages?: string;
                };
            };
        };
        CallsRecordingQuery: {
            /** @description True: the words of a sandbox call whose line carried tones are spoken instead, by the program flite where it is installed; other recordings stay as they are. Default false. */
            spoken?: boolean;
        };
        CallsRecordingPeaksQuery: {
            /** @description True: the words of a sandbox call whose line carried tones are spoken instead, by the program flite where it is installed; other recordings stay as they are. Default false. */
            spoken?: boolean;
        };
        CallHistoryListQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
            /** @description Any of these; repeat it for several. */
            status?: ("QUEUED" | "DIALING" | "RINGING" | "IN_PROGRESS" | "UNKNOWN" | "WAITING_FOR_RETRY" | "WAITING_FOR_WINDOW" | "COMPLETED" | "FAILED" | "SKIPPED" | "CANCELLED" | "UNCONFIRMED")[];
            /** @description Any of these; repeat it for several. */
            outcome?: ("ANSWERED" | "VOICEMAIL" | "CALL_SCREENED" | "IVR" | "FAX" | "BUSY" | "NO_ANSWER" | "REJECTED" | "INVALID_NUMBER" | "UNREACHABLE" | "CARRIER_FAILURE" | "OPTED_OUT" | "TRANSFERRED" | "INTERRUPTED" | "INTERRUPTED_BY_OPERATOR" | "BLOCKED" | "CANCELLED" | "UNCONFIRMED" | "FLOW_MISSING")[];
            /**
             * @description Who called: the service or the person.
             * @enum {string}
             */
            direction?: "OUTBOUND" | "INBOUND";
            /** @description The person's number, whole, such as +12025550100; of a call over the web, as its row shows it. */
            customerNumber?: string;
            /** @description How the number starts, as in +4930. (extension) */
            customerNumberPrefix?: string;
            /** @description Words that the contact's name has, by how they begin, or a part of the number; 400 when more than 200000 calls or 20000 numbers have each word, and too few of the first 50000 calls have all. (extension) */
            search?: string;
            /** @description apiId of the flow that holds the calls. */
            flowApiId?: string;
            /** @description Your own id of the row, as it was sent. */
            externalId?: string;
            /** @description True: calls whose person asked for a human and was not handed over; false: the others. (extension) */
            humanRequested?: boolean;
            /**
             * Format: date-time
             * @description ISO 8601 with a zone, such as 2026-12-01T09:00:00Z.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description ISO 8601 with a zone, such as 2026-12-01T09:00:00Z.
             */
            createdBefore?: string;
            /**
             * @description Default: a job's rows by createdAt, the history by -createdAt. By durationSeconds, latency (its p50Ms) and cost, only calls that have ended with one are listed, some seconds after their end; 400 when more than 10000 calls match and are too far apart in this order. (extension)
             * @enum {string}
             */
            sort?: "createdAt" | "-createdAt" | "durationSeconds" | "-durationSeconds" | "latency" | "-latency" | "cost" | "-cost";
            /** @description UUID in its 36-character form. */
            jobId?: string;
        };
        JobsCreateQuery: {
            /** @description What people see in lists. */
            name?: string;
            /** @description uuid or apiId of a saved flow. */
            flowId?: string;
            /** @description apiId of a saved flow. */
            flowApiId?: string;
            /** @description Repeat it for several. */
            fromPhoneNumber?: string[];
            /**
             * Format: date-time
             * @description ISO 8601 with a zone; nothing is dialled before it. Default: now.
             */
            startAt?: string;
            /** @description Most calls of the job at once. */
            maxConcurrency?: number;
            /** @description As in retryConfig of the body. */
            maxAttempts?: number;
            /** @description As in retryConfig of the body. */
            retryOn?: ("BUSY" | "NO_ANSWER" | "VOICEMAIL" | "UNREACHABLE" | "CARRIER_FAILURE")[];
            /** @description As in retryConfig of the body. */
            delaysSeconds?: string[];
            /**
             * @description JSON, as in the body.
             * @example {"windows":[{"days":["MON","TUE","WED"],"start":"09:00","end":"18:00"}]}
             */
            callingWindow?: string;
            /** @description Address that gets call_job.completed. */
            completionWebhookUrl?: string;
        };
        JobsListQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
            /** @description Only jobs in one of these states. Repeat it for several. */
            status?: ("IMPORTING" | "SCHEDULED" | "RUNNING" | "PAUSED" | "CANCELLING" | "COMPLETED" | "CANCELLED" | "FAILED")[];
            /** @description Only jobs whose name holds this text. */
            name?: string;
            /**
             * @description Default: -createdAt. Names are sorted in any case. (extension)
             * @enum {string}
             */
            sort?: "createdAt" | "-createdAt" | "name" | "-name";
        };
        JobsRowsQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
            /** @description Any of these; repeat it for several. */
            status?: ("QUEUED" | "DIALING" | "RINGING" | "IN_PROGRESS" | "UNKNOWN" | "WAITING_FOR_RETRY" | "WAITING_FOR_WINDOW" | "COMPLETED" | "FAILED" | "SKIPPED" | "CANCELLED" | "UNCONFIRMED")[];
            /** @description Any of these; repeat it for several. */
            outcome?: ("ANSWERED" | "VOICEMAIL" | "CALL_SCREENED" | "IVR" | "FAX" | "BUSY" | "NO_ANSWER" | "REJECTED" | "INVALID_NUMBER" | "UNREACHABLE" | "CARRIER_FAILURE" | "OPTED_OUT" | "TRANSFERRED" | "INTERRUPTED" | "INTERRUPTED_BY_OPERATOR" | "BLOCKED" | "CANCELLED" | "UNCONFIRMED" | "FLOW_MISSING")[];
            /**
             * @description Who called: the service or the person.
             * @enum {string}
             */
            direction?: "OUTBOUND" | "INBOUND";
            /** @description The person's number, whole, such as +12025550100; of a call over the web, as its row shows it. */
            customerNumber?: string;
            /** @description How the number starts, as in +4930. (extension) */
            customerNumberPrefix?: string;
            /** @description Words that the contact's name has, by how they begin, or a part of the number; 400 when more than 200000 calls or 20000 numbers have each word, and too few of the first 50000 calls have all. (extension) */
            search?: string;
            /** @description apiId of the flow that holds the calls. */
            flowApiId?: string;
            /** @description Your own id of the row, as it was sent. */
            externalId?: string;
            /** @description True: calls whose person asked for a human and was not handed over; false: the others. (extension) */
            humanRequested?: boolean;
            /**
             * Format: date-time
             * @description ISO 8601 with a zone, such as 2026-12-01T09:00:00Z.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description ISO 8601 with a zone, such as 2026-12-01T09:00:00Z.
             */
            createdBefore?: string;
            /**
             * @description Default: a job's rows by createdAt, the history by -createdAt. By durationSeconds, latency (its p50Ms) and cost, only calls that have ended with one are listed, some seconds after their end; 400 when more than 10000 calls match and are too far apart in this order. (extension)
             * @enum {string}
             */
            sort?: "createdAt" | "-createdAt" | "durationSeconds" | "-durationSeconds" | "latency" | "-latency" | "cost" | "-cost";
        };
        JobsAddRowsBody: {
            rows: Record<string, never>[];
        };
        JobsRowErrorsQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
        };
        JobsRowErrorsReply: {
            content: components["schemas"]["RowError"][];
            page: number;
            size: number;
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
        };
        JobsRetryFailedQuery: {
            /** @description Only rows of these outcomes. Repeat it for several. */
            outcome?: ("BUSY" | "NO_ANSWER" | "VOICEMAIL" | "UNREACHABLE" | "CARRIER_FAILURE")[];
        };
        JobsPreflightBody: {
            name?: string | null;
            /** @description apiId of a saved flow. */
            flowApiId?: string | null;
            /** @description uuid or apiId of a saved flow. */
            flowId?: string | null;
            flow?: components["schemas"]["InlineFlow"] | null;
            /** @description E.164 number, such as +12025550100. */
            fromPhoneNumber?: string | null;
            fromPhoneNumbers?: string[] | null;
            /**
             * Format: date-time
             * @description ISO 8601 with a zone, such as 2026-12-01T09:00:00Z.
             */
            startAt?: string | null;
            /** @description Calls of this job at once, shared out over its numbers. */
            maxConcurrency?: number | null;
            retryConfig?: components["schemas"]["RetryConfig"] | null;
            callingWindow?: components["schemas"]["CallingWindowInput"] | null;
            completionWebhook?: components["schemas"]["CompletionWebhookInput"] | null;
            rows: Record<string, never>[];
        };
        ResultsGetQuery: {
            /** @description First day, in `timeZone`. Default: 30 days up to `to`; with jobId, the job's first. */
            from?: string;
            /** @description Last day, in `timeZone`; without jobId at most 92 days. Default: today. */
            to?: string;
            /** @description This many days up to `to`, in place of `from`. */
            lastDays?: number;
            /** @description IANA zone of the days and of the hours. Default: UTC. */
            timeZone?: string;
            /** @description UUID in its 36-character form. */
            jobId?: string;
            /** @description apiId of a flow. */
            flowApiId?: string;
            /** @description Needs flowApiId. */
            flowVersion?: number;
            /** @description UUID in its 36-character form. */
            phoneNumberId?: string;
            /**
             * @description OUTBOUND: we dialled. INBOUND: people called our number. WEB: calls from a web page.
             * @enum {string}
             */
            channel?: "OUTBOUND" | "INBOUND" | "WEB";
            /** @description A call succeeds when this extracted field has goalValue; nested ones by their path, such as visit.attending. Default: a person answered and spoke, the call COMPLETED, no limit cut it off, every structured output is valid, not all are empty, and no tool was left failed. */
            goalField?: string;
            /** @description true or false, a date (YYYY-MM-DD), a number with three digits, or a text. Needs goalField. */
            goalValue?: string;
        };
        ResultsCsvQuery: {
            /** @description First day, in `timeZone`. Default: 30 days up to `to`; with jobId, the job's first. */
            from?: string;
            /** @description Last day, in `timeZone`; without jobId at most 92 days. Default: today. */
            to?: string;
            /** @description This many days up to `to`, in place of `from`. */
            lastDays?: number;
            /** @description IANA zone of the days and of the hours. Default: UTC. */
            timeZone?: string;
            /** @description UUID in its 36-character form. */
            jobId?: string;
            /** @description apiId of a flow. */
            flowApiId?: string;
            /** @description Needs flowApiId. */
            flowVersion?: number;
            /** @description UUID in its 36-character form. */
            phoneNumberId?: string;
            /**
             * @description OUTBOUND: we dialled. INBOUND: people called our number. WEB: calls from a web page.
             * @enum {string}
             */
            channel?: "OUTBOUND" | "INBOUND" | "WEB";
            /** @description A call succeeds when this extracted field has goalValue; nested ones by their path, such as visit.attending. Default: a person answered and spoke, the call COMPLETED, no limit cut it off, every structured output is valid, not all are empty, and no tool was left failed. */
            goalField?: string;
            /** @description true or false, a date (YYYY-MM-DD), a number with three digits, or a text. Needs goalField. */
            goalValue?: string;
            /**
             * @description Part of the results.
             * @enum {string}
             */
            table: "funnel" | "hours" | "fields" | "versions" | "numbers" | "outcomes" | "reasons" | "tools";
        };
        ResultsCallsQuery: {
            /** @description First day, in `timeZone`. Default: 30 days up to `to`; with jobId, the job's first. */
            from?: string;
            /** @description Last day, in `timeZone`; without jobId at most 92 days. Default: today. */
            to?: string;
            /** @description This many days up to `to`, in place of `from`. */
            lastDays?: number;
            /** @description IANA zone of the days and of the hours. Default: UTC. */
            timeZone?: string;
            /** @description UUID in its 36-character form. */
            jobId?: string;
            /** @description apiId of a flow. */
            flowApiId?: string;
            /** @description Needs flowApiId. */
            flowVersion?: number;
            /** @description UUID in its 36-character form. */
            phoneNumberId?: string;
            /**
             * @description OUTBOUND: we dialled. INBOUND: people called our number. WEB: calls from a web page.
             * @enum {string}
             */
            channel?: "OUTBOUND" | "INBOUND" | "WEB";
            /** @description A call succeeds when this extracted field has goalValue; nested ones by their path, such as visit.attending. Default: a person answered and spoke, the call COMPLETED, no limit cut it off, every structured output is valid, not all are empty, and no tool was left failed. */
            goalField?: string;
            /** @description true or false, a date (YYYY-MM-DD), a number with three digits, or a text. Needs goalField. */
            goalValue?: string;
            /**
             * @description A step of the funnel, or ASKED_FOR_HUMAN. Default: CALLS.
             * @enum {string}
             */
            step?: "CALLS" | "DIALLED" | "ANSWERED_BY_PERSON" | "ANSWERED_BY_MACHINE" | "TALKED" | "SUCCEEDED" | "ASKED_FOR_HUMAN";
            /** @description A tool that the calls used. */
            tool?: string;
            /**
             * @description How the tool did; needs tool. Default: FAILED, at least once.
             * @enum {string}
             */
            toolResult?: "DONE" | "FAILED";
            /**
             * @description Outcome of the calls.
             * @enum {string}
             */
            outcome?: "ANSWERED" | "VOICEMAIL" | "CALL_SCREENED" | "IVR" | "FAX" | "BUSY" | "NO_ANSWER" | "REJECTED" | "INVALID_NUMBER" | "UNREACHABLE" | "CARRIER_FAILURE" | "OPTED_OUT" | "TRANSFERRED" | "INTERRUPTED" | "INTERRUPTED_BY_OPERATOR" | "BLOCKED" | "CANCELLED" | "UNCONFIRMED" | "FLOW_MISSING";
            /** @description Code of the error with which calls ended, or of the limit that cut them off, such as LIMIT_DURATION. */
            reason?: string;
            /** @description An extracted field; with value, or with valueFrom and valueBelow. */
            field?: string;
            /**
             * @description Type of the field, as the results name it. Default: any.
             * @enum {string}
             */
            fieldType?: "BOOLEAN" | "NUMBER" | "DATE" | "TEXT";
            /** @description As the results show it. */
            value?: string;
            /** @description Least number, or first date. */
            valueFrom?: string;
            /** @description The number or date that values are below; without it, there is no upper end. */
            valueBelow?: string;
            /** @description Of a dial, in timeZone; 1 is Monday. */
            weekday?: number;
            /** @description Of a dial, in timeZone. Needs weekday. */
            hour?: number;
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
        };
        ResultsUpdateBoardQuery: {
            /**
             * Format: date-time
             * @description updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.
             */
            ifUpdatedAt?: string;
        };
        LeadSourcesUpdateQuery: {
            /**
             * Format: date-time
             * @description updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.
             */
            ifUpdatedAt?: string;
        };
        LeadSourcesDeliveriesQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
            /** @description Repeat it for several. */
            status?: ("QUEUED" | "DUPLICATE" | "REFUSED")[];
        };
        FlowsListQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
        };
        FlowsUpdateQuery: {
            /**
             * Format: date-time
             * @description updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.
             */
            ifUpdatedAt?: string;
        };
        FlowsChangesQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
        };
        FlowsUpdateDraftQuery: {
            /**
             * Format: date-time
             * @description updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.
             */
            ifUpdatedAt?: string;
        };
        FlowsPublishQuery: {
            /**
             * Format: date-time
             * @description updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.
             */
            ifUpdatedAt?: string;
        };
        FlowsVersionsQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
        };
        FlowsVersionResultsQuery: {
            /**
             * Format: date-time
             * @description ISO 8601 with a zone, such as 2026-12-01T09:00:00Z.
             */
            createdAfter?: string;
        };
        FlowsPromptQuery: {
            /**
             * @description Default VOICE.
             * @enum {string}
             */
            channel?: "VOICE" | "CHAT";
        };
        FlowsStageFunnelQuery: {
            /** @description Number of a published version. */
            version?: number;
            /**
             * Format: date-time
             * @description ISO 8601 with a zone, such as 2026-12-01T09:00:00Z.
             */
            from?: string;
            /**
             * Format: date-time
             * @description ISO 8601 with a zone, such as 2026-12-01T09:00:00Z.
             */
            to?: string;
        };
        FlowsExportQuery: {
            /** @description Default: the published one. */
            version?: number;
        };
        ModelsListQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
        };
        ModelsUpdateQuery: {
            /**
             * Format: date-time
             * @description updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.
             */
            ifUpdatedAt?: string;
        };
        ChatsListQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
            /** @description Any of these; repeat it for several. */
            status?: ("ACTIVE" | "HANDED_OFF" | "CLOSED" | "EXPIRED" | "FAILED")[];
            /** @description Any of these; repeat it for several. */
            channel?: ("CHAT" | "SMS" | "WHATSAPP")[];
            /** @description E.164 number. */
            contactPhone?: string;
            /**
             * @description WAITING: the person asked for a human whom nobody has stood in for; REQUESTED: outside the hours.
             * @enum {string}
             */
            handoff?: "NONE" | "REQUESTED" | "WAITING" | "TAKEN_OVER";
            /**
             * @description Default: -createdAt. (extension)
             * @enum {string}
             */
            sort?: "createdAt" | "-createdAt";
        };
        ChatsMessagesQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
        };
        ChatsTakeOverQuery: {
            /** @description Who takes over, in at most 200 characters. */
            assignee?: string;
        };
        ChatsEventStreamQuery: {
            /** @description False: ends after the events so far. Default true. */
            follow?: boolean;
        };
        ContactsListQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
            /** @description E.164 number, such as +12025550100. */
            phone?: string;
            /** @description The whole address, in any case. */
            email?: string;
            /** @description contactIdentifier of a chat. */
            identifier?: string;
            /** @description How the name begins, in any case. */
            name?: string;
            /**
             * @description Default: -createdAt. By name, only contacts with one are listed, in any case. (extension)
             * @enum {string}
             */
            sort?: "createdAt" | "-createdAt" | "name" | "-name";
        };
        ContactsTimelineQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
        };
        DoNotCallListQuery: {
            /** @description Entries a page. Default 100. */
            size?: number;
            /**
             * @description How the number came onto the list.
             * @enum {string}
             */
            source?: "STOP_KEYWORD" | "SPOKEN_REFUSAL" | "OPERATOR" | "SANDBOX";
            /** @description How the number begins. */
            startsWith?: string;
        };
        DoNotCallRemoveQuery: {
            /** @description Why it is taken out; kept in the audit log. */
            reason: string;
            /** @description How and when the person agreed to be contacted again. */
            consent?: string;
        };
        OptOutReviewsListQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
            /**
             * @description What a person decided, or OPEN.
             * @enum {string}
             */
            state?: "OPEN" | "CONFIRMED" | "DISMISSED";
            /** @description E.164 number, such as +12025550100. */
            number?: string;
        };
        WidgetsUpdateQuery: {
            /**
             * Format: date-time
             * @description updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.
             */
            ifUpdatedAt?: string;
        };
        ToolsAnswerTaskReply: {
            /** @enum {string} */
            status: "accepted";
        };
        ConnectionsUpdateQuery: {
            /**
             * Format: date-time
             * @description updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.
             */
            ifUpdatedAt?: string;
        };
        TestEndpointsGetAsyncEchoQuery: {
            /** @description Default 10, at most 120. */
            delaySeconds?: number;
            /** @description 1 to 200 printable ASCII characters. */
            toolTaskId?: string;
            /** @description 1 to 1000 printable ASCII characters. */
            secret?: string;
            /** @description Default: the service's own webhook. */
            callbackUrl?: string;
        };
        TestEndpointsPostAsyncEchoQuery: {
            /** @description Default 10, at most 120. */
            delaySeconds?: number;
            /** @description 1 to 200 printable ASCII characters. */
            toolTaskId?: string;
            /** @description 1 to 1000 printable ASCII characters. */
            secret?: string;
            /** @description Default: the service's own webhook. */
            callbackUrl?: string;
        };
        TestEndpointsPutAsyncEchoQuery: {
            /** @description Default 10, at most 120. */
            delaySeconds?: number;
            /** @description 1 to 200 printable ASCII characters. */
            toolTaskId?: string;
            /** @description 1 to 1000 printable ASCII characters. */
            secret?: string;
            /** @description Default: the service's own webhook. */
            callbackUrl?: string;
        };
        TestEndpointsPatchAsyncEchoQuery: {
            /** @description Default 10, at most 120. */
            delaySeconds?: number;
            /** @description 1 to 200 printable ASCII characters. */
            toolTaskId?: string;
            /** @description 1 to 1000 printable ASCII characters. */
            secret?: string;
            /** @description Default: the service's own webhook. */
            callbackUrl?: string;
        };
        TestEndpointsDeleteAsyncEchoQuery: {
            /** @description Default 10, at most 120. */
            delaySeconds?: number;
            /** @description 1 to 200 printable ASCII characters. */
            toolTaskId?: string;
            /** @description 1 to 1000 printable ASCII characters. */
            secret?: string;
            /** @description Default: the service's own webhook. */
            callbackUrl?: string;
        };
        StructuredOutputsUpdateQuery: {
            /**
             * Format: date-time
             * @description updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.
             */
            ifUpdatedAt?: string;
        };
        PhoneNumbersUpdateQuery: {
            /**
             * Format: date-time
             * @description updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.
             */
            ifUpdatedAt?: string;
        };
        AgentsListQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
        };
        AgentsUpdateQuery: {
            /**
             * Format: date-time
             * @description updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.
             */
            ifUpdatedAt?: string;
        };
        KnowledgeBaseListQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
        };
        KnowledgeBaseUpdateQuery: {
            /**
             * Format: date-time
             * @description updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.
             */
            ifUpdatedAt?: string;
        };
        KnowledgeBaseSearchQuery: {
            /** @description Words; "a phrase", OR and -excluded work as in web searches. */
            q: string;
            /** @description Most passages. Default 5. */
            limit?: number;
        };
        KnowledgeBaseUploadFileBody: {
            /** Format: binary */
            file: Blob;
        };
        ApplicationsListQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
        };
        ApplicationsUpdateQuery: {
            /**
             * Format: date-time
             * @description updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.
             */
            ifUpdatedAt?: string;
        };
        CustomersListQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
            /** @description E.164 number, such as +12025550100. */
            phone?: string;
            /** @description Your own id of the customer, whole. */
            externalId?: string;
        };
        CustomersUpdateQuery: {
            /**
             * Format: date-time
             * @description updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.
             */
            ifUpdatedAt?: string;
        };
        DataStoresListAllQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
        };
        DataStoresListQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
        };
        DataStoresUpdateQuery: {
            /**
             * Format: date-time
             * @description updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.
             */
            ifUpdatedAt?: string;
        };
        RecordsListQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
            /** @description Only records that are linked to this customer. */
            customerId?: string;
        };
        RecordsUpdateQuery: {
            /** @description updatedAt as the caller read it: 409 when the record was saved since. Unset: it is replaced anyway. */
            ifUpdatedAt?: string;
        };
        TranscriptionsListQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
        };
        TranscriptionsUpdateQuery: {
            /**
             * Format: date-time
             * @description updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.
             */
            ifUpdatedAt?: string;
        };
        TranscriptionsRecordingsQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
            /** @description Any of these; repeat it for several. */
            status?: ("QUEUED" | "PROCESSING" | "COMPLETED" | "FAILED")[];
            /** @description Your own id of the recording, whole. */
            externalId?: string;
        };
        TranscriptionsMetadataFieldsQuery: {
            /** @description UUID in its 36-character form. */
            jobId?: string;
        };
        BillingUsageQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            from?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            to?: string;
            /**
             * @description What was used.
             * @enum {string}
             */
            kind?: "TELEPHONY_SECOND" | "MODEL_INPUT_TOKEN" | "MODEL_CACHED_INPUT_TOKEN" | "MODEL_OUTPUT_TOKEN" | "SPEECH_SECOND" | "TRANSCRIPTION_SECOND" | "SMS_SEGMENT" | "WHATSAPP_MESSAGE";
            /** @description UUID in its 36-character form. */
            subjectId?: string;
        };
        BillingUsageSummaryQuery: {
            /** @description UTC day, such as 2026-12-01. */
            from?: string;
            /** @description UTC day, such as 2026-12-01. */
            to?: string;
        };
        AutomationsListQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
        };
        AutomationsUpdateQuery: {
            /**
             * Format: date-time
             * @description updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.
             */
            ifUpdatedAt?: string;
        };
        AutomationsRunQuery: {
            /** @description The job to report on, where the automation names none. */
            callJobId?: string;
        };
        AutomationsRunsQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
        };
        AutomationsArtifactsQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
        };
        SessionWebhooksListQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
            /** @description UUID in its 36-character form. */
            flowId?: string;
        };
        SessionWebhooksUpdateQuery: {
            /**
             * Format: date-time
             * @description updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.
             */
            ifUpdatedAt?: string;
        };
        SessionWebhooksEventsQuery: {
            /** @description cursor of the answer before. Unset: from now on. */
            after?: string;
            /** @description Longest wait for the first event. Default 0. */
            waitSeconds?: number;
        };
        SimulationsListQuery: {
            /** @description Rows a page. Default 20, at most 200. */
            size?: number;
            /** @description Name of a suite. */
            suite?: string;
        };
        SimulationsGetQuery: {
            /** @description False leaves the transcripts out. Default true. */
            transcripts?: boolean;
        };
        SimulationsFromSentenceBody: {
            /** @description UUID in its 36-character form. */
            rowId: string;
            /** @description Words that a line of the agent must have. */
            says?: string[];
            /** @description Words that no line of the agent may have. */
            neverSays?: string[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type LocalVariable = components['schemas']['LocalVariable'];
export type InlineStructuredOutput = components['schemas']['InlineStructuredOutput'];
export type ModelChoice = components['schemas']['ModelChoice'];
export type TransferTarget = components['schemas']['TransferTarget'];
export type StageCondition = components['schemas']['StageCondition'];
export type StageGlobal = components['schemas']['StageGlobal'];
export type StageAction = components['schemas']['StageAction'];
export type StageEdge = components['schemas']['StageEdge'];
export type FlowStage = components['schemas']['FlowStage'];
export type FlowLimits = components['schemas']['FlowLimits'];
export type FlowMemory = components['schemas']['FlowMemory'];
export type WorkingHours = components['schemas']['WorkingHours'];
export type HumanHandoff = components['schemas']['HumanHandoff'];
export type VoicemailConfig = components['schemas']['VoicemailConfig'];
export type TurnTaking = components['schemas']['TurnTaking'];
export type InlineFlow = components['schemas']['InlineFlow'];
export type RetryConfig = components['schemas']['RetryConfig'];
export type CallingWindowInput = components['schemas']['CallingWindowInput'];
export type PlaceCall = components['schemas']['PlaceCall'];
export type CallRef = components['schemas']['CallRef'];
export type Warning = components['schemas']['Warning'];
export type AnswerFinding = components['schemas']['AnswerFinding'];
export type CallAttempt = components['schemas']['CallAttempt'];
export type CallingWindow = components['schemas']['CallingWindow'];
export type Citation = components['schemas']['Citation'];
export type TurnLatency = components['schemas']['TurnLatency'];
export type TranscriptTurn = components['schemas']['TranscriptTurn'];
export type StageVisit = components['schemas']['StageVisit'];
export type FilledOutput = components['schemas']['FilledOutput'];
export type Cost = components['schemas']['Cost'];
export type OptOutReviewRef = components['schemas']['OptOutReviewRef'];
export type CallAlert = components['schemas']['CallAlert'];
export type CallRow = components['schemas']['CallRow'];
export type CallHistoryPage = components['schemas']['CallHistoryPage'];
export type RecordingPeaks = components['schemas']['RecordingPeaks'];
export type Supervision = components['schemas']['Supervision'];
export type Whisper = components['schemas']['Whisper'];
export type Whispered = components['schemas']['Whispered'];
export type SaidWords = components['schemas']['SaidWords'];
export type AcceptedWords = components['schemas']['AcceptedWords'];
export type EndedCall = components['schemas']['EndedCall'];
export type CompletionWebhookInput = components['schemas']['CompletionWebhookInput'];
export type CreateCallJob = components['schemas']['CreateCallJob'];
export type StoredRetryConfig = components['schemas']['StoredRetryConfig'];
export type CompletionWebhook = components['schemas']['CompletionWebhook'];
export type RowError = components['schemas']['RowError'];
export type CreatedCallJob = components['schemas']['CreatedCallJob'];
export type CallJob = components['schemas']['CallJob'];
export type CallJobPage = components['schemas']['CallJobPage'];
export type CallJobSummary = components['schemas']['CallJobSummary'];
export type CallRowPage = components['schemas']['CallRowPage'];
export type PatchCallJob = components['schemas']['PatchCallJob'];
export type AppendedRows = components['schemas']['AppendedRows'];
export type RetriedRows = components['schemas']['RetriedRows'];
export type FirstCall = components['schemas']['FirstCall'];
export type Preflight = components['schemas']['Preflight'];
export type CancelledCall = components['schemas']['CancelledCall'];
export type FieldResult = components['schemas']['FieldResult'];
export type Results = components['schemas']['Results'];
export type ResultCallsPage = components['schemas']['ResultCallsPage'];
export type ResultBoardFilters = components['schemas']['ResultBoardFilters'];
export type ResultBoard = components['schemas']['ResultBoard'];
export type ResultBoardInput = components['schemas']['ResultBoardInput'];
export type ResultBoardChange = components['schemas']['ResultBoardChange'];
export type LeadMapping = components['schemas']['LeadMapping'];
export type LeadSource = components['schemas']['LeadSource'];
export type LeadDelivery = components['schemas']['LeadDelivery'];
export type LeadDeliveryPage = components['schemas']['LeadDeliveryPage'];
export type LeadSourceInput = components['schemas']['LeadSourceInput'];
export type LeadSourceChange = components['schemas']['LeadSourceChange'];
export type LeadMappingSample = components['schemas']['LeadMappingSample'];
export type LeadPreview = components['schemas']['LeadPreview'];
export type LeadSample = components['schemas']['LeadSample'];
export type Flow = components['schemas']['Flow'];
export type FlowPage = components['schemas']['FlowPage'];
export type NewFlow = components['schemas']['NewFlow'];
export type FlowInput = components['schemas']['FlowInput'];
export type FlowDraft = components['schemas']['FlowDraft'];
export type FlowChange = components['schemas']['FlowChange'];
export type FlowChangePage = components['schemas']['FlowChangePage'];
export type FlowSplit = components['schemas']['FlowSplit'];
export type FlowEditing = components['schemas']['FlowEditing'];
export type FlowPublication = components['schemas']['FlowPublication'];
export type FlowVersionEntry = components['schemas']['FlowVersionEntry'];
export type FlowVersionPage = components['schemas']['FlowVersionPage'];
export type FlowVersionResult = components['schemas']['FlowVersionResult'];
export type FlowVersion = components['schemas']['FlowVersion'];
export type FlowRestoration = components['schemas']['FlowRestoration'];
export type FlowSplits = components['schemas']['FlowSplits'];
export type FlowSplitsInput = components['schemas']['FlowSplitsInput'];
export type StageFunnel = components['schemas']['StageFunnel'];
export type SuccessCondition = components['schemas']['SuccessCondition'];
export type FlowSuccess = components['schemas']['FlowSuccess'];
export type FlowSuccessInput = components['schemas']['FlowSuccessInput'];
export type ToolParameter = components['schemas']['ToolParameter'];
export type ToolReturnValue = components['schemas']['ToolReturnValue'];
export type ToolMessages = components['schemas']['ToolMessages'];
export type ToolExecutionStep = components['schemas']['ToolExecutionStep'];
export type ToolIntegration = components['schemas']['ToolIntegration'];
export type ToolCredentialLink = components['schemas']['ToolCredentialLink'];
export type ForwardCallConfig = components['schemas']['ForwardCallConfig'];
export type ToolMetaHint = components['schemas']['ToolMetaHint'];
export type ToolPrompt = components['schemas']['ToolPrompt'];
export type ToolResultCacheConfig = components['schemas']['ToolResultCacheConfig'];
export type ConcurrencyControlConfig = components['schemas']['ConcurrencyControlConfig'];
export type ToolMockConfig = components['schemas']['ToolMockConfig'];
export type PortableTool = components['schemas']['PortableTool'];
export type PortableStructuredOutput = components['schemas']['PortableStructuredOutput'];
export type RequiredSecret = components['schemas']['RequiredSecret'];
export type FlowDocument = components['schemas']['FlowDocument'];
export type FlowDocumentInput = components['schemas']['FlowDocumentInput'];
export type FlowImport = components['schemas']['FlowImport'];
export type FlowToApply = components['schemas']['FlowToApply'];
export type ToolToApply = components['schemas']['ToolToApply'];
export type StructuredOutputToApply = components['schemas']['StructuredOutputToApply'];
export type FlowsToApply = components['schemas']['FlowsToApply'];
export type AppliedFlow = components['schemas']['AppliedFlow'];
export type AppliedDefinition = components['schemas']['AppliedDefinition'];
export type FlowsApplied = components['schemas']['FlowsApplied'];
export type FlowPrompt = components['schemas']['FlowPrompt'];
export type ListedFlowTemplate = components['schemas']['ListedFlowTemplate'];
export type FlowTemplate = components['schemas']['FlowTemplate'];
export type ConfiguredModel = components['schemas']['ConfiguredModel'];
export type ConfiguredModelPage = components['schemas']['ConfiguredModelPage'];
export type ConfiguredModelInput = components['schemas']['ConfiguredModelInput'];
export type ConfiguredModelChange = components['schemas']['ConfiguredModelChange'];
export type ModelCheck = components['schemas']['ModelCheck'];
export type MessageTemplate = components['schemas']['MessageTemplate'];
export type ExternalOutboundChatRequest = components['schemas']['ExternalOutboundChatRequest'];
export type ChatSession = components['schemas']['ChatSession'];
export type ChatMessage = components['schemas']['ChatMessage'];
export type ChatReply = components['schemas']['ChatReply'];
export type ListedChatSession = components['schemas']['ListedChatSession'];
export type ChatSessionPage = components['schemas']['ChatSessionPage'];
export type ChatMessagePage = components['schemas']['ChatMessagePage'];
export type PostMessage = components['schemas']['PostMessage'];
export type InboundMessage = components['schemas']['InboundMessage'];
export type Contact = components['schemas']['Contact'];
export type ContactPage = components['schemas']['ContactPage'];
export type ContactTimelineEntry = components['schemas']['ContactTimelineEntry'];
export type ContactTimelinePage = components['schemas']['ContactTimelinePage'];
export type DoNotCallEntry = components['schemas']['DoNotCallEntry'];
export type DoNotCallPage = components['schemas']['DoNotCallPage'];
export type DoNotCallNumbers = components['schemas']['DoNotCallNumbers'];
export type DoNotCallAdded = components['schemas']['DoNotCallAdded'];
export type DoNotCallImport = components['schemas']['DoNotCallImport'];
export type DoNotCallImported = components['schemas']['DoNotCallImported'];
export type OptOutReview = components['schemas']['OptOutReview'];
export type OptOutReviewPage = components['schemas']['OptOutReviewPage'];
export type OptOutReviewDecision = components['schemas']['OptOutReviewDecision'];
export type Widget = components['schemas']['Widget'];
export type WidgetInput = components['schemas']['WidgetInput'];
export type WidgetChange = components['schemas']['WidgetChange'];
export type WebCallInput = components['schemas']['WebCallInput'];
export type WebCall = components['schemas']['WebCall'];
export type WebPhoneInput = components['schemas']['WebPhoneInput'];
export type NewWebPhone = components['schemas']['NewWebPhone'];
export type WebPhone = components['schemas']['WebPhone'];
export type ToolDefinition = components['schemas']['ToolDefinition'];
export type ToolDefinitionInput = components['schemas']['ToolDefinitionInput'];
export type ToolTask = components['schemas']['ToolTask'];
export type ToolTaskAnswer = components['schemas']['ToolTaskAnswer'];
export type ConnectionProvider = components['schemas']['ConnectionProvider'];
export type CustomProvider = components['schemas']['CustomProvider'];
export type Connection = components['schemas']['Connection'];
export type ConnectionInput = components['schemas']['ConnectionInput'];
export type ConnectionChange = components['schemas']['ConnectionChange'];
export type ConnectionRemoval = components['schemas']['ConnectionRemoval'];
export type ListedToolPack = components['schemas']['ListedToolPack'];
export type ToolPack = components['schemas']['ToolPack'];
export type ToolPackInstallationInput = components['schemas']['ToolPackInstallationInput'];
export type ToolPackInstallation = components['schemas']['ToolPackInstallation'];
export type Echo = components['schemas']['Echo'];
export type AsyncEchoAccepted = components['schemas']['AsyncEchoAccepted'];
export type StructuredOutput = components['schemas']['StructuredOutput'];
export type StructuredOutputInput = components['schemas']['StructuredOutputInput'];
export type StructuredOutputChange = components['schemas']['StructuredOutputChange'];
export type SipTrunk = components['schemas']['SipTrunk'];
export type PhoneNumberResponse = components['schemas']['PhoneNumberResponse'];
export type SipTrunkInput = components['schemas']['SipTrunkInput'];
export type CreatePhoneNumberRequest = components['schemas']['CreatePhoneNumberRequest'];
export type UpdatePhoneNumberRequest = components['schemas']['UpdatePhoneNumberRequest'];
export type Agent = components['schemas']['Agent'];
export type AgentPage = components['schemas']['AgentPage'];
export type AgentInput = components['schemas']['AgentInput'];
export type AgentChange = components['schemas']['AgentChange'];
export type KnowledgeBaseItemSummary = components['schemas']['KnowledgeBaseItemSummary'];
export type KnowledgeBaseItemPage = components['schemas']['KnowledgeBaseItemPage'];
export type NewKnowledgeBaseItem = components['schemas']['NewKnowledgeBaseItem'];
export type KnowledgeBaseItemDto = components['schemas']['KnowledgeBaseItemDto'];
export type ItemRequest = components['schemas']['ItemRequest'];
export type KnowledgeHit = components['schemas']['KnowledgeHit'];
export type KnowledgeSearchResults = components['schemas']['KnowledgeSearchResults'];
export type KnowledgeFile = components['schemas']['KnowledgeFile'];
export type Application = components['schemas']['Application'];
export type ApplicationPage = components['schemas']['ApplicationPage'];
export type ApplicationInput = components['schemas']['ApplicationInput'];
export type ApplicationChange = components['schemas']['ApplicationChange'];
export type ApplicationCustomer = components['schemas']['ApplicationCustomer'];
export type ApplicationCustomerPage = components['schemas']['ApplicationCustomerPage'];
export type ApplicationCustomerInput = components['schemas']['ApplicationCustomerInput'];
export type OwnedDataStore = components['schemas']['OwnedDataStore'];
export type OwnedDataStorePage = components['schemas']['OwnedDataStorePage'];
export type DataStore = components['schemas']['DataStore'];
export type DataStorePage = components['schemas']['DataStorePage'];
export type DataStoreInput = components['schemas']['DataStoreInput'];
export type DataStoreChange = components['schemas']['DataStoreChange'];
export type DataRecord = components['schemas']['DataRecord'];
export type DataRecordPage = components['schemas']['DataRecordPage'];
export type DataRecordInput = components['schemas']['DataRecordInput'];
export type MetadataField = components['schemas']['MetadataField'];
export type TranscriptionJob = components['schemas']['TranscriptionJob'];
export type TranscriptionJobPage = components['schemas']['TranscriptionJobPage'];
export type MetadataFieldInput = components['schemas']['MetadataFieldInput'];
export type CreateTranscriptionJob = components['schemas']['CreateTranscriptionJob'];
export type ChangeTranscriptionJob = components['schemas']['ChangeTranscriptionJob'];
export type RecordingInput = components['schemas']['RecordingInput'];
export type RecordingReceipt = components['schemas']['RecordingReceipt'];
export type RecordingForm = components['schemas']['RecordingForm'];
export type RecordingSummary = components['schemas']['RecordingSummary'];
export type RecordingPage = components['schemas']['RecordingPage'];
export type Recording = components['schemas']['Recording'];
export type SpreadsheetForm = components['schemas']['SpreadsheetForm'];
export type MetadataFieldList = components['schemas']['MetadataFieldList'];
export type Balance = components['schemas']['Balance'];
export type UsageEntry = components['schemas']['UsageEntry'];
export type UsagePage = components['schemas']['UsagePage'];
export type UsageSummary = components['schemas']['UsageSummary'];
export type Artifact = components['schemas']['Artifact'];
export type ArtifactSummary = components['schemas']['ArtifactSummary'];
export type ArtifactPage = components['schemas']['ArtifactPage'];
export type AutomationSchedule = components['schemas']['AutomationSchedule'];
export type ExportSettings = components['schemas']['ExportSettings'];
export type Automation = components['schemas']['Automation'];
export type AutomationPage = components['schemas']['AutomationPage'];
export type AutomationScheduleInput = components['schemas']['AutomationScheduleInput'];
export type ExportSettingsInput = components['schemas']['ExportSettingsInput'];
export type AutomationInput = components['schemas']['AutomationInput'];
export type AutomationChange = components['schemas']['AutomationChange'];
export type AutomationRun = components['schemas']['AutomationRun'];
export type AutomationRunPage = components['schemas']['AutomationRunPage'];
export type SessionWebhook = components['schemas']['SessionWebhook'];
export type SessionWebhookPage = components['schemas']['SessionWebhookPage'];
export type SessionWebhookInput = components['schemas']['SessionWebhookInput'];
export type SessionWebhookChange = components['schemas']['SessionWebhookChange'];
export type WebhookEventEntry = components['schemas']['WebhookEventEntry'];
export type WebhookEvents = components['schemas']['WebhookEvents'];
export type WebhookInspector = components['schemas']['WebhookInspector'];
export type SimulationInput = components['schemas']['SimulationInput'];
export type Simulation = components['schemas']['Simulation'];
export type SimulationEntry = components['schemas']['SimulationEntry'];
export type SimulationPage = components['schemas']['SimulationPage'];
export type SimulationSource = components['schemas']['SimulationSource'];
export type Persona = components['schemas']['Persona'];
export type ReplayInput = components['schemas']['ReplayInput'];
export type SuiteProposal = components['schemas']['SuiteProposal'];
export type PopulationPart = components['schemas']['PopulationPart'];
export type RehearsalInput = components['schemas']['RehearsalInput'];
export type Forecast = components['schemas']['Forecast'];
export type CallJobCompleted = components['schemas']['CallJobCompleted'];
export type WebhookSession = components['schemas']['WebhookSession'];
export type SessionStarted = components['schemas']['SessionStarted'];
export type MessageCreated = components['schemas']['MessageCreated'];
export type HumanRequested = components['schemas']['HumanRequested'];
export type CallAlerted = components['schemas']['CallAlerted'];
export type SessionEnded = components['schemas']['SessionEnded'];
export type CallsRecordingQuery = components['schemas']['CallsRecordingQuery'];
export type CallsRecordingPeaksQuery = components['schemas']['CallsRecordingPeaksQuery'];
export type CallHistoryListQuery = components['schemas']['CallHistoryListQuery'];
export type JobsCreateQuery = components['schemas']['JobsCreateQuery'];
export type JobsListQuery = components['schemas']['JobsListQuery'];
export type JobsRowsQuery = components['schemas']['JobsRowsQuery'];
export type JobsAddRowsBody = components['schemas']['JobsAddRowsBody'];
export type JobsRowErrorsQuery = components['schemas']['JobsRowErrorsQuery'];
export type JobsRowErrorsReply = components['schemas']['JobsRowErrorsReply'];
export type JobsRetryFailedQuery = components['schemas']['JobsRetryFailedQuery'];
export type JobsPreflightBody = components['schemas']['JobsPreflightBody'];
export type ResultsGetQuery = components['schemas']['ResultsGetQuery'];
export type ResultsCsvQuery = components['schemas']['ResultsCsvQuery'];
export type ResultsCallsQuery = components['schemas']['ResultsCallsQuery'];
export type ResultsUpdateBoardQuery = components['schemas']['ResultsUpdateBoardQuery'];
export type LeadSourcesUpdateQuery = components['schemas']['LeadSourcesUpdateQuery'];
export type LeadSourcesDeliveriesQuery = components['schemas']['LeadSourcesDeliveriesQuery'];
export type FlowsListQuery = components['schemas']['FlowsListQuery'];
export type FlowsUpdateQuery = components['schemas']['FlowsUpdateQuery'];
export type FlowsChangesQuery = components['schemas']['FlowsChangesQuery'];
export type FlowsUpdateDraftQuery = components['schemas']['FlowsUpdateDraftQuery'];
export type FlowsPublishQuery = components['schemas']['FlowsPublishQuery'];
export type FlowsVersionsQuery = components['schemas']['FlowsVersionsQuery'];
export type FlowsVersionResultsQuery = components['schemas']['FlowsVersionResultsQuery'];
export type FlowsPromptQuery = components['schemas']['FlowsPromptQuery'];
export type FlowsStageFunnelQuery = components['schemas']['FlowsStageFunnelQuery'];
export type FlowsExportQuery = components['schemas']['FlowsExportQuery'];
export type ModelsListQuery = components['schemas']['ModelsListQuery'];
export type ModelsUpdateQuery = components['schemas']['ModelsUpdateQuery'];
export type ChatsListQuery = components['schemas']['ChatsListQuery'];
export type ChatsMessagesQuery = components['schemas']['ChatsMessagesQuery'];
export type ChatsTakeOverQuery = components['schemas']['ChatsTakeOverQuery'];
export type ChatsEventStreamQuery = components['schemas']['ChatsEventStreamQuery'];
export type ContactsListQuery = components['schemas']['ContactsListQuery'];
export type ContactsTimelineQuery = components['schemas']['ContactsTimelineQuery'];
export type DoNotCallListQuery = components['schemas']['DoNotCallListQuery'];
export type DoNotCallRemoveQuery = components['schemas']['DoNotCallRemoveQuery'];
export type OptOutReviewsListQuery = components['schemas']['OptOutReviewsListQuery'];
export type WidgetsUpdateQuery = components['schemas']['WidgetsUpdateQuery'];
export type ToolsAnswerTaskReply = components['schemas']['ToolsAnswerTaskReply'];
export type ConnectionsUpdateQuery = components['schemas']['ConnectionsUpdateQuery'];
export type TestEndpointsGetAsyncEchoQuery = components['schemas']['TestEndpointsGetAsyncEchoQuery'];
export type TestEndpointsPostAsyncEchoQuery = components['schemas']['TestEndpointsPostAsyncEchoQuery'];
export type TestEndpointsPutAsyncEchoQuery = components['schemas']['TestEndpointsPutAsyncEchoQuery'];
export type TestEndpointsPatchAsyncEchoQuery = components['schemas']['TestEndpointsPatchAsyncEchoQuery'];
export type TestEndpointsDeleteAsyncEchoQuery = components['schemas']['TestEndpointsDeleteAsyncEchoQuery'];
export type StructuredOutputsUpdateQuery = components['schemas']['StructuredOutputsUpdateQuery'];
export type PhoneNumbersUpdateQuery = components['schemas']['PhoneNumbersUpdateQuery'];
export type AgentsListQuery = components['schemas']['AgentsListQuery'];
export type AgentsUpdateQuery = components['schemas']['AgentsUpdateQuery'];
export type KnowledgeBaseListQuery = components['schemas']['KnowledgeBaseListQuery'];
export type KnowledgeBaseUpdateQuery = components['schemas']['KnowledgeBaseUpdateQuery'];
export type KnowledgeBaseSearchQuery = components['schemas']['KnowledgeBaseSearchQuery'];
export type KnowledgeBaseUploadFileBody = components['schemas']['KnowledgeBaseUploadFileBody'];
export type ApplicationsListQuery = components['schemas']['ApplicationsListQuery'];
export type ApplicationsUpdateQuery = components['schemas']['ApplicationsUpdateQuery'];
export type CustomersListQuery = components['schemas']['CustomersListQuery'];
export type CustomersUpdateQuery = components['schemas']['CustomersUpdateQuery'];
export type DataStoresListAllQuery = components['schemas']['DataStoresListAllQuery'];
export type DataStoresListQuery = components['schemas']['DataStoresListQuery'];
export type DataStoresUpdateQuery = components['schemas']['DataStoresUpdateQuery'];
export type RecordsListQuery = components['schemas']['RecordsListQuery'];
export type RecordsUpdateQuery = components['schemas']['RecordsUpdateQuery'];
export type TranscriptionsListQuery = components['schemas']['TranscriptionsListQuery'];
export type TranscriptionsUpdateQuery = components['schemas']['TranscriptionsUpdateQuery'];
export type TranscriptionsRecordingsQuery = components['schemas']['TranscriptionsRecordingsQuery'];
export type TranscriptionsMetadataFieldsQuery = components['schemas']['TranscriptionsMetadataFieldsQuery'];
export type BillingUsageQuery = components['schemas']['BillingUsageQuery'];
export type BillingUsageSummaryQuery = components['schemas']['BillingUsageSummaryQuery'];
export type AutomationsListQuery = components['schemas']['AutomationsListQuery'];
export type AutomationsUpdateQuery = components['schemas']['AutomationsUpdateQuery'];
export type AutomationsRunQuery = components['schemas']['AutomationsRunQuery'];
export type AutomationsRunsQuery = components['schemas']['AutomationsRunsQuery'];
export type AutomationsArtifactsQuery = components['schemas']['AutomationsArtifactsQuery'];
export type SessionWebhooksListQuery = components['schemas']['SessionWebhooksListQuery'];
export type SessionWebhooksUpdateQuery = components['schemas']['SessionWebhooksUpdateQuery'];
export type SessionWebhooksEventsQuery = components['schemas']['SessionWebhooksEventsQuery'];
export type SimulationsListQuery = components['schemas']['SimulationsListQuery'];
export type SimulationsGetQuery = components['schemas']['SimulationsGetQuery'];
export type SimulationsFromSentenceBody = components['schemas']['SimulationsFromSentenceBody'];
