import type {
  IDataObject,
  IHookFunctions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from "n8n-workflow";
import { request } from "../../shared/request";
import { isSigned, noteNew } from "../../shared/verify";

const PATH = "/session-webhooks";

/** Node that starts a workflow when a call or chat starts, ends, or somebody asks for a human. */
export class ParleyTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Parley Trigger",
    name: "parleyTrigger",
    icon: "file:../../icons/parley.svg",
    group: ["trigger"],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: "Starts a workflow on events of calls and chats",
    defaults: { name: "Parley Trigger" },
    inputs: [],
    outputs: ["main"],
    credentials: [{ name: "parleyApi", required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" }],
    properties: [
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        required: true,
        default: ["session.ended"],
        options: [
          { name: "A Call or Chat Ends", value: "session.ended" },
          { name: "A Call or Chat Starts", value: "session.started" },
          { name: "A Live Call Needs a Look", value: "call.alert" },
          { name: "Somebody Asks for a Human", value: "session.human_requested" },
          { name: "Something Is Said or Written", value: "message.created" },
        ],
      },
      {
        displayName: "Flow",
        name: "flow",
        type: "string",
        default: "",
        description: "ID or API ID of a flow whose events are wanted; those of every flow when empty",
      },
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { webhookId, signingSecret } = this.getWorkflowStaticData("node");
        if (typeof webhookId !== "string" || typeof signingSecret !== "string") return false;
        try {
          const { url } = await request(this, { method: "GET", path: `${PATH}/${webhookId}` });
          return url === this.getNodeWebhookUrl("default");
        } catch {
          return false;
        }
      },
      async create(this: IHookFunctions): Promise<boolean> {
        const flowId = String(this.getNodeParameter("flow", "")).trim() || null;
        const body = { url: this.getNodeWebhookUrl("default"), events: this.getNodeParameter("events"), flowId };
        const made = await request(this, { method: "POST", path: PATH, body: body as IDataObject });
        Object.assign(this.getWorkflowStaticData("node"), { webhookId: made.id, signingSecret: made.signingSecret });
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        const data = this.getWorkflowStaticData("node");
        try {
          await request(this, { method: "DELETE", path: `${PATH}/${String(data.webhookId)}` });
        } catch {
          return false;
        }
        delete data.webhookId;
        delete data.signingSecret;
        return true;
      },
    },
  };

  /** Starts the workflow for a signed, fresh event that did not come before. */
  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const data = this.getWorkflowStaticData("node");
    const { rawBody } = this.getRequestObject();
    const secret = typeof data.signingSecret === "string" ? data.signingSecret : "";
    if (!isSigned(this.getHeaderData(), rawBody, secret)) {
      this.getResponseObject().status(401).json({ message: "The signature is wrong or old." });
      return { noWebhookResponse: true };
    }
    const event = JSON.parse(rawBody.toString("utf8")) as IDataObject;
    if (!noteNew(data, String(event.eventId))) return {};
    return { workflowData: [[{ json: event }]] } as IWebhookResponseData;
  }
}
