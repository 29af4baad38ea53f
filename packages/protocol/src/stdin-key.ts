/**
 * The key under which a line to the CLI's stdin is delivered at most once. The journal of a run is
 * its stdin file, so the key must be found in the line itself: the uuid of a user line, the request
 * id of a control line.
 */
export function stdinKey(line: string): string | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof parsed !== "object" || parsed === null) return null;
  const message = parsed as Record<string, unknown>;
  if (message["type"] === "user" && typeof message["uuid"] === "string")
    return `user:${message["uuid"]}`;
  if (message["type"] === "control_request" && typeof message["request_id"] === "string")
    return `request:${message["request_id"]}`;
  if (message["type"] === "control_response") {
    const response = message["response"];
    if (typeof response === "object" && response !== null) {
      const id = (response as Record<string, unknown>)["request_id"];
      if (typeof id === "string") return `response:${id}`;
    }
  }
  return null;
}
