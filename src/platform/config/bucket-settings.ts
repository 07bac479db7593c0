import { ConfigError, type Environment, readBaseUrl, readFlag } from "./environment.ts";

/** A bucket of an S3-compatible store. */
export interface BucketSettings {
  /** As it was configured: s3://BUCKET/PREFIX. */
  name: string;
  /** Address below which its objects are. */
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const NAME = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/([\w./-]*))?$/;

/** Reads the bucket of recordings; undefined when they stay in their folder. */
export function readRecordingBucket(env: Environment): BucketSettings | undefined {
  const name = env.RECORDINGS_STORE;
  if (!name) return undefined;
  const [, bucket, prefix = ""] = NAME.exec(name) ?? [];
  if (bucket === undefined || /(^|\/)\.{1,2}(\/|$)|\/\//.test(prefix)) {
    throw new ConfigError(`RECORDINGS_STORE must be s3://BUCKET or s3://BUCKET/PREFIX, not "${name}".`);
  }
  const region = env.S3_REGION || env.AWS_REGION || "us-east-1";
  const origin = readBaseUrl(env.S3_ENDPOINT, "S3_ENDPOINT", `https://s3.${region}.amazonaws.com`);
  // A store of one's own rarely has a host name for each bucket; Amazon's does, and asks for it.
  const hasPath = env.S3_PATH_STYLE ? readFlag(env, "S3_PATH_STYLE") : Boolean(env.S3_ENDPOINT);
  const base = hasPath ? `${origin}/${bucket}` : origin.replace("://", `://${bucket}.`);
  return {
    name,
    url: `${base}/${prefix}`.replace(/\/+$/, ""),
    region,
    accessKeyId: readKey(env, "S3_ACCESS_KEY_ID", env.AWS_ACCESS_KEY_ID),
    secretAccessKey: readKey(env, "S3_SECRET_ACCESS_KEY", env.AWS_SECRET_ACCESS_KEY),
  };
}

function readKey(env: Environment, name: string, standard: string | undefined): string {
  const key = env[name] || standard;
  if (!key) throw new ConfigError(`RECORDINGS_STORE needs ${name} (or ${name.replace("S3", "AWS")}).`);
  return key;
}
