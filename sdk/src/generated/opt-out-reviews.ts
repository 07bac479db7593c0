/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { OptOutReview, OptOutReviewDecision, OptOutReviewPage, OptOutReviewsListQuery } from "./shapes.ts";

/** Operations of the API that the resource optOutReviews of the client has. */
export class OptOutReviewsOperations extends Resource {
  /**
   * List the sessions in which somebody may have asked for no more contact, newest first.
   * Needs CALL_JOBS_READ.
   */
  list(query: OptOutReviewsListQuery = {}, options: RequestOptions = {}): Pages<OptOutReview, OptOutReviewPage> {
    return this.readPages({ path: pathOf`/opt-out-reviews`, query }, options);
  }

  /**
   * Read a review.
   * Needs CALL_JOBS_READ.
   */
  get(reviewId: string, options: RequestOptions = {}): Promise<OptOutReview> {
    return this.sendRequest({ method: "GET", path: pathOf`/opt-out-reviews/${reviewId}` }, options);
  }

  /**
   * Decide a review.
   * CONFIRM puts the person on the do-not-call list with source SPOKEN_REFUSAL, decides their other open reviews alike, and what waited to be dialled is SKIPPED. DISMISS lifts the hold, and retries go on. The same decision again changes nothing; another one is a 409. Needs CALL_JOBS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  decide(reviewId: string, body: OptOutReviewDecision, options: RequestOptions = {}): Promise<OptOutReview> {
    return this.sendRequest({ method: "POST", path: pathOf`/opt-out-reviews/${reviewId}/decision`, json: body, takesKey: true }, options);
  }
}
