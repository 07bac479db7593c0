/** The operator stops the process in which a session runs. As the reason of a signal it marks who ended the session. */
export class OperatorStop extends Error {
  constructor() {
    super("The operator stopped the server.");
    this.name = "OperatorStop";
  }
}
