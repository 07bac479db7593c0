import { send } from "./request";
import type { Bundle, ZObject } from "./zapier";

/** Sign-in by the address of a Parley server and an API key of one workspace. */
export const authentication = {
  type: "custom",
  test: (z: ZObject, bundle: Bundle) => send(z, bundle, { path: "/flows", params: { size: 1 } }),
  connectionLabel: "{{bundle.authData.baseUrl}}",
  fields: [
    {
      key: "baseUrl",
      label: "Server",
      type: "string",
      required: true,
      placeholder: "https://calls.example.com",
      helpText: "Address of your Parley server, as a browser opens it.",
    },
    {
      key: "apiKey",
      label: "API Key",
      type: "password",
      required: true,
      helpText: "Made in Parley's dashboard under Developers. It needs FLOWS_READ, and the permission of each step.",
    },
  ],
};
