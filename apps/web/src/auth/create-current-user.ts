/** Who is here, as the server says. Asked at the start and whenever something answers "signed out". */
import { createSignal, onMount, type Accessor } from "solid-js";
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
      setUser({ kind: "signed-in", me: await http.me() });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401) setUser({ kind: "signed-out" });
      // Whoever is in stays in while the server cannot be asked.
      else if (user().kind !== "signed-in") setUser({ kind: "unreachable", error });
    }
  }

  async function signOut() {
    await http.logout();
    setUser({ kind: "signed-out" });
  }

  onMount(() => void refresh());
  return { user, refresh, signOut };
}
