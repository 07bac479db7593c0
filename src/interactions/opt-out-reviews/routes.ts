import type { Executor } from "#src/platform/db/database.ts";
import { pageOf, pageQuery, readPage, toPage } from "#src/platform/http/paging.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { E164, nullable, oneOf, Type, Uuid } from "#src/platform/http/schemas.ts";
import { actorBehind } from "#src/tenancy/audit/actor.ts";
import { OPT_OUT_REVIEW_STATES } from "#src/tenancy/compliance/opt-out-hold.ts";
import { DECISIONS, decideReview, getReview, OptOutReview, toReview } from "./opt-out-reviews.ts";
import { countReviews, listReviews } from "./store.ts";

const PATH = "/api/external/v1/opt-out-reviews";
const READ = ["CALL_JOBS_READ"];
const WRITE = ["CALL_JOBS_WRITE"];
const common = { audience: "external", tag: "Do-not-call" } as const;
const params = Type.Object({ reviewId: Uuid });

/** Routes of opt-out reviews: list, read, decide; all extensions. */
export function optOutReviewRoutes(db: Executor): Route[] {
  return [...readRoutes(db), decisionRoute()];
}

function readRoutes(db: Executor): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List the sessions in which somebody may have asked for no more contact, newest first (extension)",
      query: Type.Object({
        ...pageQuery,
        state: Type.Optional(oneOf(OPT_OUT_REVIEW_STATES, "What a person decided, or OPEN.")),
        number: Type.Optional(E164),
      }),
      replies: { 200: pageOf(OptOutReview, "OptOutReviewPage") },
      async run({ caller: { workspaceId }, query: { state, number, ...paging } }) {
        const page = readPage(paging);
        const filter = { state, number };
        const rows = await listReviews(db, workspaceId, filter, page);
        return toPage(page, rows.map(toReview), () => countReviews(db, workspaceId, filter));
      },
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{reviewId}`,
      access: READ,
      summary: "Read a review (extension)",
      params,
      replies: { 200: OptOutReview },
      run: ({ caller, params: { reviewId } }) => getReview(db, caller.workspaceId, reviewId),
    }),
  ];
}

function decisionRoute(): Route {
  return route({
    ...common,
    method: "POST",
    path: `${PATH}/{reviewId}/decision`,
    access: WRITE,
    summary: "Decide a review (extension)",
    auditsItself: true,
    description:
      "CONFIRM puts the person on the do-not-call list with source SPOKEN_REFUSAL, decides their other open reviews alike, and what waited to be dialled is SKIPPED. DISMISS lifts the hold, and retries go on. The same decision again changes nothing; another one is a 409.",
    params,
    body: Type.Object(
      {
        decision: oneOf(DECISIONS),
        note: Type.Optional(
          nullable(
            Type.String({
              minLength: 1,
              maxLength: 500,
              pattern: "^[^\\u0000]*\\S[^\\u0000]*$",
              description: "Why; kept with the review.",
            }),
          ),
        ),
      },
      { $id: "OptOutReviewDecision" },
    ),
    idempotent: true,
    replies: { 200: OptOutReview },
    run: ({ tx, caller, params: { reviewId }, body: { decision, note = null }, address }) =>
      decideReview(tx, caller.workspaceId, reviewId, { decision, note, actor: actorBehind(caller, address) }),
  });
}
