/** Who is here, as the server says. Asked at the start and whenever something answers "signed out". */
import { createSignal, type Accessor } from "solid-js";
import { ApiError, type HttpClient } from "@lodge/client";
import type { Me } from "@lodge/protocol";

export type CurrentUser =
  | { readonly kind: "loading" }
  | { readonly kind: "signed-out" }
  | { readonly kind: "signed-in"; readonly me: Me }
  | { readonly kind: "unreachable"; readonly error: ApiError };

export function createCurrentUser(http: Pick<HttpClient, "me" | "logout">): {
  readonly user: Accessor<CurrentUser>;
  readonly refresh: () => Promise<void>;
  readonly signOut: () => Promise<void>;
} {
  const [user, setUser] = createSignal<CurrentUser>({ kind: "loading" });

  async function refresh() {
    try {
      const me = await http.me();
      // The same person again: what is on the page stays on the page.
      const current = user();
      if (current.kind !== "signed-in" || current.me.id !== me.id) setUser({ kind: "signed-in", me });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setUser(error.status === 401 ? { kind: "signed-out" } : { kind: "unreachable", error });
    }
  }

  async function signOut() {
    await http.logout();
    setUser({ kind: "signed-out" });
  }

  void refresh();
  return { user, refresh, signOut };
}
