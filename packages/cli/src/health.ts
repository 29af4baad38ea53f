/** Asking the api how it is. The only user of fetch in this package. */
const PATIENCE_MS = 1_000;

/** Undefined while nobody answers; otherwise the status. */
export async function askStatus(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: "manual",
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}
