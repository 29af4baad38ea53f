import type { ErrorCode } from "@lodge/protocol";

/** An act that was not done, with the code a front end is told. Nothing was appended unless the code is `outcome_unknown`. */
export class Refused extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = "Refused";
    this.code = code;
  }
}
