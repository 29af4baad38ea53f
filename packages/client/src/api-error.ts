import type { ErrorCode } from "@lodge/protocol";

/**
 * A request that did not do what it was for. `status` 0: no answer came at all, so what became of
 * the request is unknown.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: ErrorCode | "network" | "bad_answer" | (string & {});
  readonly requestId: string | null;
  /** The server asked to be left alone for so long. */
  readonly retryAfterMs: number | null;

  constructor(
    facts: {
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly requestId?: string | null;
      readonly retryAfterMs?: number | null;
    },
    options?: ErrorOptions,
  ) {
    super(facts.message, options);
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
  }

  /**
   * The act may or may not have happened: no answer, a proxy's answer, or the server's own word for
   * it. Repeating with the same id is safe and the only way to know.
   */
  get isOutcomeUnknown(): boolean {
    return (
      this.status === 0 ||
      this.code === "outcome_unknown" ||
      ((this.status === 502 || this.status === 504) && this.code === "bad_answer")
    );
  }
}

/** The error a refused response stands for, whoever wrote its body. */
export async function readApiError(response: Response): Promise<ApiError> {
  const base = { status: response.status, retryAfterMs: retryAfterMs(response) };
  const text = await response.text().catch(() => "");
  const error = parseErrorBody(text);
  return error === null
    ? new ApiError({ ...base, code: "bad_answer", message: `HTTP ${response.status}` })
    : new ApiError({ ...base, ...error });
}

function parseErrorBody(
  text: string,
): { code: string; message: string; requestId: string | null } | null {
  try {
    const { error } = JSON.parse(text) as { error?: Record<string, unknown> };
    if (typeof error?.["code"] !== "string") return null;
    return {
      code: error["code"],
      message: typeof error["message"] === "string" ? error["message"] : error["code"],
      requestId: typeof error["requestId"] === "string" ? error["requestId"] : null,
    };
  } catch {
    return null;
  }
}

function retryAfterMs(response: Response): number | null {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}
