-- What a flow grants its session is called flowGrants in the stored plans of chats that are still open.
update chat_sessions
   set plan = ((plan::jsonb - 'reach') || jsonb_build_object('flowGrants', plan::jsonb -> 'reach'))::json
 where status <> 'CLOSED' and plan::jsonb ? 'reach';
