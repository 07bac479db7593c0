/**
 * The part of n8n's types that these nodes use, so that they compile without n8n. `npm run types` checks them against
 * n8n's own.
 */
declare module "n8n-workflow" {
  export type IDataObject = Record<string, unknown>;
  export interface INodeExecutionData {
    json: IDataObject;
    pairedItem?: { item: number };
  }
  export interface IHttpRequestOptions {
    url: string;
    method?: "GET" | "POST" | "DELETE";
    headers?: IDataObject;
    qs?: IDataObject;
    body?: IDataObject;
    json?: boolean;
    timeout?: number;
  }
  export interface INode {
    id: string;
    name: string;
  }
  interface IBaseFunctions {
    getCredentials(name: string): Promise<IDataObject>;
    getNode(): INode;
    helpers: {
      httpRequestWithAuthentication(this: unknown, name: string, options: IHttpRequestOptions): Promise<unknown>;
    };
  }
  export interface IExecuteFunctions extends IBaseFunctions {
    getInputData(): INodeExecutionData[];
    getNodeParameter(name: string, item: number, fallback?: unknown): unknown;
    getExecutionId(): string;
    getInstanceId(): string;
    getWorkflowDataProxy(item: number): { $runIndex: number };
    continueOnFail(): boolean;
  }
  export interface IHookFunctions extends IBaseFunctions {
    getNodeWebhookUrl(name: "default"): string | undefined;
    getNodeParameter(name: string, fallback?: unknown): unknown;
    getWorkflowStaticData(type: string): IDataObject;
  }
  export interface IWebhookFunctions extends IBaseFunctions {
    getWorkflowStaticData(type: string): IDataObject;
    getHeaderData(): Record<string, string | string[] | undefined>;
    getRequestObject(): { rawBody: Buffer };
    getResponseObject(): { status(code: number): { json(body: object): unknown } };
  }
  export interface IWebhookResponseData {
    workflowData?: INodeExecutionData[][];
    noWebhookResponse?: boolean;
  }
  export interface INodeProperties {
    displayName: string;
    name: string;
    type: "string" | "options" | "json" | "number" | "boolean" | "multiOptions";
    default: string | number | boolean | string[];
    description?: string;
    placeholder?: string;
    required?: boolean;
    noDataExpression?: boolean;
    typeOptions?: { password?: boolean; minValue?: number };
    options?: { name: string; value: string; action?: string; description?: string }[];
    displayOptions?: { show: Record<string, string[]> };
  }
  export interface INodeTypeDescription {
    displayName: string;
    name: string;
    icon: "file:../../icons/parley.svg";
    group: ("transform" | "trigger")[];
    version: number;
    subtitle?: string;
    description: string;
    defaults: { name: string };
    inputs: "main"[];
    outputs: "main"[];
    usableAsTool?: true;
    credentials: { name: string; required: boolean }[];
    webhooks?: { name: "default"; httpMethod: "POST"; responseMode: string; path: string }[];
    properties: INodeProperties[];
  }
  export interface INodeType {
    description: INodeTypeDescription;
  }
  export interface ICredentialType {
    name: string;
  }
}
