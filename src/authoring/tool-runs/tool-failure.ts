/** Why a call of a tool failed. The message is told to the model, so it holds no secret and no address. */
export class ToolFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "ToolFailure";
    this.code = code;
  }
}
