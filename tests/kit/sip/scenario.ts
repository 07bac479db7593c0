/** One step of a sipp scenario. */
export type Step = string;

/** Contents of a sipp response besides the usual ones. */
interface Said {
  reason?: string;
  headers?: string[];
  /** Offers audio: the direction, or true for both ways. */
  sdp?: boolean | "sendonly" | "sendrecv" | "inactive";
  /** Appended to To; "" where To has a tag already. */
  tag?: string;
  /** True when sipp repeats it until the next message arrives. */
  repeats?: boolean;
  /** Percentage of copies that sipp drops before they are sent. */
  lost?: number;
}

/** Tag that sipp appends to To. */
export const TAG = ";tag=[pid]far[call_number]";
/** Branch of the INVITE, which its CANCEL and the ACK of its refusal repeat. */
const OWN_BRANCH = "z9hG4bK[pid]own[call_number]";
const CONTACT = "Contact: <sip:[local_ip]:[local_port];transport=[transport]>";

/** Returns a scenario in sipp's own language. */
export function writeScenario(steps: Step[]): string {
  const head = '<?xml version="1.0" encoding="ISO-8859-1" ?>\n<!DOCTYPE scenario SYSTEM "sipp.dtd">';
  return `${head}\n<scenario name="parley">\n${steps.join("\n")}\n</scenario>\n`;
}

/** Waits for a request. `must`: pattern that it has to match, logged; `auth`: credentials that it has to prove. */
export function hear(
  method: string,
  options: { must?: string; optional?: boolean; lost?: number; auth?: string } = {},
): Step {
  const attributes = [
    ...(options.optional ? [' optional="true"'] : []),
    ...(options.lost ? [` lost="${options.lost}"`] : []),
  ];
  const checks = options.must
    ? `<ereg regexp="${escape(options.must)}" search_in="msg" check_it="true" assign_to="found"/><log message="[$found]"/>`
    : "";
  const auth = options.auth ? `<verifyauth assign_to="isRight" ${options.auth}/>` : "";
  const inside = checks + auth === "" ? "" : `<action>${checks}${auth}</action>`;
  return `<recv request="${method}" crlf="true"${attributes.join("")}>${inside}</recv>`;
}

/** Waits for a response; `must`: pattern that it has to match. */
export function hearStatus(status: number, must?: string, optional = false): Step {
  if (must === undefined) return `<recv response="${status}" crlf="true"${optional ? ' optional="true"' : ""}/>`;
  const check = `<ereg regexp="${escape(must)}" search_in="msg" check_it="true" assign_to="found"/><log message="[$found]"/>`;
  return `<recv response="${status}" crlf="true"><action>${check}</action></recv>`;
}

/** Waits for an INVITE, and keeps the headers that its answers repeat although a CANCEL comes in between. */
export function keepInvite(): Step[] {
  const keep = (header: string, name: string): string =>
    `<ereg regexp=".*" search_in="hdr" header="${header}:" assign_to="${name}"/>`;
  return [
    `<recv request="INVITE" crlf="true"><action>${keep("Via", "via")}${keep("From", "from")}${keep("To", "to")}${keep("CSeq", "cseq")}</action></recv>`,
  ];
}

/** Answers the INVITE that was kept, because it is not the last request. */
export function answerInvite(status = 200): Step {
  const lines = [
    `SIP/2.0 ${status} Said`,
    "Via:[$via]",
    "From:[$from]",
    `To:[$to]${TAG}`,
    "[last_Call-ID:]",
    "CSeq:[$cseq]",
    CONTACT,
  ];
  return write(' retrans="500"', lines, status < 300);
}

/** Refuses the INVITE after its CANCEL, whose headers differ only in the method. */
export function refuseInvite(status: number): Step[] {
  const lines = [
    `SIP/2.0 ${status} Said`,
    "[last_Via:]",
    "[last_From:]",
    `[last_To:]${TAG}`,
    "[last_Call-ID:]",
    "CSeq: 1 INVITE",
  ];
  return [write(' retrans="500"', lines, false)];
}

/** Returns the headers and body of a NOTIFY of a referral. */
export function notify(status: string, state: string): { headers: string[]; body: string } {
  const headers = ["Event: refer", `Subscription-State: ${state}`, "Content-Type: message/sipfrag;version=2.0"];
  return { headers, body: `SIP/2.0 ${status}` };
}

/** Answers the last request. */
export function say(status: number, said: Said = {}): Step {
  const { reason = "Said", headers = [], sdp = false, tag = TAG, repeats = false, lost = 0 } = said;
  const attributes = `${repeats ? ' retrans="500"' : ""}${lost ? ` lost="${lost}"` : ""}`;
  const lines = [
    `SIP/2.0 ${status} ${reason}`,
    "[last_Via:]",
    "[last_From:]",
    `[last_To:]${status === 100 ? "" : tag}`,
    "[last_Call-ID:]",
    "[last_CSeq:]",
    ...(status > 100 && status < 300 ? [CONTACT] : []),
    ...headers,
  ];
  return write(attributes, lines, sdp);
}

/** Sends a request within the call whose INVITE sipp has answered. */
export function ask(
  method: string,
  sequence: number,
  options: { headers?: string[]; sdp?: Said["sdp"]; body?: string } = {},
): Step {
  const lines = [
    `${method} [next_url] SIP/2.0`,
    "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]",
    `From: <sip:far@[local_ip]>${TAG}`,
    "To:[$caller]",
    "[last_Call-ID:]",
    `CSeq: ${sequence} ${method}`,
    CONTACT,
    "Max-Forwards: 70",
    ...(options.headers ?? []),
  ];
  const repeats = method === "ACK" ? "" : ' retrans="500"';
  return write(repeats, lines, options.sdp ?? false, options.body);
}

/** Keeps the From header of the received request, for `ask`. */
export function hearCaller(): Step {
  return `<recv request="INVITE" rrs="true" crlf="true"><action><ereg regexp=".*" search_in="hdr" header="From:" assign_to="caller"/></action></recv>`;
}

/** Waits. */
export function wait(ms: number): Step {
  return `<pause milliseconds="${ms}"/>`;
}

/** Uses variables that nothing else reads, because sipp treats them as an error. */
export function reference(...names: string[]): Step {
  return `<Reference variables="${names.join(",")}"/>`;
}

function write(attributes: string, lines: string[], sdp: Said["sdp"], body?: string): Step {
  const direction = typeof sdp === "string" ? [`a=${sdp}`] : [];
  const audio = [
    "v=0",
    "o=far 1 [call_number] IN IP[local_ip_type] [local_ip]",
    "s=-",
    "c=IN IP[media_ip_type] [media_ip]",
    "t=0 0",
    "m=audio [media_port] RTP/AVP 0 101",
    "a=rtpmap:0 PCMU/8000",
    "a=rtpmap:101 telephone-event/8000",
    ...direction,
  ];
  const content = sdp ? audio : body === undefined ? [] : [body];
  const type = sdp ? ["Content-Type: application/sdp"] : [];
  const text = [...lines, ...type, "Content-Length: [len]", "", ...content, ""].map((line) => `  ${line}`).join("\n");
  return `<send${attributes}><![CDATA[\n${text}\n]]></send>`;
}

/** Sends a request that begins a call, or cancels it. */
export function askAnew(method: "INVITE" | "CANCEL", options: { headers?: string[]; sdp?: boolean } = {}): Step {
  const lines = [
    `${method} sip:[service]@[remote_ip]:[remote_port] SIP/2.0`,
    `Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=${OWN_BRANCH}`,
    "From: <sip:far@[local_ip]>;tag=[pid]far[call_number]",
    "To: <sip:[service]@[remote_ip]>",
    "Call-ID: [call_id]",
    `CSeq: 1 ${method}`,
    ...(method === "INVITE" ? [CONTACT] : []),
    "Max-Forwards: 70",
    ...(options.headers ?? []),
  ];
  return write(' retrans="500"', lines, options.sdp ?? false);
}

/** Waits for the answer to the call, and keeps its target for later requests. */
export function keepAnswer(): Step[] {
  const keep = `<ereg regexp=".*" search_in="hdr" header="To:" assign_to="callee"/>`;
  return [`<recv response="200" rrs="true" crlf="true"><action>${keep}</action></recv>`];
}

/** Waits for a refusal, and keeps its To header. */
export function hearFinal(status: number): Step {
  return `<recv response="${status}" crlf="true"><action><ereg regexp=".*" search_in="hdr" header="To:" assign_to="callee"/></action></recv>`;
}

/** Acknowledges the final response that was kept. */
export function sendAck(isRefusal = false): Step {
  const branch = isRefusal ? OWN_BRANCH : "[branch]";
  return write("", inCall("ACK", 1, branch, isRefusal), false);
}

/** Hangs up. */
export function sendBye(): Step {
  return write(' retrans="500"', inCall("BYE", 2, "[branch]", false), false);
}

function inCall(method: string, sequence: number, branch: string, isRefusal: boolean): string[] {
  return [
    `${method} ${isRefusal ? "sip:[service]@[remote_ip]:[remote_port]" : "[next_url]"} SIP/2.0`,
    `Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=${branch}`,
    "From: <sip:far@[local_ip]>;tag=[pid]far[call_number]",
    "To:[$callee]",
    "Call-ID: [call_id]",
    `CSeq: ${sequence} ${method}`,
    "Max-Forwards: 70",
  ];
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
