import { ERROR_STATUS, type ErrorCode } from "@lodge/protocol";

/** A request refused, with the code and the words its sender is told. */
export class HttpError extends Error {
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  constructor(code: ErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = "HttpError";
    this.code = code;
    this.headers = headers;
  }
  get status(): (typeof ERROR_STATUS)[ErrorCode] {
    return ERROR_STATUS[this.code];
  }
}
