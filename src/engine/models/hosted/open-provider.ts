import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { WebFetch } from "#src/platform/http/web-fetch.ts";
import { changeBody } from "./request-body.ts";
import type { RequestTraits } from "./request-traits.ts";
import type { ModelProvider } from "./vendors.ts";

/** Account and model at a provider. */
export interface ProviderAccount {
  provider: ModelProvider;
  baseUrl: string;
  /** Null for self-hosted servers without a key. */
  apiKey: string | null;
  /** The provider's name of the model; at Azure that of the deployment. */
  model: string;
  /** Amazon Bedrock: region that requests are signed for. */
  region: string | null;
  /** Amazon Bedrock: `apiKey` is the secret of this access key. Null: it is a Bedrock API key. */
  accessKeyId: string | null;
  /** Sent with each request, beside the provider's own. */
  headers: Record<string, string>;
  /** Members of each request's body, beside the provider's own. Amazon Bedrock gets them elsewhere. */
  extraBody: Record<string, unknown>;
}

/**
 * Loads the provider's library when its first model is opened, so that a start does not pay for it. Every library gets
 * a key, even where there is none: without one it would read the operator's environment.
 */
export async function openProvider(
  account: ProviderAccount,
  outbound: WebFetch,
  traits: RequestTraits | null,
): Promise<LanguageModelV4> {
  const { provider, baseUrl: baseURL, apiKey, model, headers } = account;
  const fetch = changeBody(outbound, account.extraBody, traits);
  const common = { baseURL, headers, fetch, apiKey: apiKey ?? "none" };
  switch (provider) {
    case "OPENAI_COMPATIBLE": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const { apiKey: _, ...withoutKey } = common;
      return createOpenAICompatible({
        name: "openai-compatible",
        ...withoutKey,
        includeUsage: true,
        supportsStructuredOutputs: true,
        ...(apiKey === null ? {} : { apiKey }),
      }).chatModel(model);
    }
    case "ANTHROPIC": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic(common).chat(model);
    }
    case "GOOGLE": {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle(common).chat(model);
    }
    case "AZURE_OPENAI": {
      const { createAzure } = await import("@ai-sdk/azure");
      return createAzure(common).chat(model);
    }
    case "AMAZON_BEDROCK":
      return openBedrock(account, outbound);
  }
}

async function openBedrock(account: ProviderAccount, fetch: WebFetch): Promise<LanguageModelV4> {
  const { baseUrl: baseURL, apiKey, accessKeyId, headers, model } = account;
  const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
  const common = { baseURL, headers, fetch, region: account.region ?? "us-east-1" };
  if (accessKeyId === null) return createAmazonBedrock({ ...common, apiKey: apiKey ?? "none" })(model);
  const secretAccessKey = apiKey ?? "none";
  // An empty API key stands for none, where undefined would stand for the operator's.
  return createAmazonBedrock({
    ...common,
    apiKey: "",
    credentialProvider: async () => ({ accessKeyId, secretAccessKey }),
  })(model);
}
