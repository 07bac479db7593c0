/** One frame of a stream. */
export interface Frame {
  type: string;
  data: object;
}
