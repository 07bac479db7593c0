"""Names of the SDK's methods, where the rule of operation_source.py does not give the best one."""

# Operations that are no part of the SDK: sign-in (the client does it), discovery, echoes, callbacks and streams.
LEFT_OUT = (
    "/api/oauth/",
    "/.well-known/",
    "/metadata/fields",
    "/api/external/v1/test/",
    "/api/webhooks/",
    "/api/external/v1/chat-sessions/{id}/events",
)

# Paths below the prefix and the resource that has their operations; the longest that fits counts.
RESOURCES = {
    "outbound/calls": "calls",
    "outbound/chats": "chats",
    "call-rows": "calls",
    "call-jobs": "jobs",
    "chat-sessions": "chats",
    "transcriptions/jobs": "transcriptions",
    "metadata/fields": "metadata_fields",
}

# Methods by operation, as RESOURCE.METHOD.
METHODS = {
    "postCallRowsRowIdSimulation": "simulations.from_call",
    "postSimulations": "simulations.start",
    "postSimulationsReplays": "simulations.replay",
    "postSimulationsRehearsals": "simulations.rehearse",
    "getPersonas": "simulations.personas",
    "postChatSessionsIdMessages": "chats.send_message",
    "postChatSessionsInboundMessages": "chats.receive_message",
    "postCallJobsJobIdRows": "jobs.add_rows",
    "postCallJobsPreflight": "jobs.preflight",
    "postLeadSourcesPreview": "lead_sources.preview_mapping",
    "previewLeadSource": "lead_sources.preview",
    "preflightCallJobById": "jobs.preflight_waiting",
    "postFlowsFlowIdVersionsVersionRestore": "flows.restore_version",
    "getFlowsFlowIdVersionsResults": "flows.version_results",
    "getWebhookEvents": "session_webhooks.events",
    "getWebhookInspectorAddress": "session_webhooks.inspector",
    "postModelsModelIdCheck": "models.check",
    "postDoNotCall": "do_not_call.add",
    "deleteDoNotCallNumber": "do_not_call.remove",
    "postOptOutReviewsReviewIdDecision": "opt_out_reviews.decide",
    "postContactsIdOptOut": "contacts.opt_out",
    "deleteContactsIdOptOut": "contacts.withdraw_opt_out",
    "postAgentsAgentIdKnowledgeBaseItems": "agents.create_item",
    "getAgentsAgentIdKnowledgeBaseItems": "agents.items",
    "getAgentsAgentIdKnowledgeBaseItemsItemId": "agents.item",
    "putAgentsAgentIdKnowledgeBaseItemsItemId": "agents.update_item",
    "deleteAgentsAgentIdKnowledgeBaseItemsItemId": "agents.delete_item",
    "postAgentsAgentIdKnowledgeBaseItemsItemIdReindex": "agents.reindex_item",
    "getAgentsAgentIdKnowledgeBaseSearch": "agents.search",
    "postAgentsAgentIdKnowledgeBaseFiles": "agents.upload_file",
    "postApplicationsAppIdStores": "applications.create_store",
    "getApplicationsAppIdStoresStoreKey": "applications.records",
    "postApplicationsAppIdStoresStoreKey": "applications.create_record",
    "getApplicationsAppIdStoresStoreKeyRecordId": "applications.record",
    "putApplicationsAppIdStoresStoreKeyRecordId": "applications.update_record",
    "deleteApplicationsAppIdStoresStoreKeyRecordId": "applications.delete_record",
    "postTranscriptionsJobsJobIdRecordings": "transcriptions.add_recording",
    "postTranscriptionsJobsJobIdRecordingsUpload": "transcriptions.upload_recording",
    "getTranscriptionsJobsJobIdRecordingsRowIdAudio": "transcriptions.recording_audio",
    "postTranscriptionsJobsJobIdSpreadsheet": "transcriptions.upload_spreadsheet",
    "getBalance": "balance.get",
    "getCallRowsRowIdRecordingPeaks": "calls.recording_peaks",
}
