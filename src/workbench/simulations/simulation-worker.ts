import { runConversation } from "./judged-conversation.ts";
import { serveConversations } from "./worker-protocol.ts";

serveConversations(runConversation);
