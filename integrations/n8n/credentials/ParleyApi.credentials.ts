import type { ICredentialType, INodeProperties } from "n8n-workflow";

/** Address of a Parley server and a key of one workspace. */
export class ParleyApi implements ICredentialType {
  name = "parleyApi";
  displayName = "Parley API";
  icon = "file:../icons/parley.svg" as const;
  properties: INodeProperties[] = [
    {
      displayName: "Server",
      name: "baseUrl",
      type: "string",
      default: "",
      placeholder: "https://calls.example.com",
      required: true,
    },
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      default: "",
      required: true,
    },
  ];
  authenticate = { type: "generic" as const, properties: { headers: { "X-API-Key": "={{$credentials.apiKey}}" } } };
  test = {
    request: { baseURL: "={{$credentials.baseUrl}}", url: "/api/external/v1/flows", qs: { size: 1 } },
  };
}
