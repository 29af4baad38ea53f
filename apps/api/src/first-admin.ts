/**
 * Somebody has to be first: from the settings, or whoever has the one-time link.
 */
import { loginSchema } from "@lodge/protocol";
import type { Deps } from "./deps.ts";
import { ConfigError } from "./env.ts";

const LINK_LIFETIME_MS = 24 * 60 * 60_000;

/** The link to print, or null: there is an admin. */
export async function ensureFirstAdmin(
  deps: Pick<Deps, "users" | "passwords" | "env" | "now">,
  ownUrl: string,
): Promise<string | null> {
  const { firstAdmin } = deps.env;
  if (firstAdmin) {
    const login = loginSchema.safeParse(firstAdmin.login);
    if (!login.success)
      throw new ConfigError("LODGE_ADMIN_LOGIN: 2 to 64 of a-z, 0-9, dot, dash, underscore.");
    if (await deps.users.isEmpty())
      await deps.users.createFirst({
        login: login.data,
        name: firstAdmin.login,
        role: "admin",
        passwordHash: await deps.passwords.hash(firstAdmin.password),
      });
    return null;
  }
  const secret = await deps.users.issueSetupSecret(new Date(deps.now() + LINK_LIFETIME_MS));
  // In the fragment: it is never sent to a server, so no log of a proxy can hold it.
  return secret === null ? null : `${ownUrl.replace(/\/$/, "")}/setup#${secret}`;
}
