/** What the server answered when it refused a request, or that it could not be reached. */
export class ApiError extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.name = "ApiError";
    this.status = status;
  }

  get isUnreachable(): boolean {
    return this.status === 0;
  }
}

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** Awaits an answer of the typed client and returns its data, or throws an `ApiError` with the server's own words. */
export async function unwrap<Data>(request: Promise<Answer<Data>>): Promise<Data> {
  const answer = await request.catch((failure: unknown) => {
    if (failure instanceof DOMException && failure.name === "AbortError") {
      throw failure;
    }
    throw new ApiError(0, "The server does not answer.");
  });
  if (answer.data !== undefined && answer.response.ok) {
    return answer.data;
  }
  throw new ApiError(answer.response.status, describeRefusal(answer.error, answer.response));
}

/** Returns the server's own words for a refusal, or its status where the answer has none. */
export function describeRefusal(body: unknown, response: Response): string {
  const detail = typeof body === "object" && body !== null && "detail" in body ? body.detail : undefined;
  if (typeof detail === "string") {
    return detail;
  }
  if (Array.isArray(detail)) {
    return detail.map(describeViolation).join("; ");
  }
  return `The server answered ${response.status} ${response.statusText}`.trim();
}

function describeViolation(violation: { loc?: (string | number)[]; msg?: string }): string {
  return `${(violation.loc ?? []).join(".")}: ${violation.msg ?? "is not valid"}`;
}
